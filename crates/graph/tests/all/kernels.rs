//! Emitted kernels: what is committed is what the generator makes, and is proven;
//! and the proof notices any change.

use std::fs;
use std::path::{Path, PathBuf};

use lanesum_graph::emit::instruction::{Instruction, Name, Operand, Register};
use lanesum_graph::emit::listing::Line;
use lanesum_graph::emit::{Kernel, Listing, Target, Words, emit};
use lanesum_graph::model::{Models, Orders};
use lanesum_graph::prove::Prover;
use lanesum_graph::prove::binary::text::Text;
use lanesum_graph::search::model::Model;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine/src/kernel/x86/scalar")
}

fn shipped() -> impl Iterator<Item = Target> {
    Target::all().filter(|target| target.words == Words::Block)
}

#[test]
fn committed_kernels_are_the_generators_byte_for_byte() {
    let orders = Orders::built_in().unwrap();
    for target in shipped() {
        let path = folder().join(format!("{}.s", target.name()));
        let committed = fs::read_to_string(&path).unwrap();
        let made = emit(target, &orders).unwrap().to_string();
        assert!(made == committed, "{} is another: `make generated` writes it", path.display());
    }
}

#[test]
fn every_text_that_ships_is_proven() {
    for target in shipped() {
        let text = fs::read_to_string(folder().join(format!("{}.s", target.name()))).unwrap();
        let listing = Listing::parse(&text).unwrap();
        assert_eq!(listing.to_string(), text);
        Prover::new(target).prove(&listing).unwrap();
        if target.isa.bits() == 64 {
            is_proven_as_machine_code(target, &text);
        }
    }
}

#[test]
fn kernels_are_proven_in_the_order_of_list_scheduling_too() {
    for target in Target::all() {
        let kernel = Kernel::new(target).unwrap();
        let listing = kernel.listing(&kernel.start());
        Prover::new(target).prove(&listing).unwrap_or_else(|e| panic!("{}: {e}", target.name()));
        if target.isa.bits() == 64 {
            is_proven_as_machine_code(target, &listing.to_string());
        }
    }
}

fn is_proven_as_machine_code(target: Target, text: &str) {
    let proven = Text::emitted(target, text).and_then(|text| text.prove());
    proven.unwrap_or_else(|fault| panic!("{}: {fault}", target.name()));
}

#[test]
fn a_kernel_is_no_proof_of_another() {
    let orders = Orders::built_in().unwrap();
    let sha256 = Target::named("sha256_bmi2").unwrap();
    let listing = emit(sha256, &orders).unwrap();
    for other in ["sha1_bmi2", "sha512_bmi2", "sha256_rounds_bmi2", "sha256_x86_64"] {
        assert!(Prover::new(Target::named(other).unwrap()).prove(&listing).is_err(), "{other}");
    }
}

/// Another instruction in the place of one, which does something else.
fn changed(old: &Instruction, registers: u8, nth: usize) -> Instruction {
    let mut new = old.clone();
    let word = i64::from(old.bits / 8);
    let other = |name: Name| match name {
        Name::Add | Name::Adc => Name::Sub,
        Name::Sub => Name::Add,
        Name::And => Name::Or,
        Name::Or | Name::Andn => Name::And,
        Name::Xor => Name::Or,
        Name::Ror => Name::Rol,
        Name::Rol => Name::Ror,
        Name::Shr => Name::Shl,
        Name::Shl => Name::Shr,
        Name::Not => Name::Bswap,
        Name::Bswap => Name::Not,
        Name::Push => Name::Pop,
        Name::Pop => Name::Push,
        Name::Jz => Name::Jnz,
        Name::Jnz => Name::Jz,
        other => other,
    };
    // Where it goes: another register might hold the same.
    if let (Name::Mov, Some(Operand::Memory(to))) = (old.name, new.operands.first_mut()) {
        to.displacement += word;
        return new;
    }
    // Constants and places are changed by themselves, else the operation.
    match new.operands.last_mut() {
        Some(Operand::Immediate(k)) => *k += 1,
        Some(Operand::Memory(address)) if nth.is_multiple_of(2) || old.name == Name::Mov => {
            address.displacement += word;
        }
        Some(Operand::Memory(address)) if old.name == Name::Lea => address.displacement += 1,
        Some(Operand::Register(register))
            if matches!(old.name, Name::Mov | Name::Rorx | Name::Test | Name::Push | Name::Pop) =>
        {
            *register = Register((register.0 + 1) % registers);
        }
        _ => new.name = other(old.name),
    }
    if old.name == Name::Andn {
        new.operands.remove(1);
    }
    new
}

/// Changes every instruction and every constant of a kernel that ships, one by one.
fn every_change_of_one_instruction_is_noticed(name: &str) {
    let target = Target::named(name).unwrap();
    let text = fs::read_to_string(folder().join(format!("{name}.s"))).unwrap();
    let mut listing = Listing::parse(&text).unwrap();
    let prover = Prover::new(target);
    let registers = if target.isa.bits() == 32 { 8 } else { 16 };
    let mut seen = 0;
    for i in 0..listing.lines.len() {
        let new = match &listing.lines[i] {
            Line::Instruction(old, _) if old.name == Name::Ret => Line::Comment(String::new()),
            Line::Instruction(old, label) => {
                let new = changed(old, registers, seen);
                assert_ne!(new, *old);
                Line::Instruction(new, label.clone())
            }
            Line::Data(k, bits) => Line::Data(k ^ 1 << (i % 32), *bits),
            _ => continue,
        };
        let old = std::mem::replace(&mut listing.lines[i], new);
        assert!(
            prover.prove(&listing).is_err(),
            "line {} may be changed unnoticed: {old:?}",
            i + 1
        );
        // Numbers refute most of them; the proof alone must miss none either.
        if seen % 64 == 0 {
            assert!(prover.show(&listing).is_err(), "line {}: proven though wrong: {old:?}", i + 1);
        }
        listing.lines[i] = old;
        seen += 1;
    }
    prover.prove(&listing).unwrap();
    assert!(seen > 1000, "{seen} instructions");
}

macro_rules! every_change_is_noticed {
    ($($kernel:ident)*) => {$(
        #[test]
        fn $kernel() {
            every_change_of_one_instruction_is_noticed(stringify!($kernel));
        }
    )*};
}
every_change_is_noticed!(sha1_bmi2 sha1_x86_64 sha256_bmi2 sha256_x86_64 sha512_bmi2 sha512_x86_64
    sha1_i686 sha256_i686 sha512_i686);

#[test]
fn what_a_kernel_may_not_do_is_refused() {
    let target = Target::named("sha256_bmi2").unwrap();
    let text = emit(target, &Orders::built_in().unwrap()).unwrap().to_string();
    let prover = Prover::new(target);
    let at = text.lines().find(|line| line.contains("sub qword ptr [rsp + ")).unwrap();
    let at = &format!("{at}\n");
    let with = |line: &str| {
        let text = text.replace(at, &format!("    {line}\n{at}"));
        prover.prove(&Listing::parse(&text).unwrap()).unwrap_err().to_string()
    };
    for (line, fault) in [
        ("test eax, eax\n    jz .Lsha256_bmi2_end", "a branch depends on a word"),
        ("mov r15d, dword ptr [rax]", "an address depends on a word"),
        ("mov dword ptr [rsp - 8], r15d", "it writes to Stack"),
        ("mov r15d, dword ptr [rsp - 8]", "it reads below the stack pointer"),
        ("mov r15, qword ptr [rsp + 400000]", "is not known"),
    ] {
        let found = with(line);
        assert!(found.contains(fault), "{line}: {found}");
    }
    // The instructions of another CPU.
    let old = Prover::new(Target::named("sha256_x86_64").unwrap());
    let fault = old.prove(&Listing::parse(&text).unwrap()).unwrap_err().to_string();
    assert!(fault.contains("needs bmi"), "{fault}");
    // What is no instruction of the table.
    assert!(Listing::parse("    imul rax, rcx\n").is_err());
    assert!(Listing::parse("    add rax, ecx\n").is_err());
}

#[test]
fn what_a_kernel_of_32_bits_may_not_do_is_refused() {
    let target = Target::named("sha512_i686").unwrap();
    let text = emit(target, &Orders::built_in().unwrap()).unwrap().to_string();
    let prover = Prover::new(target);
    // The first sum of the first round, and its carry.
    let lines: Vec<&str> = text.lines().collect();
    let adc = lines.iter().position(|line| line.contains(" adc ")).unwrap();
    let with = |line: &str| {
        let mut lines = lines.clone();
        lines.insert(adc, line);
        prover.prove(&Listing::parse(&lines.join("\n")).unwrap()).unwrap_err().to_string()
    };
    for (line, fault) in [
        ("    xor ebp, ebp", "is not known"),
        ("    xor eax, eax", "there is no carry"),
        ("    mov rax, qword ptr [rsp]", "mov is of 64-bit code here"),
        ("    mov r8d, dword ptr [esp]", "mov is of 64-bit code here"),
        ("    mov eax, dword ptr [rsp]", "mov is of 64-bit code here"),
        ("    lea eax, [eax + eax]", "an address has no carry"),
        ("    ror eax, 3", "does nothing here to half a word"),
        ("    mov dword ptr [esp + 4000], eax", "it writes to Stack"),
    ] {
        let found = with(line);
        assert!(found.contains(fault), "{line}: {found}");
    }
    // A carry that another sum left.
    let mut swapped = lines.clone();
    let second = lines.iter().skip(adc + 1).position(|line| line.contains(" adc ")).unwrap();
    swapped.swap(adc, adc + 1 + second);
    assert!(prover.prove(&Listing::parse(&swapped.join("\n")).unwrap()).is_err());
    // Half of an argument is not the argument, nor 64-bit code of any use.
    let wide = Prover::new(Target::named("sha512_x86_64").unwrap());
    assert!(wide.prove(&Listing::parse(&text).unwrap()).is_err());
}

/// An order that was found by measuring one machine is no loss on another, as far as models say.
#[test]
fn orders_that_ship_cost_no_more_than_list_scheduling_on_the_models() {
    let models = Models::built_in().unwrap();
    let orders = Orders::built_in().unwrap();
    for target in shipped() {
        let kernel = Kernel::new(target).unwrap();
        let Some(order) = orders.of(&target.name()) else { continue };
        let times = order.times(&kernel.operations).unwrap();
        for name in ["zen5", "goldencove"] {
            let model = Model { machine: models.machine(name).unwrap() };
            let [searched, list] =
                [&times, &kernel.start()].map(|t| model.cycles(&kernel.body(t).instructions));
            let at = format!("{} on {name}: {searched} cycles, by list {list}", target.name());
            eprintln!("{at}");
            assert!(searched <= 1.02 * list, "{at}");
        }
    }
}
