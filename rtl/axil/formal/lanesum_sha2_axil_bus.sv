// SPDX-License-Identifier: MIT OR Apache-2.0
// The handshakes of lanesum_sha2_axil, for all inputs: by k-induction. The stream shell is replaced by
// arbitrary outputs. A model counts the accepted addresses and words, and the responses.
module lanesum_sha2_axil_bus (
  input clk_i, rst_ni,
  input s_axil_awvalid, s_axil_wvalid, s_axil_bready, s_axil_arvalid, s_axil_rready,
  input [7:0] s_axil_awaddr, s_axil_araddr,
  input [2:0] s_axil_awprot, s_axil_arprot,
  input [31:0] s_axil_wdata,
  input [3:0] s_axil_wstrb
);
  wire s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_arready, s_axil_rvalid;
  wire [1:0] s_axil_bresp, s_axil_rresp;
  wire [31:0] s_axil_rdata;
  wire accepted, beat_q, have_aw, have_w, have_ar, pending;
  wire [1:0] in_flight, is_write, head, tail;
  lanesum_sha2_axil dut (
    .*, .\regs.axil_awvalid (have_aw), .\regs.axil_wvalid (have_w), .\regs.axil_arvalid (have_ar),
    .\regs.axil_n_in_flight (in_flight), .\regs.axil_resp_rptr (head), .\regs.axil_resp_wptr (tail),
    .\regs.axil_resp_buffer_is_wr (is_write), .\regs.external_pending (pending), .irq_o()
  );

  // Accepted, without a response.
  reg [2:0] addresses = 3'd0;
  reg [2:0] words = 3'd0;
  reg [2:0] reads = 3'd0;
  wire aw = s_axil_awvalid & s_axil_awready;
  wire w = s_axil_wvalid & s_axil_wready;
  wire b = s_axil_bvalid & s_axil_bready;
  wire ar = s_axil_arvalid & s_axil_arready;
  wire r = s_axil_rvalid & s_axil_rready;
  reg waits_b = 1'b0;
  reg waits_r = 1'b0;
  reg [1:0] bresp, rresp;
  reg [31:0] rdata;
  initial assume (!rst_ni);
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin
      addresses <= 3'd0;
      words <= 3'd0;
      reads <= 3'd0;
      waits_b <= 1'b0;
      waits_r <= 1'b0;
    end else begin
      addresses <= addresses + aw - b;
      words <= words + w - b;
      reads <= reads + ar - r;
      waits_b <= s_axil_bvalid & !b;
      waits_r <= s_axil_rvalid & !r;
    end
  always @(posedge clk_i) {bresp, rresp, rdata} <= {s_axil_bresp, s_axil_rresp, s_axil_rdata};

  // The responses in the buffer. Element 0 is in the highest bit.
  wire [1:0] held = tail - head;
  wire first = is_write[~head[0]];
  wire [1:0] held_writes = held == 0 ? 2'd0 : held == 1 ? {1'b0, first} : is_write[0] + is_write[1];
  always @(posedge clk_i) if (rst_ni) begin
    // No response without its request: a write needs its address and its word.
    if (s_axil_bvalid) assert (addresses != 0 && words != 0);
    if (s_axil_rvalid) assert (reads != 0);
    // A response is held until it is accepted.
    if (waits_b) assert (s_axil_bvalid && s_axil_bresp == bresp);
    if (waits_r) assert (s_axil_rvalid && s_axil_rresp == rresp && s_axil_rdata == rdata);
    assert (!(s_axil_bvalid && s_axil_rvalid) && !s_axil_bresp[0] && !s_axil_rresp[0]);
    // At most two requests and one in front of each channel are inside. Unless both wait, or a word
    // waits for the stream, another is accepted.
    assert (addresses <= 3 && words <= 3 && reads <= 3);
    if (!pending && in_flight < 2) assert (s_axil_arready || (s_axil_awready && s_axil_wready));
    // The registers.
    assert (held <= 2 && in_flight <= 2 && in_flight == {1'b0, held} + pending && pending == beat_q);
    assert (addresses == have_aw + pending + held_writes);
    assert (words == have_w + pending + held_writes);
    assert (reads == have_ar + (held - held_writes));
  end

  always @(posedge clk_i) if (rst_ni) begin
    cover (held == 2 && held_writes == 1 && have_aw && have_ar);
    cover (pending && accepted);
  end
endmodule
