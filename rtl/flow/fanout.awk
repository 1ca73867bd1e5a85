# Splits the fan-out of flip-flops, which ABC does not change, with trees of buffers:
#   awk -f fanout.awk -v flops=PATTERN -v buffer="CELL INPUT OUTPUT" gates.v gates.v
# or, with `-v clock=NET` instead of `flops`, the clock's.
# If more than `most` pins read a flip-flop's net, buffers drive them, each at most `most`
# pins; more than `most` buffers are driven by buffers again.
BEGIN { if (clock) { flops = "^$"; driven[clock] = 1 } most = 12; split(buffer, cell, " "); pin_start = "^\\.[A-Z]+[0-9]*(_[A-Z]+)?\\(" }
# First pass: the nets that flip-flops drive, and the number of pins on each net.
NR == FNR {
  if ($1 ~ "^(" flops ")$") flop = 1
  if ($1 == ");") flop = 0
  if (match($1, pin_start)) {
    pin = substr($1, 2, RLENGTH - 2)
    net = pin_net()
    if (flop && pin == "Q") driven[net] = 1
    else if (reads(pin)) loads[net]++
  }
  next
}
function reads(pin) { return clock ? pin == "CLK" : pin !~ /^(Y|X|Q|Q_N|CLK)$/ }
function pin_net(  text) {
  text = $0
  sub(/^ */, "", text)
  sub(pin_start, "", text)
  sub(/\),? *$/, "", text)
  return text
}
function clean(net) { gsub(/[^A-Za-z0-9_]/, "_", net); return net }
# The name of buffer i of a row, and the tree for `count` pins of a net.
function leaf(net, i) { return "fan_" clean(net) "_0_" i }
function tree(net, count,  row, here, above, i, from) {
  for (row = 0; count > most; row++) {
    here = int((count + most - 1) / most)
    above = here > most
    for (i = 0; i < here; i++) {
      from = above ? "fan_" clean(net) "_" row + 1 "_" int(i / most) : net
      name = "fan_" clean(net) "_" row "_" i
      printf "  wire %s;\n  %s buffer_%s ( .%s(%s), .%s(%s) );\n", name, cell[1], name, cell[2], from, cell[3], name
    }
    count = here
  }
}
$1 == "endmodule" { for (net in driven) if (loads[net] > most) tree(net, loads[net]) }
match($1, pin_start) {
  pin = substr($1, 2, RLENGTH - 2)
  net = pin_net()
  if (reads(pin) && driven[net] && loads[net] > most) {
    last = index($0, "),") ? "," : ""
    turn = seen[net]++
    printf "    .%s(%s)%s\n", pin, leaf(net, int(turn / most)), last
    next
  }
}
{ print }
