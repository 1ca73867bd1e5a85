# SPDX-License-Identifier: MIT OR Apache-2.0
"""lanesum_sha2_axil behind the AXI4-Lite model of cocotbext-axi, against hashlib: messages of many lengths, and accesses at the wrong
time. docs/sha2-registers.md describes the registers."""

import hashlib
import random

import cocotb
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp
from stream import NARROW, chance_of, start

ID, VERSION, CONTROL, STATUS, INTR_ENABLE, INTR_STATE, LAST, DATA, DIGEST = range(0x00, 0x24, 4)
BLOCKS, CONTEXT, CONTEXT_BLOCKS = 0x40, 0x60, 0x80
START, TAKE, ZEROIZE, RESTORE = 1, 2, 4, 8
IDLE, BUSY, DONE, SAVED, ERROR = 1, 2, 4, 8, 16
MODE, STROBE, SAVE, REFUSED = 2, 4, 8, 16  # in INTR_STATE, whose lowest bit is DONE_EVENT
DONE_EVENT = 1
INPUTS = "awvalid awaddr awprot wvalid wdata wstrb bready arvalid araddr arprot rready".split()


class Registers:
    def __init__(self, dut):
        self.dut = dut
        self.chance = random.Random(1)

    async def start(self, stalls=0.0):
        await start(self.dut, [f"s_axil_{port}" for port in INPUTS])
        bus = AxiLiteBus.from_prefix(self.dut, "s_axil")
        self.bus = AxiLiteMaster(bus, self.dut.clk_i, self.dut.rst_ni, reset_active_level=False)
        for interface, channels in (self.bus.write_if, ("aw", "w", "b")), (self.bus.read_if, ("ar", "r")):
            for channel in channels:
                model = getattr(interface, f"{channel}_channel")
                model.set_pause_generator(chance_of(self.chance, stalls))

    async def put(self, address, value, strobes=4, answer=AxiResp.OKAY):
        """Writes the lowest `strobes` bytes of a register."""
        answered = await self.bus.write(address, value.to_bytes(4, "little")[:strobes])
        assert answered.resp == answer, f"write of {address:#x}: {answered.resp!r}"

    async def get(self, address, answer=AxiResp.OKAY):
        answered = await self.bus.read(address, 4)
        assert answered.resp == answer, f"read of {address:#x}: {answered.resp!r}"
        return int.from_bytes(answered.data, "little")

    async def events(self, expected):
        """Exactly these events occurred; clears them."""
        assert int(self.dut.irq_o.value) == (expected & await self.get(INTR_ENABLE) != 0)
        found = await self.get(INTR_STATE)
        assert found == expected, f"INTR_STATE is {found:#x}, not {expected:#x}"
        await self.put(INTR_STATE, found)
        assert await self.get(INTR_STATE) == 0

    async def words(self, data):
        for at in range(0, len(data), 4):
            await self.put(DATA, int.from_bytes(data[at : at + 4], "little"))

    async def end(self, tail, save=False):
        """The last write of a message, with only the strobes that it needs."""
        await self.put(LAST, 1 | 2 * save | len(tail) << 4)
        if tail:
            await self.put(DATA, int.from_bytes(tail, "little"), strobes=len(tail))
        else:
            await self.put(DATA, self.chance.getrandbits(32))

    async def message(self, data, save=False):
        """A message with any number of bytes in its last write that its length permits."""
        last = len(data) % 4 or (4 if save or data and self.chance.random() < 0.5 else 0)
        await self.words(data[: len(data) - last])
        await self.end(data[len(data) - last :], save)

    async def done(self, state=DONE):
        for _ in range(100):
            status = await self.get(STATUS)
            if not status & BUSY:
                break
        assert status == state, f"STATUS is {status:#x}, not {state:#x}"

    async def value(self):
        return b"".join([(await self.get(DIGEST + 4 * i)).to_bytes(4, "little") for i in range(8)])

    async def digest(self, mode, data):
        await self.done()
        value = hashlib.new(NARROW[mode], data).digest()
        assert await self.value() == value.ljust(32, b"\0"), f"mode {mode}, {len(data)} bytes"


async def messages(dut, stalls):
    registers = Registers(dut)
    await registers.start(stalls)
    chance = registers.chance
    assert await registers.get(ID) == int.from_bytes(b"LSH2", "little")
    assert await registers.get(STATUS) == IDLE
    await registers.put(INTR_ENABLE, DONE_EVENT)
    lengths = [0, 1, 3, 4, 5, 55, 56, 59, 60, 61, 63, 64, 65, 119, 120, 128]
    chance.shuffle(lengths)
    take = 0
    for number, length in enumerate(lengths):
        mode, data = number % 2, chance.randbytes(length)
        # The digest before is taken as the message begins.
        await registers.put(CONTROL, START | take | mode << 4)
        take = TAKE
        await registers.message(data)
        await registers.digest(mode, data)
        await registers.events(DONE_EVENT)
    await registers.put(CONTROL, TAKE)
    assert await registers.get(STATUS) == IDLE and await registers.value() == bytes(32)


@cocotb.test(timeout_time=200, timeout_unit="us")
async def without_stalls(dut):
    await messages(dut, 0.0)


@cocotb.test(timeout_time=200, timeout_unit="us")
async def with_stalls(dut):
    await messages(dut, 0.5)


@cocotb.test(timeout_time=200, timeout_unit="us")
async def with_overlapping_reads(dut):
    """Reads that are requested before earlier ones are answered return their own registers."""
    registers = Registers(dut)
    await registers.start(0.5)
    await registers.put(CONTROL, START | 1 << 4)
    await registers.message(b"abc")
    await registers.done()
    for _ in range(8):
        reads = [cocotb.start_soon(registers.get(DIGEST + 4 * i)) for i in range(8)]
        value = b"".join([(await read).to_bytes(4, "little") for read in reads])
        assert value == hashlib.new(NARROW[1], b"abc").digest()


@cocotb.test(timeout_time=200, timeout_unit="us")
async def with_errors(dut):
    """Each wrong write has its event only, and the message after it is right."""
    registers = Registers(dut)
    await registers.start(0.1)
    chance = registers.chance

    async def correct():
        data = chance.randbytes(chance.randrange(150))
        await registers.put(CONTROL, START | 1 << 4)
        await registers.message(data)
        await registers.digest(1, data)
        await registers.put(CONTROL, TAKE)
        await registers.events(DONE_EVENT)

    for mode in range(2, 8):
        await registers.put(CONTROL, START | mode << 4)
        await registers.done(IDLE | ERROR)
        await registers.events(MODE)
        await correct()
    # A word without its first, its last or two of its bytes, and a last word with fewer than LAST.bytes, or LAST.bytes over 4.
    for address, size in (DATA, 3), (DATA, 1), (DATA + 1, 3), (DATA + 2, 1):
        for before in 0, 60, 64:
            await registers.put(CONTROL, START | 1 << 4)
            await registers.words(chance.randbytes(before))
            answered = await registers.bus.write(address, chance.randbytes(size))
            assert answered.resp == AxiResp.OKAY
            await registers.done(IDLE | ERROR)
            await registers.events(STROBE)
            await correct()
    for bytes_, strobes in (2, 1), (4, 3), (5, 4), (7, 4):
        await registers.put(CONTROL, START | 1 << 4)
        await registers.put(LAST, 1 | bytes_ << 4)
        await registers.put(DATA, 0, strobes=strobes)
        await registers.done(IDLE | ERROR)
        await registers.events(STROBE)
        await correct()
    # A context that is not at the end of a block.
    for size in 0, 4, 60, 63, 68:
        await registers.put(CONTROL, START | 1 << 4)
        await registers.message(chance.randbytes(size), save=True)
        await registers.done(IDLE | ERROR)
        await registers.events(SAVE)
        await correct()
    # Data without a message, and a message from a context that was not written.
    await registers.put(DATA, 0)
    await registers.events(REFUSED)
    await registers.put(CONTROL, START | RESTORE | 1 << 4)
    await registers.done(IDLE | ERROR)
    await registers.events(REFUSED)
    await correct()
    # No register, a register that cannot be read, and one that cannot be written.
    for address in 0x48, 0x5C, 0x88, 0xFC:
        await registers.put(address, 0, answer=AxiResp.SLVERR)
        await registers.get(address, answer=AxiResp.SLVERR)
    await registers.get(DATA, answer=AxiResp.SLVERR)
    await registers.get(CONTEXT, answer=AxiResp.SLVERR)
    await registers.put(STATUS, 0, answer=AxiResp.SLVERR)
    await registers.put(DIGEST, 0, answer=AxiResp.SLVERR)
    await registers.events(0)
    await correct()


@cocotb.test(timeout_time=200, timeout_unit="us")
async def while_busy(dut):
    """Writes in the middle of a message, and before its digest is taken, have no effect but their event."""
    registers = Registers(dut)
    await registers.start(0.1)
    chance = registers.chance
    for _ in range(12):
        data = chance.randbytes(128)
        await registers.put(CONTROL, START | 0 << 4)
        at = chance.randrange(0, 128, 4)
        await registers.words(data[:at])
        assert await registers.get(STATUS) == BUSY
        # The mode does not change, nor does the context.
        await registers.put(CONTROL, START | RESTORE | 1 << 4)
        await registers.events(REFUSED)
        await registers.put(CONTROL, 1 << 4)
        await registers.put(chance.randrange(CONTEXT, CONTEXT_BLOCKS + 8, 4), chance.getrandbits(32))
        await registers.events(REFUSED)
        assert await registers.get(CONTROL) == 0 and await registers.value() == bytes(32)
        await registers.words(data[at:])
        await registers.end(b"")
        await registers.digest(0, data)
        await registers.events(DONE_EVENT)
        await registers.put(CONTROL, START | 1 << 4)
        await registers.events(REFUSED)
        await registers.digest(0, data)
        await registers.put(CONTROL, TAKE | 1 << 4)


@cocotb.test(timeout_time=200, timeout_unit="us")
async def with_contexts(dut):
    """A message is saved after each block, another one is hashed, and it resumes; zeroize drops it and its context."""
    registers = Registers(dut)
    await registers.start(0.1)
    data = registers.chance.randbytes(3 * 64 + 7)
    for mode in 0, 1:
        restore = 0
        for blocks in range(4):
            await registers.put(CONTROL, START | restore | mode << 4)
            await registers.message(data[64 * blocks :][:64], save=blocks < 3)
            if blocks == 3:
                await registers.digest(mode, data)
                await registers.put(CONTROL, TAKE)
                break
            await registers.done(DONE | SAVED)
            saved = await registers.value()
            assert await registers.get(BLOCKS) == blocks + 1 and await registers.get(BLOCKS + 4) == 0
            await registers.put(CONTROL, START | TAKE | mode << 4)
            await registers.end(b"abc")
            await registers.digest(mode, b"abc")
            await registers.put(CONTROL, TAKE)
            for i in range(8):
                await registers.put(CONTEXT + 4 * i, int.from_bytes(saved[4 * i :][:4], "little"))
            await registers.put(CONTEXT_BLOCKS, blocks + 1)
            await registers.put(CONTEXT_BLOCKS + 4, 0)
            restore = RESTORE
        await registers.events(DONE_EVENT)
    await registers.put(CONTROL, START | RESTORE | 1 << 4)
    await registers.words(data[:20])
    await registers.put(CONTROL, ZEROIZE)
    await registers.done(IDLE)
    await registers.put(CONTROL, START | RESTORE | 1 << 4)
    await registers.events(REFUSED)
    await registers.put(CONTROL, START | 1 << 4)
    await registers.message(data)
    await registers.digest(1, data)
