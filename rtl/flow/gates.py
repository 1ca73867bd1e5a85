# SPDX-License-Identifier: MIT OR Apache-2.0
"""The gates of the blocks with a bus, which simulate slowly: messages around a block, an erroneous one, and a context or a key. The
bus.py of lanesum_hmac or lanesum_sha2_axil is in the same directory."""

import cocotb
from cocotb.triggers import RisingEdge
from stream import Shell, commands, frame_of, spoiled


@cocotb.test(timeout_time=60, timeout_unit="us")
async def messages(dut):
    if hasattr(dut, "s_axil_awvalid"):
        await registers(dut)
    elif hasattr(dut, "cmd_op_i"):
        await keys(dut)
    else:
        await shell(dut)


async def shell(dut):
    shell = Shell(dut)
    await shell.start()
    chance, block = shell.chance, shell.block
    todo = [(mode % len(shell.names), chance.randbytes(length)) for mode, length in enumerate((0, 3, block - 9, block + 5))]
    for _, message in todo[:2]:
        await shell.source.send(frame_of(message))
    await shell.source.send(spoiled(chance, chance.randbytes(7), shell.width, "hole"))
    for _, message in todo[2:]:
        await shell.source.send(frame_of(message, null_last=True))
    modes = [mode for mode, _ in todo]
    cocotb.start_soon(commands(dut, [{"cmd_mode_i": mode} for mode in (*modes[:2], 0, *modes[2:])]))
    for mode, message in todo:
        await shell.expect(mode, message)
    assert int(dut.error_o.value) == 2
    # A message is saved after its first block, and resumes.
    message = chance.randbytes(block + 1)
    await shell.source.send(frame_of(message[:block], user=1))
    await commands(dut, [{"cmd_mode_i": 1}])
    frame = await shell.sink.recv()
    assert frame.tuser == 1 and int(dut.blocks_o.value) == 1
    await RisingEdge(dut.clk_i)
    await shell.source.send(frame_of(message[block:]))
    context = int.from_bytes(frame.tdata, "little")
    await commands(dut, [{"cmd_resume_i": 1, "context_i": context, "context_blocks_i": 1}])
    await shell.expect(1, message)


async def keys(dut):
    from bus import HASH, KEY, SIDE_KEY, Block

    block = Block(dut)
    await block.start()
    chance, edge = block.chance, block.block
    for port, mode, size in (KEY, 0, 3), (SIDE_KEY, 1, edge + 1):
        block.load(port, mode, chance.randbytes(size))
        block.mac(chance.randbytes(edge - 9), mode=7)
        block.plan(HASH, 1, spoiled(chance, chance.randbytes(7), block.width, "hole"))
        block.hash(mode, b"")
        block.mac(b"")
    await block.run()
    assert int(dut.error_o.value) == 2 and int(dut.key_loaded_o.value) == 1


async def registers(dut):
    from bus import CONTROL, DONE_EVENT, IDLE, REFUSED, START, TAKE, ZEROIZE, Registers

    registers = Registers(dut)
    await registers.start()
    chance = registers.chance
    for mode, size in (0, 0), (1, 59), (0, 66):
        data = chance.randbytes(size)
        await registers.put(CONTROL, START | mode << 4)
        # The mode does not change while a message is hashed.
        await registers.put(CONTROL, START | (1 - mode) << 4)
        await registers.events(REFUSED)
        await registers.message(data)
        await registers.digest(mode, data)
        await registers.events(DONE_EVENT)
        await registers.put(CONTROL, TAKE)
    await registers.put(CONTROL, START | 1 << 4)
    await registers.words(chance.randbytes(64))
    await registers.put(CONTROL, ZEROIZE)
    await registers.done(IDLE)
    assert await registers.value() == bytes(32)
