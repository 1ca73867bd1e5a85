//! The fewest instructions of a function, proven by exhaustive search.

use lanesum_model::Models;
use lanesum_model::analyse::shortest::{Amortized, Minimum, Set, WordFunction, amortized};
use lanesum_model::analyse::{BoundError, of_function};

use crate::{Section, brief};

/// The smallest number of instructions, or a bound.
fn number(minimum: &Minimum) -> String {
    let prefix = if minimum.program.is_some() { "" } else { "≥ " };
    format!("{prefix}{}", minimum.at_least)
}

/// A shortest program as text.
fn program(function: &WordFunction, minimum: &Minimum) -> String {
    minimum.program.as_ref().map_or("-".to_owned(), |program| program.text(&function.operands))
}

pub(crate) fn section(models: &Models) -> Result<Section, BoundError> {
    let mut section = Section::new("The fewest instructions of a function");
    section.text(
        "An exhaustive search proves how few instructions Ch, Maj, Parity, Σ and σ need. It evaluates all programs \
         of a length on sample words. If none yields the samples' results, no program of this length computes the \
         function. A program that yields them is proven equal to the specification by normal forms. So each \
         minimum below is a theorem about its instruction set. The model:",
    );
    section.list(&[
        "Registers are unlimited. Loads, stores and the additions around a function are not counted.",
        "Operations: ∧, ∨, ⊕, + and − of two words. For Σ and σ also shifts in both directions by any distance. \
         General registers also have ¬ and rotations. x86-bmi and vectors have x ∧ ¬y. avx512 has all of these, and \
         every bitwise function of three words.",
        "In risc and avx2 each result goes to a new register. In x86-plain and sse2 each result overwrites an \
         operand, and a copy is an instruction. In x86-bmi, rotations (rorx) and x ∧ ¬y (andn) preserve their \
         operands. In avx512, only functions of three words overwrite one.",
        "The only constants are the distances of rotations and shifts, so masks are excluded. The operands of an \
         instruction are different words, so x ⊕ x does not yield 0. Not included: multiplication, lea, \
         permutations of bytes, double shifts, and arithmetic shifts.",
    ]);
    let (mut rows, mut shorter) = (Vec::new(), Vec::new());
    for function in WordFunction::bitwise() {
        for set in Set::all(function.width(), false) {
            let [preserved, overwritten] =
                [true, false].map(|survive| function.proven(&set, survive));
            let (graph, root) = function.root();
            let forms = of_function(graph, root, models.instruction_set(set.name)?)?;
            if (preserved.at_least as f64) < forms {
                shorter.push(format!("{} on {}", function.name, set.name));
            }
            rows.push(vec![
                function.name.to_owned(),
                set.name.to_owned(),
                number(&preserved),
                number(&overwritten),
                brief(forms),
                preserved.tried.to_string(),
                program(&function, &preserved),
            ]);
        }
    }
    section.table(
        "Functions of three words. Preserved: the minimum if the operands survive. Overwritten: the minimum if they \
         may be overwritten. Forms: the best form of the graph from which kernels are generated, with preserved \
         operands; on avx512 without the copy of the overwritten operand. Tried: the number of shorter programs, \
         without their last instruction, for which the search ruled out every last instruction. Program: one of the \
         shortest that preserve the operands.",
        &["function", "set", "preserved", "overwritten", "forms", "tried", "program"],
        rows,
    );
    section.text(format!(
        "The search found shorter programs than the best form for: {}.",
        shorter.join(", ")
    ));
    rounds(&mut section);
    let mut rows = Vec::new();
    let of_256 = WordFunction::linear_256().map(|function| ("SHA-256", function));
    let of_512 = WordFunction::linear_512().map(|function| ("SHA-512", function));
    for (family, function) in of_256.iter().chain(&of_512) {
        let searched = |set: &&Set| match *family {
            "SHA-256" => set.name != "sse2",
            _ => ["avx2", "avx512"].contains(&set.name),
        };
        for set in Set::all(function.width(), true).iter().filter(searched) {
            let minimum = function.proven(set, true);
            let (graph, root) = function.root();
            let forms = of_function(graph, root, models.instruction_set(set.name)?)?;
            rows.push(vec![
                format!("{} ({family})", function.name),
                set.name.to_owned(),
                number(&minimum),
                brief(forms),
                minimum.tried.to_string(),
                program(function, &minimum),
            ]);
        }
    }
    section.table(
        "Σ and σ, with a preserved operand. ⋙ is a rotation; ≫ and ≪ are shifts. Where the minimum is a bound (≥), \
         longer programs were not searched, so a program shorter than the best form may exist. The functions of \
         SHA-512 in general registers were not searched. No program on sse2 is shorter than the shortest one on avx2.",
        &["function", "set", "minimum", "forms", "tried", "program"],
        rows,
    );
    section.text(total()?);
    section.text(
        "An instruction may serve two functions, or a function and its sum: x ∧ y and ¬x ∧ z have no bit in common, so Ch \
         may be added in two halves, and lea adds three terms. [How far from optimal](optimal.md) bounds whole rounds and \
         blocks, with lea and with such halves.",
    );
    Ok(section)
}

/// Maj in consecutive rounds.
fn rounds(section: &mut Section) {
    let next = WordFunction::next_maj();
    let mut rows = Vec::new();
    for set in Set::all(next.width(), false).iter().filter(|set| !set.ternary) {
        let minimum = next.proven(set, true);
        rows.push(vec![
            set.name.to_owned(),
            number(&minimum),
            minimum.tried.to_string(),
            program(&next, &minimum),
        ]);
    }
    section.table(
        "Maj(x, y, z) and x ⊕ y for the next round, if the last round has computed d = y ⊕ z. The program preserves \
         x, y and z, and may overwrite d.",
        &["set", "minimum", "tried", "program"],
        rows,
    );
    let [ch, maj] = WordFunction::of_two_rounds().map(|function| {
        let minimum = function.minimum(&Set::gates(), true, 7);
        (number(&minimum), program(&function, &minimum))
    });
    section.text(format!(
        "Maj(x, y, z) and Maj(y, z, d) of two rounds together take {} gates, where a gate is any function of two \
         bits and complements are free: {}. Ch(x, y, z) and Ch(y, z, d) take {}, twice the minimum of one.",
        maj.0, maj.1, ch.0
    ));
    let facts = amortized();
    let Amortized { tried, double, .. } = facts;
    section.text(if facts.is_proof() {
        format!(
            "Theorem: R rounds need at least 3 R gates for Maj, if the state's words are independent, and a round's \
             new word exists only after Maj of the previous round. So even with reuse of values from earlier rounds, \
             Maj takes at least 3 gates per round on average. The proof counts the gates whose newest essential word \
             is the new word of round t: at least 2. There are 2 only if Maj has one of {double} forms \
             g(f(x_t, q), s). Their q and s are then gates of round t − 1, which needs 4: q, s, its Maj, and another \
             one, because its Maj is not a gate of q, s and older words. The search compared {tried} forms with Maj \
             to verify these facts. The theorem does not exclude shorter programs that use additions, or the \
             dependence between the words of the state."
        )
    } else {
        "NOT PROVEN: Maj takes 3 gates per round.".to_owned()
    });
}

/// Shill's count of 2003 with the minimum of each function.
fn total() -> Result<String, BoundError> {
    let least = |function: &WordFunction, linear: bool| {
        let sets = Set::all(function.width(), linear);
        let set = sets.iter().find(|set| set.name == "x86-plain").expect("a set");
        function.proven(set, true).at_least
    };
    let [ch, ..] = WordFunction::bitwise().map(|function| least(&function, false));
    let maj = least(&WordFunction::next_maj(), false);
    let [big0, big1, small0, small1] =
        WordFunction::linear_256().map(|function| least(&function, true));
    // Three additions for a word of the schedule; seven for a round.
    let schedule = 48 * (small0 + small1 + 3);
    let rounds = 64 * (big0 + big1 + ch + maj + 7);
    Ok(format!(
        "For SHA-256 on x86-plain, Shill's count of 2003 with these minimums is 48 ({small0} + {small1} + 3) + 64 \
         ({big0} + {big1} + {ch} + {maj} + 7) = {schedule} + {rounds} = {}, instead of 816 + 1984 = 2800. The \
         operands survive, and Maj reuses x ⊕ y. It is a lower bound only for programs that compute each function \
         and each sum separately.",
        schedule + rounds
    ))
}
