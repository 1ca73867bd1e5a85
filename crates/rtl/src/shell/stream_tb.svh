// The clocks of a testbench for a block with the ports of the stream shell: sends commands and
// their beats, and checks every value. The passes are:
//   0  no stalls
//   1  stalls, contexts, and erroneous messages
//   2  more of these, and a sink that stalls for 10,000 clocks
//   3  zeroize_i and resets in every Stride-th clock in turn
//   4  zeroize_i and resets at random, with stalls
// The including module defines the parameters of the block, and
//   name      its name in messages, a string
//   Count, Errors, Others
//             bits of blocks_o, of error_o, and of the outputs that only this block has
//   Hits, Stride
//             the resets and pulses of zeroize_i in pass 3, every fourth of them Stride clocks later
//   Rare      in pass 4 there is one in so many clocks
// connects the signals to the block, and defines these tasks:
//   load      reads the vectors, and sets `lines`
//   select    selects the next command by start, transfer and misplace
//   drive     sets the inputs of beats from beat_*, and those that only this block has
//   check     checks the outputs that only this block has, if `observed`
//   accepted  the command was accepted: rejects a wrong one
//   rejected  an error is due, after a wrong beat
//   ended     the last beat was accepted: await_value
//   received  the value `first` leaves, and is correct
//   dropped   all messages inside were dropped
//   finish    checks that each kind occurred often enough
localparam int Bytes = Width / 8;
localparam int Pause = 10000;

logic clk = 1'b0;
logic rst_n = 1'b0;
logic zeroize = 1'b0;
logic cmd_valid = 1'b0;
logic [2:0] cmd_mode = 3'd0;
logic cmd_resume = 1'b0;
logic [State-1:0] context_state = '0;
logic [Count-1:0] context_blocks = '0;
logic s_valid = 1'b0;
logic [Width-1:0] s_data = '0;
logic [Bytes-1:0] s_keep = '0;
logic s_last = 1'b0;
logic s_user = 1'b0;
logic m_ready = 1'b0;
logic error_clear = 1'b0;
wire cmd_ready, s_ready, m_valid, m_last, m_user, done, error_irq;
wire [State-1:0] m_data;
wire [State/8-1:0] m_keep;
wire [Count-1:0] blocks;
wire [Errors-1:0] error;
wire [Others-1:0] others;
wire beat_ready;            // of the port that the command reads

int lines;                  // vectors
int unsigned pass = 0;
int next = 0;               // the next vector
int unsigned clocks = 0;
int checked = 0;            // digests of this pass
int lost = 0;               // messages of this pass without a value
int unsigned errors = 0;
int unsigned contexts = 0;
int unsigned hits = 0;
int unsigned since = 0;     // clocks since a reset or zeroize_i
int unsigned pause = 0;     // clocks of the long stall

// The current command and its beats.
logic active = 1'b0;        // there is one
logic commanded = 1'b0;     // the command was accepted
logic doomed = 1'b0;        // its beats are dropped
int unsigned kind;          // random: 0 to 15
logic is_message = 1'b1;    // a value is due at its end
logic resumed;              // it continues from the saved context
logic [7:0] bytes[512];
int message, length, from, to, at, left;
int unsigned bad;           // 0, or the kind of error: 1 mode, 2 hole, 3 partial, 4 context, ...
int bad_at;                 // the position of the wrong beat
logic saves;                // ends with a context
logic null_last;            // a last beat without bytes
logic beat_valid, beat_last, beat_user;
logic [Width-1:0] beat_data;
logic [Bytes-1:0] beat_keep;

// The saved context: 0 none, 1 awaited, 2 available, 3 in use.
int unsigned saved = 0;
int saved_message, saved_at;
logic [State-1:0] saved_state;

// What is due at the output, in order from `first`.
logic [State-1:0] due_data[4];
logic [State/8-1:0] due_keep[4];
logic due_user[4];
int due_blocks[4];
logic due_resumed[4];
logic [1:0] first = 2'd0;
int waiting = 0;
logic [1:0] last_due;       // the newest

logic [Errors-1:0] due_error = '0;
logic [Errors-1:0] late_error = '0;  // appears a clock later
logic hit, stalled, observed, took_cmd, took, gave, is_wrong, more;
logic held = 1'b0;
logic [State-1:0] held_data;
logic [State/8-1:0] held_keep;
wire [Others+Errors+State+State/8+Count+5:0] outs = {
  cmd_ready, s_ready, others, m_valid, m_data, m_keep, m_user, blocks, done, error_irq, error
};
logic [Others+Errors+State+State/8+Count+5:0] outs_before;

task automatic fail(input string why);
  $display("%0s: pass %0d, message %0d of %0d bytes, clock %0d: %0s", name, pass, message, length,
           clocks, why);
  $fatal(1, "%0s: failed", name);
endtask

// Whether one side stalls.
function automatic logic stall(input int unsigned in_pass);
  case (in_pass)
    1: stall = $urandom_range(3) == 0;
    2: stall = $urandom_range(3) != 0;
    4: stall = $urandom_range(1) == 0;
    default: stall = 1'b0;
  endcase
endfunction

// Byte i is the highest byte of x(i+1), where x(0) = seed and
// x(i+1) = 1664525 x(i) + 1013904223 modulo 2^32.
task automatic noise(input logic [31:0] seed);
  logic [31:0] x;
  x = seed;
  for (int i = 0; i < 512; i = i + 1) begin
    x = x * 32'd1664525 + 32'd1013904223;
    bytes[i] = x[31:24];
  end
endtask

// Begins a command: of the message that has a context, or of the next.
task automatic start;
  active = 1'b1;
  commanded = 1'b0;
  doomed = 1'b0;
  bad = 0;
  kind = pass == 0 ? 15 : $urandom_range(15);
  resumed = saved == 2 && (!more || $urandom_range(1) == 0);
  cmd_resume = resumed;
  message = resumed ? saved_message : next % lines;
  from = resumed ? saved_at : 0;
  if (resumed) begin
    saved = 3;
    context_state = saved_state;
    context_blocks = Count'(from / BlockBytes);
  end else if (saved != 3) begin
    // The context is read until the digest.
    for (int i = 0; i < State / 32; i = i + 1) context_state[32*i+:32] = $urandom;
    context_blocks = Count'($urandom);
  end
endtask

// Whether the beats from `from` to the end of the message can end with a context.
function automatic logic can_save();
  can_save = length - from >= BlockBytes && (resumed || saved == 0);
endfunction

// The beats are the bytes from `from` to the end of the message or, with `save`, of a block.
task automatic transfer(input logic save);
  saves = save;
  to = saves ? from + BlockBytes * (1 + $urandom_range((length - from) / BlockBytes - 1)) : length;
  null_last = to == from || (!saves && to % Bytes == 0 && $urandom_range(1) == 0);
  at = from;
endtask

// Where the error of the kind `bad` is.
task automatic misplace;
  bad_at = from + Bytes * $urandom_range((to - from) / Bytes);
  if (bad == 1) cmd_mode = 3'(Modes + $urandom_range(7 - Modes));
  // Every other hole is in the last beat.
  if (bad == 2 && ($urandom_range(1) == 0 || (bad_at == to && !null_last)))
    bad_at = null_last ? to : from + (to - from - 1) / Bytes * Bytes;
  if (bad == 3 && bad_at + Bytes >= to) bad = 0;
endtask

// The beat at `at`.
task automatic beat;
  left = to - at < Bytes ? to - at : Bytes;
  beat_last = at + left == to && (!null_last || left == 0);
  beat_user = beat_last && is_message ? saves : 1'($urandom);
  is_wrong = bad == 4 && beat_last;
  for (int i = 0; i < Bytes; i = i + 1) begin
    beat_keep[i] = i < left;
    beat_data[8*i+:8] = i < left ? bytes[at+i] : 8'($urandom);
  end
  if (bad == 2 && at == bad_at) begin
    is_wrong = 1'b1;
    // A hole before the last byte, or no first byte.
    beat_keep = '1;
    beat_keep[$urandom_range(Bytes - 2)] = 1'b0;
  end
  if (bad == 3 && at == bad_at) begin
    is_wrong = 1'b1;
    beat_keep = beat_keep >> (1 + $urandom_range(Bytes - 1));
  end
  if (doomed) beat_keep = Bytes'($urandom);
endtask

// The beats of a wrong command are dropped.
task automatic reject;
  doomed = 1'b1;
  errors = errors + 1;
endtask

// A value is due, of these bytes unless it is a context.
task automatic await_value(input logic [State-1:0] value, input int size);
  last_due = first + 2'(waiting);
  due_user[last_due] = saves;
  due_blocks[last_due] = to / BlockBytes;
  due_data[last_due] = value;
  for (int i = 0; i < State / 8; i = i + 1) due_keep[last_due][i] = saves || i < size;
  due_resumed[last_due] = resumed && !saves;
  waiting = waiting + 1;
  if (waiting > 3) fail("too many messages are inside");
  if (saves) begin
    saved = 1;
    saved_message = message;
    saved_at = to;
  end
endtask

task automatic receive;
  if (m_user !== due_user[first]) fail("tuser");
  if (m_keep !== due_keep[first]) fail("tkeep");
  if (m_user) begin
    if (32'(blocks) != due_blocks[first]) fail("the number of blocks");
    saved = 2;
    saved_state = m_data;
    contexts = contexts + 1;
  end else begin
    if (m_data !== due_data[first]) fail("a wrong value");
    if (due_resumed[first]) saved = 0;
    received;
    checked = checked + 1;
  end
  first = first + 2'd1;
  waiting = waiting - 1;
endtask

// Forgets all messages; with `all`, also the rest of the current command.
task automatic drop(input logic all);
  while (waiting != 0) begin
    lost = lost + 1;
    if (due_user[first] || due_resumed[first]) saved = 0;
    first = first + 2'd1;
    waiting = waiting - 1;
  end
  held = 1'b0;
  if (active && (commanded || all)) begin
    if (bad == 0 && !doomed && is_message) lost = lost + 1;
    if (resumed && saved == 3) saved = 0;
    doomed = 1'b1;
    if (all) active = 1'b0;
  end
  dropped;
endtask

// One process, so that nothing races: inputs change while the clock is low, and outputs are
// looked at before it rises.
initial begin
  load;
  for (pass = 0; pass < 5; pass = pass + 1) begin
    next = 0;
    checked = 0;
    lost = 0;
    hits = 0;
    since = 0;
    more = 1'b1;
    while (more || active || waiting != 0 || saved != 0) begin
      #1;
      more = next < lines || (pass == 3 && hits < Hits);
      outs_before = outs;
      stalled = pass == 2 && checked >= lines / 2 && pause < Pause;
      pause = pause + 32'(stalled);
      hit = clocks >= 3 && hits < Hits && (pass == 3 ? since >= hits / 4 * Stride :
                                           pass == 4 && $urandom_range(Rare) == 0);
      zeroize = hit && hits % 4 != 0;
      rst_n = clocks >= 3 && (!hit || zeroize);
      if (hit) begin
        hits = hits + 1;
        since = 0;
      end
      if (!rst_n) begin
        drop(1'b1);
        due_error = '0;
        late_error = '0;
        #1;
        if (clocks > 0 && (m_valid || m_data !== '0 || {cmd_ready, s_ready, others, error} != 0))
          fail("an output in reset");
        // Every other pulse is over before the clock's edge.
        if (hits % 8 == 1) rst_n = 1'b1;
        #1;
        outs_before = outs;
      end
      if (!active && clocks >= 3 && (more || saved == 2)) begin
        select;
        if (bad == 0 && is_message && !resumed) next = next + 1;
      end
      cmd_valid = active && !commanded && !stall(pass);
      beat_valid = active && !stall(pass);
      if (active) beat;
      drive;
      m_ready = !stalled && !stall(pass);
      error_clear = $urandom_range(15) == 0;
      #4;
      took_cmd = rst_n && cmd_valid && cmd_ready;
      took = rst_n && beat_valid && beat_ready;
      gave = rst_n && m_valid && m_ready;
      observed = rst_n && clocks > 3;
      if (observed) begin
        if (^{cmd_ready, s_ready, others, m_valid, m_data, done, error_irq, error} === 1'bx)
          fail("not known");
        if (outs !== outs_before) fail("an input changes an output");
        if (beat_ready && !(active && commanded)) fail("a beat is accepted without a command");
        if (active && doomed && !beat_ready) fail("a beat is not dropped");
        if (m_valid && waiting == 0) fail("a value without a message");
        if (!m_valid && m_data !== '0) fail("a word without a value");
        if (done !== m_valid || m_last !== 1'b1 || error_irq !== (error != 0)) fail("an output");
        if (error !== due_error) fail("error_o");
        if (held && (!m_valid || m_data !== held_data || m_keep !== held_keep))
          fail("a value was not held");
      end
      check;
      if (gave) receive;
      held = rst_n && m_valid && !gave && !zeroize;
      held_data = m_data;
      held_keep = m_keep;
      clk = 1'b1;
      #5;
      clk = 1'b0;
      clocks = clocks + 1;
      since = since + 1;
      due_error = (error_clear ? '0 : due_error) | late_error;
      late_error = '0;
      if (took_cmd) begin
        commanded = 1'b1;
        accepted;
      end
      if (took && !doomed && is_wrong) begin
        rejected;
        reject;
      end
      if (took) begin
        at = at + left;
        if (beat_last) begin
          if (!doomed) ended;
          active = 1'b0;
        end
      end
      if (zeroize) drop(1'b0);
      if (clocks > 4000000) fail("no progress");
    end
    if (checked + lost != next) fail("values are missing");
    if (pass < 3 && lost != 0) fail("values are lost");
    $display("%0s: pass %0d, %0d messages, %0d clocks", name, pass, next, clocks);
  end
  finish;
  $display("%0s: %0d errors, %0d contexts", name, errors, contexts);
  $display("%0s: all values are right after %0d clocks", name, clocks);
  $finish;
end
