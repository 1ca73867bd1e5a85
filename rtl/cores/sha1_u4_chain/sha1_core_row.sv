// A carry-save row: save_o + carry_o = a_i + b_i + c_i, and no carry is passed on.
module sha1_core_row (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic [31:0] save_o,
  output logic [31:0] carry_o
);
  wire [30:0] a = a_i[30:0];
  wire [30:0] b = b_i[30:0];
  wire [30:0] c = c_i[30:0];
  assign save_o = a_i ^ b_i ^ c_i;
  assign carry_o = {(a & b) | (a & c) | (b & c), 1'b0};
endmodule
