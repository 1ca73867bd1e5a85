# Generates a netlist that sums the energy of its changes, and a testbench for it:
#   awk -f energy.awk -v ns=PERIOD cells.lib gates.v
# The unit is pJ. rtl/flow/energy describes the model.
function middle(text,  at, n) {  # the middle number of a line
  gsub(/[^0-9.,e-]/, "", text)
  n = split(text, at, ",")
  return at[int((n + 1) / 2)]
}
# First file: the cells.
FNR == NR {
  if ($1 == "cell") { cell = $2; gsub(/[()]/, "", cell) }
  else if (match($0, /^ *pin\(/)) { pin = $0; sub(/^ *pin\(/, "", pin); sub(/\).*/, "", pin) }
  else if ($1 == "capacitance") { c = $3; sub(/;/, "", c); load[cell, pin] = c }
  else if (match($1, /^(rise|fall)_power/)) { power = 1; line = 0 }
  else if (power && /"/ && !/index_/) {
    rows[++line] = $0
  }
  if (power && /\);/ && line) {
    value = middle(rows[int((line + 1) / 2)])
    inside[cell, pin] += value; of[cell, pin]++
    power = 0
  }
  next
}
# Second file: the gates.
FNR == 1 { print "`timescale 1ns/10ps" }
/^ *(input|output) / {
  name = $2; sub(/;/, "", name)
  way[name] = $1; names[++ports] = name
}
/^module/ { top = $2; sub(/\(.*/, "", top) }
match($0, /^  [A-Z][A-Z0-9]*X[0-9]+ |^  DFFSR |^  LATCH /) { cell = $1 }
match($0, /^  BUFX4 buffer_/) {
  cell = "BUFX4"
  text = $0
  sub(/.*\.A\(/, "", text); from = text; sub(/\).*/, "", from)
  sub(/.*\.Y\(/, "", text); sub(/\).*/, "", text)
  pins(cell, "A", from); pins(cell, "Y", text)
}
match($0, /^ *\.[A-Z]+[0-9]*\(/) {
  pin = $0; sub(/^ *\./, "", pin); sub(/\(.*/, "", pin)
  net = $0; sub(/^ *\.[A-Z]+[0-9]*\(/, "", net); sub(/\),? *$/, "", net); sub(/ *$/, "", net)
  if (net ~ /^\\/) net = net " "  # an escaped name ends at a space
  pins(cell, pin, net)
}
function pins(cell, pin, net,  each) {
  if (net ~ /^1'/) return
  each = of[cell, pin] ? inside[cell, pin] / of[cell, pin] : 0
  if (net == "clk_i") { clock += 2 * each + 1.8 * 1.8 * load[cell, pin]; return }
  cost[net] += each + 1.8 * 1.8 / 2 * load[cell, pin]
}
/^endmodule/ {
  print "  real energy = 0;"
  for (net in cost) if (cost[net] > 0) printf "  always @(%s) energy = energy + %.6f;\n", net, cost[net]
  printf "  always @(posedge clk_i) energy = energy + %.6f;\n", clock
}
{ print }
END { testbench() }
function testbench(  i, name, bit, base, list) {
  for (i = 1; i <= ports; i++) {
    name = names[i]; base = name
    if (match(name, /_[0-9]+_$/)) {
      bit = substr(name, RSTART + 1, RLENGTH - 2); base = substr(name, 1, RSTART - 1)
      if (bit + 1 > bits[base]) bits[base] = bit + 1
      list = list ", ." name "(" base "[" bit "])"
    } else { bits[base] += 0; list = list ", ." name "(" base ")" }
    dir[base] = way[name]
  }
  block = bits["block_i"]; state = bits["state_i"]
  half = 0.75 * ns
  print "module energy_tb;"
  for (base in dir)
    printf "  %s %s%s;\n", dir[base] == "input" ? "reg" : "wire", bits[base] ? "[" bits[base] - 1 ":0] " : "", base
  if ("s_axis_tdata" in dir) { shell(list); return }
  printf "  reg [%d:0] vectors[0:34];\n  integer sent = 0, given = 0;\n  real mark = 0, last = 0; integer from = 0;\n", 2 * state + block - 1
  printf "  %s dut (%s);\n", top, substr(list, 3)
  # The energy of the gates in a clock without a block, when the values have left: with block_i and
  # state_i held, and with both changing in every clock.
  printf "  task idle(input moving, output real each);\n    integer i;\n    begin\n      block_valid_i = 0;\n"
  print "      for (i = 0; i < 300; i = i + 1) begin"
  print "        if (i == 200) each = dut.energy;"
  print "        if (moving) {block_i, state_i} = vectors[i % 35];"
  printf "        #%.2f clk_i = 1; #%.2f clk_i = 0;\n      end\n", 0.75 * ns, 0.75 * ns
  printf "      each = (dut.energy - each) / 100 - %.6f;\n    end\n  endtask\n  real held, moved;\n", clock
  printf "  initial begin\n    $readmemh(\"vectors.hex\", vectors);\n    clk_i = 0; rst_ni = 0; block_valid_i = 0;\n"
  if ("state_ready_i" in dir) print "    state_ready_i = 1;"
  if ("id_i" in dir) print "    id_i = 0;"
  if ("zeroize_i" in dir) print "    zeroize_i = 0;"
  printf "    #%.2f clk_i = 1; #%.2f clk_i = 0; #%.2f rst_ni = 1;\n", half, half, half
  if ("last_i" in dir) { chained(); return }
  print "    while (given < 30) begin"
  # Like the outputs of a register, inputs change after the clock edge.
  print "      block_valid_i = 1; {block_i, state_i} = vectors[sent % 35];"
  printf "      #%.2f;\n", half
  printf "      if (state_valid_o === 1'b1) begin\n        if (state_o !== vectors[given %% 35][%d:%d]) begin $display(\"block %%0d is wrong\", given); $finish; end\n        given = given + 1;\n", 2 * state + block - 1, state + block
  # At the first blocks, registers are undefined.
  print "        if (given == 14) begin mark = dut.energy; from = given; end\n      end"
  printf "      if (block_ready_o === 1'b1) sent = sent + 1;\n      clk_i = 1; #%.2f clk_i = 0;\n    end\n", half
  finish("(dut.energy - mark) / (given - from)")
}
function finish(block) {
  printf "    mark = %s;\n    idle(0, held);\n    idle(1, moved);\n", block
  printf "    $display(\"energy %%.1f idle %%.2f moving %%.2f clock %.2f pJ\", mark, held, moved);\n    $finish;\n  end\nendmodule\n", clock
}
# Messages, whose value is visible only after the last block; it is correct only if all earlier ones
# are. The energy is of blocks of the longest message, the last of the vectors.
function chained() {
  print "    while (given < 35) begin"
  print "      block_valid_i = sent < 35; {block_i, state_i} = vectors[sent % 35]; last_i = 1;"
  printf "      if (sent < 34 && vectors[sent + 1][%d:0] === vectors[sent][%d:%d]) last_i = 0;\n", state - 1, 2 * state + block - 1, state + block
  printf "      #%.2f;\n", half
  printf "      if (state_valid_o === 1'b1) begin\n        if (state_o !== vectors[sent - 1][%d:%d]) begin $display(\"block %%0d is wrong\", sent - 1); $finish; end\n        given = sent;\n      end\n", 2 * state + block - 1, state + block
  print "      if (block_valid_i && block_ready_o === 1'b1) begin"
  print "        sent = sent + 1;"
  print "        if (sent == 16) mark = dut.energy;"
  print "        if (sent == 34) last = dut.energy;\n      end"
  printf "      clk_i = 1; #%.2f clk_i = 0;\n    end\n", half
  finish("(last - mark) / 18")
}
# The stream shell: a message of random blocks without stalls; then no command comes, and all other inputs of data change.
function shell(list,  base, set, moved, i) {
  for (base in dir) {
    if (dir[base] != "input") continue
    set = set " " base " = 0;"
    if (base ~ /^(clk_i|rst_ni|zeroize_i|cmd_valid_i|error_clear_i|m_axis_tready)$/) continue
    moved = moved " " base " = {" (bits[base] ? int((bits[base] + 31) / 32) : 1) "{$urandom}};"
  }
  printf "  %s dut (%s);\n  real mark = 0, last = 0, held, moved; integer i, beats = 0;\n", top, substr(list, 3)
  print "  task idle(input moving, output real each);\n    begin\n      for (i = 0; i < 300; i = i + 1) begin"
  print "        if (i == 200) each = dut.energy;"
  printf "        if (moving) begin%s end\n        #%.2f clk_i = 1; #%.2f clk_i = 0;\n      end\n", moved, half, half
  printf "      each = (dut.energy - each) / 100 - %.6f;\n    end\n  endtask\n", clock
  printf "  initial begin\n   %s\n    for (i = 0; i < 3; i = i + 1) begin #%.2f clk_i = 1; #%.2f clk_i = 0; end\n", set, half, half
  print "    rst_ni = 1; m_axis_tready = 1; cmd_valid_i = 1; s_axis_tvalid = 1; s_axis_tkeep = -1; s_axis_tdata = $urandom;"
  print "    while (done_o !== 1'b1) begin"
  printf "      #%.2f;\n      if (s_axis_tready === 1'b1 && s_axis_tvalid) begin\n        beats = beats + 1; cmd_valid_i = 0;\n", half
  print "        if (beats == 160) mark = dut.energy;\n        if (beats == 448) last = dut.energy;\n      end"
  printf "      clk_i = 1; #%.2f clk_i = 0;\n", half
  printf "      s_axis_tdata = {%d{$urandom}}; s_axis_tlast = beats == 479; s_axis_tvalid = beats < 480;\n    end\n", int((bits["s_axis_tdata"] + 31) / 32)
  finish("(last - mark) / 18")
}
