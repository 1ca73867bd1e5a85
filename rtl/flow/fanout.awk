# Splits the fan-out of flip-flops, which ABC does not change, with trees of buffers:
#   awk -f fanout.awk gates.v gates.v
# If more than `most` pins read a flip-flop's net, BUFX4 cells drive them, each at most `most`
# pins; more than `most` buffers are driven by buffers again.
BEGIN { most = 12 }
# First pass: the nets that flip-flops drive, and the number of pins on each net.
NR == FNR {
  if ($1 ~ /^(DFFPOSX1|DFFSR)$/) flop = 1
  if ($1 == ");") flop = 0
  if (match($1, /^\.[A-Z]+[0-9]*\(/)) {
    pin = substr($1, 2, RLENGTH - 2)
    net = pin_net()
    if (flop && pin == "Q") driven[net] = 1
    else if (pin != "Y" && pin != "CLK" && pin != "Q") loads[net]++
  }
  next
}
function pin_net(  text) {
  text = $0
  sub(/^ *\.[A-Z]+[0-9]*\(/, "", text)
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
      printf "  wire %s;\n  BUFX4 buffer_%s ( .A(%s), .Y(%s) );\n", name, name, from, name
    }
    count = here
  }
}
$1 == "endmodule" { for (net in driven) if (loads[net] > most) tree(net, loads[net]) }
match($1, /^\.[A-Z]+[0-9]*\(/) {
  pin = substr($1, 2, RLENGTH - 2)
  net = pin_net()
  if (pin != "Y" && pin != "CLK" && pin != "Q" && driven[net] && loads[net] > most) {
    last = index($0, "),") ? "," : ""
    turn = seen[net]++
    printf "    .%s(%s)%s\n", pin, leaf(net, int(turn / most)), last
    next
  }
}
{ print }
