//! `lanesum_sha2`, a shell that hashes messages of an AXI4-Stream on a core that accepts their words:
//! it pads them, and selects the initial value. Its constants come from the specification.

use std::fmt::Write;

use lanesum_spec::{Algorithm, Family};

use crate::Core;
use crate::text::{shell, top};

/// The part of a testbench that all blocks with these ports share: its path and text.
pub(crate) const STREAM_TB: (&str, &str) =
    ("tb/lanesum_stream_tb.svh", include_str!("shell/stream_tb.svh"));

/// The algorithms of each core, in the order of their numbers at `cmd_mode_i`. `rtl/axil` and `rtl/hmac` depend on them.
const MODES: [&[Algorithm]; 3] = [
    &[Algorithm::SHA1],
    &[Algorithm::SHA224, Algorithm::SHA256],
    &[Algorithm::SHA384, Algorithm::SHA512, Algorithm::SHA512_224, Algorithm::SHA512_256],
];

fn modes(family: Family) -> &'static [Algorithm] {
    MODES.into_iter().find(|modes| modes[0].family() == family).expect("a family of FIPS 180-4")
}

/// Source, testbench, test vectors and proof, as pairs of name and contents.
pub(crate) fn files(core: &Core) -> Vec<(String, String)> {
    let name = shell(core);
    let (vectors, lines) = vectors(core.options.algorithm.family());
    let source = header(core) + &filled(core, lines, include_str!("shell/shell.sv"));
    let bench = filled(core, lines, include_str!("shell/bench.sv"));
    let formal = filled(core, lines, include_str!("shell/formal.sv"));
    let script = filled(core, lines, include_str!("shell/formal.sby"));
    vec![
        (format!("{name}.sv"), aligned(&source)),
        (format!("tb/{name}_tb.sv"), bench),
        (STREAM_TB.0.to_owned(), STREAM_TB.1.to_owned()),
        ("tb/vectors.hex".to_owned(), vectors),
        (format!("formal/{name}.sby"), script),
        (format!("formal/{name}_stream.sv"), formal),
    ]
}

fn header(core: &Core) -> String {
    let names: Vec<_> = modes(core.options.algorithm.family()).iter().map(|a| a.title()).collect();
    let numbered: Vec<_> =
        names.iter().enumerate().map(|(i, name)| format!("{i} {name}")).collect();
    format!(
        "// {}: an AXI4-Stream shell of {} bits.\n\
         // It pads messages (FIPS 180-4 section 5.1), and {} hashes them, one at a time.\n\
         // Modes: {}.\n\
         // A transfer happens at a clock edge with valid and ready. All outputs come from\n\
         // registers; no input changes them before the next clock edge.\n\
         // docs/cores.md has the rules of the ports.\n\
         // Not masked, and not hardened against side channels or faults.\n",
        names.join(", "),
        core.options.algorithm.family().word_bits(),
        top(core),
        numbered.join(", ")
    )
}

/// Replaces the placeholders of a template.
fn filled(core: &Core, lines: usize, template: &str) -> String {
    let family = core.options.algorithm.family();
    let width = family.word_bits();
    let (block, bytes) = (8 * family.block_len(), width as usize / 8);
    let (beats, state) =
        (block / width as usize, family.state_words() * family.word_bits() as usize);
    let modes = modes(family);
    let mut texts = [const { String::new() }; 3];
    let [ivs, keeps, digests] = &mut texts;
    let digits = family.word_bits() as usize / 4;
    for (i, mode) in modes.iter().enumerate() {
        let is_last = i + 1 == modes.len();
        let [two, three] =
            [2, 3].map(|bits| if is_last { "default".to_owned() } else { format!("{bits}'d{i}") });
        let words = &mode.iv()[..family.state_words()];
        let word = |w: &u64| format!("{}'h{w:0digits$x}", family.word_bits());
        let iv = words.iter().map(word).collect::<Vec<_>>().join(", ");
        let keep = u64::MAX >> (64 - mode.digest_len());
        let title = mode.title();
        let _ = writeln!(ivs, "      // {title}\n      {two}: iv = {{{iv}}};");
        let _ = writeln!(
            keeps,
            "      {two}: digest = {}'h{keep:0w$x};  // {title}",
            state / 8,
            w = state / 32
        );
        let _ = writeln!(digests, "      {three}: digest_bytes = {};", mode.digest_len());
    }
    // With beats of 32 bits, the length is two.
    let [high, or_high] = if width == 64 {
        ["", ""]
    } else {
        [
            "  wire length_high = pad_q & fits_q & beat_q == Index'(Beats - 2);\n",
            " |\n      ({Width{length_high}} & length[63:32])",
        ]
    };
    let another = core.latency + 1;
    let texts = [
        ("TOP", shell(core)),
        ("IVS\n", ivs),
        ("KEEPS\n", keeps),
        ("DIGESTS\n", digests),
        ("LENGTHHIGH\n", high),
        ("ORHIGH", or_high),
    ];
    let numbers = [
        ("WIDTH", width as usize),
        ("BYTES", bytes),
        ("BEATS", beats),
        ("INDEX", beats.ilog2() as usize),
        ("LOW", bytes.ilog2() as usize),
        ("BLOCK", block),
        ("STATE", state),
        ("VALUEBYTES", state / 8),
        // The length in bits has 64.
        ("COUNT", 64 - block.ilog2() as usize),
        ("MODECOUNT", modes.len()),
        ("LENGTHBYTES", family.length_len()),
        ("LENGTHBEATS", family.length_len() / bytes),
        ("LINES", lines),
        ("INTERVAL", core.interval),
        ("ANOTHER", another),
        ("COVER", beats + 8),
        ("HITS", 4 * (another + beats + 8)),
    ];
    let mut filled = template.to_owned();
    for (key, value) in texts {
        let (key, end) = key.strip_suffix('\n').map_or((key, ""), |key| (key, "\n"));
        filled = filled.replace(&format!("@{key}@{end}"), value);
    }
    for (key, number) in numbers {
        // The highest bit of a port.
        filled = filled.replace(&format!("@{key}@-1:"), &format!("{}:", number - 1));
        filled = filled.replace(&format!("@{key}@"), &number.to_string());
    }
    filled
}

/// Aligns the comments at the end of consecutive lines.
fn aligned(text: &str) -> String {
    let mut out = String::new();
    let lines: Vec<&str> = text.lines().collect();
    let comment = |line: &str| line.find(" // ").filter(|_| !line.trim_start().starts_with("//"));
    let code = |line: &str| comment(line).map(|at| line[..at].trim_end().len());
    let mut start = 0;
    for (i, line) in lines.iter().enumerate() {
        let Some(at) = comment(line) else {
            out += line;
            out.push('\n');
            start = i + 1;
            continue;
        };
        let run = lines[start..].iter().map_while(|line| code(line)).max().unwrap_or(0);
        let _ = writeln!(out, "{:run$}  {}", line[..at].trim_end(), line[at..].trim_start());
    }
    out
}

/// Lines of hexadecimal digits: a mode, the length of a message, and its digest. Every length up to
/// 300 bytes occurs, and every mode with the lengths around a block and its padding.
fn vectors(family: Family) -> (String, usize) {
    const MAX: usize = 300;
    let modes = modes(family);
    let (block, length) = (family.block_len(), family.length_len());
    let mut all: Vec<(usize, usize)> = (0..=MAX).map(|len| (len % modes.len(), len)).collect();
    for len in [0, block - length - 1, block - length, block - 1, block, 2 * block] {
        all.extend((0..modes.len()).map(|mode| (mode, len)));
    }
    let count = all.len();
    let digits = 2 * family.algorithm().digest_len();
    let mut text = String::new();
    // Short and long messages alternate.
    let step = (count / 3..).find(|step| gcd(*step, count) == 1).expect("some number");
    for message in 0..count {
        let (mode, len) = all[message * step % count];
        let digest = lanesum_spec::digest(modes[mode], &bytes(message as u32, len));
        let hex: String = digest[..digits / 2].iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(text, "{mode:02x}{len:04x}{hex}");
    }
    (text, count)
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The bytes of a message, which the testbench computes too.
fn bytes(message: u32, len: usize) -> Vec<u8> {
    let step = |x: &u32| Some(x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    std::iter::successors(Some(message), step).skip(1).take(len).map(|x| (x >> 24) as u8).collect()
}
