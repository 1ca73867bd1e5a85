// SPDX-License-Identifier: MIT OR Apache-2.0
// SHA-224, SHA-256: registers behind AXI4-Lite, for messages that software writes.
// lanesum_sha2 pads and hashes them. docs/sha2-registers.md describes the registers, docs/cores.md the driver in C.
// All outputs come from registers; no input changes them before the next clock edge.
// Not masked, and not hardened against side channels or faults.
`default_nettype none

module lanesum_sha2_axil (
  input  logic clk_i,                // clock, rising edge
  input  logic rst_ni,               // asynchronous, active low
  input  logic s_axil_awvalid,       // a write address
  output logic s_axil_awready,       // ready for a write address
  input  logic [7:0] s_axil_awaddr,  // the byte address of the register
  input  logic [2:0] s_axil_awprot,  // not used
  input  logic s_axil_wvalid,        // write data
  output logic s_axil_wready,        // ready for write data
  input  logic [31:0] s_axil_wdata,  // the word to write
  input  logic [3:0] s_axil_wstrb,   // the bytes of the word to write
  output logic s_axil_bvalid,        // a write response
  input  logic s_axil_bready,        // the response is taken
  output logic [1:0] s_axil_bresp,   // 0: OKAY, 2: SLVERR
  input  logic s_axil_arvalid,       // a read address
  output logic s_axil_arready,       // ready for a read address
  input  logic [7:0] s_axil_araddr,  // the byte address of the register
  input  logic [2:0] s_axil_arprot,  // not used
  output logic s_axil_rvalid,        // read data
  input  logic s_axil_rready,        // the data is taken
  output logic [31:0] s_axil_rdata,  // the word of the register
  output logic [1:0] s_axil_rresp,   // 0: OKAY, 2: SLVERR
  output logic irq_o                 // interrupt: an enabled event is pending
);
  typedef enum logic [2:0] {
    Idle,   // no message, but perhaps a digest
    Start,  // the command waits for the stream
    Open,   // accepts the message
    Flush,  // ends a message that the stream drops
    Wait    // the message is complete, its digest is not
  } state_t;

  state_t state_q, state_next;
  logic beat_q;           // a write of DATA waits for its response
  logic [31:0] word_q;    // its word
  logic [3:0] keep_q;     // the bytes of the message in it
  logic last_q;           // it ends the message
  logic save_q;           // it ends the message with a context
  logic [9:0] context_q;  // the words of the context that were written

  lanesum_sha2_regs_pkg::lanesum_sha2_regs__in_t hwif_in;
  lanesum_sha2_regs_pkg::lanesum_sha2_regs__out_t hwif_out;
  wire zeroize = hwif_out.CONTROL.zeroize.value;
  wire take = hwif_out.CONTROL.take.value & state_q == Idle;

  wire cmd_ready, ready, digest_valid, saved;
  wire [255:0] digest;
  wire [54:0] blocks;
  wire [2:0] error;
  wire [255:0] context_words = {hwif_out.CONTEXT7.word.value, hwif_out.CONTEXT6.word.value,
      hwif_out.CONTEXT5.word.value, hwif_out.CONTEXT4.word.value,
      hwif_out.CONTEXT3.word.value, hwif_out.CONTEXT2.word.value,
      hwif_out.CONTEXT1.word.value, hwif_out.CONTEXT0.word.value};
  wire [9:0] context_written = {
      hwif_out.CONTEXT_BLOCKS_HIGH.high.swmod, hwif_out.CONTEXT_BLOCKS_LOW.low.swmod,
      hwif_out.CONTEXT7.word.swmod, hwif_out.CONTEXT6.word.swmod,
      hwif_out.CONTEXT5.word.swmod, hwif_out.CONTEXT4.word.swmod,
      hwif_out.CONTEXT3.word.swmod, hwif_out.CONTEXT2.word.swmod,
      hwif_out.CONTEXT1.word.swmod, hwif_out.CONTEXT0.word.swmod};
  wire start = hwif_out.CONTROL.start.value & ~zeroize & state_q == Idle & (~digest_valid | take) &
      (~hwif_out.CONTROL.restore.value | &context_q);
  wire busy = state_q != Idle | start | zeroize;
  wire done = digest_valid & ~busy & ~take;
  wire ended = state_q == Wait & digest_valid & ~zeroize;

  // A beat without the bytes that it must have has a hole, which the stream rejects.
  wire [2:0] bytes = hwif_out.LAST.bytes.value;
  wire [3:0] wanted = hwif_out.LAST.last.value ? ~(4'hf << bytes) : 4'hf;
  logic [3:0] strobes;
  wire wrong = (hwif_out.LAST.last.value & bytes > 3'd4) | (wanted & ~strobes) != '0;

  wire closed = state_q == Idle | state_q == Flush | state_q == Wait;
  wire accepted = beat_q & state_q == Open & ready;
  wire answered = beat_q & (closed | accepted);

  always_comb begin
    state_next = state_q;
    case (state_q)
      Start: if (cmd_ready) state_next = Open;
      // After an error, the stream drops the message until its last beat.
      Open:
        if (accepted & last_q) state_next = error == '0 ? Wait : Idle;
        else if (error != '0) state_next = Flush;
      Flush: if (ready) state_next = Idle;
      Wait: if (digest_valid | error != '0) state_next = Idle;
      default: if (start) state_next = Start;
    endcase
    // Also after zeroize_i.
    if (zeroize) begin
      state_next = (state_q == Start & cmd_ready) | (state_q == Open & ~(accepted & last_q)) |
          (state_q == Flush & ~ready) ? Flush : Idle;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= Idle;
      beat_q <= 1'b0;
      word_q <= '0;
      keep_q <= '0;
      last_q <= 1'b0;
      save_q <= 1'b0;
      context_q <= '0;
    end else begin
      state_q <= state_next;
      context_q <= (context_q & {10{~zeroize}}) | (context_written & {10{~busy}});
      beat_q <= hwif_out.DATA.req | (beat_q & ~answered);
      if (hwif_out.DATA.req) begin
        word_q <= hwif_out.DATA.wr_data;
        keep_q <= wrong ? 4'b1010 : wanted;
        last_q <= hwif_out.LAST.last.value;
        save_q <= ~wrong & hwif_out.LAST.last.value & hwif_out.LAST.save.value;
      end else if (answered) begin
        word_q <= '0;
      end
    end
  end

  always_comb begin
    for (int i = 0; i < 4; i = i + 1) strobes[i] = hwif_out.DATA.wr_biten[8*i];

    hwif_in.CONTROL.restore.swwe = ~busy;
    hwif_in.CONTROL.mode.swwe = ~busy;
    hwif_in.STATUS.idle.next = ~busy & ~done;
    hwif_in.STATUS.busy.next = busy;
    hwif_in.STATUS.done.next = done;
    hwif_in.STATUS.saved.next = done & saved;
    hwif_in.STATUS.error.next = hwif_out.INTR_STATE.mode.value | hwif_out.INTR_STATE.strobe.value |
        hwif_out.INTR_STATE.save.value | hwif_out.INTR_STATE.refused.value;
    hwif_in.LAST.last.hwclr = hwif_out.DATA.req | zeroize;
    hwif_in.LAST.save.hwclr = hwif_out.DATA.req | zeroize;
    hwif_in.LAST.bytes.hwclr = hwif_out.DATA.req | zeroize;
    hwif_in.DATA.wr_ack = answered;

    hwif_in.DIGEST0.word.next = digest[31:0];
    hwif_in.DIGEST1.word.next = digest[63:32];
    hwif_in.DIGEST2.word.next = digest[95:64];
    hwif_in.DIGEST3.word.next = digest[127:96];
    hwif_in.DIGEST4.word.next = digest[159:128];
    hwif_in.DIGEST5.word.next = digest[191:160];
    hwif_in.DIGEST6.word.next = digest[223:192];
    hwif_in.DIGEST7.word.next = digest[255:224];
    hwif_in.BLOCKS_LOW.low.next = blocks[31:0];
    hwif_in.BLOCKS_HIGH.high.next = blocks[54:32];
    hwif_in.CONTEXT0.word.swwe = ~busy;
    hwif_in.CONTEXT1.word.swwe = ~busy;
    hwif_in.CONTEXT2.word.swwe = ~busy;
    hwif_in.CONTEXT3.word.swwe = ~busy;
    hwif_in.CONTEXT4.word.swwe = ~busy;
    hwif_in.CONTEXT5.word.swwe = ~busy;
    hwif_in.CONTEXT6.word.swwe = ~busy;
    hwif_in.CONTEXT7.word.swwe = ~busy;
    hwif_in.CONTEXT_BLOCKS_LOW.low.swwe = ~busy;
    hwif_in.CONTEXT_BLOCKS_HIGH.high.swwe = ~busy;
    hwif_in.CONTEXT0.word.hwclr = zeroize;
    hwif_in.CONTEXT1.word.hwclr = zeroize;
    hwif_in.CONTEXT2.word.hwclr = zeroize;
    hwif_in.CONTEXT3.word.hwclr = zeroize;
    hwif_in.CONTEXT4.word.hwclr = zeroize;
    hwif_in.CONTEXT5.word.hwclr = zeroize;
    hwif_in.CONTEXT6.word.hwclr = zeroize;
    hwif_in.CONTEXT7.word.hwclr = zeroize;
    hwif_in.CONTEXT_BLOCKS_LOW.low.hwclr = zeroize;
    hwif_in.CONTEXT_BLOCKS_HIGH.high.hwclr = zeroize;

    hwif_in.INTR_STATE.done.next = ended;
    hwif_in.INTR_STATE.mode.next = error[0];
    hwif_in.INTR_STATE.strobe.next = error[1];
    hwif_in.INTR_STATE.save.next = error[2];
    hwif_in.INTR_STATE.refused.next = (hwif_out.CONTROL.start.value & ~start) | (beat_q & closed) |
        (context_written != '0 & busy);
  end
  assign irq_o = hwif_out.INTR_STATE.intr;

  lanesum_sha2_regs regs (
    .clk(clk_i), .arst_n(rst_ni),
    .s_axil_awvalid(s_axil_awvalid), .s_axil_awready(s_axil_awready),
    .s_axil_awaddr(s_axil_awaddr), .s_axil_awprot(s_axil_awprot),
    .s_axil_wvalid(s_axil_wvalid), .s_axil_wready(s_axil_wready),
    .s_axil_wdata(s_axil_wdata), .s_axil_wstrb(s_axil_wstrb),
    .s_axil_bvalid(s_axil_bvalid), .s_axil_bready(s_axil_bready), .s_axil_bresp(s_axil_bresp),
    .s_axil_arvalid(s_axil_arvalid), .s_axil_arready(s_axil_arready),
    .s_axil_araddr(s_axil_araddr), .s_axil_arprot(s_axil_arprot),
    .s_axil_rvalid(s_axil_rvalid), .s_axil_rready(s_axil_rready),
    .s_axil_rdata(s_axil_rdata), .s_axil_rresp(s_axil_rresp),
    .hwif_in(hwif_in), .hwif_out(hwif_out)
  );

  lanesum_sha2 stream (
    .clk_i(clk_i), .rst_ni(rst_ni), .zeroize_i(zeroize),
    .cmd_valid_i(state_q == Start), .cmd_ready_o(cmd_ready),
    .cmd_mode_i(hwif_out.CONTROL.mode.value), .cmd_key_i(1'b0),
    .cmd_resume_i(hwif_out.CONTROL.restore.value), .context_i(context_words),
    .context_blocks_i({hwif_out.CONTEXT_BLOCKS_HIGH.high.value,
                       hwif_out.CONTEXT_BLOCKS_LOW.low.value}),
    .s_axis_tvalid((beat_q & state_q == Open) | state_q == Flush), .s_axis_tready(ready),
    .s_axis_tdata(word_q), .s_axis_tkeep(state_q == Flush ? 4'd0 : keep_q),
    .s_axis_tlast(state_q == Flush | last_q), .s_axis_tuser(save_q),
    .key_valid_i(1'b0), .key_data_i(32'd0), .key_index_o(), .key_ready_o(),
    .m_axis_tvalid(digest_valid), .m_axis_tready(take), .m_axis_tdata(digest), .m_axis_tkeep(),
    .m_axis_tlast(), .m_axis_tuser(saved), .blocks_o(blocks),
    .done_o(), .error_o(error), .error_irq_o(), .error_clear_i(1'b1)
  );
endmodule

`default_nettype wire
