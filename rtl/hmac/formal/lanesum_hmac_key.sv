// SPDX-License-Identifier: MIT OR Apache-2.0
// The messages that lanesum_hmac sends to its stream shell, the values that leave it, and its
// registers, for all inputs: by k-induction. `expose` makes ports of the registers, and of the
// ports of the shell, which is replaced by what its own proof shows: it accepts a message after its
// command, reports an error a clock after its cause, and holds a value until it is taken.
// The model follows the byte at any position of the key's block.
module lanesum_hmac_key #(
  parameter Wide = 0,
  localparam Width = Wide ? 64 : 32,
  localparam Bytes = Width / 8,
  localparam State = Wide ? 512 : 256,
  localparam Count = Wide ? 54 : 55
) (
  input clk_i, rst_ni, zeroize_i, cmd_valid_i, cmd_resume_i, error_clear_i,
  input [1:0] cmd_op_i,
  input [2:0] cmd_mode_i,
  input [State-1:0] context_i,
  input [Count-1:0] context_blocks_i,
  input s_axis_tvalid, s_axis_tlast, s_axis_tuser, k_axis_tvalid, k_axis_tlast, m_axis_tready,
  input [Width-1:0] s_axis_tdata, k_axis_tdata,
  input [Bytes-1:0] s_axis_tkeep, k_axis_tkeep,
  input stream_cmd_ready_o, stream_s_axis_tready, stream_m_axis_tvalid, stream_m_axis_tuser,
  input [State-1:0] stream_m_axis_tdata,
  input [State/8-1:0] stream_m_axis_tkeep,
  input [Count-1:0] stream_blocks_o,
  input [2:0] stream_error_o
);
  localparam Idle = 0, Load = 1, Fill = 2, Peek = 3, Cmd = 4, Feed = 5, Rest = 6, Wait = 7;
  localparam Data = 8, Finish = 9, Inner = 10, Outer = 11, Drop = 12;
  localparam Hash = 0, Ipad = 1, Opad = 2;
  localparam Modes = Wide ? 4 : 2;
  localparam Low = $clog2(Bytes);
  localparam Place = 4 + Low;  // bits of a byte's number in its block

  wire cmd_ready_o, s_axis_tready, k_axis_tready, m_axis_tvalid, m_axis_tlast, m_axis_tuser;
  wire [State-1:0] m_axis_tdata;
  wire [State/8-1:0] m_axis_tkeep;
  wire [Count-1:0] blocks_o;
  wire key_loaded_o, done_o, error_irq_o;
  wire [3:0] error_o;
  wire stream_zeroize_i, stream_cmd_valid_i, stream_cmd_resume_i;
  wire [2:0] stream_cmd_mode_i;
  wire [State-1:0] stream_context_i;
  wire [Count-1:0] stream_context_blocks_i;
  wire stream_s_axis_tvalid, stream_s_axis_tlast, stream_s_axis_tuser, stream_m_axis_tready;
  wire [Width-1:0] stream_s_axis_tdata;
  wire [Bytes-1:0] stream_s_axis_tkeep;
  wire [3:0] state_q, beat_q, error_q;
  wire [2:0] mode_q;
  wire [1:0] pass_q, due_q;
  wire mac_q, side_q, source_q, stream_q, ended_q, held_q, loaded_q, outer_q;
  wire [2*State-1:0] key_q;
  wire [State-1:0] inner_q;
  lanesum_hmac dut (
    .*, .stream_clk_i(), .stream_rst_ni(), .stream_cmd_key_i(), .stream_key_valid_i(), .stream_key_data_i(),
    .stream_error_clear_i(), .stream_key_index_o(), .stream_key_ready_o(), .stream_m_axis_tlast(),
    .stream_done_o(), .stream_error_irq_o()
  );

  // The stream shell: the message that is open, and those whose values are due.
  reg open = 1'b0;           // its last beat was not accepted
  reg drop = 1'b0;           // its beats are dropped
  reg may_fail = 1'b0;       // a wrong command or beat was accepted a clock ago
  reg [3:0] beats;           // of the block
  reg finished = 1'b0;       // the last beat was accepted a clock ago
  reg secret;                // the newest message has no value at m_axis
  reg [1:0] due = 2'd0;      // values
  reg due_secret = 1'b0;     // the last of them does not leave
  reg waits = 1'b0;          // a value was shown, and not taken
  reg [State-1:0] shown;
  wire begins = stream_cmd_valid_i & stream_cmd_ready_o;
  wire beat = stream_s_axis_tvalid & stream_s_axis_tready;
  wire give = stream_m_axis_tvalid & stream_m_axis_tready;
  wire failed = stream_error_o != 0;
  wire more = finished & !failed;
  // Only the last beat may be partial, and then has its first bytes. A context ends a block.
  function wrong(input [Bytes-1:0] keep, input last);
    wrong = last ? (keep & (keep + 1'b1)) != 0 : !(&keep);
  endfunction
  wire beat_wrong = wrong(stream_s_axis_tkeep, stream_s_axis_tlast) |
      (stream_s_axis_tlast & stream_s_axis_tuser & !(&stream_s_axis_tkeep && beats == 15));
  wire is_secret = due == 1 & due_secret;  // the value that is shown, or comes
  initial assume (!rst_ni);

  // The model of keys and messages.
  reg up = 1'b0;                      // a clock edge since the reset
  reg in_key = 1'b0;                  // a key is loaded
  reg in_mac = 1'b0;                  // a message with a MAC is hashed
  reg from_open = 1'b0;               // a command's last beat is to come
  reg from_side;                      // from k_axis
  reg has_key = 1'b0;
  reg [State-1:0] inner_value, outer_value;  // the chaining values of the key
  reg [2:0] key_mode;
  reg [State-1:0] inner_digest;              // of the message
  (* anyconst *) wire [Place-1:0] place;  // a position in a block
  reg [7:0] key_byte;                     // the byte of the key's block there
  wire [3:0] place_beat = place[Place-1:Low];
  wire [Low-1:0] place_byte = place[Low-1:0];
  wire command = cmd_valid_i & cmd_ready_o;
  wire from = side_q ? k_axis_tvalid & k_axis_tready : s_axis_tvalid & s_axis_tready;
  wire [Width-1:0] from_data = side_q ? k_axis_tdata : s_axis_tdata;
  wire [Bytes-1:0] from_keep = side_q ? k_axis_tkeep : s_axis_tkeep;
  wire from_last = side_q ? k_axis_tlast : s_axis_tlast;
  wire [7:0] from_byte = from_keep[place_byte] ? from_data >> {place_byte, 3'd0} : 8'd0;
  wire [7:0] value_byte = stream_m_axis_tdata >> {place[Place-2:0], 3'd0};
  wire takes = give & is_secret;
  // The bytes of a digest of the key's algorithm.
  wire [State/8-1:0] digest_keep = Wide ?
      (key_mode == 0 ? {48{1'b1}} : key_mode == 1 ? {64{1'b1}} : key_mode == 2 ? {28{1'b1}} : {32{1'b1}}) :
      (key_mode == 0 ? {28{1'b1}} : {32{1'b1}});
  integer i;
  wire ends_early = zeroize_i | state_q == Drop | (failed & state_q != Idle);

  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      up <= 1'b0;
      {open, drop, may_fail, finished, waits, due_secret} <= 0;
      due <= 2'd0;
      in_key <= 1'b0;
      in_mac <= 1'b0;
      from_open <= 1'b0;
      has_key <= 1'b0;
    end else begin
      up <= 1'b1;
      open <= (open | begins) & !(beat & stream_s_axis_tlast);
      drop <= (drop | (open & failed) | ((open | begins) & zeroize_i)) &
          !(beat & stream_s_axis_tlast);
      may_fail <= (begins & stream_cmd_mode_i >= Modes) | (beat & !drop & !failed & beat_wrong);
      beats <= begins ? 4'd0 : beats + beat;
      finished <= beat & stream_s_axis_tlast & !drop & !failed & !zeroize_i;
      if (begins) secret <= state_q == Cmd || state_q == Idle && cmd_op_i == 1;
      due <= zeroize_i ? 2'd0 : due + more - give;
      if (zeroize_i) due_secret <= 1'b0;
      else if (more) due_secret <= secret;
      else if (give & due == 1) due_secret <= 1'b0;
      waits <= stream_m_axis_tvalid & !give & !zeroize_i;
      from_open <= (from_open | command) & !(from & from_last);
      if (command & cmd_op_i[1]) begin
        has_key <= 1'b0;
        in_key <= cmd_mode_i < Modes && !zeroize_i;
        key_byte <= 8'd0;
        key_mode <= cmd_mode_i;
      end
      if (command) in_mac <= cmd_op_i == 1 && has_key && !zeroize_i;
      if (in_key & from & state_q == Load & beat_q == place_beat) key_byte <= from_byte;
      if (in_key & takes) begin
        if (pass_q == Hash) key_byte <= place[Place-1] ? 8'd0 : value_byte;
        if (pass_q == Ipad) inner_value <= stream_m_axis_tdata;
        if (pass_q == Opad) begin
          outer_value <= stream_m_axis_tdata;
          has_key <= 1'b1;
          in_key <= 1'b0;
        end
      end
      if (ends_early | (state_q == Load & from & wrong(from_keep, from_last))) in_key <= 1'b0;
      if (ends_early | (state_q == Outer & beat & stream_s_axis_tlast)) in_mac <= 1'b0;
      if (zeroize_i) has_key <= 1'b0;
    end
  always @(posedge clk_i) begin
    shown <= stream_m_axis_tdata;
    if (takes & state_q == Inner) inner_digest <= stream_m_axis_tdata;
    if (command) from_side <= cmd_op_i == 3;
  end

  always @* begin
    assume (!stream_cmd_ready_o || (!open && !more && due <= 1 && rst_ni && up));
    if (!open || !rst_ni) assume (!stream_s_axis_tready);
    if (drop || (open && failed)) assume (stream_s_axis_tready);
    if (!may_fail) assume (!failed);
    if (due == 0 || !rst_ni) assume (!stream_m_axis_tvalid);
    if (waits && rst_ni) assume (stream_m_axis_tvalid && stream_m_axis_tdata == shown);
    if (!stream_m_axis_tvalid) assume (stream_m_axis_tdata == 0);
    if (!rst_ni) assume (!failed);
    // Bytes outside of the digest are zero.
    for (i = 0; i < State / 8; i = i + 1)
      if (state_q == Inner && !digest_keep[i]) assume (stream_m_axis_tdata[8*i+:8] == 0);
  end

  // The beat of the key's block at the lowest bits, and the byte at `place`.
  wire [3:0] turn = place_beat - beat_q;
  wire [7:0] stored = key_q >> {turn, place_byte, 3'd0};
  wire [7:0] sent = stream_s_axis_tdata >> {place_byte, 3'd0};
  wire [State-1:0] rest = inner_digest >> beat_q[2:0] * Width;
  wire [State/8+Bytes-1:0] rest_keep = digest_keep >> beat_q[2:0] * Bytes;
  wire outer_pass = pass_q == Opad && (state_q == Cmd || state_q == Feed || state_q == Wait);
  reg wiped = 1'b0;
  reg empty = 1'b0;  // a clock edge without a key
  reg dropped = 1'b0;  // the inner digest was dropped a clock ago
  // The beat after the first block of a key: the end of this key, or a part of a longer one.
  wire peek = state_q == Peek & (side_q ? k_axis_tvalid : s_axis_tvalid) & !zeroize_i;
  wire ends = from_last & from_keep == 0;
  reg peek_end = 1'b0, peek_long = 1'b0;
  always @(posedge clk_i) begin
    wiped <= !rst_ni | zeroize_i;
    empty <= !held_q;
    dropped <= (state_q == Inner || state_q == Outer) && ends_early;
    peek_end <= peek & ends;
    peek_long <= peek & !ends;
  end

  always @(posedge clk_i) begin
    // No bit of a key remains after a reset or zeroize_i, or without a key.
    if (wiped) assert (!held_q && !loaded_q && mode_q == 0 && due_q == 0);
    if (empty) assert (key_q == 0 && inner_q == 0);
    if (!held_q) assert (mode_q == 0);
    if (up && held_q && !outer_pass && state_q != Outer && !dropped) assert (inner_q == 0);
    assert (key_loaded_o == loaded_q);

    if (rst_ni && up) begin
      // Chaining values of a key and inner digests do not leave.
      assert (m_axis_tvalid == (stream_m_axis_tvalid & !is_secret));
      assert (m_axis_tdata == (m_axis_tvalid ? stream_m_axis_tdata : 0));
      if (give & !is_secret) assert (m_axis_tready);
      assert (done_o == m_axis_tvalid && m_axis_tlast);
      // The beats of a command are accepted from its source, until its last.
      if (s_axis_tready) assert (from_open && !from_side);
      if (k_axis_tready) assert (from_open && from_side);
      if (state_q == Drop && from_open) assert (s_axis_tready | k_axis_tready);
      // The rules of the stream shell.
      assert (stream_zeroize_i == zeroize_i);
      if (stream_s_axis_tvalid) assert (open);
      if (begins) assert (!open);
      if (peek_end) assert (state_q == Fill);
      if (peek_long) assert (state_q == Cmd && pass_q == Hash);
      // A key: its block with ipad and opad, after the digest of a longer key.
      if (begins && in_key) assert (!stream_cmd_resume_i && stream_cmd_mode_i == key_mode);
      if (beat && state_q == Feed) begin
        if (beat_q == place_beat)
          assert (sent == (key_byte ^ (pass_q == Ipad ? 8'h36 : pass_q == Opad ? 8'h5c : 8'd0)));
        assert (&stream_s_axis_tkeep);
        assert (stream_s_axis_tlast == (beat_q == 15 && pass_q != Hash));
        if (stream_s_axis_tlast) assert (stream_s_axis_tuser);
      end
      if (beat && state_q == Rest)
        assert (from && stream_s_axis_tdata == from_data && stream_s_axis_tkeep == from_keep &&
                stream_s_axis_tlast == from_last && !stream_s_axis_tuser);
      // A MAC: the message after the inner value, then its digest after the outer value.
      if (begins && state_q == Idle && cmd_op_i == 1 || begins && state_q == Finish)
        assert (has_key && stream_cmd_resume_i && stream_context_blocks_i == 1 &&
                stream_cmd_mode_i == key_mode);
      if (in_mac && stream_s_axis_tlast && stream_s_axis_tuser) assert (stream_s_axis_tkeep == 0);
      if (in_mac && (state_q == Data || state_q == Finish))
        assert (stream_context_i == inner_value);
      if (state_q == Inner) assert (!stream_s_axis_tvalid && (!is_secret || give == stream_m_axis_tvalid));
      if (state_q == Outer) begin
        assert (stream_context_i == outer_value);
        if (beat)
          assert (stream_s_axis_tdata == rest[Width-1:0] &&
                  stream_s_axis_tkeep == rest_keep[Bytes-1:0] &&
                  stream_s_axis_tlast == !rest_keep[Bytes]);
      end
      if (loaded_q && state_q == Idle && outer_q) assert (stream_context_i == outer_value);
    end
  end

  // The registers, from the model.
  wire key_state = state_q == Load || state_q == Fill || state_q == Peek || state_q == Cmd ||
      state_q == Feed || state_q == Rest || state_q == Wait;
  always @(posedge clk_i) begin
    assert (state_q <= Drop && pass_q <= Opad);
    assert (source_q == from_open && (!source_q || side_q == from_side));
    assert (stream_q == open && loaded_q == has_key && held_q == (in_key | has_key));
    assert (error_irq_o == (error_q != 0) && error_o == error_q);
    assert (ended_q == (finished & state_q == Idle & !secret & !outer_q));
    if (!up)
      assert (state_q == Idle && mode_q == 0 && !mac_q && !outer_q && !open && !source_q && !in_key &&
              !in_mac && due_q == 0);
    assert (in_key == key_state);
    if (in_key) assert (!has_key && mode_q == key_mode && !mac_q && !dropped);
    if (has_key) assert (mode_q == key_mode && key_q == {inner_value, outer_value});
    if (in_key | has_key) assert (key_mode < Modes);
    if (in_mac) assert (has_key && mac_q);
    assert (in_mac == (mac_q & (state_q == Data | state_q == Finish | state_q == Inner | state_q == Outer)));
    if (drop) assert (state_q == Drop);
    if (state_q == Drop) assert (drop == open && (open | source_q));
    // Values: those that leave are due before a secret one.
    assert (due <= 2 && due_q == due - due_secret + (finished & outer_q & !secret));
    if (finished)
      assert (!open && (secret ? state_q == Wait || state_q == Finish : state_q == Idle));
    if (due_secret)
      assert (due != 0 && !finished &&
              (state_q == Inner || (secret && (state_q == Wait || state_q == Finish))));
    if (open | finished) assert (due <= 1);
    if (may_fail) assert (state_q != Load && state_q != Fill && state_q != Peek && state_q != Cmd);
    if (may_fail && (state_q == Wait || state_q == Finish)) assert (finished);
    for (i = 0; i < State / 8; i = i + 1)
      if (state_q == Outer && !digest_keep[i]) assert (inner_digest[8*i+:8] == 0);
    case (state_q)
      Idle:
        assert (!(may_fail && outer_q) && !open && !source_q && !(finished && secret) && beat_q == 0);
      Load: assert (source_q && !open && !finished);
      Fill: assert (!open && !finished && (!source_q || beat_q == 0));
      Peek: assert (source_q && !open && !finished && beat_q == 0);
      Cmd: assert (!open && !finished && beat_q == 0 && source_q == (pass_q == Hash));
      Feed: assert (beats == beat_q && !may_fail && open && secret && source_q == (pass_q == Hash));
      Rest: assert (open && secret && source_q && pass_q == Hash && beat_q == 0);
      Wait: assert (!open && secret && !source_q && beat_q == 0 && (finished ^ due_secret));
      Data: assert (open && source_q && secret == mac_q && !outer_q && beat_q == 0);
      Finish:
        assert (mac_q && !open && secret && !source_q && !outer_q && beat_q == 0 &&
                (finished ^ due_secret));
      Inner:
        assert (mac_q && !may_fail && open && !source_q && !secret && outer_q && beat_q == 0 &&
                due_secret);
      Outer:
        assert (mac_q && !may_fail && open && !source_q && !secret && outer_q && beat_q < 8 &&
                digest_keep[beat_q * Bytes] && due == 0 && inner_q == rest);
      default: assert (beat_q == 0);
    endcase
    if (state_q == Load || (state_q == Fill && beat_q != 0)) begin
      if (place_beat < beat_q) assert (stored == key_byte);
      else assert (key_byte == 0);
    end
    if ((state_q == Fill && beat_q == 0) || state_q == Peek || state_q == Cmd ||
        (state_q == Feed && pass_q != Hash) || (state_q == Wait && pass_q == Ipad))
      assert (stored == key_byte);
    if (state_q == Feed && pass_q == Hash && place_beat >= beat_q) assert (stored == key_byte);
    if (outer_pass) assert (inner_q == inner_value);
    if (state_q == Feed || state_q == Rest || state_q == Wait) assert (!outer_q);
  end

  always @(posedge clk_i) if (rst_ni) begin
    cover (state_q == Wait && pass_q == Hash && takes);
    cover (state_q == Wait && pass_q == Ipad && takes);
  end
endmodule
