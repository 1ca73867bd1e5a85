//! The text of a kernel: written, and read back.

use std::fmt;

use super::instruction::{Address, Base, CONSTANTS, Instruction, Name, Operand, Register};

/// A line of a kernel's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// A place that branches go to.
    Label(String),
    /// An instruction; a branch has its label beside it.
    Instruction(Instruction, Option<String>),
    /// A constant among the data, of so many bits.
    Data(u64, u32),
    /// A word for the assembler alone.
    Directive(String),
    /// A remark.
    Comment(String),
}

/// The text of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Its lines.
    pub lines: Vec<Line>,
    /// The label of its table of constants.
    pub constants: String,
}

/// A line that is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What it says.
    pub text: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} is no instruction that kernels have: `{}`", self.line, self.text)
    }
}

impl std::error::Error for ParseError {}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            match line {
                Line::Label(label) => writeln!(f, "{label}:")?,
                Line::Instruction(instruction, None) => {
                    let text = instruction.to_string();
                    writeln!(f, "    {}", text.replace(CONSTANTS, &self.constants))?;
                }
                Line::Instruction(branch, Some(label)) => writeln!(f, "    {branch} {label}")?,
                Line::Data(k, 64) => writeln!(f, "    .quad {k:#018x}")?,
                Line::Data(k, _) => writeln!(f, "    .long {k:#010x}")?,
                Line::Directive(text) => writeln!(f, "    {text}")?,
                Line::Comment(text) => writeln!(f, "# {text}")?,
            }
        }
        Ok(())
    }
}

impl Listing {
    /// The instructions, in order.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.lines.iter().filter_map(|line| match line {
            Line::Instruction(instruction, _) => Some(instruction),
            _ => None,
        })
    }

    /// Reads a text: what [`Listing`] writes, and no more than that.
    ///
    /// # Errors
    ///
    /// At the first line that is none of these.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut listing = Self::default();
        for (number, whole) in text.lines().enumerate() {
            let wrong = || ParseError { line: number + 1, text: whole.to_owned() };
            let line = whole.trim();
            let parsed = if line.is_empty() {
                continue;
            } else if let Some(comment) = line.strip_prefix('#') {
                Line::Comment(comment.trim().to_owned())
            } else if let Some(label) = line.strip_suffix(':').filter(|name| is_name(name)) {
                Line::Label(label.to_owned())
            } else if let Some(k) = line.strip_prefix(".quad ") {
                Line::Data(hex(k).ok_or_else(wrong)?, 64)
            } else if let Some(k) = line.strip_prefix(".long ") {
                Line::Data(hex(k).ok_or_else(wrong)?, 32)
            } else if generates_nothing(line) {
                Line::Directive(line.to_owned())
            } else {
                instruction(line, &mut listing.constants).ok_or_else(wrong)?
            };
            // An assembler may read otherwise what the writer would have written otherwise: a
            // number that begins with a zero is octal to it.
            let written = Self { lines: vec![parsed], constants: listing.constants.clone() };
            if !line.starts_with('#') && written.to_string().trim() != line {
                return Err(wrong());
            }
            listing.lines.extend(written.lines);
        }
        Ok(listing)
    }
}

/// Whether a label may be called so: not by what an assembler takes for a number, nor by more
/// than one word.
fn is_name(name: &str) -> bool {
    let rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_');
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(rest)
}

/// Whether a directive is one that the writer writes, for debuggers or for padding.
fn generates_nothing(line: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let is_register = |text: &str| Register::named(text).is_some();
    match line.split_once(' ') {
        None => matches!(line, ".cfi_startproc" | ".cfi_endproc"),
        Some((".p2align", n)) => n.parse::<u32>().is_ok_and(|n| n <= 6),
        Some((".cfi_def_cfa_offset", n)) => is_number(n),
        Some((".cfi_restore", register)) => is_register(register),
        Some((".cfi_offset", rest)) => rest
            .split_once(", -")
            .is_some_and(|(register, n)| is_register(register) && is_number(n)),
        _ => false,
    }
}

/// Writes a text line by line.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) lines: Vec<Line>,
}

impl Writer {
    pub(super) fn put(&mut self, name: Name, bits: u32, operands: &[Operand]) {
        self.lines.push(Line::Instruction(Instruction::new(name, bits, operands), None));
    }
    pub(super) fn branch(&mut self, name: Name, label: &str) {
        let branch = Instruction::new(name, 64, &[]);
        self.lines.push(Line::Instruction(branch, Some(label.to_owned())));
    }
    pub(super) fn directive(&mut self, text: &str) {
        self.lines.push(Line::Directive(text.to_owned()));
    }
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}

fn instruction(line: &str, constants: &mut String) -> Option<Line> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let name = Name::ALL.into_iter().find(|n| n.text() == name)?;
    if name.is_branch() {
        let instruction = Instruction::new(name, 64, &[]);
        return Some(Line::Instruction(instruction, Some(rest.trim().to_owned())));
    }
    let mut bits = None;
    let mut operands = Vec::new();
    for text in rest.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let (operand, width) = operand(text, constants)?;
        // Registers of one instruction are of one width.
        if let (Some(old), Some(new)) = (bits, width)
            && old != new
        {
            return None;
        }
        bits = bits.or(width);
        operands.push(operand);
    }
    let bits = bits.unwrap_or(64);
    Some(Line::Instruction(Instruction { name, bits, operands }, None))
}

fn operand(text: &str, constants: &mut String) -> Option<(Operand, Option<u32>)> {
    if let Some((register, bits)) = Register::named(text) {
        return Some((Operand::Register(register), Some(bits)));
    }
    if let Ok(k) = text.parse::<i64>() {
        return Some((Operand::Immediate(k), None));
    }
    let (inner, bits) = if let Some(inner) = text.strip_prefix("qword ptr ") {
        (inner, Some(64))
    } else if let Some(inner) = text.strip_prefix("dword ptr ") {
        (inner, Some(32))
    } else {
        (text, None)
    };
    let inner = inner.strip_prefix('[')?.strip_suffix(']')?;
    let words: Vec<&str> = inner.split_whitespace().collect();
    let (mut base, mut index, mut displacement) = (None, None, 0i64);
    // Registers of one address are of one width.
    let mut width = 64;
    let mut sign = "+";
    for (i, word) in words.iter().enumerate() {
        if i % 2 == 1 {
            sign = word;
            continue;
        }
        match (sign, Register::named(word)) {
            ("+", Some((register, bits))) if base.is_none() => {
                (base, width) = (Some(Base::Register(register)), bits);
            }
            ("+", Some((register, bits))) if index.is_none() && bits == width => {
                index = Some(register);
            }
            ("+", None) if *word == "rip" && base.is_none() => base = Some(Base::Constants),
            ("+", None) if base == Some(Base::Constants) && i == 2 => {
                if !constants.is_empty() && constants.as_str() != *word {
                    return None;
                }
                *constants = (*word).to_owned();
            }
            ("+", None) => displacement = displacement.checked_add(word.parse().ok()?)?,
            ("-", None) => displacement = displacement.checked_sub(word.parse().ok()?)?,
            _ => return None,
        }
    }
    let address = Address { base: base?, index, displacement, bits: width };
    Some((Operand::Memory(address), bits))
}
