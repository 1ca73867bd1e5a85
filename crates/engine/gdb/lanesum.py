"""Shows vector registers as words by lane, in gdb, while it is stopped in a kernel on x86.

    (gdb) source crates/engine/gdb/lanesum.py
    (gdb) lanesum lanes                 every vector register that is not zero
    (gdb) lanesum lanes -w 64 zmm3      this one, as words of 64 bits (SHA-512)
    (gdb) lanesum find 6a09e667         which register has it, in which lane

A line is a register and its words, lane 0 first, as hexadecimal numbers (the byte order is
undone when a block is loaded). In a kernel with two groups (`avx512_2x16`) the lanes of the
second group are in separate registers.
"""

import gdb

# The widest first: a narrow register is part of a wide one.
KINDS = [("zmm", 32, 512), ("ymm", 16, 256), ("xmm", 16, 128)]


class Lanes:
    """The vector registers of the selected frame."""

    def __init__(self, bits):
        if bits not in (32, 64):
            raise gdb.GdbError(f"lanesum: words have 32 or 64 bits, not {bits}")
        self.bits = bits
        try:
            self.frame = gdb.selected_frame()
        except gdb.error:
            raise gdb.GdbError("lanesum: no program is stopped here: `run` it into a kernel")

    def registers(self):
        """Returns the names of the widest registers of the CPU."""
        names = {register.name for register in self.frame.architecture().registers()}
        for kind, _, _ in KINDS:
            widest = [f"{kind}{i}" for i in range(32) if f"{kind}{i}" in names]
            if widest:
                return widest
        raise gdb.GdbError("lanesum: this machine has no vector registers of x86")

    def words(self, name):
        """Returns the words of a register, lane 0 first."""
        for kind, _, width in KINDS:
            if name.startswith(kind) and name[len(kind):].isdigit():
                lanes = width // self.bits
                try:
                    value = self.frame.read_register(name)[f"v{lanes}_int{self.bits}"]
                except (ValueError, gdb.error):
                    break
                mask = (1 << self.bits) - 1
                return [int(value[lane]) & mask for lane in range(lanes)]
        raise gdb.GdbError(f"lanesum: there is no vector register `{name}` here")

    def line(self, name):
        digits = self.bits // 4
        return f"{name:<6}" + " ".join(f"{word:0{digits}x}" for word in self.words(name))


def options(text):
    """Returns the width of words, and the other arguments."""
    words = gdb.string_to_argv(text)
    bits = 32
    if "-w" in words:
        at = words.index("-w")
        if at + 1 == len(words) or not words[at + 1].isdigit():
            raise gdb.GdbError("lanesum: -w wants the bits of a word: 32 or 64")
        bits = int(words[at + 1])
        del words[at : at + 2]
    return bits, words


class Lanesum(gdb.Command):
    """What is in the vector registers of a kernel."""

    def __init__(self):
        super().__init__("lanesum", gdb.COMMAND_DATA, prefix=True)


class LanesumLanes(gdb.Command):
    """lanesum lanes [-w BITS] [REGISTER...]: words by lane, that of lane 0 first."""

    def __init__(self):
        super().__init__("lanesum lanes", gdb.COMMAND_DATA)

    def invoke(self, text, from_tty):
        bits, names = options(text)
        lanes = Lanes(bits)
        for name in names or [n for n in lanes.registers() if any(lanes.words(n))]:
            print(lanes.line(name))


class LanesumFind(gdb.Command):
    """lanesum find [-w BITS] WORD: the registers and lanes that hold a word (hexadecimal)."""

    def __init__(self):
        super().__init__("lanesum find", gdb.COMMAND_DATA)

    def invoke(self, text, from_tty):
        bits, words = options(text)
        try:
            (word,) = [int(word, 16) for word in words]
        except ValueError:
            raise gdb.GdbError("lanesum: find wants one word, in hexadecimal")
        lanes = Lanes(bits)
        for name in lanes.registers():
            found = [lane for lane, held in enumerate(lanes.words(name)) if held == word]
            if found:
                print(f"{name:<6}lane " + ", ".join(map(str, found)))


Lanesum()
LanesumLanes()
LanesumFind()
