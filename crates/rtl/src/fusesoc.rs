//! A core as a package: its description for FuseSoC, and its constraints.

use crate::Core;
use crate::shell::STREAM_TB;
use crate::text::{shell, top, wrapped};

/// The constraints of a block, from the header of its module. They list the inputs, because no command that removes the
/// clock from `all_inputs` is in every tool.
fn constraints(source: &str) -> String {
    let header = source.lines().skip_while(|line| !line.starts_with("module "));
    let header = header.take_while(|line| *line != ");");
    let mut inputs = Vec::new();
    for line in header.filter(|line| line.starts_with("  input ")) {
        let port = line.split("//").next().unwrap_or(line).trim_end().trim_end_matches(',');
        let name = port.rsplit(' ').next().unwrap_or(port);
        let bits = if port.contains('[') { "[*]" } else { "" };
        inputs.push(format!("{name}{bits}"));
    }
    inputs.retain(|input| input != "clk_i");
    let inputs = inputs.join(" ");
    wrapped(
        &format!(
            "\
# 100 MHz. Setup: 2 ns of logic outside at each port, an assumption. Hold: ports connect directly to
# flip-flops of the same clock. rst_ni may fall at any time; release it between clock edges.
create_clock -name clk_i -period 10 [get_ports clk_i]
set inputs [get_ports {{{inputs}}}]
set_input_delay -max 2 -clock clk_i $inputs
set_input_delay -min 0 -clock clk_i $inputs
set_output_delay -max 2 -clock clk_i [all_outputs]
set_output_delay -min 0 -clock clk_i [all_outputs]
set_false_path -from [get_ports rst_ni]
"
        ),
        "#",
    )
}

/// The variable parts of a description, in YAML.
struct Description<'a> {
    name: &'a str,
    title: &'a str,
    generator: &'a str,
    /// The top module, and that of the target `sim`.
    modules: [&'a str; 2],
    /// The files of the fileset `rtl`.
    sources: &'a [&'a str],
    /// Verilator's waivers, which other tools do not know.
    waivers: &'a [&'a str],
    /// The packages that it needs.
    depend: &'a [&'a str],
    /// The package that it needs with the flag `wide`, which sets the parameter `Wide`.
    wide: Option<&'a str>,
    /// The files of the fileset `tb`.
    bench: &'a [&'a str],
    /// The tool of `sim`, and its options.
    sim: [&'a str; 2],
}

const ICARUS: [&str; 2] = ["icarus", "iverilog_options: [-g2012]"];

/// The directories of the hand-written blocks in `rtl`.
pub const BLOCKS: [&str; 2] = ["axil", "hmac"];

/// Registers for software, which are tested with their driver in C.
const AXIL: Description<'_> = Description {
    name: "lanesum_sha2_axil",
    title: "SHA-224, SHA-256: registers behind AXI4-Lite, with a driver in C.",
    generator: "rtl/axil/generate",
    modules: ["lanesum_sha2_axil"; 2],
    sources: &["lanesum_sha2_regs_pkg.sv", "lanesum_sha2_regs.sv", "lanesum_sha2_axil.sv"],
    waivers: &["tb/lanesum_sha2_axil.vlt"],
    depend: &["lanesum_sha2"],
    wide: None,
    bench: &[
        "driver/lanesum_sha2.c: {file_type: cSource}",
        "driver/lanesum_sha2.h: {file_type: cSource, is_include_file: true}",
        "driver/lanesum_sha2_regs.h: {file_type: cSource, is_include_file: true}",
        "tb/main.cpp: {file_type: cppSource}",
        "tb/vectors.txt: {file_type: user, copyto: vectors.txt}",
    ],
    sim: [
        "verilator",
        "mode: cc, verilator_options: [--assert, -Wno-lint, -CFLAGS, -O0, -CFLAGS, -DLANESUM_SHA2_BUS]",
    ],
};

/// HMAC around a stream shell.
const HMAC: Description<'_> = Description {
    name: "lanesum_hmac",
    title: "SHA-2 and HMAC on an AXI4-Stream, with one core.",
    generator: "rtl/hmac/generate",
    modules: ["lanesum_hmac", "lanesum_hmac_tb"],
    sources: &["lanesum_hmac.sv"],
    waivers: &["tb/lanesum_hmac.vlt"],
    depend: &["lanesum_sha2"],
    wide: Some("lanesum_sha2_wide"),
    bench: &[
        "tb/lanesum_stream_tb.svh: {is_include_file: true}",
        "tb/lanesum_hmac_tb.sv",
        "tb/vectors.txt: {file_type: user, copyto: vectors.txt}",
        "tb/vectors_wide.txt: {file_type: user, copyto: vectors_wide.txt}",
    ],
    sim: ICARUS,
};

/// Returns `NAME.core` and `NAME.sdc`, as pairs of path and contents. `source` is the text of the top module.
fn describe(of: &Description<'_>, source: &str) -> [(String, String); 2] {
    let Description { name, title, generator, modules: [module, bench_module], .. } = of;
    let [tool, options] = of.sim;
    let items = |files: &[&str]| -> String {
        files.iter().map(|file| format!("      - {file}\n")).collect()
    };
    let vlnv = |name: &str| format!("lanesum:sha:{name}:{}", env!("CARGO_PKG_VERSION"));
    let mut needed: Vec<_> = of.depend.iter().map(|name| format!("\"{}\"", vlnv(name))).collect();
    needed.extend(of.wide.map(|name| format!("\"wide ? ({})\"", vlnv(name))));
    let depend = match &needed[..] {
        [] => String::new(),
        _ => format!("    depend: [{}]\n", needed.join(", ")),
    };
    // Other tools do not know waivers.
    let [waivers, and_waivers] = match of.waivers {
        [] => ["".to_owned(), "".to_owned()],
        files => [
            format!("  waivers:\n    file_type: vlt\n    files:\n{}", items(files)),
            ", \"tool_verilator ? (waivers)\"".to_owned(),
        ],
    };
    // The default target lacks the parameter: a package that depends on this one would inherit it.
    let [parameters, parameter] = match of.wide {
        None => ["", ""],
        Some(_) => [
            "parameters:\n  Wide: {datatype: bool, paramtype: vlogparam}\n",
            "    parameters: [\"wide ? (Wide=true)\"]\n",
        ],
    };
    let license = crate::directory::LICENSE;
    let mark = format!("# Generated by {generator}. Do not edit.");
    let description = format!(
        "CAPI=2:
{mark}
# {license}
name: {}
description: \"{title}\"
filesets:
  rtl:
    file_type: systemVerilogSource
{depend}    files:
{}{waivers}  tb:
    file_type: systemVerilogSource
    files:
{}  sdc:
    files:
      - {name}.sdc: {{file_type: SDC}}
{parameters}targets:
  default: &default
    filesets: [rtl{and_waivers}]
    toplevel: {module}
  lint:
    <<: *default
    default_tool: verilator
    tools: {{verilator: {{mode: lint-only, verilator_options: [-Wall]}}}}
{parameter}  sim:
    <<: *default
    default_tool: {tool}
    filesets: [rtl{and_waivers}, tb]
    tools: {{{tool}: {{{options}}}}}
    toplevel: {bench_module}
{parameter}  synth:
    <<: *default
    filesets: [rtl, sdc]
{parameter}",
        vlnv(name),
        items(of.sources),
        items(of.bench)
    );
    [
        (format!("{name}.core"), description),
        (format!("{name}.sdc"), format!("{mark}\n# {license}\n{}", constraints(source))),
    ]
}

/// Returns `NAME.core` and `NAME.sdc`, as pairs of path and contents, for the SystemVerilog [`files`](crate::files) of
/// a core.
pub fn package(core: &Core, name: &str, files: &[(String, String)]) -> [(String, String); 2] {
    let module = if core.options.stream { shell(core).to_owned() } else { top(core) };
    let mut sources: Vec<&str> = files.iter().map(|(path, _)| &path[..]).collect();
    sources.retain(|path| path.ends_with(".sv") && !path.contains('/'));
    sources.sort_unstable();
    let source = format!("{module}.sv");
    let (_, text) = files.iter().find(|(path, _)| *path == source).expect("the top module");
    let title = text.lines().filter_map(|line| line.strip_prefix("// "));
    let title = title.into_iter().find(|line| line.starts_with("SHA-")).expect("a title");
    let bench = files.iter().map(|(path, _)| &path[..]).filter(|path| path.starts_with("tb/"));
    let bench: Vec<_> = bench
        .map(|path| match path.rsplit('.').next() {
            Some("svh") => format!("{path}: {{is_include_file: true}}"),
            Some("hex") => format!("{path}: {{file_type: user, copyto: vectors.hex}}"),
            _ => path.to_owned(),
        })
        .collect();
    let bench: Vec<_> = bench.iter().map(|file| &file[..]).collect();
    let description = Description {
        name,
        title,
        generator: "rtl/generate",
        modules: [&module, &format!("{module}_tb")],
        sources: &sources,
        waivers: &[],
        depend: &[],
        wide: None,
        bench: &bench,
        sim: ICARUS,
    };
    describe(&description, text)
}

/// Returns the generated files of the hand-written block in the directory `block` of `rtl`, as pairs of path and contents:
/// its description, its constraints, and the file that its testbench includes. `source` is the text of its top module. Only
/// [`BLOCKS`] have any.
pub fn block(block: &str, source: &str) -> Option<Vec<(String, String)>> {
    Some(match block {
        "axil" => describe(&AXIL, source).into(),
        "hmac" => {
            let license = crate::directory::LICENSE;
            let (path, text) = STREAM_TB;
            let text =
                format!("// Generated by {}. Do not edit.\n// {license}\n{text}", HMAC.generator);
            let mut files = Vec::from(describe(&HMAC, source));
            files.push((path.to_owned(), text));
            files
        }
        _ => return None,
    })
}
