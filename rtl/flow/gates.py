# SPDX-License-Identifier: MIT OR Apache-2.0
"""The gates of lanesum_sha2 and lanesum_sha2_wide, which simulate slowly: messages around a block, an erroneous one, and a context."""

import cocotb
from cocotb.triggers import RisingEdge
from stream import Shell, commands, frame_of, spoiled


@cocotb.test(timeout_time=30, timeout_unit="us")
async def messages(dut):
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
