// Sends the messages of vectors.hex, which is read where this runs, through @TOP@,
// and checks every digest. The passes are:
//   0  no stalls; the time of the first 64 messages is checked
//   1  stalls, key blocks, contexts, and erroneous messages
//   2  more of these, and a sink that stalls for 10,000 clocks
//   3  zeroize_i and resets in each clock in turn
//   4  zeroize_i and resets at random, with stalls
// Byte i of message m is the highest byte of x(i+1), where x(0) = m and
// x(i+1) = 1664525 x(i) + 1013904223 modulo 2^32.
`timescale 1ns / 1ps
module @TOP@_tb;
  localparam int Lines = @LINES@;
  localparam int Width = @WIDTH@;
  localparam int Bytes = @BYTES@;
  localparam int Index = @INDEX@;
  localparam int Block = @BLOCK@;
  localparam int BlockBytes = Block / 8;
  localparam int LengthBytes = @LENGTHBYTES@;
  localparam int State = @STATE@;
  localparam int Count = @COUNT@;
  localparam int Modes = @MODECOUNT@;
  localparam int Interval = @INTERVAL@;  // clocks of the core from a block to the next
  localparam int Another = @ANOTHER@;   // and to the first of another message
  localparam int Timed = 64;
  localparam int Pause = 10000;
  localparam int Hits = @HITS@;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic zeroize = 1'b0;
  logic cmd_valid = 1'b0;
  logic [2:0] cmd_mode = 3'd0;
  logic cmd_key = 1'b0;
  logic cmd_resume = 1'b0;
  logic [State-1:0] context_state = '0;
  logic [Count-1:0] context_blocks = '0;
  logic s_valid = 1'b0;
  logic [Width-1:0] s_data = '0;
  logic [Bytes-1:0] s_keep = '0;
  logic s_last = 1'b0;
  logic s_user = 1'b0;
  logic key_valid = 1'b0;
  logic [Width-1:0] key_data = '0;
  logic m_ready = 1'b0;
  logic error_clear = 1'b0;
  wire cmd_ready, s_ready, key_ready, m_valid, m_last, m_user, done, error_irq;
  wire [Index-1:0] key_index;
  wire [State-1:0] m_data;
  wire [State/8-1:0] m_keep;
  wire [Count-1:0] blocks;
  wire [2:0] error;

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

  int unsigned pass = 0;
  int unsigned next = 0;      // the next message
  int unsigned clocks = 0;
  int unsigned checked = 0;   // digests of this pass
  int unsigned lost = 0;      // messages of this pass whose digest was dropped
  int unsigned errors = 0;
  int unsigned contexts = 0;
  int unsigned keyed = 0;
  int unsigned hits = 0;
  int unsigned since = 0;     // clocks since a reset or zeroize_i
  int unsigned pause = 0;     // clocks of the long stall
  int unsigned began = 0;     // the clock of the first command of the pass
  int unsigned due = 0;       // clocks that the core takes for the messages

  // The current command and its beats.
  logic active = 1'b0;        // there is one
  logic commanded = 1'b0;     // the command was accepted
  logic doomed = 1'b0;        // its beats are dropped
  logic [7:0] bytes[512];     // the message
  int unsigned message, length, from, to, at;
  int unsigned bad;           // 0, or the kind of error: 1 mode, 2 hole, 3 partial, 4 context
  int unsigned bad_at;        // the position of the wrong beat
  logic saves;                // ends with a context
  logic null_last;            // a last beat without bytes
  int unsigned left;          // bytes of the beat

  // The saved context: 0 none, 1 awaited, 2 available, 3 in use.
  int unsigned saved = 0;
  int unsigned saved_message, saved_at;
  logic [State-1:0] saved_state;

  // What is due at the output, in order.
  logic [State-1:0] due_data[4];
  logic [State/8-1:0] due_keep[4];
  logic due_user[4];
  int unsigned due_blocks[4];
  logic due_resumed[4];
  int unsigned waiting = 0;

  logic [2:0] due_error = 3'd0;
  logic hit, stalled, took_cmd, took, took_key, gave, held;
  logic is_wrong, more;
  logic [State-1:0] held_data;
  logic [State/8-1:0] held_keep;
  localparam int Outs = 10 + Index + State + State / 8 + Count;
  wire [Outs-1:0] outs = {
    cmd_ready, s_ready, key_ready, key_index, m_valid, m_data, m_keep, m_user, blocks, done,
    error_irq, error
  };
  logic [Outs-1:0] outs_before;

  function automatic logic [State-1:0] reversed(input logic [State-1:0] value);
    for (int i = 0; i < State / 8; i = i + 1) reversed[8*i+:8] = value[State-8-8*i+:8];
  endfunction

  task automatic fail(input string why);
    $display("@TOP@: pass %0d, message %0d of %0d bytes, clock %0d: %s", pass, message, length,
             clocks, why);
    $fatal(1, "@TOP@: failed");
  endtask

  // Selects the next command.
  task automatic select;
    logic [31:0] x;
    int unsigned kind;
    kind = pass == 0 ? 15 : $urandom_range(15);
    active = 1'b1;
    commanded = 1'b0;
    doomed = 1'b0;
    bad = 0;
    saves = 1'b0;
    cmd_key = 1'b0;
    cmd_resume = saved == 2 && (!more || $urandom_range(1) == 0);
    message = cmd_resume ? saved_message : next % Lines;
    from = cmd_resume ? saved_at : 0;
    length = 32'(vectors[message][State+:16]);
    cmd_mode = vectors[message][State+16+:3];
    to = length;
    x = message;
    for (int i = 0; i < 512; i = i + 1) begin
      x = x * 32'd1664525 + 32'd1013904223;
      bytes[i] = x[31:24];
    end
    if (cmd_resume) begin
      saved = 3;
      context_state = saved_state;
      context_blocks = Count'(from / BlockBytes);
    end else if (saved != 3) begin
      // context_i is read until the digest.
      for (int i = 0; i < State / 32; i = i + 1) context_state[32*i+:32] = $urandom;
      context_blocks = Count'($urandom);
    end
    if (kind < 4 && length >= BlockBytes && !cmd_resume) begin
      cmd_key = 1'b1;
      from = BlockBytes;
    end
    if (kind >= 4 && kind < 8 && length - from >= BlockBytes && (cmd_resume || saved == 0)) begin
      saves = 1'b1;
      to = from + BlockBytes * (1 + $urandom_range((length - from) / BlockBytes - 1));
    end
    null_last = to == from || (!saves && to % Bytes == 0 && $urandom_range(1) == 0);
    if (kind >= 8 && kind < 12 && !cmd_resume) begin
      // An erroneous message; the same is sent correctly later.
      bad = kind - 7;
      bad_at = from + Bytes * $urandom_range((to - from) / Bytes);
      if (bad == 1) cmd_mode = 3'(Modes + $urandom_range(7 - Modes));
      // Every other hole is in the last beat.
      if (bad == 2 && ($urandom_range(1) == 0 || (bad_at == to && !null_last)))
        bad_at = null_last ? to : from + (to - from - 1) / Bytes * Bytes;
      if (bad == 3 && bad_at + Bytes >= to) bad = 0;
      if (bad == 4) begin
        saves = 1'b1;
        // At the end of a block only a key is wrong.
        if ((to - from) % BlockBytes == 0 && to != from && !null_last) begin
          if (length > BlockBytes) begin
            cmd_key = 1'b1;
            from = BlockBytes;
          end else bad = 0;
        end
        if (bad == 0) saves = 1'b0;
      end
    end
    at = from;
    if (bad == 0 && !saves) next = cmd_resume ? next : next + 1;
    if (bad == 0 && saves && !cmd_resume) next = next + 1;
    if (bad == 0 && cmd_key) keyed = keyed + 1;
  endtask

  // The beat at `at`.
  task automatic beat;
    left = to - at < Bytes ? to - at : Bytes;
    s_last = at + left == to && (!null_last || left == 0);
    s_user = s_last ? saves : 1'($urandom);
    is_wrong = 1'b0;
    for (int i = 0; i < Bytes; i = i + 1) begin
      s_keep[i] = i < left;
      s_data[8*i+:8] = i < left ? bytes[at+i] : 8'($urandom);
    end
    if (bad == 2 && at == bad_at) begin
      is_wrong = 1'b1;
      // A hole before the last byte, or no first byte.
      s_keep = '1;
      s_keep[$urandom_range(Bytes - 2)] = 1'b0;
    end
    if (bad == 3 && at == bad_at) begin
      is_wrong = 1'b1;
      s_keep = s_keep >> (1 + $urandom_range(Bytes - 1));
    end
    if (bad == 4 && s_last) is_wrong = 1'b1;
    if (doomed) s_keep = Bytes'($urandom);
  endtask

  // Forgets all messages; with `all`, also the rest of the current.
  task automatic drop(input logic all);
    for (int unsigned i = 0; i < waiting; i = i + 1) begin
      if (!due_user[i[1:0]]) lost = lost + 1;
      if (due_resumed[i[1:0]]) saved = 0;
    end
    waiting = 0;
    held = 1'b0;
    if (active && (commanded || all)) begin
      if (bad == 0 && !saves && !doomed) lost = lost + 1;
      if (bad == 0 && saves && !doomed) begin
        lost = lost + 1;
        saved = 0;
      end
      if (cmd_resume && saved == 3) saved = 0;
      doomed = 1'b1;
      if (all) active = 1'b0;
    end
    // Its context was dropped.
    if (saved == 1) begin
      lost = lost + 1;
      saved = 0;
    end
  endtask

  // One process, so that nothing races: inputs change while the clock is low, and outputs are
  // looked at before it rises.
  initial begin
    $readmemh("vectors.hex", vectors, 0, Lines - 1);
    for (int i = 0; i < Lines; i = i + 1)
      if (^vectors[i] === 1'bx) $fatal(1, "vectors.hex is missing or short; run this in tb/");
    held = 1'b0;
    for (pass = 0; pass < 5; pass = pass + 1) begin
      next = 0;
      checked = 0;
      lost = 0;
      hits = 0;
      since = 0;
      began = 0;
      due = 0;
      more = 1'b1;
      while (more || active || waiting != 0 || saved != 0) begin
        #1;
        more = next < Lines || (pass == 3 && hits < Hits);
        outs_before = outs;
        stalled = pass == 2 && checked >= Lines / 2 && pause < Pause;
        pause = pause + 32'(stalled);
        hit = clocks >= 3 && hits < Hits &&
            (pass == 3 ? since >= hits / 4 : pass == 4 && $urandom_range(300) == 0);
        zeroize = hit && hits % 4 != 0;
        rst_n = clocks >= 3 && (!hit || zeroize);
        if (hit) begin
          hits = hits + 1;
          since = 0;
        end
        if (!rst_n) begin
          drop(1'b1);
          due_error = 3'd0;
          #1;
          if (clocks > 0 && (m_valid || m_data !== '0 || {cmd_ready, s_ready, key_ready, error} != 0))
            fail("an output in reset");
          // Every other pulse is over before the clock's edge.
          if (hits % 8 == 1) rst_n = 1'b1;
          #1;
          outs_before = outs;
        end
        if (!active && clocks >= 3 && (more || saved == 2)) select;
        cmd_valid = active && !commanded && !stall(pass);
        s_valid = active && !stall(pass);
        if (active) beat;
        key_valid = !stall(pass);
        for (int i = 0; i < Bytes; i = i + 1)
          key_data[8*i+:8] = key_valid ? bytes[32'(key_index)*Bytes+i] : 8'($urandom);
        m_ready = !stalled && !stall(pass);
        error_clear = $urandom_range(15) == 0;
        #4;
        if (rst_n && clocks > 3) begin
          if (^outs[Outs-1-:3] === 1'bx || ^{m_valid, m_data, done, error_irq, error} === 1'bx)
            fail("not known");
          if (outs !== outs_before) fail("an input changes an output");
        end
        took_cmd = rst_n && cmd_valid && cmd_ready;
        took = rst_n && s_valid && s_ready;
        took_key = rst_n && key_valid && key_ready;
        gave = rst_n && m_valid && m_ready;
        if (rst_n && clocks > 3) begin
          if (s_ready && !commanded) fail("a beat is accepted before its command");
          if (key_ready && (!commanded || doomed || !cmd_key)) fail("a key is accepted");
          if (active && doomed && !s_ready) fail("a beat is not dropped");
          if (m_valid && waiting == 0) fail("a value without a message");
          if (!m_valid && m_data !== '0) fail("a word without a value");
          if (done !== m_valid || m_last !== 1'b1 || error_irq !== (error != 0)) fail("an output");
          if (error !== due_error) fail("error_o");
          if (held && (!m_valid || m_data !== held_data || m_keep !== held_keep))
            fail("a value was not held");
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
            if (m_data !== due_data[0]) fail("a wrong digest");
            if (due_resumed[0]) saved = 0;
            if (pass == 0 && checked < Timed)
              due = due + Another - Interval + Interval * ((32'(vectors[checked][State+:16]) +
                  LengthBytes + BlockBytes) / BlockBytes);
            checked = checked + 1;
          end
          for (int i = 0; i < 3; i = i + 1) begin
            due_data[i] = due_data[i+1];
            due_keep[i] = due_keep[i+1];
            due_user[i] = due_user[i+1];
            due_blocks[i] = due_blocks[i+1];
            due_resumed[i] = due_resumed[i+1];
          end
          waiting = waiting - 1;
        end
        held = rst_n && m_valid && !gave && !zeroize;
        held_data = m_data;
        held_keep = m_keep;
        clk = 1'b1;
        #5;
        clk = 1'b0;
        clocks = clocks + 1;
        since = since + 1;
        if (error_clear || !rst_n) due_error = 3'd0;
        if (took_cmd) begin
          if (next == 1 && began == 0) began = clocks;
          commanded = 1'b1;
          if (bad == 1) begin
            doomed = 1'b1;
            due_error[0] = 1'b1;
            errors = errors + 1;
          end
        end
        if (took && !doomed && is_wrong) begin
          doomed = 1'b1;
          due_error[bad==4?2 : 1] = 1'b1;
          errors = errors + 1;
        end
        if (took) begin
          at = at + left;
          if (s_last) begin
            if (!doomed) begin
              due_user[waiting[1:0]] = saves;
              due_blocks[waiting[1:0]] = to / BlockBytes;
              due_data[waiting[1:0]] = reversed(vectors[message][0+:State]);
              due_keep[waiting[1:0]] = '0;
              for (int i = 0; i < State / 8; i = i + 1)
                due_keep[waiting[1:0]][i] = saves || i < digest_bytes(cmd_mode);
              due_resumed[waiting[1:0]] = cmd_resume && !saves;
              waiting = waiting + 1;
              if (waiting > 3) fail("too many messages are inside");
              if (saves) begin
                saved = 1;
                saved_message = message;
                saved_at = to;
              end
            end
            active = 1'b0;
          end
        end
        if (pass == 0 && gave && checked == Timed) begin
          if (95 * (clocks - began) > 100 * due)
            fail("less than 95 % of the core's throughput");
          $display("@TOP@: %0d messages in %0d clocks; the core alone needs %0d", Timed,
                   clocks - began, due);
        end
        if (zeroize) drop(1'b0);
        if (clocks > 2000000) fail("no progress");
      end
      if (checked + lost != next) fail("digests are missing");
      if (pass < 3 && lost != 0) fail("digests are lost");
    end
    if (errors < 20 || contexts < 20 || keyed < 20) fail("too few of some kind");
    $display("@TOP@: %0d errors, %0d contexts, %0d key blocks", errors, contexts, keyed);
    $display("@TOP@: all values are right after %0d clocks", clocks);
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

  function automatic int digest_bytes(input logic [2:0] of_mode);
    case (of_mode)
@DIGESTS@
    endcase
  endfunction
endmodule
