# SPDX-License-Identifier: MIT OR Apache-2.0
"""lanesum_sha2 between the AXI4-Stream models of cocotbext-axi: every length up to two blocks, against hashlib."""

import hashlib
import itertools
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import RisingEdge, Timer
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

HASHES = [hashlib.sha224, hashlib.sha256]


async def messages(dut, stalls):
    for port in ("zeroize_i", "cmd_valid_i", "cmd_key_i", "cmd_resume_i", "context_i", "context_blocks_i", "key_valid_i",
                 "key_data_i", "error_clear_i"):
        getattr(dut, port).value = 0
    dut.rst_ni.value = 1
    cocotb.start_soon(Clock(dut.clk_i, 10, units="ns").start())
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk_i, dut.rst_ni, reset_active_level=False)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk_i, dut.rst_ni, reset_active_level=False)
    for level in (1, 0, 1):
        dut.rst_ni.value = level
        await Timer(42, units="ns")
    chance = random.Random(1)
    if stalls:
        source.set_pause_generator(chance.random() < 0.5 for _ in itertools.count())
        # Often longer than a block takes.
        sink.set_pause_generator(itertools.cycle(itertools.chain([True] * 150, [False] * 7)))
    todo = [(length % 2, chance.randbytes(length)) for length in range(130)]
    chance.shuffle(todo)
    for _, message in todo:
        # An empty message is a beat without bytes.
        await source.send(AxiStreamFrame(message) if message else AxiStreamFrame(b"\0", tkeep=[0]))

    async def commands():
        for mode, _ in todo:
            dut.cmd_mode_i.value = mode
            dut.cmd_valid_i.value = 1
            await RisingEdge(dut.clk_i)
            while not dut.cmd_ready_o.value:
                await RisingEdge(dut.clk_i)
        dut.cmd_valid_i.value = 0

    cocotb.start_soon(commands())
    for mode, message in todo:
        frame = await sink.recv()
        assert bytes(frame.tdata) == HASHES[mode](message).digest(), f"mode {mode}, {len(message)} bytes"
    assert source.empty() and sink.empty() and dut.error_o.value == 0


@cocotb.test()
async def without_stalls(dut):
    await messages(dut, False)


@cocotb.test()
async def with_stalls(dut):
    await messages(dut, True)
