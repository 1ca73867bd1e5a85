//! The compiler's code for the specification: the rounds in C, as a baseline for
//! orders.

use std::fmt::Write as _;

use crate::emit::{Isa, Target, WordSource};
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::record::{record, record_rounds};

/// The flags of the system's compiler for the target's instructions.
pub fn flags(target: Target) -> &'static [&'static str] {
    match target.isa {
        Isa::Bmi2 => &["-O3", "-mbmi", "-mbmi2"],
        Isa::X86_64 => &["-O3"],
        Isa::I686 => &["-O3", "-m32"],
    }
}

/// A C function that is equivalent to the target's kernel, with each operation written as in FIPS
/// 180-4.
pub fn source(target: Target, name: &str) -> String {
    let block = match target.words {
        WordSource::Expanded => record_rounds(target.family, false),
        WordSource::Block => record(target.family, false),
    };
    let bits = target.family.word_bits();
    let states = block.state.len();
    let mut text = format!(
        "#include <stdint.h>\n#include <string.h>\ntypedef uint{bits}_t word;\n\
         static inline word rotr(word x, int n) {{ return x >> n | x << ({bits} - n); }}\n\
         static inline word ch(word x, word y, word z) {{ return (x & y) ^ (~x & z); }}\n\
         static inline word maj(word x, word y, word z) {{ return (x & y) ^ (x & z) ^ (y & z); }}\n\
         void {name}(word *state, const unsigned char *data, uint64_t blocks);\n\
         void {name}(word *state, const unsigned char *data, uint64_t blocks) {{\n"
    );
    for i in 0..states {
        let _ = writeln!(text, "  word s{i} = state[{i}];");
    }
    let _ = writeln!(text, "  for (; blocks; blocks--, data += {}) {{", target.block_len());
    let name_of = |id: Id| format!("n{}", id.index());
    for id in block.graph.reachable(block.spec.outputs.iter().copied()) {
        let to = name_of(id);
        match block.graph.op(id) {
            Op::Input(n) if (n as usize) < states => {
                let _ = writeln!(text, "    const word {to} = s{n};");
            }
            Op::Input(n) => {
                let at = (i64::from(n) - states as i64) * target.word_len();
                let _ = writeln!(text, "    word {to}; memcpy(&{to}, data + {at}, sizeof {to});");
                if target.words == WordSource::Block {
                    let _ = writeln!(text, "    {to} = __builtin_bswap{bits}({to});");
                }
            }
            op => {
                let _ = writeln!(text, "    const word {to} = {};", expression(op, &block.graph));
            }
        }
    }
    for (i, &id) in block.spec.outputs.iter().enumerate() {
        let _ = writeln!(text, "    s{i} = {};", name_of(id));
    }
    text += "  }\n";
    for i in 0..states {
        let _ = writeln!(text, "  state[{i}] = s{i};");
    }
    text + "}\n"
}

fn expression(op: Op, graph: &Graph) -> String {
    let n: Vec<String> = op.operands().map(|id| format!("n{}", id.index())).collect();
    let constant = |k: u64| format!("(word)UINT64_C({:#x})", graph.mask(k));
    match op {
        Op::Input(_) => unreachable!("an input is not an operation"),
        Op::Const(k) => constant(k),
        Op::Add(..) => format!("{} + {}", n[0], n[1]),
        Op::AddConst(_, k) => format!("{} + {}", n[0], constant(k)),
        Op::Lea(_, _, k) => format!("{} + {} + {}", n[0], n[1], constant(k)),
        Op::Sub(..) => format!("{} - {}", n[0], n[1]),
        Op::And(..) => format!("{} & {}", n[0], n[1]),
        Op::AndNot(..) => format!("{} & ~{}", n[0], n[1]),
        Op::Or(..) => format!("{} | {}", n[0], n[1]),
        Op::Xor(..) => format!("{} ^ {}", n[0], n[1]),
        Op::Not(_) => format!("~{}", n[0]),
        Op::Rotr(_, by) => format!("rotr({}, {by})", n[0]),
        Op::Shr(_, by) => format!("{} >> {by}", n[0]),
        Op::Shl(_, by) => format!("{} << {by}", n[0]),
        Op::Ch(..) => format!("ch({}, {}, {})", n[0], n[1], n[2]),
        Op::Maj(..) => format!("maj({}, {}, {})", n[0], n[1], n[2]),
        Op::Xor3(..) => format!("{} ^ {} ^ {}", n[0], n[1], n[2]),
    }
}
