//! Lines of a stitched text, read back.

use super::super::machine::Fault;

/// What an instruction works upon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A general register, and how many of its bits.
    General(usize, u32),
    /// A vector register, how many of its bytes, and the mask of lanes that are written.
    Vector { number: usize, bytes: usize, mask: Option<usize> },
    /// A register of masks.
    Mask(usize),
    /// A place in memory: registers that are added up, and an offset.
    Memory { base: usize, index: Option<usize>, offset: i64 },
    /// A number.
    Immediate(i64),
    /// A label, and whether it is the next one after here or the last before.
    Label { name: u32, forward: bool },
}

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A comment or a directive that generates no instruction but padding.
    Nothing,
    /// A label.
    Label(u32),
    /// An instruction.
    Instruction { name: String, operands: Vec<Operand> },
}

const GENERAL: [&str; 16] =
    ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di", "8", "9", "10", "11", "12", "13", "14", "15"];

/// The lines of a text.
///
/// # Errors
///
/// At a line that is not understood.
pub fn parse(text: &str) -> Result<Vec<Line>, Fault> {
    let lines = text.lines().enumerate();
    lines
        .map(|(i, text)| {
            line(text.trim())
                .ok_or_else(|| Fault { line: Some(i + 1), what: format!("what is `{text}`?") })
        })
        .collect()
}

fn line(text: &str) -> Option<Line> {
    if text.is_empty() || text.starts_with('#') || text.starts_with(".p2align ") {
        return Some(Line::Nothing);
    }
    if let Some(label) = text.strip_suffix(':') {
        return Some(Line::Label(label.parse().ok()?));
    }
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let operands =
        if rest.is_empty() { Some(Vec::new()) } else { rest.split(", ").map(operand).collect() };
    Some(Line::Instruction { name: name.to_owned(), operands: operands? })
}

fn operand(text: &str) -> Option<Operand> {
    if let Some(inner) = text.strip_prefix('[') {
        let mut terms = inner.strip_suffix(']')?.split('+');
        let whole = |name: &str| general(name).filter(|&(_, bits)| bits == 64).map(|(n, _)| n);
        let base = whole(terms.next()?)?;
        let (mut index, mut offset) = (None, 0);
        for term in terms {
            match term.parse::<i64>() {
                Ok(number) => offset += number,
                Err(_) if index.is_none() => index = Some(whole(term)?),
                Err(_) => return None,
            }
        }
        return Some(Operand::Memory { base, index, offset });
    }
    if let Some((number, bits)) = general(text) {
        return Some(Operand::General(number, bits));
    }
    for (prefix, bytes) in [("xmm", 16), ("ymm", 32)] {
        if let Some(rest) = text.strip_prefix(prefix) {
            let (number, mask) = match rest.split_once("{k") {
                Some((number, mask)) => (number, Some(mask.strip_suffix('}')?.parse().ok()?)),
                None => (rest, None),
            };
            let number = number.parse().ok().filter(|&number| number < 16)?;
            return Some(Operand::Vector { number, bytes, mask });
        }
    }
    if let Some(number) = text.strip_prefix('k') {
        return Some(Operand::Mask(number.parse().ok().filter(|&number| number < 8)?));
    }
    for (suffix, forward) in [('f', true), ('b', false)] {
        if let Some(name) = text.strip_suffix(suffix).and_then(|name| name.parse().ok()) {
            return Some(Operand::Label { name, forward });
        }
    }
    match text.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
    .map(Operand::Immediate)
}

/// The number of a general register, and how many of its bits the name is for.
fn general(text: &str) -> Option<(usize, u32)> {
    let number = |name: &str| GENERAL.iter().position(|known| *known == name);
    if let Some(name) = text.strip_prefix('e') {
        return number(name).filter(|&n| n < 8).map(|n| (n, 32));
    }
    let name = text.strip_prefix('r')?;
    match name.strip_suffix('d').filter(|name| name.parse::<u32>().is_ok()) {
        Some(name) => number(name).map(|n| (n, 32)),
        None => number(name).map(|n| (n, 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_operand_is_read() {
        let of = |text: &str| operand(text).unwrap();
        assert_eq!(of("r8d"), Operand::General(8, 32));
        assert_eq!(of("rdx"), Operand::General(2, 64));
        assert_eq!(of("esi"), Operand::General(6, 32));
        let mask = Some(2);
        assert_eq!(of("ymm0{k2}"), Operand::Vector { number: 0, bytes: 32, mask });
        assert_eq!(of("[rsp+16]"), Operand::Memory { base: 4, index: None, offset: 16 });
        assert_eq!(of("[r13+rbx]"), Operand::Memory { base: 13, index: Some(3), offset: 0 });
        assert_eq!(of("2b"), Operand::Label { name: 2, forward: false });
        assert_eq!(of("0xcc"), Operand::Immediate(0xcc));
        assert_eq!(of("-64"), Operand::Immediate(-64));
        assert_eq!(of("k1"), Operand::Mask(1));
        for wrong in ["[r8d]", "xmm16", "rzz", "[rsp", "[rax+rbx+rcx]", "zmm1"] {
            assert_eq!(operand(wrong), None, "{wrong}");
        }
        assert!(parse("mov eax, ebx\nfoo [\n").unwrap_err().line == Some(2));
    }
}
