// Sends the messages of vectors.hex, which is read where this runs, through @TOP@,
// and checks every digest. The time of the first 64 messages is checked, without stalls. Message m
// has the bytes of seed m.
`timescale 1ns / 1ps
module @TOP@_tb;
  localparam int Lines = @LINES@;
  localparam int Width = @WIDTH@;
  localparam int Index = @INDEX@;
  localparam int BlockBytes = @BLOCK@ / 8;
  localparam int LengthBytes = @LENGTHBYTES@;
  localparam int State = @STATE@;
  localparam int Count = @COUNT@;
  localparam int Modes = @MODECOUNT@;
  localparam int Interval = @INTERVAL@;  // clocks of the core from a block to the next
  localparam int Another = @ANOTHER@;   // and to the first of another message
  localparam int Timed = 64;
  localparam int Errors = 3;
  localparam int Others = 1 + Index;
  localparam int Hits = @HITS@;
  localparam int Stride = 1;
  localparam int Rare = 300;
  string name = "@TOP@";
  `include "lanesum_stream_tb.svh"

  logic cmd_key = 1'b0;
  logic key_valid = 1'b0;
  logic [Width-1:0] key_data = '0;
  wire key_ready;
  wire [Index-1:0] key_index;
  assign others = {key_ready, key_index};
  assign beat_ready = s_ready;

  @TOP@ dut (
    .clk_i(clk), .rst_ni(rst_n), .zeroize_i(zeroize),
    .cmd_valid_i(cmd_valid), .cmd_mode_i(cmd_mode), .cmd_key_i(cmd_key),
    .cmd_resume_i(cmd_resume), .cmd_ready_o(cmd_ready),
    .context_i(context_state), .context_blocks_i(context_blocks),
    .s_axis_tvalid(s_valid), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
    .s_axis_tlast(s_last), .s_axis_tuser(s_user), .s_axis_tready(s_ready),
    .key_valid_i(key_valid), .key_data_i(key_data), .key_index_o(key_index),
    .key_ready_o(key_ready),
    .m_axis_tvalid(m_valid), .m_axis_tdata(m_data), .m_axis_tkeep(m_keep),
    .m_axis_tlast(m_last), .m_axis_tuser(m_user), .m_axis_tready(m_ready),
    .blocks_o(blocks), .done_o(done), .error_irq_o(error_irq), .error_o(error),
    .error_clear_i(error_clear));

  // A line: mode, length in bytes, and the digest with its first byte in the highest bits.
  localparam int Line = 8 + 16 + State;
  logic [Line-1:0] vectors[Lines];
  int unsigned keyed = 0;
  int unsigned began = 0;     // the clock of the first command
  int unsigned due = 0;       // clocks that the core takes for the messages

  task automatic load;
    $readmemh("vectors.hex", vectors, 0, Lines - 1);
    for (int i = 0; i < Lines; i = i + 1)
      if (^vectors[i] === 1'bx) $fatal(1, "vectors.hex is missing or short; run this in tb/");
    lines = Lines;
  endtask

  task automatic select;
    start;
    length = 32'(vectors[message][State+:16]);
    cmd_mode = vectors[message][State+16+:3];
    noise(message);
    // Half of the messages of whole blocks are sent with a key and an error first.
    if (pass != 0 && length > BlockBytes && length % BlockBytes == 0 && $urandom_range(1) == 0)
      kind = 11;
    cmd_key = kind < 4 && length >= BlockBytes && !resumed;
    if (cmd_key) from = BlockBytes;
    transfer(kind >= 4 && kind < 8 && can_save());
    if (kind >= 8 && kind < 12 && !resumed) begin
      // An erroneous message; the same is sent correctly later.
      bad = kind - 7;
      misplace;
      // At the end of a block only a key is wrong.
      if (bad == 4 && to % BlockBytes == 0 && to != 0 && !null_last) begin
        cmd_key = length > BlockBytes;
        if (cmd_key) at = BlockBytes;
        else bad = 0;
      end
      saves = bad == 4;
    end
    if (bad == 0 && cmd_key) keyed = keyed + 1;
  endtask

  task automatic drive;
    s_valid = beat_valid;
    s_data = beat_data;
    s_keep = beat_keep;
    s_last = beat_last;
    s_user = beat_user;
    key_valid = !stall(pass);
    for (int i = 0; i < Bytes; i = i + 1)
      key_data[8*i+:8] = key_valid ? bytes[32'(key_index)*Bytes+i] : 8'($urandom);
  endtask

  task automatic check;
    if (observed && key_ready && (!commanded || doomed || !cmd_key)) fail("a key is accepted");
  endtask

  task automatic accepted;
    if (began == 0) began = clocks;
    if (bad == 1) begin
      due_error[0] = 1'b1;
      reject;
    end
  endtask

  task automatic rejected;
    due_error[bad==4?2 : 1] = 1'b1;
  endtask

  task automatic ended;
    logic [State-1:0] digest;
    for (int i = 0; i < State / 8; i = i + 1)
      digest[8*i+:8] = vectors[message][State-8-8*i+:8];
    await_value(digest, digest_bytes(cmd_mode));
  endtask

  task automatic received;
    if (pass == 0 && checked < Timed) begin
      due = due + Another - Interval + Interval * ((32'(vectors[checked][State+:16]) +
          LengthBytes + BlockBytes) / BlockBytes);
      if (checked == Timed - 1) begin
        if (95 * (clocks + 1 - began) > 100 * due)
          fail("less than 95 % of the core's throughput");
        $display("@TOP@: %0d messages in %0d clocks; the core alone needs %0d", Timed,
                 clocks + 1 - began, due);
      end
    end
  endtask

  task automatic dropped;
  endtask

  task automatic finish;
    if (errors < 20 || contexts < 20 || keyed < 20) fail("too few of some kind");
    $display("@TOP@: %0d key blocks", keyed);
  endtask

  function automatic int digest_bytes(input logic [2:0] of_mode);
    case (of_mode)
@DIGESTS@
    endcase
  endfunction
endmodule
