# Generates a shell that connects a core's many ports to a package's pins, from the core's file:
# an input register that is filled 32 bits at a time, and a register of the value, read 32 bits at a time.
/^module/ { core = $2 }
match($0, /^ *(input|output) +logic/) {
  name = $0
  sub(/ *\/\/.*/, "", name); sub(/,? *$/, "", name); sub(/.* /, "", name)
  width = 1
  if (match($0, /\[[0-9]+:0\]/)) width = substr($0, RSTART + 1, RLENGTH - 4) + 1
  bits[name] = width
}
/^\);/ && !done {
  done = 1
  block = bits["block_i"]; state = bits["state_i"]
  printf "module shell (\n  input clk_i, input rst_ni, input shift_i, input [31:0] in_i,\n"
  printf "  input valid_i, input taken_i, output ready_o, output valid_o, output reg [31:0] out_o);\n"
  printf "  reg [%d:0] in; reg [%d:0] out; wire [%d:0] state; wire valid, ready;\n", block + state - 1, state - 1, state - 1
  printf "  reg valid_q, shift_q, taken_q, given_q, ready_q; reg [31:0] in_q;\n"
  printf "  %s core (.clk_i(clk_i), .rst_ni(rst_ni), .block_valid_i(valid_q), .block_ready_o(ready),\n", core
  printf "    .block_i(in[%d:0]), .state_i(in[%d:%d]), .state_valid_o(valid), .state_o(state)", block - 1, block + state - 1, block
  if ("state_ready_i" in bits) printf ", .state_ready_i(taken_q)"
  if ("last_i" in bits) printf ", .last_i(in_q[0])"
  if ("zeroize_i" in bits) printf ", .zeroize_i(in_q[31])"
  if ("id_i" in bits) printf ", .id_i(in_q[7:0]), .id_o()"
  printf ");\n  always @(posedge clk_i) begin\n    valid_q <= valid_i; shift_q <= shift_i; taken_q <= taken_i; in_q <= in_i;\n"
  printf "    ready_q <= ready; given_q <= valid;\n    if (shift_q) in <= {in, in_q};\n"
  printf "    out <= valid ? state : {out, 32'd0}; out_o <= out[%d:%d];\n  end\n", state - 1, state - 32
  printf "  assign ready_o = ready_q; assign valid_o = given_q;\nendmodule\n"
}
