// A carry-save row whose 5 lowest bits are added, so that carry_o has none there:
// save_o + carry_o = a_i + b_i + c_i, where b_i has none either.
module sha1_core_low (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic [31:0] save_o,
  output logic [31:0] carry_o
);
  wire [30:5] a = a_i[30:5];
  wire [30:5] b = b_i[30:5];
  wire [30:5] c = c_i[30:5];
  wire [5:0] low = {1'b0, a_i[4:0]} + {1'b0, c_i[4:0]};
  wire unused = &{1'b0, b_i[4:0]};
  assign save_o = {a_i[31] ^ b_i[31] ^ c_i[31], a ^ b ^ c, low[4:0]};
  assign carry_o = {(a & b) | (a & c) | (b & c), low[5], 5'b0};
endmodule
