//! Operations, proofs, schedules, instructions, endings.

use lanesum_spec::Family;

use crate::figures;
use crate::{Section, brief, two};
use lanesum_graph::graph::Kind;
use lanesum_graph::record::record;
use lanesum_graph::rewrite::{Forms, expand};
use lanesum_model::Models;
use lanesum_model::analyse::{
    BoundError, count, critical_path, curve, ending, fewest, fewest_registers, instructions,
    sha_program, software_delays, steady_form,
};

/// The family's algorithms, for a first column.
pub(crate) fn name(family: Family) -> &'static str {
    match family {
        Family::Sha256 => "SHA-224, SHA-256",
        Family::Sha512 => "SHA-384, SHA-512, SHA-512/t",
        other => short(other),
    }
}

/// The family's best known algorithm.
pub(crate) fn short(family: Family) -> &'static str {
    family.algorithm().title()
}

/// The families of FIPS 180-4.
pub(crate) const SHA: [Family; 3] = [Family::Sha1, Family::Sha256, Family::Sha512];

pub(crate) fn operations() -> Result<Section, BoundError> {
    let mut section = Section::new("Operations of a block");
    let mut rows = Vec::new();
    let mut per_byte = Vec::new();
    for family in Family::ALL {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let whole = count(&block.graph, block.graph.reachable(spec.outputs.iter().copied()));
        let form = expand(&mut block.graph, &spec, Forms::FEWEST)?;
        let nodes = block.graph.reachable(form.outputs.iter().copied());
        let two_operands: usize = count(&block.graph, nodes).values().sum();
        let (on, off) = block.split(&form);
        let mut row = vec![name(family).to_owned()];
        row.extend(
            [Kind::Add, Kind::Logic, Kind::Rotate, Kind::Shift, Kind::Ternary]
                .map(|kind| whole.get(&kind).copied().unwrap_or(0).to_string()),
        );
        row.push(two_operands.to_string());
        row.push(on.len().to_string());
        row.push(off.len().to_string());
        let bytes = family.block_len() as f64;
        row.push(two(two_operands as f64 / bytes));
        per_byte.push((family, two_operands as f64 / bytes));
        rows.push(row);
    }
    section.table(
        "Operations as the specification writes them, where Ch, Maj, Parity and Σ are one \
         operation of three words; and in operations of two words, where Maj reuses y ⊕ z. \
         Operations on the recurrence depend on the chaining value.",
        &[
            "family", "add", "logic", "rotate", "shift", "ternary", "two-word", "on rec.",
            "off rec.", "per byte",
        ],
        rows,
    );
    let of = |family| per_byte.iter().find(|(f, _)| *f == family).expect("a family").1;
    let sha1 = of(Family::Sha1);
    section.text(format!(
        "SHA-1 : SHA-256 : SHA-512 per byte is 1 : {} : {} on machines with words of the same \
         width. If a 64-bit addition takes two of 32 bits, and a rotation four shifts and two ∨, \
         SHA-512 costs about {} times SHA-256.",
        two(of(Family::Sha256) / sha1),
        two(of(Family::Sha512) / sha1),
        two(narrow_ratio()?),
    ));
    Ok(section)
}

/// The cost per byte of SHA-512 on 32-bit words divided by that of SHA-256. An addition takes
/// two, a logic operation two, a rotation four shifts and two ∨, a shift three shifts and one ∨.
fn narrow_ratio() -> Result<f64, BoundError> {
    let mut per_byte = [0.0; 2];
    for (to, family) in per_byte.iter_mut().zip([Family::Sha512, Family::Sha256]) {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let form = expand(&mut block.graph, &spec, Forms::FEWEST)?;
        let nodes = block.graph.reachable(form.outputs.iter().copied());
        let wide = family == Family::Sha512;
        let cost: usize = count(&block.graph, nodes)
            .into_iter()
            .map(|(kind, n)| {
                n * match (wide, kind) {
                    (false, _) => 1,
                    (true, Kind::Rotate) => 6,
                    (true, Kind::Shift) => 4,
                    (true, _) => 2,
                }
            })
            .sum();
        *to = cost as f64 / family.block_len() as f64;
    }
    Ok(per_byte[0] / per_byte[1])
}

pub(crate) fn proofs() -> Result<Section, BoundError> {
    let mut section = Section::new("Proofs by equal normal forms");
    let mut rows = Vec::new();
    for family in Family::ALL {
        let mut block = record(family, false);
        let short = block.record(true);
        let spec = block.spec.clone();
        let named = spec.named().count();
        let equal = spec.named().zip(short.named()).all(|(x, y)| block.graph.equal(x, y));
        // A pass that is not proven fails.
        let mut ways = 0;
        for forms in Forms::all() {
            expand(&mut block.graph, &spec, forms)?;
            ways += 1;
        }
        let sha = match sha_program(family) {
            Some(program) if program.proven => "equal",
            Some(_) => "NOT PROVEN",
            None => "-",
        };
        rows.push(vec![
            name(family).to_owned(),
            named.to_string(),
            if equal { "equal" } else { "NOT PROVEN" }.to_owned(),
            format!("{ways} of {ways}"),
            sha.to_owned(),
        ]);
    }
    section.table(
        "Words with a name (outputs, W, W + K, the state after each round) are proven equal in \
         other forms: the round with the shorter chain, every form of Ch, Maj and Σ, and the \
         kernels of the x86 SHA instructions.",
        &["family", "words", "short round", "forms", "SHA instructions"],
        rows,
    );
    Ok(section)
}

pub(crate) fn schedules() -> Result<Section, BoundError> {
    let mut section = Section::new("Critical path, and cycles on k units");
    let unit = software_delays(1.0, 1.0, 1.0);
    let mut rows = Vec::new();
    let mut curves = Vec::new();
    for family in Family::ALL {
        let mut block = record(family, false);
        let spec = block.spec.clone();
        let state = block.state.clone();
        for forms in [Forms::FEWEST, Forms::SPLIT] {
            let written = expand(&mut block.graph, &spec, forms)?;
            let (steady, form) = steady_form(&mut block.graph, &state, &written, &unit)?;
            let graph = &block.graph;
            let nodes = graph.reachable(form.outputs.iter().copied());
            let operations: usize = count(graph, nodes).values().sum();
            let (path, _) = critical_path(graph, &form, &unit);
            let cycles = curve(graph, &form, 16);
            let least = cycles.iter().position(|&c| c == cycles[15]).map_or(16, |i| i + 1);
            // The knee is the last unit that still saves a twentieth.
            let knee = (1..16)
                .rev()
                .find(|&i| (cycles[i - 1] - cycles[i]) * 20 >= cycles[i - 1])
                .map_or(1, |i| i + 1);
            let (_, registers) = fewest_registers(graph, &form, least, &state);
            rows.push(vec![
                name(family).to_owned(),
                forms.name().replace(", Σ plain", ""),
                operations.to_string(),
                brief(path),
                brief(steady),
                format!("{}", (operations as f64 / steady).ceil()),
                knee.to_string(),
                least.to_string(),
                registers.to_string(),
            ]);
            curves.push((family, forms, cycles));
        }
    }
    section.table(
        "Units take one cycle; sums are added in the order in which their terms arrive. Path: one \
         block, with all words available at cycle 0. Steady: from block to block. Need: operations \
         divided by steady cycles, the minimum number of units of any schedule. Knee: the last \
         unit that saves a twentieth. Least: the minimum number of units for the best list \
         schedule. Registers: with that number of units, and with the block, the constants and the \
         chaining value for the last addition in memory.",
        &["family", "form", "ops", "path", "steady", "need", "knee", "least", "registers"],
        rows,
    );
    let curve_rows: Vec<Vec<String>> = curves
        .iter()
        .map(|(family, forms, cycles)| {
            let first = format!("{}, {}", name(*family), forms.name().replace(", Σ plain", ""));
            std::iter::once(first).chain(cycles.iter().take(12).map(ToString::to_string)).collect()
        })
        .collect();
    let columns: Vec<String> =
        std::iter::once("k =".to_owned()).chain((1..=12).map(|k| k.to_string())).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    section.table("Cycles of one block on k units, by list scheduling.", &columns, curve_rows);
    let lines: Vec<(String, Vec<f64>)> = curves
        .iter()
        .filter(|(family, forms, _)| SHA.contains(family) && *forms == Forms::SPLIT)
        .map(|(family, _, cycles)| {
            (name(*family).to_owned(), cycles.iter().map(|&c| c as f64).collect())
        })
        .collect();
    section.figure("Units: cycles of a block against units.", figures::curves(&lines));
    Ok(section)
}

pub(crate) fn instruction_sets(models: &Models) -> Result<Section, BoundError> {
    let mut section = Section::new("Instructions of a block");
    section.text(
        "The minimum, over the forms of Ch, Maj and Σ, of the sum of operations, copies, loads of \
         the block and the state, and byte swaps. If instructions overwrite an operand, each \
         operation that a maximum matching leaves without an operand to overwrite costs a copy. \
         Registers are unlimited and stores are not counted, so no program in that form is \
         shorter.",
    );
    for family in SHA {
        let mut rows = Vec::new();
        let mut block = record(family, false);
        for set in &models.instruction_sets {
            let best = fewest(&mut block, set)?;
            rows.push(vec![
                set.name.clone(),
                brief(best.cost.total()),
                best.forms.name(),
                best.cost.derivation(),
            ]);
        }
        section.table(
            &format!("{}.", name(family)),
            &["instruction set", "minimum", "form", "derivation"],
            rows,
        );
    }
    let mut rows = Vec::new();
    let set = models.instruction_set("x86")?;
    let mut block = record(Family::Sha256, false);
    let spec = block.spec.clone();
    for forms in Forms::all() {
        let found = instructions(&mut block, &spec, forms, set)?;
        rows.push(vec![
            forms.name(),
            brief(found.cost.total()),
            brief(found.schedule.total()),
            brief(found.cost.of("mov")),
        ]);
    }
    section.table(
        "SHA-256 on x86 with two operands, by form.",
        &["form", "minimum", "schedule", "copies"],
        rows,
    );
    Ok(section)
}

pub(crate) fn endings() -> Section {
    let mut section = Section::new("Operations that full unrolling removes at the end of a block");
    let mut rows = Vec::new();
    let mut gone = 0;
    for family in SHA {
        let ending = ending(&record(family, false));
        let last = *ending.first_words.last().unwrap_or(&0);
        gone += ending.all - last;
        let saved = |n: usize| {
            let left = ending.first_words.get(n - 1).copied().unwrap_or(last);
            (last - left).to_string()
        };
        let (shorter, alone) = match family {
            Family::Sha1 => ("-".to_owned(), "-".to_owned()),
            Family::Sha256 => (saved(7), "-".to_owned()),
            _ => (saved(6), saved(4)),
        };
        rows.push(vec![
            name(family).to_owned(),
            ending.all.to_string(),
            ending.ring.to_string(),
            shorter,
            alone,
            ending.single_word.iter().map(|n| (last - n).to_string()).collect::<Vec<_>>().join(" "),
        ]);
    }
    section.table(
        "Operations that compute nothing (Ch, Maj and Σ count as one): in the schedule behind the last W, in a loop over \
         a ring of sixteen words; for words that a shorter digest omits (SHA-224: the last of \
         eight; SHA-384: two; SHA-512/256: four); and for all but word i of the result, if only \
         that word is needed.",
        &["family", "block", "ring", "SHA-224/384", "SHA-512/256", "only word i, i = 0, 1, ..."],
        rows,
    );
    section.text(format!(
        "The answer to “you only take h at the end, right?”: {}",
        if gone == 0 {
            "every word of the state is added to the chaining value. Unrolling removes the moves \
             between rounds and the ring's surplus, but no operation of a round unless part of the \
             digest is omitted."
                .to_owned()
        } else {
            format!("{gone} operations of the rounds serve no word of the chaining value.")
        }
    ));
    section
}
