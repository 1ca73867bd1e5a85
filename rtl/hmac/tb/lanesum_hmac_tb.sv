// SPDX-License-Identifier: MIT OR Apache-2.0
// Sends the keys and messages of vectors.txt (with Wide: vectors_wide.txt), which is read where
// this runs, through lanesum_hmac, and checks every MAC and digest. The passes are:
//   0  no stalls; the clocks of keys and messages are checked
//   1  stalls, contexts, and erroneous keys and messages
//   2  more of these, and a sink that stalls for 10,000 clocks
//   3  zeroize_i and resets in every clock of a key and its messages, or in every Stride-th
//   4  zeroize_i and resets at random, with stalls
`timescale 1ns / 1ps
module lanesum_hmac_tb #(
  parameter bit Wide = 1'b0,
  parameter int Stride = 32
);
  localparam int Width = Wide ? 64 : 32;
  localparam int Bytes = Width / 8;
  localparam int State = Wide ? 512 : 256;
  localparam int BlockBytes = State / 4;
  localparam int LengthBytes = Wide ? 16 : 8;
  localparam int Count = Wide ? 54 : 55;
  localparam int Modes = Wide ? 4 : 2;
  localparam int Rounds = Wide ? 80 : 64;
  localparam int Most = 256;         // vectors
  localparam int Longest = 304;      // bytes of a key or a message
  localparam int Pause = 10000;
  localparam int Span = 12 * Rounds;  // clocks that pass 3 covers: a long key, and a message

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic zeroize = 1'b0;
  logic cmd_valid = 1'b0;
  logic [1:0] cmd_op = 2'd0;
  logic [2:0] cmd_mode = 3'd0;
  logic cmd_resume = 1'b0;
  logic [State-1:0] context_state = '0;
  logic [Count-1:0] context_blocks = '0;
  logic s_valid = 1'b0;
  logic [Width-1:0] s_data = '0;
  logic [Bytes-1:0] s_keep = '0;
  logic s_last = 1'b0;
  logic s_user = 1'b0;
  logic k_valid = 1'b0;
  logic [Width-1:0] k_data = '0;
  logic [Bytes-1:0] k_keep = '0;
  logic k_last = 1'b0;
  logic m_ready = 1'b0;
  logic error_clear = 1'b0;
  wire cmd_ready, s_ready, k_ready, m_valid, m_last, m_user, loaded, done, error_irq;
  wire [State-1:0] m_data;
  wire [State/8-1:0] m_keep;
  wire [Count-1:0] blocks;
  wire [3:0] error;

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
  int lines = 0;
  int file, got, mode_of[Most], key_length[Most], length_of[Most];
  logic [31:0] key_seed[Most], seed_of[Most];
  logic [8*Longest-1:0] key_bytes[Most], bytes_of[Most], key, text;
  logic [State-1:0] results[Most], result;

  int unsigned pass = 0;
  int next = 0;               // the next vector
  int unsigned clocks = 0;
  int unsigned checked = 0;   // MACs and digests of this pass
  int unsigned lost = 0;      // messages of this pass without one
  int unsigned sent = 0;      // messages of this pass
  int unsigned errors = 0;
  int unsigned contexts = 0;
  int unsigned sideloads = 0;
  int unsigned reused = 0;    // MACs with the key of another
  int unsigned hits = 0;
  int unsigned since = 0;     // clocks since a reset or zeroize_i
  int unsigned pause = 0;     // clocks of the long stall
  int unsigned given = 0;     // the clock of the newest value
  int unsigned key_clocks = 0;  // of the key since the newest message, if nothing stalls

  // The current command and its beats.
  logic active = 1'b0;        // there is one
  logic commanded = 1'b0;     // the command was accepted
  logic doomed = 1'b0;        // its beats are dropped
  logic is_key, is_side, is_mac;
  logic [7:0] bytes[512];
  int vector, length, from, to, at, left;
  int unsigned bad;           // 0, or the kind of error: 1 mode, 2 hole, 3 partial, 4 context, 5 no key
  int bad_at;                 // the position of the wrong beat
  logic saves;                // ends with a context
  logic null_last;            // a last beat without bytes

  // The key inside: its vector, or -1.
  int loading = -1;
  int holds = -1;

  // The saved context: 0 none, 1 awaited, 2 available, 3 in use.
  int unsigned saved = 0;
  int saved_vector, saved_at;
  logic [State-1:0] saved_state;

  // What is due at the output, in order.
  logic [State-1:0] due_data[4];
  logic [State/8-1:0] due_keep[4];
  logic due_user[4];
  int due_blocks[4];
  logic due_resumed[4];
  int unsigned due_clocks[4];  // from the value before, if nothing stalls
  int unsigned waiting = 0;

  logic [3:0] due_error = 4'd0;
  logic [3:0] late_error = 4'd0;  // of the stream shell, a clock later
  logic [3:0] late_now;
  logic hit, stalled, took_cmd, took, gave, held, is_wrong, more, wiped, wiped_before;
  logic [State-1:0] held_data;
  localparam int Outs = 13 + State + State / 8 + Count;
  wire [Outs-1:0] outs = {
    cmd_ready, s_ready, k_ready, loaded, m_valid, m_data, m_keep, m_user, done, error_irq, error,
    blocks & {Count{m_valid & m_user}}
  };
  logic [Outs-1:0] outs_before;
  logic [Width-1:0] beat_data;
  logic [Bytes-1:0] beat_keep;
  logic beat_last, beat_user, beat_valid;

  task automatic fail(input string why);
    $display("lanesum_hmac: pass %0d, vector %0d of %0d bytes, clock %0d: %s", pass, vector, length,
             clocks, why);
    $fatal(1, "lanesum_hmac: failed");
  endtask

  function automatic int digest_bytes(input int of_mode);
    if (!Wide) digest_bytes = of_mode == 0 ? 28 : 32;
    else digest_bytes = of_mode == 0 ? 48 : of_mode == 1 ? 64 : of_mode == 2 ? 28 : 32;
  endfunction

  // The bytes of a key or a message.
  task automatic fill(input int count, input logic [31:0] seed, input logic [8*Longest-1:0] given);
    logic [31:0] x;
    x = seed;
    length = count;
    for (int i = 0; i < 512; i = i + 1) begin
      x = x * 32'd1664525 + 32'd1013904223;
      bytes[i] = seed != 0 || i >= count ? x[31:24] : given[8*(count-1-i)+:8];
    end
  endtask

  function automatic logic same_key(input int one, input int other);
    same_key = mode_of[one] == mode_of[other] && key_length[one] == key_length[other] &&
        key_seed[one] == key_seed[other] && key_bytes[one] == key_bytes[other];
  endfunction

  // The clocks from a value to the next: of a message after another, and what a key in between adds.
  function automatic int unsigned message_time(input int count, input logic with_mac);
    message_time = Rounds * ((count + LengthBytes + BlockBytes) / BlockBytes) +
        (with_mac ? Rounds + 20 : 3);
  endfunction

  function automatic int unsigned key_time(input int count);
    key_time = 2 * Rounds + 38;
    if (count > BlockBytes) key_time = key_time + message_time(count, 1'b0) + 16;
  endfunction

  // Selects the next command.
  task automatic select;
    int unsigned kind;
    int key_now;  // the vector of the key that is loaded or comes
    kind = pass == 0 ? 15 : $urandom_range(15);
    active = 1'b1;
    commanded = 1'b0;
    doomed = 1'b0;
    bad = 0;
    saves = 1'b0;
    is_key = 1'b0;
    is_side = 1'b0;
    cmd_resume = saved == 2 && (!more || $urandom_range(1) == 0);
    vector = cmd_resume ? saved_vector : next % lines;
    is_mac = key_length[vector] >= 0;
    key_now = loading >= 0 ? loading : holds;
    cmd_mode = 3'(mode_of[vector]);
    if (is_mac && (key_now < 0 || !same_key(vector, key_now) || kind == 14) &&
        !(key_now < 0 && kind == 13)) begin
      is_key = 1'b1;
      is_side = 1'($urandom);
      cmd_op = {1'b1, is_side};
      fill(key_length[vector], key_seed[vector], key_bytes[vector]);
    end else begin
      cmd_op = {1'b0, is_mac};
      fill(length_of[vector], seed_of[vector], bytes_of[vector]);
      // A MAC has the mode of its key, and no context.
      if (is_mac) begin
        cmd_mode = 3'($urandom);
        cmd_resume = 1'($urandom);
        if (key_now < 0) bad = 5;
      end
    end
    from = !is_key && !is_mac && cmd_resume ? saved_at : 0;
    to = length;
    if (!is_key && !is_mac && cmd_resume) begin
      saved = 3;
      context_state = saved_state;
      context_blocks = Count'(from / BlockBytes);
    end else if (saved != 3) begin
      for (int i = 0; i < State / 32; i = i + 1) context_state[32*i+:32] = $urandom;
      context_blocks = Count'($urandom);
    end
    if (!is_key && !is_mac && kind < 8 && length - from >= BlockBytes && (cmd_resume || saved == 0))
    begin
      saves = 1'b1;
      to = from + BlockBytes * (1 + $urandom_range((length - from) / BlockBytes - 1));
    end
    null_last = to == from || (!saves && to % Bytes == 0 && $urandom_range(1) == 0);
    if (kind >= 8 && kind < 12 && bad == 0 && (is_key || is_mac || !cmd_resume)) begin
      // An error; the same is sent correctly later.
      bad = kind - 7;
      bad_at = Bytes * $urandom_range(to / Bytes);
      if (bad == 1) begin
        if (is_mac && !is_key) bad = 0;
        else cmd_mode = 3'(Modes + $urandom_range(7 - Modes));
      end
      // Every other hole is in the last beat.
      if (bad == 2 && ($urandom_range(1) == 0 || (bad_at == to && !null_last)))
        bad_at = null_last ? to : (to - 1) / Bytes * Bytes;
      if (bad == 3 && bad_at + Bytes >= to) bad = 0;
      if (bad == 4) begin
        if (is_key || (!is_mac && to % BlockBytes == 0 && to != 0 && !null_last)) bad = 0;
        else saves = 1'b1;
      end
    end
    at = from;
    if (bad == 0 && !is_key && !(!is_mac && cmd_resume)) begin
      next = next + 1;
      sent = sent + 1;
    end
  endtask

  // The beat at `at`.
  task automatic beat;
    left = to - at < Bytes ? to - at : Bytes;
    beat_last = at + left == to && (!null_last || left == 0);
    // Ignored without tlast, and with a key.
    beat_user = beat_last && !is_key ? saves : 1'($urandom);
    is_wrong = 1'b0;
    for (int i = 0; i < Bytes; i = i + 1) begin
      beat_keep[i] = i < left;
      beat_data[8*i+:8] = i < left ? bytes[at+i] : 8'($urandom);
    end
    if (bad == 2 && at == bad_at) begin
      is_wrong = 1'b1;
      beat_keep = '1;
      beat_keep[$urandom_range(Bytes - 2)] = 1'b0;
    end
    if (bad == 3 && at == bad_at) begin
      is_wrong = 1'b1;
      beat_keep = beat_keep >> (1 + $urandom_range(Bytes - 1));
    end
    if (bad == 4 && beat_last) is_wrong = 1'b1;
    if (doomed) beat_keep = Bytes'($urandom);
  endtask

  // Forgets the key and all messages; with `all`, also the rest of the current one.
  task automatic drop(input logic all);
    for (int unsigned i = 0; i < waiting; i = i + 1) begin
      lost = lost + 1;
      if (due_user[i[1:0]] || due_resumed[i[1:0]]) saved = 0;
    end
    waiting = 0;
    held = 1'b0;
    holds = -1;
    loading = -1;
    if (active && (commanded || all)) begin
      if (bad == 0 && !doomed && !is_key) lost = lost + 1;
      if (!is_key && !is_mac && cmd_resume && saved == 3) saved = 0;
      doomed = 1'b1;
      if (all) active = 1'b0;
    end else if (active && !is_key && is_mac && bad != 5) begin
      // The message that waits has no key now.
      if (bad == 0) lost = lost + 1;
      bad = 5;
    end
    if (saved == 1) saved = 0;
  endtask

  // One process, so that nothing races: inputs change while the clock is low, and outputs are
  // looked at before it rises.
  initial begin
    if (Wide) file = $fopen("vectors_wide.txt", "r");
    else file = $fopen("vectors.txt", "r");
    if (file == 0) $fatal(1, "vectors.txt is missing; run this in tb/");
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
    held = 1'b0;
    wiped = 1'b0;
    for (pass = 0; pass < 5; pass = pass + 1) begin
      next = 0;
      checked = 0;
      lost = 0;
      sent = 0;
      hits = 0;
      since = 0;
      key_clocks = 0;
      more = 1'b1;
      while (more || active || waiting != 0 || saved != 0) begin
        #1;
        more = next < lines || (pass == 3 && hits < 4 * Span / Stride);
        outs_before = outs;
        stalled = pass == 2 && checked >= lines / 2 && pause < Pause;
        pause = pause + 32'(stalled);
        hit = clocks >= 3 && (pass == 3 ? hits < 4 * Span / Stride && since >= hits / 4 * Stride :
                              pass == 4 && $urandom_range(1000) == 0);
        zeroize = hit && hits % 4 != 0;
        rst_n = clocks >= 3 && (!hit || zeroize);
        if (hit) begin
          hits = hits + 1;
          since = 0;
        end
        if (!rst_n) begin
          drop(1'b1);
          due_error = 4'd0;
          late_error = 4'd0;
          #1;
          if (clocks > 0 &&
              (m_valid || m_data !== '0 || {cmd_ready, s_ready, k_ready, loaded, error} != 0))
            fail("an output in reset");
          // Every other pulse is over before the clock's edge.
          if (hits % 8 == 1) rst_n = 1'b1;
          #1;
          outs_before = outs;
        end
        if (!active && clocks >= 3 && (more || saved == 2)) select;
        cmd_valid = active && !commanded && !stall(pass);
        beat_valid = active && !stall(pass);
        if (active) beat;
        // The other source is not read.
        s_valid = is_side ? 1'($urandom) : beat_valid;
        k_valid = is_side ? beat_valid : 1'($urandom);
        s_data = is_side ? ~beat_data : beat_data;
        k_data = is_side ? beat_data : ~beat_data;
        s_keep = is_side ? Bytes'($urandom) : beat_keep;
        k_keep = is_side ? beat_keep : Bytes'($urandom);
        s_last = is_side ? 1'($urandom) : beat_last;
        k_last = is_side ? beat_last : 1'($urandom);
        s_user = beat_user;
        m_ready = !stalled && !stall(pass);
        error_clear = $urandom_range(15) == 0;
        #4;
        if (rst_n && clocks > 3) begin
          if (^{cmd_ready, s_ready, k_ready, loaded, m_valid, m_data, done, error_irq, error} === 1'bx)
            fail("not known");
          if (outs !== outs_before) fail("an input changes an output");
        end
        took_cmd = rst_n && cmd_valid && cmd_ready;
        took = rst_n && beat_valid && (is_side ? k_ready : s_ready);
        gave = rst_n && m_valid && m_ready;
        if (rst_n && clocks > 3) begin
          if ((s_ready || k_ready) && !commanded) fail("a beat is accepted before its command");
          if (active && commanded && (is_side ? s_ready : k_ready)) fail("a beat of the other source");
          if (active && doomed && commanded && !(is_side ? k_ready : s_ready))
            fail("a beat is not dropped");
          if (m_valid && waiting == 0) fail("a value without a message");
          if (!m_valid && m_data !== '0) fail("a word without a value");
          if (done !== m_valid || m_last !== 1'b1 || error_irq !== (error != 0)) fail("an output");
          if (error !== due_error) fail("error_o");
          if (held && (!m_valid || m_data !== held_data)) fail("a value was not held");
          if (loaded && holds < 0 && loading < 0) fail("a key without its command");
          if (!loaded && holds >= 0) fail("the key is lost");
          // Nothing of a key remains without one.
          if (wiped && wiped_before && {dut.key_q, dut.inner_q} !== '0) fail("words of a key");
          if (loaded && loading >= 0) begin
            holds = loading;
            loading = -1;
          end
        end
        if (gave) begin
          if (m_user !== due_user[0]) fail("tuser");
          if (m_keep !== due_keep[0]) fail("tkeep");
          if (m_user) begin
            if (32'(blocks) != due_blocks[0]) fail("the number of blocks");
            saved = 2;
            saved_state = m_data;
            contexts = contexts + 1;
          end else begin
            if (m_data !== due_data[0]) fail("a wrong value");
            if (due_resumed[0]) saved = 0;
            if (pass == 0 && checked != 0 && clocks - given != due_clocks[0]) begin
              $display("%0d clocks, not %0d", clocks - given, due_clocks[0]);
              fail("the clocks of a value");
            end
            given = clocks;
            checked = checked + 1;
          end
          for (int i = 0; i < 3; i = i + 1) begin
            due_data[i] = due_data[i+1];
            due_keep[i] = due_keep[i+1];
            due_user[i] = due_user[i+1];
            due_blocks[i] = due_blocks[i+1];
            due_resumed[i] = due_resumed[i+1];
            due_clocks[i] = due_clocks[i+1];
          end
          waiting = waiting - 1;
        end
        held = rst_n && m_valid && !gave && !zeroize;
        held_data = m_data;
        wiped_before = wiped;
        wiped = !rst_n || zeroize ||
            (holds < 0 && loading < 0 && !(active && commanded && is_key && !doomed));
        clk = 1'b1;
        #5;
        clk = 1'b0;
        clocks = clocks + 1;
        since = since + 1;
        due_error = (error_clear || !rst_n ? 4'd0 : due_error) | (rst_n ? late_error : 4'd0);
        late_error = 4'd0;
        if (took_cmd) begin
          commanded = 1'b1;
          if (is_key) begin
            holds = -1;
            loading = -1;
            wiped = 1'b0;
            sideloads = sideloads + 32'(is_side);
          end
          if (bad == 1 || bad == 5) begin
            doomed = 1'b1;
            if (bad == 5) due_error[3] = 1'b1;
            else if (is_key) due_error[0] = 1'b1;
            else late_error[0] = 1'b1;
            errors = errors + 1;
          end
        end
        if (took && !doomed && is_wrong) begin
          doomed = 1'b1;
          // The first block of a key is checked before it reaches the stream shell.
          if (is_key && at < BlockBytes) due_error[1] = 1'b1;
          else late_error[bad==4?2 : 1] = 1'b1;
          errors = errors + 1;
        end
        if (took) begin
          at = at + left;
          if (beat_last) begin
            if (!doomed && is_key) begin
              loading = vector;
              key_clocks = key_time(length);
            end else if (!doomed) begin
              reused = reused + 32'(is_mac && holds >= 0 && holds != vector);
              due_user[waiting[1:0]] = saves;
              due_blocks[waiting[1:0]] = to / BlockBytes;
              due_data[waiting[1:0]] = results[vector];
              for (int i = 0; i < State / 8; i = i + 1)
                due_keep[waiting[1:0]][i] = saves || i < digest_bytes(mode_of[vector]);
              due_resumed[waiting[1:0]] = !is_mac && cmd_resume && !saves;
              due_clocks[waiting[1:0]] = key_clocks + message_time(length, is_mac);
              key_clocks = 0;
              waiting = waiting + 1;
              if (waiting > 3) fail("too many messages are inside");
              if (saves) begin
                saved = 1;
                saved_vector = vector;
                saved_at = to;
              end
            end
            active = 1'b0;
          end
        end
        if (zeroize) drop(1'b0);
        if (clocks > 4000000) fail("no progress");
      end
      if (checked + lost != sent) fail("values are missing");
      if (pass < 3 && lost != 0) fail("values are lost");
      $display("lanesum_hmac: pass %0d, %0d messages, %0d clocks", pass, sent, clocks);
    end
    if (errors < 100 || contexts < 5 || sideloads < 20 || reused < 20) fail("too few of some kind");
    $display("lanesum_hmac: %0d errors, %0d contexts, %0d sideloads", errors, contexts, sideloads);
    $display("lanesum_hmac: all values are right after %0d clocks", clocks);
    $finish;
  end

  // Whether one side stalls.
  function automatic logic stall(input int unsigned in_pass);
    case (in_pass)
      1: stall = $urandom_range(3) == 0;
      2: stall = $urandom_range(3) != 0;
      4: stall = $urandom_range(1) == 0;
      default: stall = 1'b0;
    endcase
  endfunction
endmodule
