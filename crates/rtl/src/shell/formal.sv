// The words that @TOP@ sends to its core, its digests, and its registers, for all
// inputs: by k-induction. `expose` makes ports of the registers, and of the core's ports. A
// model replaces the core: any core with the handshakes that @TOP@_core.sby proves. Its
// words take any number of clocks.
// The model counts the bytes of a message, and follows the byte at any position of a word.
module @TOP@_stream (
  input clk_i,
  input rst_ni,
  input zeroize_i,
  input cmd_valid_i,
  input [2:0] cmd_mode_i,
  input cmd_key_i,
  input cmd_resume_i,
  input [@STATE@-1:0] context_i,
  input [@COUNT@-1:0] context_blocks_i,
  input s_axis_tvalid,
  input [@WIDTH@-1:0] s_axis_tdata,
  input [@BYTES@-1:0] s_axis_tkeep,
  input s_axis_tlast,
  input s_axis_tuser,
  input key_valid_i,
  input [@WIDTH@-1:0] key_data_i,
  input m_axis_tready,
  input error_clear_i,
  input core_word_ready_o,
  input core_state_valid_o,
  input [@STATE@-1:0] core_state_o
);
  localparam Width = @WIDTH@;
  localparam Bytes = @BYTES@;
  localparam Beats = @BEATS@;
  localparam Index = @INDEX@;
  localparam Low = @LOW@;
  localparam State = @STATE@;
  localparam Count = @COUNT@;
  localparam Place = Index + Low;  // bits of a byte's number in its block
  localparam LengthBytes = @LENGTHBYTES@;

  wire cmd_ready_o, s_axis_tready, key_ready_o, m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  wire done_o, error_irq_o;
  wire [Index-1:0] key_index_o;
  wire [State-1:0] m_axis_tdata;
  wire [State/8-1:0] m_axis_tkeep;
  wire [Count-1:0] blocks_o;
  wire [2:0] error_o;
  wire core_zeroize_i, core_word_valid_i, core_last_i, core_state_ready_i;
  wire [Width-1:0] core_word_i;
  wire [State-1:0] core_state_i;
  wire idle_q, key_q, data_q, pad_q, save_q, drop_q, last_q, mark_q, fits_q, begun_q, wipe_q;
  wire keyed_q, resume_q, out_save_q;
  wire [1:0] mode_q, out_mode_q;
  wire [2:0] error_q;
  wire [Index-1:0] beat_q;
  wire [Count-1:0] blocks_q;
  wire [Place-1:0] rest_q;
  @TOP@ dut (.*, .core_clk_i(), .core_rst_ni());

  // The core: a word is taken if no value is due or held, and a value comes after the last word
  // of a message.
  wire take = core_word_valid_i & core_word_ready_o;
  wire give = core_state_valid_o & core_state_ready_i;
  reg fresh = 1'b1;   // a clock edge after a reset or zeroize_i is missing
  reg open = 1'b0;    // the core has words of a message, but not its last
  reg due = 1'b0;     // it has the last, and its value was not taken
  reg waits = 1'b0;   // the value was shown, and not taken
  reg due_save;       // it is a context
  reg [1:0] due_mode;
  initial assume (!rst_ni);
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      fresh <= 1'b1;
      open <= 1'b0;
      due <= 1'b0;
      waits <= 1'b0;
    end else begin
      fresh <= core_zeroize_i;
      open <= !core_zeroize_i & (take ? !core_last_i : open);
      due <= !core_zeroize_i & ((take & core_last_i) | (due & !give));
      waits <= !core_zeroize_i & core_state_valid_o & !give;
    end
  always @* begin
    if (fresh || due || !rst_ni) assume (!core_word_ready_o);
    if (!due || !rst_ni) assume (!core_state_valid_o);
    if (waits && rst_ni) assume (core_state_valid_o);
    if (!core_state_valid_o) assume (core_state_o == 0);
  end

  // The state of the message, by the rules of the ports. Between messages none is set.
  reg up = 1'b0;       // a clock edge since the reset
  reg in_key = 1'b0;   // its key block is due
  reg in_data = 1'b0;  // its beats are due
  reg ended = 1'b0;    // the last beat was accepted; words are due
  reg in_drop = 1'b0;  // its beats are dropped
  reg saved = 1'b0;    // its context is due
  reg keyed, resumed, first;
  reg [2:0] mode;
  reg [Count+Place-1:0] bytes;  // its length up to now
  reg [Count-1:0] taken;        // the number of the block of its next word
  reg [Index-1:0] at;           // the number of this word in the block
  reg [2:0] errors = 3'd0;
  (* anyconst *) wire [Low-1:0] place;  // of a byte in its word

  wire command = cmd_valid_i & cmd_ready_o;
  wire key_beat = key_valid_i & key_ready_o;
  wire beat = s_axis_tvalid & s_axis_tready;
  wire [Bytes:0] above = {1'b0, s_axis_tkeep} + 1;
  wire first_bytes = (s_axis_tkeep & above[Bytes-1:0]) == 0;
  wire full = above[Bytes];
  reg [Low:0] count;  // bytes of the beat
  integer i;
  always @* begin
    count = 0;
    for (i = 0; i < Bytes; i = i + 1) count = count + {{Low{1'b0}}, s_axis_tkeep[i]};
  end
  wire keep_error = in_data & beat & (s_axis_tlast ? !first_bytes : !full);
  wire suspends = s_axis_tlast & s_axis_tuser;
  wire [Count+Place-1:0] more = bytes + count;
  wire save_error =
    in_data & beat & suspends & (keyed || count == 0 || more[Place-1:0] != 0);
  wire good = in_data & beat & !keep_error & !save_error;
  wire [Count+Place-1:0] bytes_now = key_beat ? bytes + Bytes : good ? more : bytes;
  wire ended_now = ended | (good & s_axis_tlast & !s_axis_tuser);
  wire saved_now = good & suspends;
  wire [7:0] key_byte = key_data_i >> {place, 3'd0};
  wire [7:0] data_byte = s_axis_tdata >> {place, 3'd0};
  wire [Count+Place-1:0] past = bytes_now + LengthBytes;
  wire is_final = ended_now & taken == past[Count+Place-1:Place];  // the length is in this block
  wire [63:0] length = {bytes_now, 3'd0};
  wire unknown = cmd_mode_i >= @MODECOUNT@;

  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      up <= 1'b0;
      in_key <= 1'b0;
      in_data <= 1'b0;
      ended <= 1'b0;
      in_drop <= 1'b0;
      saved <= 1'b0;
      errors <= 3'd0;
    end else begin
      up <= 1'b1;
      if (command) begin
        in_key <= cmd_key_i & !unknown;
        in_data <= !cmd_key_i & !unknown;
        in_drop <= unknown;
      end
      if (key_beat & key_index_o == Beats - 1) begin
        in_key <= 1'b0;
        in_data <= 1'b1;
      end
      if (good & s_axis_tlast) begin
        in_data <= 1'b0;
        ended <= !s_axis_tuser;
        saved <= s_axis_tuser;
      end
      if (keep_error | save_error) begin
        in_data <= 1'b0;
        in_drop <= !s_axis_tlast;
      end
      if (in_drop & beat & s_axis_tlast) in_drop <= 1'b0;
      if (take & core_last_i) ended <= 1'b0;
      if (saved & give) saved <= 1'b0;
      if (zeroize_i) begin
        // The rest of a message is dropped.
        in_drop <= command | (in_key | in_data | in_drop) & !(beat & s_axis_tlast);
        in_key <= 1'b0;
        in_data <= 1'b0;
        ended <= 1'b0;
        saved <= 1'b0;
      end
      errors <= (error_clear_i ? 3'd0 : errors) |
        {save_error, keep_error, command & unknown};
    end
  always @(posedge clk_i) begin
    if (command) begin
      mode <= cmd_mode_i;
      keyed <= cmd_key_i;
      resumed <= cmd_resume_i;
      first <= 1'b1;
      bytes <= cmd_resume_i ? {context_blocks_i, {Place{1'b0}}} : 0;
      taken <= cmd_resume_i ? context_blocks_i : 0;
      at <= 0;
    end else begin
      bytes <= bytes_now;
      if (take) begin
        first <= 1'b0;
        {taken, at} <= {taken, at} + 1'b1;
      end
    end
    if (take) begin
      due_save <= saved_now;
      due_mode <= mode[1:0];
    end
  end
  // Longer messages are not defined.
  always @* assume (!(&taken[Count-1:2]) && !(&bytes[Count+Place-1:Place+2]));

  // FIPS 180-4 section 5.1: the message, the byte 0x80, zeros, and the length in bits.
  function [7:0] padded(input [Count+Place-1:0] at, input [Count+Place-1:0] end_at,
                        input [7:0] of_message, input has_length);
    reg [63:0] bits;
    begin
      bits = {end_at, 3'd0};
      if (at < end_at) padded = of_message;
      else if (at == end_at) padded = 8'h80;
      else if (has_length && at[Place-1:3] == {Place - 3{1'b1}})
        padded = bits >> {~at[2:0], 3'd0};
      else padded = 8'd0;
    end
  endfunction

  reg [State-1:0] iv;
  always @* begin
    case (mode[1:0])
@IVS@
    endcase
  end
  reg [State/8-1:0] digest;
  always @* begin
    case (due_mode)
@KEEPS@
    endcase
  end
  wire [State/8-1:0] leaves = due_save ? {State / 8{1'b1}} : digest;
  reg [State-1:0] context_words, value;
  always @*
    for (i = 0; i < State / 8; i = i + 1) begin
      context_words[State-8-8*i+:8] = context_i[8*i+:8];
      value[8*i+:8] = leaves[i] ? core_state_o[State-8-8*i+:8] : 8'd0;
    end

  wire [7:0] word_byte = core_word_i >> {~place, 3'd0};
  wire [Count+Index-1:0] next_word = {taken, at} + 1'b1;
  always @(posedge clk_i) if (rst_ni && take) begin
    // The padder: every word is the next of the padded message.
    assert (word_byte == padded({taken, at, place}, bytes_now, key_beat ? key_byte : data_byte,
                                is_final));
    if (!ended_now) assert (bytes_now == {next_word, {Low{1'b0}}});
    assert (core_last_i == (at == Beats - 1 & (is_final | saved_now)));
    // Nothing is mixed: the core begins a message with the message's first word.
    assert (open == !first);
    if (first) assert (core_state_i == (resumed ? context_words : iv));
    assert (!due);
  end

  always @(posedge clk_i) begin
    // A digest leaves for the message that came: once for each that ended without an error, in
    // the bytes of its mode.
    assert (m_axis_tvalid == core_state_valid_o && done_o == core_state_valid_o);
    assert (core_state_ready_i == m_axis_tready && m_axis_tlast);
    if (rst_ni && m_axis_tvalid) begin
      assert (m_axis_tkeep == leaves && m_axis_tdata == value && m_axis_tuser == due_save);
      if (m_axis_tuser) assert (saved && blocks_o == taken && at == 0);
    end
    if (!m_axis_tvalid) assert (m_axis_tdata == 0);
    // A value is dropped only by zeroize_i.
    if (rst_ni) assert (core_zeroize_i == (zeroize_i | wipe_q));
    if (wipe_q) assert (!due && !take && (in_drop | cmd_ready_o));
    assert (error_o == errors && error_irq_o == (errors != 0));
    // Transfers are accepted exactly in their state.
    assert (cmd_ready_o == (up & !in_key & !in_data & !ended & !in_drop & !saved));
    if (key_ready_o) assert (in_key && key_index_o == bytes[Place-1:Low]);
    if (s_axis_tready) assert (in_data | in_drop);
    if (in_drop) assert (s_axis_tready);
    if (rst_ni && core_word_ready_o) begin
      if (in_key) assert (key_ready_o);
      if (in_data) assert (s_axis_tready);
    end
  end

  always @(posedge clk_i) if (rst_ni) begin
    cover (give & !m_axis_tuser);
    cover (give & m_axis_tuser);
    cover (take & in_key);
    cover (take & resumed & is_final & first);
    cover (wipe_q & in_drop);
  end

  // The registers of the shell, from the model.
  wire [Count+Place-1:0] after = {taken, beat_q, {Low{1'b0}}};  // the next beat's first byte
  wire [Count+Place-1:0] length_at = bytes + LengthBytes;
  reg wiped = 1'b0;  // reset, or zeroize_i at the last clock edge
  always @(posedge clk_i) wiped <= !rst_ni | zeroize_i;
  always @(posedge clk_i) begin
    assert ({idle_q, key_q, data_q, pad_q, save_q, drop_q} ==
            {cmd_ready_o, in_key, in_data, ended, saved, in_drop});
    assert (in_key + in_data + ended + saved + in_drop <= 1);
    if (!up) assert (!in_key && !in_data && !ended && !saved && !in_drop && errors == 0);
    assert (last_q == (beat_q == Beats - 1));
    // Nothing of a message remains: neither after its words, nor after a reset or zeroize_i.
    if (!in_key && !in_data && !ended) assert (beat_q == 0);
    if (wiped) begin
      assert (beat_q == 0 && blocks_q == 0 && rest_q == 0);
      assert ({mode_q, out_mode_q, out_save_q, resume_q, keyed_q, mark_q, fits_q, begun_q} == 0);
    end
    if (in_key | in_data | ended | saved) begin
      assert (mode_q == mode[1:0] && keyed_q == keyed && resume_q == resumed);
      assert (mode < @MODECOUNT@ && begun_q == !first);
    end
    if (in_key | in_data | ended) assert (open == !first && beat_q == at);
    else assert (!open | wipe_q);
    if ((in_key | in_data | ended) & !first) assert (!due);
    if (saved) assert (due && due_save && blocks_q == taken && at == 0);
    if (due) assert (out_mode_q == due_mode && out_save_q == due_save);
    if (due && due_save) assert (saved);
    if (in_key | in_data) assert (blocks_q == taken && bytes == after);
    if (in_key) assert (keyed && first == (at == 0));
    if (ended) begin
      assert (bytes == {blocks_q, rest_q});
      if (mark_q) assert (bytes == after && !fits_q);
      else begin
        assert (bytes < after);
        assert (taken + !fits_q == length_at[Count+Place-1:Place]);
      end
    end
  end
endmodule
