# SPDX-License-Identifier: MIT OR Apache-2.0
"""lanesum_hmac between the AXI4-Stream models of cocotbext-axi, against hmac and hashlib: keys and messages of many lengths in any
order, and commands with errors between others."""

import hashlib
import hmac
import itertools

import cocotb
from cocotb.triggers import RisingEdge
from stream import INPUTS, Shell, chance_of, commands, frame_of, sink, source, spoiled, start

HASH, MAC, KEY, SIDE_KEY = range(4)


class Block(Shell):
    """lanesum_hmac between two sources and a sink, with the key that it should hold."""

    async def start(self):
        # The shell's key port does not exist here.
        await start(self.dut, ["cmd_op_i", *(port for port in INPUTS if "key" not in port)])
        self.source, self.side, self.sink = source(self.dut), source(self.dut, "k_axis"), sink(self.dut)
        self.key = None
        self.todo, self.due = [], []

    def plan(self, op, mode, *sent):
        """A command with the frames that it reads."""
        self.todo.append(({"cmd_op_i": op, "cmd_mode_i": mode}, self.side if op == SIDE_KEY else self.source, sent))

    def load(self, op, mode, key, null_last=False):
        self.plan(op, mode, frame_of(key, null_last))
        self.key = mode, key

    def hash(self, mode, message):
        self.plan(HASH, mode, frame_of(message, null_last=len(message) % 3 == 0))
        self.due.append(self.digest(mode, message))

    def mac(self, message, mode=0):
        """The mode of the command is not that of the MAC."""
        self.plan(MAC, mode, frame_of(message, null_last=len(message) % 3 == 0))
        key_mode, key = self.key
        self.due.append(hmac.new(key, message, self.names[key_mode]).digest())

    async def run(self):
        for _, model, sent in self.todo:
            for frame in sent:
                await model.send(frame)
        cocotb.start_soon(commands(self.dut, [command for command, _, _ in self.todo]))
        for number, value in enumerate(self.due):
            frame = await self.sink.recv(compact=False)
            size = len(frame.tdata)
            assert bytes(frame.tdata) == value.ljust(size, b"\0"), f"value {number}"
            assert frame.tkeep == [1] * len(value) + [0] * (size - len(value)) and not any(frame.tuser), f"value {number}"
        self.todo, self.due = [], []
        await self.idle()
        assert self.side.empty()

    def pick(self):
        return self.chance.randrange(len(self.names))

    def some(self, most):
        return self.chance.randbytes(self.chance.randrange(most))


async def keys(dut, stalls):
    block = Block(dut)
    await block.start()
    if stalls:
        block.source.set_pause_generator(chance_of(block.chance, 0.5))
        block.side.set_pause_generator(chance_of(block.chance, 0.5))
        block.sink.set_pause_generator(itertools.cycle(itertools.chain([True] * 150, [False] * 7)))
    edge = block.block
    for size in (0, 1, edge // 2, edge - 1, edge, edge + 1, 2 * edge, 2 * edge + 3):
        # From both ports in turn; the last beat can be without bytes.
        block.load(SIDE_KEY if size % 2 else KEY, block.pick(), block.chance.randbytes(size), null_last=size % 3 == 0)
        for turn in range(4):
            block.mac(block.some(3 * edge), mode=block.chance.randrange(8))
            if turn % 2 == 0:
                block.hash(block.pick(), block.some(2 * edge))
    await block.run()
    assert int(dut.error_o.value) == 0 and int(dut.key_loaded_o.value) == 1


@cocotb.test(timeout_time=400, timeout_unit="us")
async def without_stalls(dut):
    await keys(dut, False)


@cocotb.test(timeout_time=400, timeout_unit="us")
async def with_stalls(dut):
    await keys(dut, True)


@cocotb.test(timeout_time=800, timeout_unit="us")
async def with_many_blocks(dut):
    """A key and a message whose numbers of blocks have nine bits."""
    block = Block(dut)
    await block.start()
    block.load(KEY, 1, block.chance.randbytes(257 * block.block + 1))
    block.mac(block.chance.randbytes(256 * block.block))
    await block.run()


async def error(dut, bits, loaded):
    assert int(dut.error_o.value) == bits, f"error_o is {dut.error_o.value}, not {bits:04b}"
    assert int(dut.key_loaded_o.value) == loaded
    dut.error_clear_i.value = 1
    await RisingEdge(dut.clk_i)
    dut.error_clear_i.value = 0
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    assert int(dut.error_o.value) == 0


@cocotb.test(timeout_time=400, timeout_unit="us")
async def with_errors(dut):
    """A wrong key is dropped, and the key before it; a wrong message is dropped; other values are right."""
    block = Block(dut)
    await block.start()
    chance, edge = block.chance, block.block
    for port in (KEY, SIDE_KEY):
        # Within a block, which is checked here, and beyond, where the shell checks it.
        for kind, size in ("hole", edge), ("partial", edge // 2), ("partial", 3 * edge), ("mode", 2 * edge):
            # No key is loaded: a MAC is an error, a hash is not.
            block.plan(MAC, 0, frame_of(block.some(100)))
            block.hash(block.pick(), block.some(2 * edge))
            await block.run()
            await error(dut, 0b1000, 0)
            block.load(port, block.pick(), block.some(2 * edge))
            block.mac(block.some(2 * edge))
            # Messages with errors, with and without a MAC; the key remains.
            block.plan(MAC, 0, spoiled(chance, block.some(100) + b"x", block.width, "hole"))
            block.mac(block.some(2 * edge))
            block.plan(HASH, 0, spoiled(chance, block.some(100) + b"x", block.width, "partial"))
            block.mac(block.some(2 * edge))
            await block.run()
            await error(dut, 0b0010, 1)
            block.plan(HASH, 7, frame_of(block.some(100)))
            block.mac(block.some(2 * edge))
            await block.run()
            await error(dut, 0b0001, 1)
            # The context of a MAC is as secret as its key.
            block.plan(MAC, 0, frame_of(chance.randbytes(edge), user=1))
            block.mac(block.some(2 * edge))
            await block.run()
            await error(dut, 0b0100, 1)
            if kind == "mode":
                block.plan(port, chance.randrange(len(block.names), 8), frame_of(block.some(size)))
            else:
                block.plan(port, block.pick(), spoiled(chance, block.some(size) + b"x", block.width, kind))
            block.hash(block.pick(), block.some(2 * edge))
            await block.run()
            await error(dut, 0b0001 if kind == "mode" else 0b0010, 0)
