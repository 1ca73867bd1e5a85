//! Assembly files of kernels. The system's assembler and linker turn a file into a library, whose
//! code is proven. No parser of our own is between the file and the executed code.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lanesum_spec::Family;
use object::{Object, ObjectSection, ObjectSymbol, SymbolKind};

use super::Binary;
use super::contract::Contract;
use super::fault::{Fault, unreadable};
use super::features::Features;
use super::grammar;
use super::image::Image;
use super::kernel::{Shipped, Task};
pub use super::tools::TextError;
use super::tools::{Scratch, linked, run};

/// The name of the assembled function.
const FUNCTION: &str = "lanesum_text";
/// The name of its table, if it has one.
const TABLE: &str = "lanesum_text_table";
/// The section of the table in the file.
const OWN_TABLE: &str = ".rodata.text";

/// The blocks of an assembly function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockWords {
    /// Blocks of a message.
    Message,
    /// This number of sums W + K, in the CPU's byte order.
    Expanded(usize),
}

/// The machine code of an assembly file.
pub struct Text {
    family: Family,
    contract: Contract,
    image: Image,
    /// Line numbers by instruction address.
    lines: BTreeMap<u64, usize>,
}

impl Text {
    /// Assembles a function with three arguments: pointers to the chaining value and the blocks,
    /// and the number of blocks, in 64-bit or 32-bit code.
    ///
    /// # Errors
    ///
    /// If the assembler or linker fails.
    pub fn function(
        family: Family,
        blocks: BlockWords,
        features: Features,
        bits: u32,
        text: &str,
    ) -> Result<Self, TextError> {
        let contract = match blocks {
            BlockWords::Message => Contract::of_emitted(family, features),
            BlockWords::Expanded(words) => Contract::of_rounds(family, words, features),
        };
        let (image, lines) = assembled(text, &[], bits)?;
        Ok(Self { family, contract, image, lines })
    }

    /// Assembles a 64-bit function with four arguments: a pointer to the chaining values of `lanes`
    /// lanes, the distance between a lane's words in words, a pointer to an array with a pointer to a lane's blocks in
    /// every other place, and the number of blocks.
    ///
    /// # Errors
    ///
    /// If the assembler or linker fails.
    pub fn lanes(
        family: Family,
        lanes: usize,
        features: Features,
        text: &str,
    ) -> Result<Self, TextError> {
        let contract = Contract::of_lanes(family, lanes, features);
        let (image, lines) = assembled(text, &[], 64)?;
        Ok(Self { family, contract, image, lines })
    }

    /// Assembles a 64-bit function that has a pointer to this table as a fourth argument. The words
    /// of its blocks are big-endian, or in the CPU's byte order.
    ///
    /// # Errors
    ///
    /// If the assembler or linker fails.
    pub fn with_table(
        family: Family,
        table: &[u8],
        big_endian: bool,
        features: Features,
        text: &str,
    ) -> Result<Self, TextError> {
        let (image, lines) = assembled(text, table, 64)?;
        let (table, _) = image
            .object(TABLE)
            .ok_or_else(|| TextError::Fault(None, Fault::whole("its table is missing".into())))?;
        let contract = Contract::of_stitched(family, table, big_endian, features);
        Ok(Self { family, contract, image, lines })
    }

    /// The function with its contract.
    ///
    /// # Errors
    ///
    /// If the file has more than one function.
    pub fn binary(&self) -> Result<Binary<'_>, TextError> {
        let (family, lanes) = (self.family, self.contract.lanes);
        let kernel = Shipped { name: "text", lanes, family, task: Task::Compress };
        let mut functions = self.image.named(FUNCTION);
        let (Some(function), None) = (functions.next(), functions.next()) else {
            let what = "not exactly one function";
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

    /// Counts the executed instructions.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn instructions(&self) -> Result<usize, TextError> {
        self.with(|binary| Ok(binary.executed()?.len()))
    }

    /// Executes the code on concrete values. This finds counterexamples but proves nothing.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn refute(&self) -> Result<(), TextError> {
        self.with(|binary| binary.refute())
    }

    /// Proves that the code computes the specification, for any number of blocks.
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

    /// Proves like [`prove`](Self::prove), and passes each step to `print`.
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

    /// Returns the chaining value that the code computes for `message`.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn run(&self, state: &[u64], message: &[u64]) -> Result<Vec<u64>, TextError> {
        self.with(|binary| binary.run(state, message))
    }
}

/// Assembles a file with 64-bit code, and returns the bytes of each line, in one section.
///
/// # Errors
///
/// If the assembler fails, or if the bytes depend on the address of the code or on other sections.
pub fn machine_code(text: &str) -> Result<Vec<Vec<u8>>, TextError> {
    let folder = Scratch::new()?;
    let [source, object] = ["code.s", "code.o"].map(|name| folder.file(name));
    let head = ".intel_syntax noprefix\n.text\n";
    fs::write(&source, format!("{head}{text}")).map_err(|e| TextError::Io(source.clone(), e))?;
    let flag = Path::new;
    let listing = run("as", &[flag("--64"), flag("-aln"), flag("-o"), &object, &source])?;
    let data = fs::read(&object).map_err(|error| TextError::Io(object.clone(), error))?;
    let file = object::File::parse(&data[..]).map_err(unreadable)?;
    let fault = |what: &str| TextError::Fault(None, Fault::whole(what.into()));
    let section = file.section_by_name(".text").ok_or_else(|| fault("it has no code"))?;
    if file.sections().any(|section| section.relocations().next().is_some()) {
        return Err(fault("the assembler left relocations"));
    }
    let code = section.data().map_err(unreadable)?;
    let lines = lines(&String::from_utf8_lossy(&listing), head.lines().count());
    let mut bytes = vec![Vec::new(); text.lines().count()];
    let ends = lines.keys().skip(1).copied().chain([code.len() as u64]);
    for ((&start, &line), end) in lines.iter().zip(ends) {
        bytes[line - 1] = code[start as usize..end as usize].to_vec();
    }
    Ok(bytes)
}

/// Assembles a file as a function in a library with this table. Returns line numbers by address,
/// too.
///
/// The file's own table of constants becomes a separate section: its distance from the code depends on the assembler
/// and on the address of the function.
fn assembled(
    text: &str,
    table: &[u8],
    bits: u32,
) -> Result<(Image, BTreeMap<u64, usize>), TextError> {
    let own = grammar::table(text, bits).map_err(|(line, what)| {
        let what = format!("assemblers may treat {what:?} differently");
        TextError::Fault(Some(line), Fault::whole(what))
    })?;
    let head = format!(
        ".intel_syntax noprefix\n.text\n.globl {FUNCTION}\n\
         .type {FUNCTION}, @function\n{FUNCTION}:\n"
    );
    let end = format!(".size {FUNCTION}, .-{FUNCTION}");
    let mut whole = head.clone();
    for (i, line) in text.split('\n').enumerate() {
        if own == Some(i) {
            whole += &format!("{end}; .section {OWN_TABLE}, \"a\", @progbits; ");
        }
        whole += line;
        whole.push('\n');
    }
    if own.is_none() {
        whole += &format!("{end}\n");
    }
    if !table.is_empty() {
        let bytes: Vec<String> = table.iter().map(u8::to_string).collect();
        whole += &format!(
            ".section .rodata\n.p2align 6\n.globl {TABLE}\n.type {TABLE}, @object\n{TABLE}:\n\
             .byte {}\n.size {TABLE}, .-{TABLE}\n",
            bytes.join(",")
        );
    }
    whole += ".section .note.GNU-stack, \"\", @progbits\n";
    let folder = Scratch::new()?;
    let [source, object] = ["text.s", "text.o"].map(|name| folder.file(name));
    fs::write(&source, whole).map_err(|error| TextError::Io(source.clone(), error))?;
    let flag = Path::new;
    let width = flag(if bits == 64 { "--64" } else { "--32" });
    let listing = run("as", &[width, flag("-aln"), flag("-o"), &object, &source])?;
    if let Some(what) = more_than_a_function(&object)? {
        let what = format!("more than a function and its table: it has {what}");
        return Err(TextError::Fault(None, Fault::whole(what)));
    }
    let object = fs::read(&object).map_err(|error| TextError::Io(object.clone(), error))?;
    let image = linked(&object)?.of_text();
    let first = head.lines().count();
    Ok((image, lines(&String::from_utf8_lossy(&listing), first)))
}

/// A symbol other than the function and its table, to which other functions could resolve. The
/// accepted directives create no sections.
fn more_than_a_function(path: &Path) -> Result<Option<String>, TextError> {
    let data = fs::read(path).map_err(|error| TextError::Io(path.to_owned(), error))?;
    let file = object::File::parse(&data[..]).map_err(unreadable)?;
    for symbol in file.symbols() {
        let name = symbol.name().map_err(unreadable)?;
        // If compiled with other functions, even a local symbol could capture their references.
        // Symbols with the prefix `.L` are not in the table.
        let is_other = !matches!(symbol.kind(), SymbolKind::Section | SymbolKind::File);
        if is_other && !name.is_empty() && ![FUNCTION, TABLE].contains(&name) {
            return Ok(Some(format!("symbol {name}")));
        }
    }
    Ok(None)
}

/// Line numbers by address, from an assembler's listing of line numbers, addresses and bytes.
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
