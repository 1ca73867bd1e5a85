// SPDX-License-Identifier: MIT OR Apache-2.0
// SHA-2 and HMAC (FIPS 198-1) on an AXI4-Stream, with one core: that of lanesum_sha2 or, with Wide,
// of lanesum_sha2_wide. A key is reduced to the chaining values after its two blocks, so that a
// message costs no block of the key.
// docs/cores.md describes the ports.
// All outputs come from registers; no input changes them before the next clock edge.
// Not masked, and not hardened against side channels or faults.
`default_nettype none

module lanesum_hmac #(
  parameter bit Wide = 1'b0,               // SHA-512 and its variants, not SHA-256 and SHA-224
  localparam int Width = Wide ? 64 : 32,   // bits of a beat
  localparam int State = Wide ? 512 : 256, // bits of a chaining value
  localparam int Count = Wide ? 54 : 55    // bits of a number of blocks
) (
  input  logic clk_i,                         // clock, rising edge
  input  logic rst_ni,                        // asynchronous, active low
  input  logic zeroize_i,                     // drop the key and all messages, and clear all words
  input  logic cmd_valid_i,                   // a command, which begins a message or a key
  input  logic [1:0] cmd_op_i,                // 0: hash, 1: MAC, 2: key of s_axis, 3: of k_axis
  input  logic [2:0] cmd_mode_i,              // hash and key: the algorithm, as in lanesum_sha2
  input  logic cmd_resume_i,                  // hash: continue from context_i and context_blocks_i
  output logic cmd_ready_o,                   // ready for a command
  input  logic [State-1:0] context_i,         // a saved chaining value
  input  logic [Count-1:0] context_blocks_i,  // the number of blocks in it
  input  logic s_axis_tvalid,                 // a beat of the message or the key
  input  logic [Width-1:0] s_axis_tdata,      // the first byte is in the lowest bits
  input  logic [Width/8-1:0] s_axis_tkeep,    // valid bytes: the first ones
  input  logic s_axis_tlast,                  // the last beat of the message or the key
  input  logic s_axis_tuser,                  // hash, with tlast: save the context, do not pad
  output logic s_axis_tready,                 // ready for a beat
  input  logic k_axis_tvalid,                 // a beat of the key
  input  logic [Width-1:0] k_axis_tdata,      // the first byte is in the lowest bits
  input  logic [Width/8-1:0] k_axis_tkeep,    // valid bytes: the first ones
  input  logic k_axis_tlast,                  // the last beat of the key
  output logic k_axis_tready,                 // ready for a beat
  output logic m_axis_tvalid,                 // a digest, a MAC or a context
  output logic [State-1:0] m_axis_tdata,      // the first byte is in the lowest bits
  output logic [State/8-1:0] m_axis_tkeep,    // valid bytes: the first ones
  output logic m_axis_tlast,                  // always 1: a digest is one beat
  output logic m_axis_tuser,                  // a context
  input  logic m_axis_tready,                 // the value is taken
  output logic [Count-1:0] blocks_o,          // with a context: the number of blocks in it
  output logic key_loaded_o,                  // a MAC can be computed
  output logic done_o,                        // interrupt: equal to m_axis_tvalid
  output logic error_irq_o,                   // interrupt: some bit of error_o
  output logic [3:0] error_o,                 // 0: mode, 1: tkeep, 2: context, 3: no key
  input  logic error_clear_i                  // clear error_o
);
  localparam int Bytes = Width / 8;
  localparam int Block = 2 * State;              // bits of a block, and of two chaining values
  localparam int Beats = Block / Width;          // beats of a block
  localparam int Index = $clog2(Beats);
  localparam int Modes = Wide ? 4 : 2;

  typedef enum logic [3:0] {
    Idle,    // waits for a command
    Load,    // accepts the first block of a key
    Fill,    // appends zeros to a key that is shorter
    Peek,    // the block is full: does the key continue?
    Cmd,     // begins a message of a key
    Feed,    // sends its block, from key_q
    Rest,    // passes the rest of a long key
    Wait,    // its value is due
    Data,    // passes a message
    Finish,  // begins the outer message of a MAC
    Inner,   // takes the inner digest, once it is valid
    Outer,   // sends it
    Drop     // drops the rest of a message or a key
  } state_t;
  // The messages of a key: a key longer than a block is hashed; then come the two blocks of HMAC.
  typedef enum logic [1:0] {Hash, Ipad, Opad} pass_t;

  state_t state_q, state_next;
  pass_t pass_q, pass_next;
  logic mac_q;                // the message of Data has a MAC
  logic side_q;               // the source is k_axis
  logic source_q;             // the source has a last beat to come
  logic stream_q;             // the stream shell has a last beat to come
  logic ended_q;              // the last beat of a message to hash was accepted a clock ago
  logic held_q;               // key_q has a key, or its chaining values
  logic loaded_q;             // it has the chaining values
  logic outer_q;              // the message of the stream shell is the outer one of a MAC
  logic [1:0] due_q;          // values of the stream shell that are due at m_axis, before others
  logic [2:0] mode_q;         // the algorithm of the key
  logic [3:0] error_q;
  logic [Index-1:0] beat_q;   // beats of the block
  logic [Block-1:0] key_q;    // the key; then its inner and, in the low half, outer value
  logic [State-1:0] inner_q;  // the inner chaining value, during the pass for the outer one; the
                              // inner digest of a message

  // The stream shell.
  wire cmd_ready, ready, valid;
  wire [2:0] error;
  wire [State-1:0] value;
  wire [State/8-1:0] keep;
  logic beat_valid, beat_last, beat_user;
  logic [Width-1:0] beat_data;
  logic [Bytes-1:0] beat_keep;
  wire failed = error != '0;

  // The source of a message or a key.
  wire from_valid = side_q ? k_axis_tvalid : s_axis_tvalid;
  wire [Width-1:0] from_data = side_q ? k_axis_tdata : s_axis_tdata;
  wire [Bytes-1:0] from_keep = side_q ? k_axis_tkeep : s_axis_tkeep;
  wire from_last = side_q ? k_axis_tlast : s_axis_tlast;
  wire from_ready = state_q == Load | ((state_q == Fill | state_q == Drop) & source_q) |
      ((state_q == Data | state_q == Rest) & ready);
  wire from = from_valid & from_ready;
  assign s_axis_tready = from_ready & ~side_q;
  assign k_axis_tready = from_ready & side_q;

  assign cmd_ready_o = state_q == Idle & cmd_ready;
  wire command = cmd_valid_i & cmd_ready_o;
  wire is_key = cmd_op_i[1];
  wire is_mac = cmd_op_i == 2'd1;
  wire unknown = is_key & cmd_mode_i >= 3'(Modes);
  wire no_key = is_mac & ~loaded_q;

  // Only the last beat may be partial, and then has its first bytes.
  wire wrong = |(from_keep[Bytes-1:1] & ~from_keep[Bytes-2:0]) | (~from_last & ~(&from_keep));
  wire key_wrong = (command & unknown) | (state_q == Load & from & wrong) |
      (held_q & ~loaded_q & failed);
  wire wipe = zeroize_i | key_wrong;

  // Values that are not due at m_axis are chaining values or the digest of a key, or inner digests.
  wire is_due = due_q != '0;
  wire own = valid & ~is_due;
  wire taken = own & state_q == Wait;
  wire sent = beat_valid & ready;
  wire last_beat = beat_q == Index'(Beats - 1);
  wire gone = is_due & valid & m_axis_tready;
  wire leaves = (ended_q & ~failed) | (state_q == Outer & sent & beat_last);

  // The inner digest, beat by beat. The last beat of SHA-512/224 is half a beat.
  wire [Width-1:0] digest_data = inner_q[Width-1:0];
  wire [2:0] digest_end =
      Wide ? (mode_q[1] ? 3'd3 : mode_q[0] ? 3'd7 : 3'd5) : {2'b11, mode_q[0]};
  wire digest_last = beat_q[2:0] == digest_end;
  wire half = Wide & mode_q == 3'd2 & digest_last;
  wire [Bytes-1:0] digest_keep = {{Bytes / 2{~half}}, {Bytes / 2{1'b1}}};

  // A beat of the key's block, in the pass of key_q.
  wire [Width-1:0] key_block = key_q[Width-1:0] ^
      {Bytes{{8{pass_q == Ipad}} & 8'h36 | {8{pass_q == Opad}} & 8'h5c}};

  always_comb begin
    beat_valid = 1'b0;
    beat_data = '0;
    beat_keep = '1;
    beat_last = 1'b0;
    beat_user = 1'b0;
    case (state_q)
      Feed: begin
        beat_valid = 1'b1;
        beat_data = key_block;
        beat_last = last_beat & pass_q != Hash;
        beat_user = 1'b1;
      end
      Data, Rest: begin
        beat_valid = from_valid;
        beat_data = from_data;
        beat_keep = from_keep;
        beat_last = from_last;
        beat_user = state_q == Data & s_axis_tuser;
        // The stream shell rejects a context that is not at the end of a block.
        if (mac_q & beat_last & beat_user) beat_keep = '0;
      end
      Outer: begin
        beat_valid = 1'b1;
        beat_data = digest_data;
        beat_keep = digest_keep;
        beat_last = digest_last;
      end
      Drop: begin
        beat_valid = stream_q;
        beat_keep = '0;
        beat_last = 1'b1;
      end
      default: ;
    endcase
  end

  wire begins = (state_q == Idle & cmd_valid_i & ~is_key & ~no_key) | state_q == Cmd |
      (state_q == Finish & ~failed);
  wire begun = begins & cmd_ready;
  wire source_next = (source_q | command) & ~(from & from_last);
  wire stream_next = (stream_q | begun) & ~(sent & beat_last);

  always_comb begin
    state_next = state_q;
    pass_next = pass_q;
    case (state_q)
      Idle:
        if (command) begin
          if (no_key) state_next = Drop;
          else if (is_key) state_next = Load;
          else state_next = Data;
        end
      Load:
        if (from) begin
          if (from_last) state_next = Fill;
          else if (last_beat) state_next = Peek;
        end
      Fill:
        if (beat_q == '0 & ~source_q) begin
          state_next = Cmd;
          pass_next = Ipad;
        end
      Peek:
        if (from_valid) begin
          pass_next = Hash;
          if (from_last & from_keep == '0) state_next = Fill;
          else state_next = Cmd;
        end
      Cmd: if (cmd_ready) state_next = Feed;
      Feed:
        if (sent & last_beat) begin
          if (pass_q == Hash) state_next = Rest;
          else state_next = Wait;
        end
      Rest: if (from & from_last) state_next = Wait;
      Wait:
        if (taken) begin
          if (pass_q == Opad) state_next = Idle;
          else state_next = Cmd;
          if (pass_q == Hash) pass_next = Ipad;
          else pass_next = Opad;
        end
      Data:
        if (from & from_last) begin
          if (mac_q) state_next = Finish;
          else state_next = Idle;
        end
      Finish: if (cmd_ready) state_next = Inner;
      Inner: if (own) state_next = Outer;
      Outer: if (sent & beat_last) state_next = Idle;
      default: ;
    endcase
    if (wipe | state_q == Drop | (failed & state_q != Idle)) begin
      if (source_next | stream_next) state_next = Drop;
      else state_next = Idle;
    end
  end

  wire shift = (state_q == Load & from) | (state_q == Fill & beat_q != '0) |
      (state_q == Feed & sent);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      pass_q <= Hash;
      mac_q <= 1'b0;
      side_q <= 1'b0;
      source_q <= 1'b0;
      stream_q <= 1'b0;
      ended_q <= 1'b0;
      held_q <= 1'b0;
      loaded_q <= 1'b0;
      outer_q <= 1'b0;
      due_q <= '0;
      mode_q <= '0;
      error_q <= '0;
      beat_q <= '0;
    end else begin
      state_q <= state_next;
      pass_q <= pass_next;
      if (command) begin
        mac_q <= is_mac;
        side_q <= cmd_op_i == 2'd3;
      end
      if (begun) outer_q <= state_q == Finish;
      source_q <= source_next;
      stream_q <= stream_next;
      ended_q <= state_q == Data & ~mac_q & from & from_last & ~failed & ~zeroize_i;
      held_q <= (held_q | (command & is_key)) & ~wipe;
      loaded_q <= ((loaded_q & ~(command & is_key)) | (taken & pass_q == Opad)) & ~wipe;
      due_q <= zeroize_i ? '0 : due_q + {1'b0, leaves} - {1'b0, gone};
      if (wipe) mode_q <= '0;
      else if (command & is_key) mode_q <= cmd_mode_i;
      error_q <= (error_q & ~{4{error_clear_i}}) |
          {command & no_key, error[2], error[1] | (state_q == Load & from & wrong),
           error[0] | (command & unknown)};
      if (state_next == Idle | state_next == Drop) beat_q <= '0;
      else if (shift | (state_q == Outer & sent)) beat_q <= beat_q + Index'(1);
    end
  end

  // Without a key, all words are cleared: so after a reset or zeroize_i, which clear held_q.
  wire store = taken & pass_q != Ipad;
  wire [Width-1:0] shift_in;
  for (genvar i = 0; i < Bytes; i = i + 1) begin : gen_byte
    assign shift_in[8*i+:8] = (from_data[8*i+:8] & {8{state_q == Load & from_keep[i]}}) |
        (key_q[8*i+:8] & {8{state_q == Feed & pass_q != Hash}});
  end
  always_ff @(posedge clk_i) begin
    key_q <= ({Block{held_q & shift}} & {shift_in, key_q[Block-1:Width]}) |
        ({Block{held_q & store}} & {inner_q, value}) | ({Block{held_q & ~shift & ~store}} & key_q);
    inner_q <= ({State{held_q & ((taken & pass_q == Ipad) | (own & state_q == Inner))}} & value) |
        ({State{held_q & ~loaded_q & ~taken & pass_q == Opad}} & inner_q) |
        ({State{held_q & state_q == Outer}} & (sent ? inner_q >> Width : inner_q));
  end

  wire [State-1:0] from_context =
      outer_q ? key_q[State-1:0] : mac_q ? key_q[Block-1:State] : context_i;
  wire is_resumed = state_q == Finish | (state_q == Idle & (is_mac | cmd_resume_i));
  wire [Count-1:0] from_blocks = state_q == Finish | is_mac ? Count'(1) : context_blocks_i;
  wire [2:0] mode = state_q == Idle & ~is_mac ? cmd_mode_i : mode_q;
  wire take = is_due ? m_axis_tready : state_q == Wait | state_q == Inner;
  wire user;
  wire [Count-1:0] blocks;

  if (Wide) begin : gen_wide
    lanesum_sha2_wide stream (
      .clk_i(clk_i), .rst_ni(rst_ni), .zeroize_i(zeroize_i),
      .cmd_valid_i(begins), .cmd_ready_o(cmd_ready), .cmd_mode_i(mode), .cmd_key_i(1'b0),
      .cmd_resume_i(is_resumed), .context_i(from_context), .context_blocks_i(from_blocks),
      .s_axis_tvalid(beat_valid), .s_axis_tready(ready), .s_axis_tdata(beat_data),
      .s_axis_tkeep(beat_keep), .s_axis_tlast(beat_last), .s_axis_tuser(beat_user),
      .key_valid_i(1'b0), .key_data_i({Width{1'b0}}), .key_index_o(), .key_ready_o(),
      .m_axis_tvalid(valid), .m_axis_tready(take), .m_axis_tdata(value), .m_axis_tkeep(keep),
      .m_axis_tlast(), .m_axis_tuser(user), .blocks_o(blocks), .done_o(), .error_o(error),
      .error_irq_o(), .error_clear_i(1'b1)
    );
  end else begin : gen_narrow
    lanesum_sha2 stream (
      .clk_i(clk_i), .rst_ni(rst_ni), .zeroize_i(zeroize_i),
      .cmd_valid_i(begins), .cmd_ready_o(cmd_ready), .cmd_mode_i(mode), .cmd_key_i(1'b0),
      .cmd_resume_i(is_resumed), .context_i(from_context), .context_blocks_i(from_blocks),
      .s_axis_tvalid(beat_valid), .s_axis_tready(ready), .s_axis_tdata(beat_data),
      .s_axis_tkeep(beat_keep), .s_axis_tlast(beat_last), .s_axis_tuser(beat_user),
      .key_valid_i(1'b0), .key_data_i({Width{1'b0}}), .key_index_o(), .key_ready_o(),
      .m_axis_tvalid(valid), .m_axis_tready(take), .m_axis_tdata(value), .m_axis_tkeep(keep),
      .m_axis_tlast(), .m_axis_tuser(user), .blocks_o(blocks), .done_o(), .error_o(error),
      .error_irq_o(), .error_clear_i(1'b1)
    );
  end

  assign m_axis_tvalid = valid & is_due;
  assign m_axis_tdata = value & {State{is_due}};
  assign m_axis_tkeep = keep & {State / 8{is_due}};
  assign m_axis_tlast = 1'b1;
  assign m_axis_tuser = user & is_due;
  assign blocks_o = blocks;
  assign done_o = m_axis_tvalid;
  assign key_loaded_o = loaded_q;
  assign error_o = error_q;
  assign error_irq_o = error_q != '0;
endmodule

`default_nettype wire
