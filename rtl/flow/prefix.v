// Carries of an addition by Kogge and Stone: in row r each bit joins its group
// with the one 2^r below, so that w bits take log2 w rows.
(* techmap_celltype = "$lcu" *)
module prefix_carries (P, G, CI, CO);
  parameter WIDTH = 2;
  (* force_downto *) input [WIDTH-1:0] P, G;
  input CI;
  (* force_downto *) output [WIDTH-1:0] CO;

  localparam ROWS = $clog2(WIDTH);
  wire [(ROWS+1)*WIDTH-1:0] g, p;
  assign p[WIDTH-1:0] = P;
  assign g[WIDTH-1:0] = {G[WIDTH-1:1], G[0] | (P[0] & CI)};
  genvar r, i;
  generate
    for (r = 0; r < ROWS; r = r + 1) begin : row
      for (i = 0; i < WIDTH; i = i + 1) begin : bit_i
        if (i >= (1 << r)) begin : joined
          assign g[(r+1)*WIDTH+i] =
              g[r*WIDTH+i] | (p[r*WIDTH+i] & g[r*WIDTH+i-(1<<r)]);
          assign p[(r+1)*WIDTH+i] = p[r*WIDTH+i] & p[r*WIDTH+i-(1<<r)];
        end else begin : kept
          assign g[(r+1)*WIDTH+i] = g[r*WIDTH+i];
          assign p[(r+1)*WIDTH+i] = p[r*WIDTH+i];
        end
      end
    end
  endgenerate
  assign CO = g[ROWS*WIDTH+:WIDTH];
endmodule
