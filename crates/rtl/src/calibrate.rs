//! Measures the delays and areas of a technology by synthesizing a few small circuits.
//!
//! Each probe is a ring of six registers with operations between the last and the first. The delay
//! and area of an operation are the increase that one more of them causes. The overhead of
//! registers, multiplexers, fan-out and wires is measured on one complete core, since small
//! circuits have little of it.

use std::fmt::Write;

use lanesum_spec::Algorithm;

use crate::{Areas, Core, Options, Registers, RtlError, Technology, core, verilog};

/// Area and clock period of a circuit, as measured by a synthesis flow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Synthesized {
    /// The area, in the unit of the technology's areas.
    pub area: f64,
    /// The shortest clock period.
    pub period: f64,
}

/// A circuit to synthesize: its files, as pairs of name and contents.
pub type Files = Vec<(String, String)>;

/// Registers per probe.
const REGISTERS: u32 = 6;

const ADDER: &str = "module probe_core_add (input logic [W-1:0] a_i, input logic [W-1:0] b_i, output logic [W-1:0] sum_o);\n  \
    assign sum_o = a_i + b_i;\nendmodule\n";

/// A chain of dependent additions.
fn additions(count: usize) -> String {
    let mut text = "  wire [W-1:0] x0 = r0;\n".to_owned();
    for i in 0..count {
        let rotated =
            if i == 0 { "x0".to_owned() } else { format!("{{x{i}[W-6:0], x{i}[W-1:W-5]}}") };
        let _ = writeln!(
            text,
            "  wire [W-1:0] x{};\n  probe_core_add add{i} (.a_i({rotated}), .b_i(r{}), .sum_o(x{0}));",
            i + 1,
            i + 1
        );
    }
    text + &format!("  wire [W-1:0] last = x{count};\n")
}

/// An operation followed by an addition.
fn before_addition(text: &str) -> String {
    format!("{text}  wire [W-1:0] last;\n  probe_core_add add (.a_i(x), .b_i(y), .sum_o(last));\n")
}

const ROW: &str = "  wire [W-1:0] x = r0 ^ r1 ^ r2;\n  \
    wire [W-1:0] m = (r0 & r1) | (r0 & r2) | (r1 & r2);\n  wire [W-1:0] y = {m[W-2:0], 1'b0};\n";
const FUNCTION: &str = "  wire [W-1:0] y = r3;\n  \
    wire [W-1:0] x = ({W{is[0]}} & ((r0 & r1) | (~r0 & r2))) | ({W{is[1]}} & (r0 ^ r1 ^ r2))\n    \
    | ({W{is[2]}} & ((r0 & r1) | (r0 & r2) | (r1 & r2)));\n";
const SIGMA: &str = "  wire [W-1:0] y = r3;\n  \
    wire [W-1:0] x = {r0[5:0], r0[W-1:6]} ^ {r0[10:0], r0[W-1:11]} ^ {r0[24:0], r0[W-1:25]};\n";

fn probe(body: &str, width: u32) -> Files {
    let mut text = "module probe_core (\n  input logic clk_i,\n  input logic load_i,\n  \
         input logic [W-1:0] d_i,\n  output logic [W-1:0] q_o\n);\n  \
         logic [W-1:0] r0, r1, r2, r3, r4, r5;\n  logic [2:0] is;\n"
        .to_owned();
    text += body;
    text += "  always_ff @(posedge clk_i) begin\n    is <= load_i ? d_i[2:0] : {is[1:0], is[2]};\n    \
             r0 <= load_i ? d_i : last;\n";
    for i in 1..REGISTERS {
        let _ = writeln!(text, "    r{i} <= load_i ? r{} : r{};", i - 1, (i + 1) % REGISTERS);
    }
    text += "  end\n  assign q_o = r5;\nendmodule\n";
    let with = |text: &str| {
        text.replace("W-1", &(width - 1).to_string()).replace("{W{", &format!("{{{width}{{"))
    };
    let text = (2..32).fold(with(&text), |text, n| {
        text.replace(&format!("W-{n}]"), &format!("{}]", width - n))
            .replace(&format!("[W-{n}:"), &format!("[{}:", width - n))
    });
    vec![("probe_core.sv".to_owned(), text), ("probe_core_add.sv".to_owned(), with(ADDER))]
}

/// Fits `technology` to measurements of the probes and of one core by `measure`.
///
/// # Errors
///
/// The errors of `measure`.
///
/// # Panics
///
/// Never: a SHA-1 core with one round per cycle exists.
pub fn calibrate<E: From<RtlError>>(
    technology: &Technology,
    mut measure: impl FnMut(&str, &Files) -> Result<Synthesized, E>,
) -> Result<Technology, E> {
    let mut of = |name: &str, body: &str, width| measure(name, &probe(body, width));
    let one = of("add1", &additions(1), 32)?;
    let three = of("add3", &additions(3), 32)?;
    let row = of("row", &before_addition(ROW), 32)?;
    let function = of("function", &before_addition(FUNCTION), 32)?;
    let sigma = of("sigma", &before_addition(SIGMA), 32)?;
    let wide1 = of("wide1", &additions(1), 64)?;
    let wide3 = of("wide3", &additions(3), 64)?;
    // Placement noise can hide a small difference: assume a positive delay.
    let more = |x: f64, y: f64| (x - y).max(0.01 * one.period);
    let area = |x: Synthesized, y: Synthesized| (x.area - y.area).max(0.0);
    let add = more(three.period, one.period) / 2.0;
    let adder = area(three, one) / 2.0;
    let mut fitted = Technology {
        add,
        row: more(row.period, one.period),
        function: more(function.period, one.period),
        sigma: more(sigma.period, one.period),
        overhead: more(one.period, add),
        wide: more(wide3.period, wide1.period) / 2.0 / add,
        area: Areas {
            add: adder,
            row: area(row, one),
            function: area(function, one) / 3.0,
            bit: (one.area - adder).max(0.0) / f64::from(32 * REGISTERS + 3),
            ..technology.area.clone()
        },
        ..technology.clone()
    };
    let whole = whole(&fitted)?;
    let measured = measure("core", &verilog::files(&whole))?;
    fitted.overhead = more(measured.period, whole.path.value);
    Ok(fitted)
}

fn whole(technology: &Technology) -> Result<Core, RtlError> {
    let (technology, registers) = (technology.clone(), Registers::Retimed);
    core(&Options { technology, registers, ..Options::new(Algorithm::SHA1, 1) })
}

/// The table of `targets.toml` for a technology, with two decimal places.
pub fn table(technology: &Technology) -> String {
    let Technology { name, title, unit, add, row, function, sigma, overhead, wide, area, .. } =
        technology;
    format!(
        "[[target]]\nname = \"{name}\"\ntitle = \"{title}\"\nunit = \"{unit}\"\nadd = {add:.2}\n\
         row = {row:.2}\nfunction = {function:.2}\nsigma = {sigma:.2}\noverhead = {overhead:.2}\n\
         wide = {wide:.2}\n\n[target.area]\nunit = \"{}\"\nadd = {:.0}\nrow = {:.0}\nfunction = {:.0}\n\
         bit = {:.2}\n",
        area.unit, area.add, area.row, area.function, area.bit
    )
}
