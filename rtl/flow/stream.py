# SPDX-License-Identifier: MIT OR Apache-2.0
"""lanesum_sha2 and lanesum_sha2_wide between the AXI4-Stream models of cocotbext-axi, against hashlib: every length up to two
blocks, and messages with protocol errors between others."""

import hashlib
import itertools
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

NARROW = ["sha224", "sha256"]
WIDE = ["sha384", "sha512", "sha512_224", "sha512_256"]


def chance_of(chance, probability):
    """A pause generator: a pause in each clock with this probability."""
    return (chance.random() < probability for _ in itertools.count())


async def start(dut, inputs):
    """Clears the named inputs, starts the clock, and resets the block."""
    for port in inputs:
        getattr(dut, port).value = 0
    dut.rst_ni.value = 1
    cocotb.start_soon(Clock(dut.clk_i, 10, unit="ns").start())
    for level in (1, 0, 1):
        dut.rst_ni.value = level
        await Timer(42, unit="ns")


def source(dut, prefix="s_axis"):
    return AxiStreamSource(AxiStreamBus.from_prefix(dut, prefix), dut.clk_i, dut.rst_ni, reset_active_level=False)


def sink(dut):
    return AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk_i, dut.rst_ni, reset_active_level=False)


def frame_of(message, null_last=False, user=0):
    """A message as a frame; `null_last` appends a byte whose tkeep is 0, as an empty message has."""
    tkeep = [1] * len(message)
    if null_last or not message:
        message, tkeep = message + b"\xff", tkeep + [0]
    return AxiStreamFrame(message, tkeep=tkeep, tuser=user)


def spoiled(chance, message, width, kind):
    """A frame with an error of tkeep: a hole in its last beat of `width` bytes, or a partial beat before it."""
    message += b"\xff" * (-len(message) % width)
    tkeep = [1] * len(message)
    if kind == "hole":
        at = chance.randrange(width - 1)
        tkeep[-width + at :] = [0] * (width - 1 - at) + [1]
    else:
        size, at = chance.randrange(width), chance.randrange(len(message) // width) * width
        message, tkeep = message + bytes(width), tkeep + [1] * width
        tkeep[at : at + width] = [1] * size + [0] * (width - size)
    return AxiStreamFrame(message, tkeep=tkeep)


async def commands(dut, todo):
    """Issues commands in order. Each is a dictionary of its inputs."""
    for command in todo:
        for port, value in command.items():
            getattr(dut, port).value = value
        dut.cmd_valid_i.value = 1
        await RisingEdge(dut.clk_i)
        while not int(dut.cmd_ready_o.value):
            await RisingEdge(dut.clk_i)
    dut.cmd_valid_i.value = 0


INPUTS = ["zeroize_i", "cmd_valid_i", "cmd_mode_i", "cmd_key_i", "cmd_resume_i", "context_i", "context_blocks_i",
          "key_valid_i", "key_data_i", "error_clear_i"]


class Shell:
    """A shell between a source and a sink."""

    def __init__(self, dut):
        self.dut = dut
        self.chance = random.Random(1)
        self.width = len(dut.s_axis_tdata) // 8
        self.names = NARROW if self.width == 4 else WIDE
        self.block = 64 if self.width == 4 else 128

    async def start(self):
        await start(self.dut, INPUTS)
        self.source, self.sink = source(self.dut), sink(self.dut)

    def digest(self, mode, message):
        return hashlib.new(self.names[mode], message).digest()

    async def expect(self, mode, message):
        frame = await self.sink.recv(compact=False)
        digest = self.digest(mode, message)
        want = [1] * len(digest) + [0] * (len(frame.tdata) - len(digest))
        what = f"{self.names[mode]} of {len(message)} bytes"
        assert bytes(frame.tdata) == digest.ljust(len(frame.tdata), b"\0"), what
        assert frame.tkeep == want and not any(frame.tuser), what

    async def idle(self):
        """Nothing is left in the models or the block."""
        while not int(self.dut.cmd_ready_o.value):
            await RisingEdge(self.dut.clk_i)
        for _ in range(200):
            await RisingEdge(self.dut.clk_i)
        assert self.source.empty() and self.sink.empty() and not int(self.dut.m_axis_tvalid.value)


async def lengths(dut, stalls):
    shell = Shell(dut)
    await shell.start()
    chance = shell.chance
    if stalls:
        shell.source.set_pause_generator(chance_of(chance, 0.5))
        # Often longer than a block takes.
        shell.sink.set_pause_generator(itertools.cycle(itertools.chain([True] * 150, [False] * 7)))
    todo = [(length % len(shell.names), chance.randbytes(length)) for length in range(2 * shell.block + 2)]
    chance.shuffle(todo)
    for number, (_, message) in enumerate(todo):
        await shell.source.send(frame_of(message, null_last=number % 2 == 0))
    cocotb.start_soon(commands(dut, [{"cmd_mode_i": mode} for mode, _ in todo]))
    for mode, message in todo:
        await shell.expect(mode, message)
    await shell.idle()
    assert int(dut.error_o.value) == 0


@cocotb.test(timeout_time=600, timeout_unit="us")
async def without_stalls(dut):
    await lengths(dut, False)


@cocotb.test(timeout_time=600, timeout_unit="us")
async def with_stalls(dut):
    await lengths(dut, True)


@cocotb.test(timeout_time=600, timeout_unit="us")
async def with_errors(dut):
    """Each kind of error in messages between others: it sets its bit only, has no digest, and changes no other message."""
    shell = Shell(dut)
    await shell.start()
    chance = shell.chance
    shell.source.set_pause_generator(chance_of(chance, 0.2))
    for kind, bit in ("mode", 0), ("hole", 1), ("partial", 1), ("context", 2):
        todo, due = [], []
        for number in range(40):
            mode, message = chance.randrange(len(shell.names)), chance.randbytes(chance.randrange(1, 3 * shell.block))
            if number % 2 == 0:
                due.append((mode, message))
                frame = frame_of(message)
            elif kind == "mode":
                mode = chance.randrange(len(shell.names), 8)
                frame = frame_of(message)
            elif kind == "context":
                if len(message) % shell.block == 0:
                    message += b"\0"
                frame = frame_of(message, user=1)
            else:
                frame = spoiled(chance, message, shell.width, kind)
            todo.append({"cmd_mode_i": mode})
            await shell.source.send(frame)
        cocotb.start_soon(commands(dut, todo))
        for mode, message in due:
            await shell.expect(mode, message)
        await shell.idle()
        assert int(dut.error_o.value) == 1 << bit, f"{kind}: error_o is {dut.error_o.value}"
        assert int(dut.error_irq_o.value) == 1
        dut.error_clear_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.error_clear_i.value = 0
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert int(dut.error_o.value) == 0 and int(dut.error_irq_o.value) == 0


@cocotb.test(timeout_time=600, timeout_unit="us")
async def with_contexts(dut):
    """Messages are saved after each block, another one is hashed, and they resume."""
    shell = Shell(dut)
    await shell.start()
    chance = shell.chance
    for mode in range(len(shell.names)):
        message = chance.randbytes(3 * shell.block + 5)
        resume = {"cmd_resume_i": 0}
        for blocks in range(4):
            part = message[blocks * shell.block :][: shell.block]
            await shell.source.send(frame_of(part, user=int(blocks < 3)))
            await commands(dut, [{"cmd_mode_i": mode, **resume}])
            if blocks == 3:
                await shell.expect(mode, message)
                break
            frame = await shell.sink.recv()
            assert len(frame.tdata) == len(dut.context_i) // 8 and frame.tuser == 1
            assert int(dut.blocks_o.value) == blocks + 1
            other = chance.randbytes(chance.randrange(200))
            await shell.source.send(frame_of(other))
            await commands(dut, [{"cmd_mode_i": mode, "cmd_resume_i": 0}])
            await shell.expect(mode, other)
            resume = {"cmd_resume_i": 1, "context_i": int.from_bytes(frame.tdata, "little"), "context_blocks_i": blocks + 1}
    await shell.idle()
    assert int(dut.error_o.value) == 0
