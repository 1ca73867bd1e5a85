# SPDX-License-Identifier: MIT OR Apache-2.0
"""lanesum_sha2 and lanesum_sha2_wide with the messages of NIST's CAVP, in every mode: all short and long ones, and the first thousand
messages of the Monte Carlo test. Each of these consists of the three digests before it. Then messages with more blocks."""

import hashlib
import random
import re
from pathlib import Path

import cocotb
from cocotb.triggers import ReadOnly, RisingEdge
from stream import INPUTS, NARROW, WIDE, start

CAVP = Path(__file__).parents[2] / "vectors/cavp"


def vectors(name, kind):
    return (CAVP / f"{name.upper()}{kind}.rsp").read_text()


class Port:
    """The ports of a shell, with consecutive transfers."""

    async def start(self, dut):
        self.dut = dut
        self.width = len(dut.s_axis_tdata) // 8
        self.names = NARROW if self.width == 4 else WIDE
        await start(dut, [*INPUTS, *(f"s_axis_{port}" for port in ("tvalid", "tdata", "tkeep", "tlast", "tuser"))])
        dut.m_axis_tready.value = 1

    async def transfer(self, valid, ready):
        """Returns after the clock edge of a transfer."""
        valid.value = 1
        await ReadOnly()
        if not int(ready.value):
            await RisingEdge(ready)
        await RisingEdge(self.dut.clk_i)
        valid.value = 0

    async def digest(self, mode, message, context=None, blocks=0, save=False):
        """The digest or, with `save`, the context of a message, which may continue from a context of a number of blocks."""
        dut = self.dut
        dut.cmd_mode_i.value = mode
        dut.cmd_resume_i.value = context is not None
        dut.context_i.value = int.from_bytes(context or b"", "little")
        dut.context_blocks_i.value = blocks
        dut.s_axis_tuser.value = save
        await self.transfer(dut.cmd_valid_i, dut.cmd_ready_o)
        for at in range(0, len(message) or 1, self.width):
            beat = message[at : at + self.width]
            dut.s_axis_tdata.value = int.from_bytes(beat, "little")
            dut.s_axis_tkeep.value = (1 << len(beat)) - 1
            dut.s_axis_tlast.value = at + self.width >= len(message)
            await self.transfer(dut.s_axis_tvalid, dut.s_axis_tready)
        await RisingEdge(dut.m_axis_tvalid)
        value, keep = int(dut.m_axis_tdata.value), int(dut.m_axis_tkeep.value)
        await RisingEdge(dut.clk_i)
        return value.to_bytes(len(dut.m_axis_tdata) // 8, "little")[: keep.bit_count()]


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def messages(dut):
    port = Port()
    await port.start(dut)
    for mode, name in enumerate(port.names):
        count = 0
        for kind in "ShortMsg", "LongMsg":
            for length, message, digest in re.findall(r"Len = (\d+)\nMsg = (\w+)\nMD = (\w+)", vectors(name, kind)):
                # An empty message has a byte in the file.
                message = bytes.fromhex(message)[: int(length) // 8]
                assert (await port.digest(mode, message)).hex() == digest, f"{name} of {len(message)} bytes"
                count += 1
        # All lengths up to a block, then one longer message for each of them.
        assert count == (64 + 65 if port.width == 4 else 128 + 129), f"{count} messages of {name}"
        print(f"{name}: {count} messages")


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def monte_carlo(dut):
    port = Port()
    await port.start(dut)
    for mode, name in enumerate(port.names):
        text = vectors(name, "Monte")
        last = [bytes.fromhex(re.search(r"Seed = (\w+)", text)[1])] * 3
        for _ in range(1000):
            last = [*last[1:], await port.digest(mode, b"".join(last))]
        assert last[2].hex() == re.search(r"COUNT = 0\nMD = (\w+)", text)[1], name


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def counts(dut):
    """A message of 300 blocks; and messages that pass each power of two of the number of blocks, from a context."""
    port = Port()
    await port.start(dut)
    chance = random.Random(1)
    block = 16 * port.width
    for mode, name in enumerate(port.names):
        message = chance.randbytes(300 * block + 5)
        assert await port.digest(mode, message) == hashlib.new(name, message).digest(), f"{name} of 300 blocks"
    for bit in range(1, len(dut.blocks_o)):
        mode, message = bit % len(port.names), chance.randbytes(block + 5)
        context = chance.randbytes(len(dut.context_i) // 8)
        digest = await port.digest(mode, message, context, (1 << bit) - 1)
        # Without its own padding: the value after the padded message.
        padding = b"\x80".ljust(block - 5 - 8, b"\0") + (8 * (block << bit | 5)).to_bytes(8, "big")
        value = await port.digest(mode, message + padding, context, save=True)
        assert digest == value[: len(digest)], f"2^{bit} blocks"
