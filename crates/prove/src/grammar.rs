//! The grammar of assembly files: statements that every assembler translates to the same instructions.
//!
//! A file has code, and after it optionally a table of constants. Bytes of code and distances within it are unknown:
//! assemblers encode some instructions differently, and pad code differently. Therefore labels of code are only
//! targets of jumps, and only labels of the table are in memory operands. Bytes in code are whole instructions, which
//! do not continue with the encoding of the next statement, and contain no distances to other instructions.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use iced_x86::{
    Decoder, DecoderError, DecoderOptions, Instruction as Decoded, Mnemonic, OpKind, Register,
};

/// The directives of data.
const DATA: [&str; 4] = [".byte", ".long", ".quad", ".skip"];

/// The directives of alignment. A padding of another kind than the default may differ, or be missing, depending on
/// the address.
const ALIGNMENT: [&str; 2] = [".balign", ".p2align"];

/// The directives of call frame information. Others create symbols or refer to them.
const FRAMES: [&str; 10] = [
    ".cfi_adjust_cfa_offset",
    ".cfi_def_cfa",
    ".cfi_def_cfa_offset",
    ".cfi_def_cfa_register",
    ".cfi_endproc",
    ".cfi_offset",
    ".cfi_remember_state",
    ".cfi_restore",
    ".cfi_restore_state",
    ".cfi_startproc",
];

/// The sizes of memory operands.
const SIZES: [&str; 7] = ["byte", "word", "dword", "qword", "xmmword", "ymmword", "zmmword"];

/// The shifts and rotations by a register. If that is not `cl`, GNU's assembler takes its lowest byte for the count.
/// LLVM's takes it for the operand of an instruction of APX, which shifts by one.
const SHIFTS: [&str; 8] = ["rcl", "rcr", "rol", "ror", "sal", "sar", "shl", "shr"];

/// The directives of the C preprocessor.
const PREPROCESSOR: [&str; 21] = [
    "assert", "define", "elif", "elifdef", "elifndef", "else", "embed", "endif", "error", "ident",
    "if", "ifdef", "ifndef", "import", "include", "line", "pragma", "sccs", "unassert", "undef",
    "warning",
];

/// Other characters of code. They begin no comment, string, escape or assignment.
const SIGNS: &str = "\t ._@:;,[]{}+-*";

/// A part of a file that assemblers may treat differently: the number of its line, from one, and the part.
pub(super) type Unusual<'t> = (usize, &'t str);

/// A statement: labels, and a directive or an instruction, if any.
struct Statement<'t> {
    labels: Vec<&'t str>,
    /// The mnemonic, or the directive.
    name: &'t str,
    operands: &'t str,
}

impl<'t> Statement<'t> {
    fn of(text: &'t str) -> Self {
        let (mut labels, mut rest) = (Vec::new(), text.trim());
        while let Some((label, after)) = rest.split_once(':').filter(|(label, _)| is_label(label)) {
            labels.push(label);
            rest = after.trim_start();
        }
        let (name, operands) = rest.split_once([' ', '\t']).unwrap_or((rest, ""));
        Self { labels, name, operands: operands.trim() }
    }

    /// The operands, separated by commas.
    fn operands(&self) -> impl Iterator<Item = &'t str> {
        let all = if self.operands.is_empty() { None } else { Some(self.operands.split(',')) };
        all.into_iter().flatten().map(str::trim)
    }

    /// The bytes of a directive of bytes.
    fn bytes(&self) -> Option<Vec<u8>> {
        let byte = |word: &str| match word.strip_prefix("0x") {
            Some(digits) => u8::from_str_radix(digits, 16).ok(),
            // A number that begins with zero is octal.
            None => word.parse().ok().filter(|byte: &u8| byte.to_string() == word),
        };
        if self.name == ".byte" { self.operands().map(byte).collect() } else { None }
    }

    /// A part that assemblers may treat differently. `table` has the labels of the table.
    fn unusual(&self, table: &BTreeSet<&str>) -> Option<&'t str> {
        let first = |is: &dyn Fn(&str) -> bool| self.operands().find(|operand| !is(operand));
        let is_count = |one: &str| one == "cl" || is_constant(one);
        match self.name {
            "" => None,
            name if DATA.contains(&name) => first(&is_constant),
            name if ALIGNMENT.contains(&name) => (!is_number(self.operands)).then_some(self.name),
            name if FRAMES.contains(&name) => first(&|one| is_register(one) || is_constant(one)),
            name if !mnemonics().contains(name) => Some(name),
            name if name.starts_with('j') => (!is_target(self.operands)).then_some(self.operands),
            name if SHIFTS.contains(&name)
                && let Some(count) = self.operands().skip(1).find(|one| !is_count(one)) =>
            {
                Some(count)
            }
            _ => first(&|one| is_operand(one, table)),
        }
    }
}

/// The mnemonics of instructions. Assemblers treat prefixes differently that are mnemonics themselves.
fn mnemonics() -> &'static BTreeSet<String> {
    const SAME: [&str; 14] =
        ["c", "z", "na", "nb", "nc", "ng", "nl", "nz", "pe", "po", "nae", "nbe", "nge", "nle"];
    static ALL: OnceLock<BTreeSet<String>> = OnceLock::new();
    ALL.get_or_init(|| {
        let named = Mnemonic::values().map(|one| format!("{one:?}").to_lowercase());
        let of = |kind: &'static str| SAME.map(|condition| format!("{kind}{condition}"));
        let same = ["j", "set", "cmov"].into_iter().flat_map(of);
        named.chain(same).chain(["movabs".to_owned()]).collect()
    })
}

/// Whether a word is a register, except for the address of code.
fn is_register(word: &str) -> bool {
    static ALL: OnceLock<BTreeSet<String>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let others = [Register::None, Register::EIP, Register::RIP];
        let all = Register::values().filter(|one| !others.contains(one));
        let bytes = (8..16).map(|n| format!("r{n}b"));
        all.map(|one| format!("{one:?}").to_lowercase()).chain(bytes).collect()
    });
    all.contains(word)
}

fn is_number(word: &str) -> bool {
    let digits =
        |digits: &str, radix| !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    word.strip_prefix("0x").map_or_else(|| digits(word, 10), |rest| digits(rest, 16))
}

/// Whether a word is a number, possibly negative.
fn is_constant(word: &str) -> bool {
    is_number(word.strip_prefix('-').unwrap_or(word))
}

/// Whether a word can be a label: a name that is not in the symbol table, or a number. A number that begins with
/// zero is octal, except where GNU's assembler defines a label.
fn is_label(word: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let number = word.parse().ok();
    word.strip_prefix(".L").is_some_and(is_name)
        || number.is_some_and(|number: u16| number.to_string() == word)
}

/// Whether an operand of a jump is a label.
fn is_target(operand: &str) -> bool {
    match operand.strip_suffix(['b', 'f']) {
        Some(number) if !operand.starts_with('.') => is_label(number),
        _ => operand.starts_with('.') && is_label(operand),
    }
}

/// Whether a word is an operand of an instruction that is not a jump: a register, a number or memory, with masks.
fn is_operand(operand: &str, table: &BTreeSet<&str>) -> bool {
    let (value, masks) = operand.find('{').map_or((operand, ""), |at| operand.split_at(at));
    let mut masks = masks.split_inclusive('}');
    let is_mask = |mask: &str| {
        let word = mask.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        word.is_some_and(|word| word.chars().all(|c| c.is_ascii_alphanumeric()))
    };
    let value = value.trim_end();
    masks.all(is_mask) && (is_register(value) || is_constant(value) || is_memory(value, table))
}

/// Whether a word is a memory operand: a size, if any, and a sum in brackets, with nothing after it.
///
/// The sum has registers, scaled or not, numbers, and labels of `table` relative to `rip`.
fn is_memory(operand: &str, table: &BTreeSet<&str>) -> bool {
    let parts = operand.split_once('[');
    let Some((size, sum)) = parts.and_then(|(size, rest)| Some((size, rest.strip_suffix(']')?)))
    else {
        return false;
    };
    // A segment.
    let size = size.strip_suffix("fs:").or_else(|| size.strip_suffix("gs:")).unwrap_or(size);
    let mut size = size.split_whitespace();
    let is_size = match [size.next(), size.next(), size.next()] {
        [None, ..] => true,
        [Some(size), Some("ptr"), None] => SIZES.contains(&size),
        _ => false,
    };
    let mut count = [0, 0];
    let mut is_term = |term: &str| {
        let is = [table.contains(term), term == "rip"];
        count = [0, 1].map(|i| count[i] + usize::from(is[i]));
        is.contains(&true) || is_number(term) || is_register(term) || is_scaled(term)
    };
    let is_sum = sum.split('+').all(|part| {
        let part = part.trim();
        let mut parts = part.strip_prefix('-').unwrap_or(part).split('-').map(str::trim);
        (part.starts_with('-') || parts.next().is_some_and(&mut is_term)) && parts.all(is_number)
    });
    // Otherwise it is an address of code, or one that the loader changes.
    is_size && is_sum && count[0] == count[1]
}

/// Whether a term is the product of a register and a number.
fn is_scaled(term: &str) -> bool {
    let Some((x, y)) = term.split_once('*') else { return false };
    let [x, y] = [x, y].map(str::trim);
    is_register(x) && is_number(y) || is_number(x) && is_register(y)
}

/// Whether an instruction is a branch or has an operand relative to the instruction pointer.
fn is_relative(decoded: &Decoded) -> bool {
    let is_target = |kind: OpKind| {
        matches!(kind, OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64)
    };
    decoded.is_ip_rel_memory_operand() || decoded.op_kinds().any(is_target)
}

/// Whether bytes are whole instructions without distances to other code.
fn are_whole(bytes: &[u8], bits: u32) -> bool {
    let mut decoder = Decoder::new(bits, bytes, DecoderOptions::NONE);
    let mut decoded = Decoded::default();
    while decoder.can_decode() {
        decoder.decode_out(&mut decoded);
        if decoder.last_error() == DecoderError::NoMoreBytes || is_relative(&decoded) {
            return false;
        }
    }
    true
}

/// The code of a line, without its comment, which begins at the first `#`. A comment is unusual if
/// the C preprocessor would read it as a directive, as the start of a comment of C, or as a continued line.
fn code(line: &str) -> Result<&str, &str> {
    // Some assemblers end a comment at a carriage return.
    let is_unusual = |&(_, c): &(usize, char)| c != '\t' && !(' '..='~').contains(&c);
    if let Some((at, c)) = line.char_indices().find(is_unusual) {
        return Err(&line[at..at + c.len_utf8()]);
    }
    let (code, comment) = line.split_once('#').unwrap_or((line, ""));
    let word = comment.trim_start();
    let word = word.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or_default();
    if code.trim_start().is_empty() && PREPROCESSOR.contains(&word) {
        return Err(line.trim_start());
    }
    // The last is a trigraph of the first.
    if let Some(part) = ["\\", "/*", "??/"].into_iter().find(|part| comment.contains(part)) {
        return Err(part);
    }
    match code.find(|c: char| !c.is_ascii_alphanumeric() && !SIGNS.contains(c)) {
        Some(at) => Err(&code[at..=at]),
        None => Ok(code),
    }
}

/// The number of the line, from zero, at which a file's table begins, if it has one: the labels and data after all
/// code and alignment.
///
/// # Errors
///
/// The first part that assemblers may treat differently.
pub(super) fn table(text: &str, bits: u32) -> Result<Option<usize>, Unusual<'_>> {
    let mut lines: Vec<Vec<Statement<'_>>> = Vec::new();
    for (line, number) in text.split('\n').zip(1..) {
        let code = code(line).map_err(|part| (number, part))?;
        lines.push(code.split(';').map(Statement::of).collect());
    }
    let is_data = |one: &Statement<'_>| DATA.contains(&one.name);
    let is_code = |one: &Statement<'_>| !one.name.is_empty() && !is_data(one);
    let end = lines.iter().rposition(|line| line.iter().any(is_code)).map_or(0, |last| last + 1);
    let first = lines[end..].iter().flatten().any(is_data).then_some(end);
    let rest = lines[first.unwrap_or(lines.len())..].iter().flatten();
    let labels = rest.flat_map(|one| one.labels.iter().copied());
    let labels: BTreeSet<&str> = labels.filter(|label| label.starts_with('.')).collect();
    for (line, number) in lines.iter().zip(1..) {
        if let Some(part) = line.iter().find_map(|one| one.unusual(&labels)) {
            return Err((number, part));
        }
    }
    // The bytes of directives that no other statement separates, and the first of these directives.
    let mut bytes: Vec<u8> = Vec::new();
    let mut begins = None;
    for (line, number) in lines[..end].iter().zip(1..) {
        for one in line.iter().filter(|one| !one.name.is_empty()) {
            let at = (number, one.name);
            if is_data(one) {
                begins.get_or_insert(at);
                bytes.extend(one.bytes().ok_or(at)?);
            } else if let Some(at) = begins.take()
                && !are_whole(&std::mem::take(&mut bytes), bits)
            {
                return Err(at);
            }
        }
    }
    // They may follow the last instruction in its line.
    match begins {
        Some(at) if !are_whole(&bytes, bits) => Err(at),
        _ => Ok(first),
    }
}
