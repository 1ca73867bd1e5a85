"""The files of a layout in osu018 cells: what rtl/flow/layout needs before, between and after the placer and the router.

    layout.py prepare NETLIST.v OUT          writes OUT.v and OUT.blif: the netlist with the placer's names of cells
    layout.py mend NETLIST.v DEF LEF OUT     writes the layout with misplaced vias at their pins, see `mend`
    layout.py placed NETLIST.v DEF LEF OUT   checks the placement, and estimates wires by the half perimeters of nets
    layout.py routed NETLIST.v DEF LEF OUT   checks the layout against the netlist, and extracts wires

OUT of the last two is a file in SPEF. They print figures as words and numbers, or exit with status 1 and each fault.
Routed wires are compared as geometry: the metal of each net must touch all its pins, and no metal of another net.
"""
import collections
import re
import sys

# Units of length in a DEF file of qflow's for osu018, per um.
SCALE = 100
VIA_OHM = 6.0


class Netlist:
    """A module of cells, one pin a line, as rtl/flow/cells writes it."""

    def __init__(self, path):
        text = open(path).read()
        self.module = re.search(r"^module (\S+?)\(", text, re.M)[1]
        self.inputs = re.findall(r"^ *input (\S+);", text, re.M)
        self.outputs = re.findall(r"^ *output (\S+);", text, re.M)
        # The name of a cell, its kind, and the net of each pin.
        self.cells = {}
        for kind, name, pins in re.findall(r"^ *([A-Z]\w+) (\w+) \(([^;]*)\);", text, re.M):
            nets = re.findall(r"\.(\w+)\(([^)]+)\)", pins)
            # An escaped name has a backslash, and ends with a space.
            self.cells[name] = kind, {pin: re.sub(r"[^\w']", "_", net.strip("\\ ")) for pin, net in nets}

    def nets(self):
        nets = collections.defaultdict(set)
        for name, (_, pins) in self.cells.items():
            for pin, net in pins.items():
                nets[net].add((name, pin))
        for port in self.inputs + self.outputs:
            nets[port].add(("PIN", port))
        return nets


def prepare(path, out):
    """Names cells as qflow does, in the order of their kind. Constants become inputs of the module, because no cell outputs one."""
    netlist = Netlist(path)
    constants = {"1'h1": "one_i", "1'h0": "zero_i"}
    count = collections.Counter()
    cells = []
    for kind, pins in netlist.cells.values():
        count[kind] += 1
        cells.append((kind, f"{kind}_{count[kind]}", {pin: constants.get(net, net) for pin, net in pins.items()}))
    used = {net for _, _, pins in cells for net in pins.values()}
    inputs = netlist.inputs + [port for port in constants.values() if port in used]
    with open(out + ".v", "w") as file:
        file.write(f"module {netlist.module}({', '.join(inputs + netlist.outputs)});\n")
        file.writelines(f"  input {port};\n" for port in inputs)
        file.writelines(f"  output {port};\n" for port in netlist.outputs)
        for kind, name, pins in cells:
            file.write(f"  {kind} {name} ({', '.join(f'.{pin}({net})' for pin, net in pins.items())});\n")
        file.write("endmodule\n")
    with open(out + ".blif", "w") as file:
        file.write(f".model {netlist.module}\n.inputs {' '.join(inputs)}\n.outputs {' '.join(netlist.outputs)}\n")
        for kind, _, pins in cells:
            file.write(f".gate {kind} {' '.join(f'{pin}={net}' for pin, net in pins.items())}\n")
        file.write(".end\n")


class Lef:
    """Layers: width in um, ohms per square, pF per um2 and per um of edge. Macros: width, height, and the metal of pins."""

    def __init__(self, path):
        self.layers, self.macros = {}, {}
        layer = macro = pin = None
        for line in open(path):
            words = line.split()
            if not words:
                continue
            match words:
                case ["LAYER", name] if not macro:
                    layer = self.layers[name] = collections.defaultdict(float)
                case ["WIDTH" | "EDGECAPACITANCE" as key, value, ";"] if not macro:
                    layer[key] = float(value)
                case ["RESISTANCE" | "CAPACITANCE" as key, _, value, ";"] if not macro:
                    layer[key] = float(value)
                case ["MACRO", name]:
                    macro, pins = name, {}
                case ["SIZE", w, "BY", h, ";"] if macro:
                    self.macros[macro] = length(w), length(h), pins
                case ["PIN", name]:
                    pin = pins.setdefault(name, [])
                case ["OBS"]:
                    pin = []
                case ["LAYER", name, *_] if macro:
                    at = name
                case ["RECT", *corners, ";"] if macro and pin is not None:
                    pin.append((at, *map(length, corners)))
                case ["END", name] if name == macro:
                    macro = pin = None


def length(text):
    return round(float(text) * SCALE)


class Def:
    """Placed cells, ports, and the pins and wires of nets."""

    def __init__(self, path):
        text = open(path).read()
        part = lambda name: re.search(rf"^{name} \d+ ;(.*?)^END {name}", text, re.M | re.S)[1]
        self.cells = {
            name: (kind, int(x), int(y), way)
            for name, kind, x, y, way in re.findall(r"- (\S+) (\S+) \+ PLACED \( (-?\d+) (-?\d+) \) (\w+)", part("COMPONENTS"))
        }
        self.ports = {
            name: (layer, int(float(x)), int(float(y)))
            for name, layer, x, y in re.findall(r"- (\S+) \+ NET.*?LAYER (\w+).*?PLACED \( (\S+) (\S+) \)", part("PINS"), re.S)
        }
        self.nets = {}
        for entry in re.findall(r"^- (.*?) ;", part("NETS"), re.M | re.S):
            pins, _, wires = entry.partition("+ ROUTED")
            words = pins.split()
            self.nets[words[0]] = set(zip(words[2::4], words[3::4])), list(paths(wires))


def paths(text):
    """The segments (layer, x, y, x, y) and vias (upper layer, lower layer, x, y) of a net."""
    for path in filter(str.strip, text.split("NEW")):
        words = path.split()
        layer, at, i = words[0], None, 1
        while i < len(words):
            if words[i] == "(":
                x, y = words[i + 1], words[i + 2]
                to = (at[0] if x == "*" else int(float(x)), at[1] if y == "*" else int(float(y)))
                if at:
                    yield layer, *at, *to
                at = to
                i += words[i:].index(")") + 1
            else:
                upper, lower = re.fullmatch(r"M(\d)_M(\d)", words[i]).groups()
                yield "metal" + upper, "metal" + lower, *at
                i += 1


class Layout:
    def __init__(self, netlist, lef, layout):
        self.netlist, self.lef, self.layout = netlist, lef, layout
        self.faults = []
        self.nets = netlist.nets()
        self.half = {name: length(layer["WIDTH"] / 2) for name, layer in lef.layers.items()}

    def pin(self, cell, pin):
        """The metal of a pin where its cell is placed."""
        if cell == "PIN":
            layer, x, y = self.layout.ports[pin]
            half = self.half[layer]
            return [(layer, x - half, y - half, x + half, y + half)]
        kind, x, y, way = self.layout.cells[cell]
        width, height, pins = self.lef.macros[kind]
        def turned(layer, left, low, right, high):
            if way in ("S", "FN"):
                left, right = width - right, width - left
            if way in ("S", "FS"):
                low, high = height - high, height - low
            return layer, x + left, y + low, x + right, y + high
        return [turned(*rect) for rect in pins[pin]]

    def check_cells(self):
        """The layout has the cells and nets of the netlist, a clock for each register, and no two cells at one place."""
        buffers = {pins["Y"]: pins["A"] for kind, pins in self.netlist.cells.values() if kind == "CLKBUF1"}
        for name, (_, pins) in self.netlist.cells.items():
            clock = pins.get("CLK", "clk_i")
            while clock in buffers:
                clock = buffers[clock]
            if clock != "clk_i":
                self.faults.append(f"cell {name}: the clock is {clock}")
        wanted = {name: kind for name, (kind, _) in self.netlist.cells.items()}
        placed = {name: cell[0] for name, cell in self.layout.cells.items() if cell[0] != "FILL"}
        for name in wanted.keys() | placed.keys():
            if wanted.get(name) != placed.get(name):
                self.faults.append(f"cell {name}: {placed.get(name)} in the layout, {wanted.get(name)} in the netlist")
        for name in self.nets.keys() | self.layout.nets.keys():
            pins = self.layout.nets.get(name, (set(),))[0]
            if pins != self.nets.get(name, set()):
                differs = " ".join(f"{cell}/{pin}" for cell, pin in sorted(pins ^ self.nets.get(name, set())))
                self.faults.append(f"net {name}: {differs} in only one of layout and netlist")
        rows = collections.defaultdict(list)
        for name, (kind, x, y, _) in self.layout.cells.items():
            rows[y].append((x, x + self.lef.macros[kind][0], name))
        for row in rows.values():
            row.sort()
            for (_, end, one), (begin, _, other) in zip(row, row[1:]):
                if begin < end:
                    self.faults.append(f"cells {one} and {other} overlap")

    def metal(self, name):
        """The rectangles of a net, each with its wire or pin."""
        pins, wires = self.layout.nets[name]
        for pin in sorted(pins):
            for rect in self.pin(*pin):
                yield rect, pin
        for wire in wires:
            if len(wire) == 5:
                layer, x, y, u, v = wire
                half = self.half[layer]
                yield (layer, min(x, u) - half, min(y, v) - half, max(x, u) + half, max(y, v) + half), wire
            else:
                for layer in wire[:2]:
                    half, (x, y) = self.half[layer], wire[2:]
                    yield (layer, x - half, y - half, x + half, y + half), wire

    def check_shorts(self):
        """No metal of two nets overlaps."""
        squares = collections.defaultdict(list)
        size = 20 * SCALE
        metal = [(rect, name) for name in self.layout.nets for rect, _ in self.metal(name)]
        for name, (kind, *_) in self.layout.cells.items():
            metal += [(rect, rail) for rail in ("vdd", "gnd") for rect in self.pin(name, rail) if rail in self.lef.macros[kind][2]]
        found = set()
        for rect, net in metal:
            layer, left, low, right, high = rect
            for column in range(left // size, right // size + 1):
                for row in range(low // size, high // size + 1):
                    square = squares[layer, column, row]
                    for other, owner in square:
                        if owner != net and other[1] < right and left < other[3] and other[2] < high and low < other[4]:
                            found.add((layer, *sorted((net, owner))))
                    square.append((rect, net))
        self.faults += [f"nets {one} and {other}: short on {layer}" for layer, one, other in sorted(found)]

    def wires(self, name):
        """The resistors of a net's wires, the capacitance of its nodes, and which nodes its metal joins."""
        pins, wires = self.layout.nets[name]
        nodes = {wire[i:i + 1] + wire[j:j + 2] for wire in wires
                 for i, j in ([(0, 1), (0, 3)] if len(wire) == 5 else [(0, 2), (1, 2)])}
        joined = {node: node for node in nodes | pins}
        def find(node):
            while joined[node] != node:
                joined[node] = node = joined[joined[node]]
            return node
        resistors, pf, um = [], collections.defaultdict(float), 0.0
        def resistor(one, other, ohm):
            if one != other:
                joined[find(one)] = find(other)
                resistors.append((one, other, ohm))
        members = []
        for rect, what in self.metal(name):
            if what in pins:
                members.append((rect, [what]))
            elif len(what) == 5:
                layer, x, y, u, v = what
                left, low, right, high = min(x, u), min(y, v), max(x, u), max(y, v)
                on = sorted(node for node in nodes if node[0] == layer and left <= node[1] <= right and low <= node[2] <= high)
                constants = self.lef.layers[layer]
                for one, other in zip(on, on[1:]):
                    long = (abs(one[1] - other[1]) + abs(one[2] - other[2])) / SCALE
                    um += long
                    resistor(one, other, constants["RESISTANCE"] * long / constants["WIDTH"])
                    for node in one, other:
                        pf[node] += self.per_um(layer) * long / 2
                members.append((rect, on))
            else:
                upper, lower, x, y = what
                if rect[0] == upper:
                    resistor((upper, x, y), (lower, x, y), VIA_OHM)
                members.append((rect, [(rect[0], x, y)]))
        for i, (rect, some) in enumerate(members):
            for other, more in members[:i]:
                touch = rect[0] == other[0] and rect[1] <= other[3] and other[1] <= rect[3] and rect[2] <= other[4] and other[2] <= rect[4]
                if touch and find(some[0]) != find(more[0]):
                    far = lambda pair: sum(abs(a - b) for a, b in zip(pair[0][1:], pair[1][1:])) if len(pair[0]) == len(pair[1]) == 3 else 0
                    resistor(*min(((a, b) for a in some for b in more), key=far), 0.001)
        parts = {find(pin) for pin in pins}
        if len(parts) > 1:
            ends = sorted("/".join(pin) for pin in pins if find(pin) != find(min(pins)))
            self.faults.append(f"net {name}: open; {' '.join(ends)} not reached from {'/'.join(min(pins))}")
        return resistors, pf, um

    def per_um(self, layer):
        constants = self.lef.layers[layer]
        return constants["WIDTH"] * constants["CAPACITANCE"] + 2 * constants["EDGECAPACITANCE"]

    def estimate(self, name):
        """Half the perimeter around a net's pins, with the mean capacitance of metal 2 and 3."""
        corners = [rect[i:i + 2] for pin in self.layout.nets[name][0] for rect in self.pin(*pin)[:1] for i in (1, 3)]
        pins = sorted(self.layout.nets[name][0])
        um = sum(max(side) - min(side) for side in zip(*corners)) / SCALE
        pf = um * (self.per_um("metal2") + self.per_um("metal3")) / 2
        return [(pins[0], pin, 0.001) for pin in pins[1:]], {pins[0]: pf}, um

    def spef(self, path, wires):
        """Writes the wires of all nets, and returns their um and pF."""
        kinds = {"Y": "O", "Q": "O"}
        total_um = total_pf = 0.0
        with open(path, "w") as file:
            file.write('*SPEF "IEEE 1481-1998"\n*DESIGN "%s"\n*DATE ""\n*VENDOR ""\n*PROGRAM "layout.py"\n*VERSION ""\n'
                       '*DESIGN_FLOW ""\n*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER [ ]\n*T_UNIT 1 NS\n*C_UNIT 1 PF\n*R_UNIT 1 OHM\n'
                       '*L_UNIT 1 HENRY\n' % self.netlist.module)
            for name in self.layout.nets:
                resistors, pf, um = wires(name)
                total_um += um
                total_pf += sum(pf.values())
                numbers = {}
                def node(key):
                    if len(key) == 2:
                        return key[1] if key[0] == "PIN" else ":".join(key)
                    return f"{name}:{numbers.setdefault(key, len(numbers) + 1)}"
                file.write(f"*D_NET {name} {sum(pf.values()):.6g}\n*CONN\n")
                for cell, pin in sorted(self.layout.nets[name][0]):
                    if cell == "PIN":
                        file.write(f"*P {pin} {'I' if pin in self.netlist.inputs else 'O'}\n")
                    else:
                        file.write(f"*I {cell}:{pin} {kinds.get(pin, 'I')}\n")
                file.write("*CAP\n")
                file.writelines(f"{i} {node(key)} {value:.6g}\n" for i, (key, value) in enumerate(pf.items(), 1))
                file.write("*RES\n")
                file.writelines(f"{i} {node(a)} {node(b)} {ohm:.6g}\n" for i, (a, b, ohm) in enumerate(resistors, 1))
                file.write("*END\n")
        return total_um, total_pf


def mend(netlist, path, lef, out):
    """Where a wire begins at a pin, qrouter 1.4 sometimes writes the via to the pin after the first segment instead of before it.
    Exchanges both in nets that are open, if the net is then connected. `layout.py routed` checks the result as any layout."""
    text = open(path).read()
    it = Layout(Netlist(netlist), Lef(lef), Def(path))
    for name in it.layout.nets:
        it.wires(name)
    for name in [fault.split(" ")[1].rstrip(":") for fault in it.faults]:
        entry = re.search(rf"^- {re.escape(name)}$.*? ;", text, re.M | re.S)[0]
        pins, _, wires = entry.partition("+ ROUTED")
        for found in re.finditer(r"metal2 \( (\S+ \S+) \) (\( [^)]* \)) M2_M1", wires):
            moved = f"{wires[:found.start()]}metal2 ( {found[1]} ) M2_M1 {found[2]}{wires[found.end():]}"
            it.layout.nets[name], it.faults = (it.layout.nets[name][0], list(paths(moved.rstrip(";")))), []
            it.wires(name)
            if not it.faults:
                print(f"layout.py: net {name}: moved a via to ( {found[1]} )")
                text = text.replace(entry, f"{pins}+ ROUTED{moved}")
                break
    with open(out, "w") as file:
        file.write(text)


def main():
    if sys.argv[1] in ("prepare", "mend"):
        return {"prepare": prepare, "mend": mend}[sys.argv[1]](*sys.argv[2:])
    step, netlist, layout, lef, out = sys.argv[1:]
    it = Layout(Netlist(netlist), Lef(lef), Def(layout))
    it.check_cells()
    if not it.faults:
        if step == "routed":
            it.check_shorts()
        um, pf = it.spef(out, it.wires if step == "routed" else it.estimate)
    if it.faults:
        sys.exit("\n".join(f"layout.py: {fault}" for fault in it.faults))
    cells = it.layout.cells.values()
    area = sum(it.lef.macros[kind][0] * it.lef.macros[kind][1] for kind, *_ in cells) / SCALE**2
    width = max(x + it.lef.macros[kind][0] for kind, x, _, _ in cells) - min(x for _, x, _, _ in cells)
    height = max(y + it.lef.macros[kind][1] for kind, _, y, _ in cells) - min(y for _, _, y, _ in cells)
    print(f"cells {len(it.netlist.cells)} um2 {width * height / SCALE**2:.0f} used {area * 100 * SCALE**2 / (width * height):.0f} um {um:.0f} pf {pf:.2f}")


main()
