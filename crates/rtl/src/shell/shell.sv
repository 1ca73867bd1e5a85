`default_nettype none

module @TOP@ (
  input  logic clk_i,                   // clock, rising edge
  input  logic rst_ni,                  // asynchronous, active low
  input  logic zeroize_i,               // drop all messages, and clear all words
  input  logic cmd_valid_i,             // a command, which begins a message
  input  logic [2:0] cmd_mode_i,        // the algorithm, by its number
  input  logic cmd_key_i,               // the first block comes from the key port
  input  logic cmd_resume_i,            // continue from context_i and context_blocks_i
  output logic cmd_ready_o,             // ready for a command
  input  logic [@STATE@-1:0] context_i,        // a saved chaining value
  input  logic [@COUNT@-1:0] context_blocks_i,  // the number of blocks in it
  input  logic s_axis_tvalid,           // a beat of the message
  input  logic [@WIDTH@-1:0] s_axis_tdata,     // the first byte is in the lowest bits
  input  logic [@BYTES@-1:0] s_axis_tkeep,      // valid bytes: the first ones
  input  logic s_axis_tlast,            // the last beat of the message
  input  logic s_axis_tuser,            // with tlast: save the context, do not pad
  output logic s_axis_tready,           // ready for a beat
  input  logic key_valid_i,             // a beat of the key block
  input  logic [@WIDTH@-1:0] key_data_i,       // beat key_index_o of the block
  output logic [@INDEX@-1:0] key_index_o,        // the number of the beat in the key block
  output logic key_ready_o,             // ready for a beat
  output logic m_axis_tvalid,           // a digest or a context
  output logic [@STATE@-1:0] m_axis_tdata,     // the first byte is in the lowest bits
  output logic [@VALUEBYTES@-1:0] m_axis_tkeep,     // valid bytes: the first ones
  output logic m_axis_tlast,            // always 1: a digest is one beat
  output logic m_axis_tuser,            // a context
  input  logic m_axis_tready,           // the value is taken
  output logic [@COUNT@-1:0] blocks_o,        // with a context: the number of blocks in it
  output logic done_o,                  // interrupt: a digest or a context is ready
  output logic error_irq_o,             // interrupt: some bit of error_o
  output logic [2:0] error_o,           // 0: mode, 1: tkeep, 2: context; until cleared
  input  logic error_clear_i            // clear error_o
);
  localparam int Width = @WIDTH@;             // bits of a beat
  localparam int Bytes = @BYTES@;              // bytes of a beat
  localparam int Beats = @BEATS@;             // beats of a block
  localparam int Index = @INDEX@;              // bits of a beat's number in its block
  localparam int Low = @LOW@;                // bits of a byte's number in its beat
  localparam int State = @STATE@;
  localparam int Count = @COUNT@;             // bits of the number of blocks
  localparam int Modes = @MODECOUNT@;

  // At most one is set; none in reset.
  logic idle_q;                   // waits for a command
  logic key_q;                    // accepts the key block
  logic data_q;                   // accepts the message
  logic pad_q;                    // pads it
  logic save_q;                   // waits until its context is taken
  logic drop_q;                   // drops the beats of a message up to its last
  logic [Index-1:0] beat_q;       // beats of the block in the core
  logic last_q;                   // the next beat completes the block
  logic mark_q;                   // the marker is due in the next beat
  logic fits_q;                   // the block has room for the length
  logic begun_q;                  // the core has a word of the message
  logic wipe_q;                   // drop the blocks in the core
  logic keyed_q;                  // the message has a key block
  logic resume_q;                 // the message begins from a context
  logic [1:0] mode_q;             // its algorithm
  logic [1:0] out_mode_q;         // the algorithm of the value in the core
  logic out_save_q;               // that value is a context
  logic [2:0] error_q;
  logic [Count-1:0] blocks_q;     // blocks of the message without padding
  logic [Index+Low-1:0] rest_q;   // bytes of the message after these

  wire core_ready;
  wire core_valid;
  wire [State-1:0] core_state;

  assign cmd_ready_o = idle_q;
  assign key_ready_o = key_q & core_ready;
  assign key_index_o = beat_q;
  assign s_axis_tready = (data_q & core_ready) | drop_q;

  wire command = cmd_valid_i & idle_q;
  wire known = cmd_mode_i < 3'(Modes);
  wire key_beat = key_valid_i & key_ready_o;
  wire beat = s_axis_tvalid & data_q & core_ready;
  wire pad_beat = pad_q & core_ready;

  // Only the last beat may be partial, and then has its first bytes.
  wire full = &s_axis_tkeep;
  wire holes = |(s_axis_tkeep[Bytes-1:1] & ~s_axis_tkeep[Bytes-2:0]);
  wire keep_wrong = holes | (~s_axis_tlast & ~full);
  wire save = s_axis_tlast & s_axis_tuser;
  // A context can be saved at the end of a block, unless it depends on a key.
  wire save_wrong = save & ~(full & last_q & ~keyed_q);
  wire bad = beat & (keep_wrong | save_wrong);
  wire good = beat & ~(keep_wrong | save_wrong);
  wire ends = good & s_axis_tlast & ~s_axis_tuser;
  wire drop_end = drop_q & s_axis_tvalid & s_axis_tlast;

  wire word = key_beat | good | pad_beat;
  wire block = word & last_q;
  wire padded = pad_q & fits_q & block;
  wire core_last = last_q & ((pad_q & fits_q) | (data_q & save));
  wire taken = core_valid & m_axis_tready;

  wire key_next = (command & known & cmd_key_i) | (key_q & ~(key_beat & last_q));
  wire data_next = (command & known & ~cmd_key_i) | (key_beat & last_q) |
      (data_q & ~bad & ~(good & s_axis_tlast));
  wire pad_next = ends | (pad_q & ~padded);
  wire save_next = (good & save) | (save_q & ~taken);
  wire drop_next = (command & ~known) | (bad & ~s_axis_tlast) | (drop_q & ~drop_end);

  // The padding ends with the length in bits, in the last beats of a block. If the marker, the byte
  // 0x80, is in one of these beats, the length is in the next block.
  wire below = beat_q < Index'(Beats - @LENGTHBEATS@);
  wire mark_next = ends ? full : mark_q & ~pad_beat;
  wire fits_next = ends ? ~full & (last_q | below) :
      pad_beat ? last_q | (mark_q ? below : fits_q) : fits_q;
  wire [63:0] length = {blocks_q, rest_q, 3'd0};
  wire length_low = pad_q & fits_q & last_q;
@LENGTHHIGH@

  // A beat, with its first byte in the highest bits. The marker follows the last byte.
  wire [Bytes-1:0] mark = {~s_axis_tkeep[Bytes-1:1] & s_axis_tkeep[Bytes-2:0], ~s_axis_tkeep[0]};
  wire [Width-1:0] data;
  for (genvar i = 0; i < Bytes; i = i + 1) begin : gen_byte
    assign data[Width-8-8*i+:8] = ({8{key_q}} & key_data_i[8*i+:8]) |
        ({8{data_q & s_axis_tkeep[i]}} & s_axis_tdata[8*i+:8]) |
        {(data_q & mark[i]) | (pad_q & mark_q & i == 0), 7'd0};
  end
  wire [Width-1:0] in = data | ({Width{length_low}} & length[Width-1:0])@ORHIGH@;

  logic [Low-1:0] odd;  // bytes of a partial beat
  always_comb begin
    odd = '0;
    for (int i = 0; i < Bytes - 1; i = i + 1) if (s_axis_tkeep[i]) odd = Low'(i + 1);
    if (full) odd = '0;
  end

  wire [Index-1:0] beat_more = beat_q + Index'(1);
  wire more = block & ~pad_q & ~(data_q & ~full);
  // Carries skip groups of eight bits, so that their path is short.
  logic [Count-1:0] carry;
  logic group, all;
  always_comb begin
    group = more;
    all = 1'b1;
    for (int i = 0; i < Count; i = i + 1) begin
      carry[i] = group & all;
      all = all & blocks_q[i];
      if (i % 8 == 7) begin
        group = group & all;
        all = 1'b1;
      end
    end
  end

  wire loads = command & ~zeroize_i;
  wire holds = (key_q | data_q | pad_q | save_q) & ~zeroize_i;
  wire keep = (key_q | data_q | pad_q) & ~word & ~bad & ~zeroize_i;
  wire store = word & ~last_q & ~zeroize_i;
  wire [Index-1:0] beat_next = ({Index{store}} & beat_more) | ({Index{keep}} & beat_q);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      idle_q <= 1'b0;
      key_q <= 1'b0;
      data_q <= 1'b0;
      pad_q <= 1'b0;
      save_q <= 1'b0;
      drop_q <= 1'b0;
      beat_q <= '0;
      last_q <= 1'b0;
      begun_q <= 1'b0;
      wipe_q <= 1'b0;
      out_mode_q <= 2'd0;
      out_save_q <= 1'b0;
      error_q <= 3'd0;
    end else begin
      // The rest of a message on the stream is dropped, too.
      idle_q <= ~(key_next | data_next | drop_next | (~zeroize_i & (pad_next | save_next)));
      key_q <= key_next & ~zeroize_i;
      data_q <= data_next & ~zeroize_i;
      pad_q <= pad_next & ~zeroize_i;
      save_q <= save_next & ~zeroize_i;
      drop_q <= drop_next | (zeroize_i & (key_next | data_next));
      beat_q <= beat_next;
      last_q <= beat_next == Index'(Beats - 1);
      begun_q <= ~command & ~zeroize_i & (begun_q | word);
      wipe_q <= bad & begun_q;
      out_mode_q <= (block ? mode_q : out_mode_q) & {2{~zeroize_i}};
      out_save_q <= (block ? data_q & core_last : out_save_q) & ~zeroize_i;
      error_q <= (error_q & ~{3{error_clear_i}}) |
          {beat & save_wrong, beat & keep_wrong, command & ~known};
    end
  end

  always_ff @(posedge clk_i) begin
    mark_q <= mark_next & pad_next & ~zeroize_i;
    fits_q <= fits_next & pad_next & ~zeroize_i;
    keyed_q <= (loads & cmd_key_i) | (holds & keyed_q);
    resume_q <= (loads & cmd_resume_i) | (holds & resume_q);
    mode_q <= ({2{loads}} & cmd_mode_i[1:0]) | ({2{holds}} & mode_q);
    blocks_q <= ({Count{loads & cmd_resume_i}} & context_blocks_i) |
        ({Count{holds}} & (blocks_q ^ carry));
    rest_q <= ({Index + Low{ends & ~zeroize_i}} & {full ? beat_more : beat_q, odd}) |
        ({Index + Low{pad_q & ~zeroize_i}} & rest_q);
  end

  logic [State-1:0] iv;  // FIPS 180-4 section 5.3
  always_comb begin
    case (mode_q)
@IVS@
    endcase
  end

  wire [State-1:0] context_words;
  for (genvar i = 0; i < State / 8; i = i + 1) begin : gen_value
    assign context_words[State-8-8*i+:8] = context_i[8*i+:8];
    assign m_axis_tdata[8*i+:8] = core_state[State-8-8*i+:8] & {8{m_axis_tkeep[i]}};
  end

  @TOP@_core core (
    .clk_i(clk_i), .rst_ni(rst_ni), .zeroize_i(zeroize_i | wipe_q),
    .word_valid_i(word), .word_ready_o(core_ready), .word_i(in),
    .state_i(resume_q ? context_words : iv), .last_i(core_last),
    .state_valid_o(core_valid), .state_ready_i(m_axis_tready), .state_o(core_state)
  );

  logic [State/8-1:0] digest;  // the bytes of the value that form the digest
  always_comb begin
    case (out_mode_q)
@KEEPS@
    endcase
  end
  assign m_axis_tkeep = digest | {State / 8{out_save_q}};
  assign m_axis_tvalid = core_valid;
  assign m_axis_tlast = 1'b1;
  assign m_axis_tuser = out_save_q;
  assign blocks_o = blocks_q;
  assign done_o = core_valid;
  assign error_o = error_q;
  assign error_irq_o = |error_q;
endmodule

`default_nettype wire
