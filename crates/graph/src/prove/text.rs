//! Texts of kernels. The system's assembler and linker make a library of a text, and the library
//! is proven. Nothing of ours stands between the text and what a CPU would run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use lanesum_spec::Family;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind, elf};

use super::Binary;
use super::contract::Contract;
use super::fault::Fault;
use super::features;
use super::image::Image;
use super::kernel::{Shipped, Task};
pub use super::tools::TextError;
use super::tools::{Scratch, has_flag, linked, run};
use crate::emit::{self, Target};
use crate::stitch::{self, Order};

/// The function that is made of a text.
const FUNCTION: &str = "lanesum_text";
/// Its table, if it has one.
const TABLE: &str = "lanesum_text_table";

/// A text as machine code.
pub struct Text {
    family: Family,
    contract: Contract,
    image: Image,
    /// Lines of the text by where their instructions are in the function.
    lines: BTreeMap<u64, usize>,
}

impl Text {
    /// The text of an emitted kernel.
    ///
    /// # Errors
    ///
    /// If it cannot be assembled.
    pub fn emitted(target: Target, text: &str) -> Result<Self, TextError> {
        let words = (target.block_len() / target.word_len()) as usize;
        let features = features::of_emitted(target.isa);
        let contract = match target.words {
            emit::WordSource::Block => Contract::of_emitted(features),
            emit::WordSource::Expanded => Contract::of_rounds(words, features),
        };
        let (image, lines) = assembled(text, &[], target.isa.bits())?;
        Ok(Self { family: target.family, contract, image, lines })
    }

    /// The text of a stitched kernel, for blocks whose words have this order of bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be assembled.
    pub fn stitched(
        family: Family,
        isa: stitch::VectorIsa,
        order: Order,
        text: &str,
    ) -> Result<Self, TextError> {
        let (image, lines) = assembled(text, &stitch::table(family, isa), 64)?;
        let (table, _) = image
            .object(TABLE)
            .ok_or_else(|| TextError::Fault(None, Fault::whole("its table is gone".into())))?;
        let contract =
            Contract::of_stitched(table, order == Order::Big, features::of_stitched(isa));
        Ok(Self { family, contract, image, lines })
    }

    /// The function that it is.
    ///
    /// # Errors
    ///
    /// If it is more than one.
    pub fn binary(&self) -> Result<Binary<'_>, TextError> {
        let kernel = Shipped { name: "text", lanes: 1, family: self.family, task: Task::Compress };
        let mut functions = self.image.named(FUNCTION);
        let (Some(function), None) = (functions.next(), functions.next()) else {
            let what = "it is not one function";
            return Err(TextError::Fault(None, Fault::whole(what.into())));
        };
        Ok(Binary::new(&self.image, function, kernel, self.contract.clone()))
    }

    fn at(&self, function: u64, fault: Fault) -> TextError {
        let offset = fault.at.as_ref().and_then(|(at, _)| at.checked_sub(function));
        let line = offset.and_then(|offset| self.lines.get(&offset)).copied();
        TextError::Fault(line, fault)
    }

    fn with<T>(&self, what: impl FnOnce(&Binary<'_>) -> Result<T, Fault>) -> Result<T, TextError> {
        let binary = self.binary()?;
        what(&binary).map_err(|fault| self.at(binary.entry, fault))
    }

    /// How many instructions are executed.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn instructions(&self) -> Result<usize, TextError> {
        self.with(|binary| Ok(binary.executed()?.len()))
    }

    /// Runs it on numbers: that shows faults, but no more.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn refute(&self) -> Result<(), TextError> {
        self.with(|binary| binary.refute())
    }

    /// Proves that it computes the specification, for any number of blocks.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn prove(&self) -> Result<(), TextError> {
        self.with(|binary| {
            binary.refute()?;
            binary.prove()
        })
    }

    /// The same, of which every step is handed to `print`.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn prove_in_steps(&self, print: &mut dyn FnMut(&str)) -> Result<(), TextError> {
        self.with(|binary| {
            binary.refute()?;
            binary.prove_in_steps(print)
        })
    }

    /// The chaining value after some blocks, as it computes it.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn run(&self, state: &[u64], message: &[u64]) -> Result<Vec<u64>, TextError> {
        self.with(|binary| binary.run(state, message))
    }
}

/// What a text is as a function in a library with this table, and its lines by where they are.
fn assembled(
    text: &str,
    table: &[u8],
    bits: u32,
) -> Result<(Image, BTreeMap<u64, usize>), TextError> {
    let head = format!(
        ".intel_syntax noprefix\n.text\n.p2align 6\n.globl {FUNCTION}\n\
         .type {FUNCTION}, @function\n{FUNCTION}:\n"
    );
    let mut whole = format!("{head}{text}\n.size {FUNCTION}, .-{FUNCTION}\n");
    if !table.is_empty() {
        let bytes: Vec<String> = table.iter().map(u8::to_string).collect();
        whole += &format!(
            ".section .rodata\n.p2align 6\n.globl {TABLE}\n.type {TABLE}, @object\n{TABLE}:\n\
             .byte {}\n.size {TABLE}, .-{TABLE}\n",
            bytes.join(",")
        );
    }
    whole += ".section .note.GNU-stack, \"\", @progbits\n";
    if let Some((line, what)) = text.lines().zip(1..).find_map(|(l, i)| Some((i, unusual(l)?))) {
        let what = format!("`{what}` may make another text of it for another assembler");
        return Err(TextError::Fault(Some(line), Fault::whole(what)));
    }
    let folder = Scratch::new()?;
    let [source, object] = ["text.s", "text.o"].map(|name| folder.file(name));
    fs::write(&source, whole).map_err(|error| TextError::Io(source.clone(), error))?;
    let flag = Path::new;
    let width = flag(if bits == 64 { "--64" } else { "--32" });
    let listing = run("as", &[width, flag("-aln"), flag("-o"), &object, &source])?;
    if let Some(what) = more_than_a_function(&object)? {
        let what = format!("it is more than a function and its table: it has {what}");
        return Err(TextError::Fault(None, Fault::whole(what)));
    }
    let image = linked(&object)?;
    let first = head.lines().count();
    Ok((image, lines(&String::from_utf8_lossy(&listing), first)))
}

/// The directives that a text may have. All else that begins with a dot and is no local label is refused,
/// wherever it stands in a line: conditions, symbols of an assembler's own such as `.gasversion.`, macros
/// and other files make one text for the system's assembler, which is proven, and another for the
/// compiler's.
const DIRECTIVES: [&str; 10] = [
    ".balign", ".byte", ".comment", ".long", ".p2align", ".quad", ".section", ".set", ".skip",
    ".text",
];

/// A word of a line that is no directive that every assembler reads alike.
fn unusual(line: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "._$@\\".contains(c);
    let words = line.split(|c| !is_part(c));
    let mut words = words.filter(|word| word.starts_with('.') && !word.starts_with(".L"));
    // A full stop is where the assembler is, or the end of a comment.
    words.find(|word| {
        let is_stop = word.chars().all(|c| c == '.');
        !is_stop && !DIRECTIVES.contains(word) && !word.starts_with(".cfi_")
    })
}

/// What an object has besides the function and its table: memory that is written to, code that
/// runs by itself, names that other functions could take for theirs.
fn more_than_a_function(path: &Path) -> Result<Option<String>, TextError> {
    let data = fs::read(path).map_err(|error| TextError::Io(path.to_owned(), error))?;
    let wrong = |error| TextError::Fault(None, Fault::whole(format!("it cannot be read: {error}")));
    let file = object::File::parse(&data[..]).map_err(wrong)?;
    let mut seen = BTreeSet::new();
    for section in file.sections() {
        let name = section.name().map_err(wrong)?;
        if section.size() == 0 || !has_flag(&section, elf::SHF_ALLOC) {
            continue;
        }
        // Only unwinders read `.eh_frame`.
        let is_own = matches!(name, ".text" | ".rodata" | ".eh_frame") || name.starts_with(".note");
        // Linking a program joins sections of equal names, and merges equal constants, of all objects.
        let is_joined = !seen.insert(name.to_owned()) || has_flag(&section, elf::SHF_MERGE);
        if !is_own || is_joined {
            return Ok(Some(format!("section {name}")));
        }
    }
    for symbol in file.symbols() {
        let name = symbol.name().map_err(wrong)?;
        // Of other functions that are made with it, even a local name would be taken for theirs.
        // Those that begin with `.L` are not among them.
        let is_other = !matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File);
        if is_other && !name.is_empty() && ![FUNCTION, TABLE].contains(&name) {
            return Ok(Some(format!("symbol {name}")));
        }
    }
    Ok(None)
}

/// The lines that an assembler's listing gives places to: its number, place and bytes.
fn lines(listing: &str, first: usize) -> BTreeMap<u64, usize> {
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let number: usize = words.next()?.parse().ok()?;
        let place = u64::from_str_radix(words.next().filter(|w| w.len() >= 4)?, 16).ok()?;
        let bytes = words.next()?;
        let is_bytes = bytes.len().is_multiple_of(2) && u128::from_str_radix(bytes, 16).is_ok();
        Some((place, number.checked_sub(first)?)).filter(|_| is_bytes)
    };
    let mut all = BTreeMap::new();
    for (place, number) in listing.lines().filter_map(line) {
        all.entry(place).or_insert(number);
    }
    all
}
