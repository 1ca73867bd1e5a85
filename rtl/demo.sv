// SPDX-License-Identifier: MIT OR Apache-2.0
// Hashes the file +file=PATH with lanesum_sha2, and prints the digest and the clocks from the command to the digest.
// +mode=0 is SHA-224, +mode=1, the default, SHA-256.
`timescale 1ns / 1ps
`default_nettype none

module demo;
  localparam int Bytes = 4;  // of a beat
  localparam int State = 256;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  logic cmd_valid = 1'b0;
  logic [2:0] mode = 3'd1;
  logic valid = 1'b0;
  logic [8*Bytes-1:0] data = '0;
  logic [Bytes-1:0] keep = '0;
  logic last = 1'b0;
  wire cmd_ready, ready, digest_valid;
  wire [State-1:0] digest;
  wire [State/8-1:0] digest_keep;
  wire [2:0] error;

  lanesum_sha2 dut (
    .clk_i(clk), .rst_ni(rst_n), .zeroize_i(1'b0),
    .cmd_valid_i(cmd_valid), .cmd_mode_i(mode), .cmd_key_i(1'b0),
    .cmd_resume_i(1'b0), .cmd_ready_o(cmd_ready),
    .context_i(256'd0), .context_blocks_i(55'd0),
    .s_axis_tvalid(valid), .s_axis_tdata(data), .s_axis_tkeep(keep),
    .s_axis_tlast(last), .s_axis_tuser(1'b0), .s_axis_tready(ready),
    .key_valid_i(1'b0), .key_data_i(32'd0), .key_index_o(), .key_ready_o(),
    .m_axis_tvalid(digest_valid), .m_axis_tdata(digest), .m_axis_tkeep(digest_keep),
    .m_axis_tlast(), .m_axis_tuser(), .m_axis_tready(1'b1),
    .blocks_o(), .done_o(), .error_irq_o(), .error_o(error), .error_clear_i(1'b0)
  );

  always #5 clk = ~clk;

  integer clocks = 0;
  always @(posedge clk) clocks <= clocks + 1;

  string path;
  integer file, next, i, begun;

  // Inputs change between clock edges.
  initial begin
    if (!$value$plusargs("file=%s", path)) $fatal(1, "demo: no +file=PATH");
    if ($value$plusargs("mode=%d", i)) mode = i[2:0];
    file = $fopen(path, "rb");
    if (file == 0) $fatal(1, "demo: cannot read %s", path);
    next = $fgetc(file);
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    cmd_valid = 1'b1;
    while (!cmd_ready) @(negedge clk);
    begun = clocks;
    @(negedge clk);
    cmd_valid = 1'b0;
    while (!last) begin
      data = '0;
      keep = '0;
      for (i = 0; i < Bytes && next >= 0; i = i + 1) begin
        data[8*i+:8] = next[7:0];
        keep[i] = 1'b1;
        next = $fgetc(file);
      end
      last = next < 0;
      valid = 1'b1;
      while (!ready) @(negedge clk);
      @(negedge clk);
      valid = 1'b0;
    end
    while (!digest_valid && error == '0) @(negedge clk);
    if (error != '0) $fatal(1, "demo: error_o is %b", error);
    for (i = 0; i < State / 8; i = i + 1) if (digest_keep[i]) $write("%02x", digest[8*i+:8]);
    $display("  %0s", path);
    $display("%0d clocks", clocks - begun);
    $finish;
  end
endmodule
