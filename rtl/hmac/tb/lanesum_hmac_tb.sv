// SPDX-License-Identifier: MIT OR Apache-2.0
// Sends the keys and messages of vectors.txt (with Wide: vectors_wide.txt), which is read where
// this runs, through lanesum_hmac, and checks every MAC and digest. The clocks of keys and messages
// are checked, without stalls.
`timescale 1ns / 1ps
module lanesum_hmac_tb #(
  parameter bit Wide = 1'b0,
  parameter int Stride = 32
);
  localparam int Width = Wide ? 64 : 32;
  localparam int State = Wide ? 512 : 256;
  localparam int BlockBytes = State / 4;
  localparam int LengthBytes = Wide ? 16 : 8;
  localparam int Count = Wide ? 54 : 55;
  localparam int Modes = Wide ? 4 : 2;
  localparam int Interval = Wide ? 81 : 65;  // clocks of a block
  localparam int Most = 256;         // vectors
  localparam int Longest = 304;      // bytes of a key or a message
  localparam int Span = 12 * Interval;  // clocks that pass 3 covers: a long key, and a message
  localparam int Errors = 4;
  localparam int Others = 2;
  localparam int Hits = 4 * Span / Stride;
  localparam int Rare = 1000;
  string name = "lanesum_hmac";
  `include "lanesum_stream_tb.svh"

  logic [1:0] cmd_op = 2'd0;
  logic k_valid = 1'b0;
  logic [Width-1:0] k_data = '0;
  logic [Bytes-1:0] k_keep = '0;
  logic k_last = 1'b0;
  wire k_ready, loaded;
  logic is_mac;
  logic is_side = 1'b0;
  assign others = {k_ready, loaded};
  assign beat_ready = is_side ? k_ready : s_ready;

  lanesum_hmac #(.Wide(Wide)) dut (
    .clk_i(clk), .rst_ni(rst_n), .zeroize_i(zeroize),
    .cmd_valid_i(cmd_valid), .cmd_op_i(cmd_op), .cmd_mode_i(cmd_mode),
    .cmd_resume_i(cmd_resume), .cmd_ready_o(cmd_ready),
    .context_i(context_state), .context_blocks_i(context_blocks),
    .s_axis_tvalid(s_valid), .s_axis_tdata(s_data), .s_axis_tkeep(s_keep),
    .s_axis_tlast(s_last), .s_axis_tuser(s_user), .s_axis_tready(s_ready),
    .k_axis_tvalid(k_valid), .k_axis_tdata(k_data), .k_axis_tkeep(k_keep),
    .k_axis_tlast(k_last), .k_axis_tready(k_ready),
    .m_axis_tvalid(m_valid), .m_axis_tdata(m_data), .m_axis_tkeep(m_keep),
    .m_axis_tlast(m_last), .m_axis_tuser(m_user), .m_axis_tready(m_ready),
    .blocks_o(blocks), .key_loaded_o(loaded), .done_o(done), .error_irq_o(error_irq),
    .error_o(error), .error_clear_i(error_clear));

  // The vectors.
  int file, got, mode_of[Most], key_length[Most], length_of[Most];
  logic [31:0] key_seed[Most], seed_of[Most];
  logic [8*Longest-1:0] key_bytes[Most], bytes_of[Most], key, text;
  logic [State-1:0] results[Most], result;

  int unsigned sideloads = 0;
  int unsigned reused = 0;    // MACs with the key of another
  int unsigned given = 0;     // the clock of the newest value
  int unsigned key_clocks = 0;  // of the key since the newest message, if nothing stalls
  int unsigned due_clocks[4];  // from the value before, if nothing stalls

  // The key inside: its vector, or -1.
  int loading = -1;
  int holds = -1;
  logic wiped = 1'b0;
  logic wiped_before;

  function automatic int digest_bytes(input int of_mode);
    if (!Wide) digest_bytes = of_mode == 0 ? 28 : 32;
    else digest_bytes = of_mode == 0 ? 48 : of_mode == 1 ? 64 : of_mode == 2 ? 28 : 32;
  endfunction

  // The bytes of a key or a message: those of a seed, unless it is 0.
  task automatic fill(input int count, input logic [31:0] seed, input logic [8*Longest-1:0] given);
    length = count;
    noise(seed);
    for (int i = 0; i < count && seed == 0; i = i + 1) bytes[i] = given[8*(count-1-i)+:8];
  endtask

  function automatic logic same_key(input int one, input int other);
    same_key = mode_of[one] == mode_of[other] && key_length[one] == key_length[other] &&
        key_seed[one] == key_seed[other] && key_bytes[one] == key_bytes[other];
  endfunction

  // The clocks from a value to the next: of a message after another, and what a key in between adds.
  function automatic int unsigned message_time(input int count, input logic with_mac);
    message_time = Interval * ((count + LengthBytes + BlockBytes) / BlockBytes) +
        (with_mac ? Interval + 6 : 3);
  endfunction

  function automatic int unsigned key_time(input int count);
    key_time = 2 * Interval + 8;
    if (count > BlockBytes) key_time = key_time + message_time(count, 1'b0) + 1;
  endfunction

  task automatic load;
    if (Wide) file = $fopen("vectors_wide.txt", "r");
    else file = $fopen("vectors.txt", "r");
    if (file == 0) $fatal(1, "vectors.txt is missing; run this in tb/");
    lines = 0;
    got = 8;
    // Wide words of arrays are not read by Verilator 5.006.
    while (got == 8) begin
      got = $fscanf(file, "%d %d %d %h %d %d %h %h\n", mode_of[lines], key_length[lines],
                    key_seed[lines], key, length_of[lines], seed_of[lines], text, result);
      if (got == 8) begin
        key_bytes[lines] = key;
        bytes_of[lines] = text;
        // The first byte moves to the lowest bits.
        results[lines] = '0;
        for (int i = 0; i < digest_bytes(mode_of[lines]); i = i + 1)
          results[lines][8*i+:8] = result[8*(digest_bytes(mode_of[lines])-1-i)+:8];
        lines = lines + 1;
      end
    end
    if (lines < 100) $fatal(1, "vectors.txt is short");
  endtask

  task automatic select;
    int key_now;  // the vector of the key that is loaded or comes
    start;
    is_message = 1'b1;
    is_side = 1'b0;
    is_mac = key_length[message] >= 0;
    key_now = loading >= 0 ? loading : holds;
    cmd_mode = 3'(mode_of[message]);
    if (is_mac && (key_now < 0 || !same_key(message, key_now) || kind == 14) &&
        !(key_now < 0 && kind == 13)) begin
      is_message = 1'b0;
      is_side = 1'($urandom);
      cmd_op = {1'b1, is_side};
      fill(key_length[message], key_seed[message], key_bytes[message]);
    end else begin
      cmd_op = {1'b0, is_mac};
      fill(length_of[message], seed_of[message], bytes_of[message]);
      // A MAC has the mode of its key, and no context.
      if (is_mac) begin
        cmd_mode = 3'($urandom);
        cmd_resume = 1'($urandom);
        if (key_now < 0) bad = 5;
      end
    end
    transfer(!is_mac && kind < 8 && can_save());
    if (kind >= 8 && kind < 12 && bad == 0 && !resumed) begin
      // An error; the same is sent correctly later.
      bad = kind - 7;
      if (bad == 1 && is_mac && is_message) bad = 0;
      misplace;
      if (bad == 4 && (!is_message || (!is_mac && to % BlockBytes == 0 && to != 0 && !null_last)))
        bad = 0;
      saves = bad == 4;
    end
  endtask

  // The other source is not read.
  task automatic drive;
    s_valid = is_side ? 1'($urandom) : beat_valid;
    k_valid = is_side ? beat_valid : 1'($urandom);
    s_data = is_side ? ~beat_data : beat_data;
    k_data = is_side ? beat_data : ~beat_data;
    s_keep = is_side ? Bytes'($urandom) : beat_keep;
    k_keep = is_side ? beat_keep : Bytes'($urandom);
    s_last = is_side ? 1'($urandom) : beat_last;
    k_last = is_side ? beat_last : 1'($urandom);
    s_user = beat_user;
  endtask

  task automatic check;
    if (observed) begin
      if (is_side ? s_ready : k_ready) fail("a beat of the other source");
      if (loaded && holds < 0 && loading < 0) fail("a key without its command");
      if (!loaded && holds >= 0) fail("the key is lost");
      // Nothing of a key remains without one.
      if (wiped && wiped_before && {dut.key_q, dut.inner_q} !== '0) fail("words of a key");
      if (loaded && loading >= 0) begin
        holds = loading;
        loading = -1;
      end
    end
    wiped_before = wiped;
    wiped = !rst_n || zeroize ||
        (holds < 0 && loading < 0 && !(active && commanded && !is_message && !doomed));
  endtask

  task automatic accepted;
    if (!is_message) begin
      holds = -1;
      loading = -1;
      wiped = 1'b0;
      sideloads = sideloads + 32'(is_side);
    end
    if (bad == 1 || bad == 5) begin
      if (bad == 5) due_error[3] = 1'b1;
      else if (!is_message) due_error[0] = 1'b1;
      else late_error[0] = 1'b1;
      reject;
    end
  endtask

  // The first block of a key is checked before it reaches the stream shell.
  task automatic rejected;
    if (!is_message && at < BlockBytes) due_error[1] = 1'b1;
    else late_error[bad==4?2 : 1] = 1'b1;
  endtask

  task automatic ended;
    if (!is_message) begin
      loading = message;
      key_clocks = key_time(length);
    end else begin
      reused = reused + 32'(is_mac && holds >= 0 && holds != message);
      await_value(results[message], digest_bytes(mode_of[message]));
      due_clocks[last_due] = key_clocks + message_time(length, is_mac);
      key_clocks = 0;
    end
  endtask

  task automatic received;
    if (pass == 0 && checked != 0 && clocks - given != due_clocks[first]) begin
      $display("%0d clocks, not %0d", clocks - given, due_clocks[first]);
      fail("the clocks of a value");
    end
    given = clocks;
  endtask

  task automatic dropped;
    holds = -1;
    loading = -1;
    // The message that waits has no key now.
    if (active && !commanded && is_message && is_mac && bad != 5) begin
      if (bad == 0) lost = lost + 1;
      bad = 5;
    end
  endtask

  task automatic finish;
    if (errors < 100 || contexts < 5 || sideloads < 20 || reused < 20) fail("too few of some kind");
    $display("lanesum_hmac: %0d sideloads", sideloads);
  endtask
endmodule
