//! The thread of 2003: how few instructions.

use lanesum_spec::Family;

use crate::analyse::{BoundError, Instructions, Kernels, ending, fewest, instructions};
use crate::model::Models;
use crate::record::record;
use crate::report::claims::{Claim, Verdict, claim};
use crate::report::{brief, two};
use crate::rewrite::{ChForm, Forms, MajForm, SigmaForm};

/// The thread of 2003: how few instructions.
pub(super) fn instruction_counts(
    models: &Models,
    kernels: &mut Kernels<'_>,
) -> Result<Vec<Claim>, BoundError> {
    let mut list = Vec::new();
    let plain = models.instruction_set("x86-plain")?;
    let mut block = record(Family::Sha256, false);
    let spec = block.spec.clone();
    let shill = Forms { ch: ChForm::Mux, maj: MajForm::Plain, sigma: SigmaForm::Plain };
    let his = instructions(&mut block, &spec, shill, plain)?;
    let best = fewest(&mut block, plain)?;
    let x86 = models.instruction_set("x86")?;
    let mut built: Option<Instructions> = None;
    for forms in Forms::all() {
        let way = instructions(&mut block, &spec, forms, x86)?;
        if built.as_ref().is_none_or(|b| way.built < b.built) {
            built = Some(way);
        }
    }
    let built = built.expect("a way");
    // His counts: σ0, σ1 and three additions; Σ1, Ch and four, Σ0, Maj and one, d, h.
    let words = [7, 7, 3].iter().sum::<i32>() * 48;
    let steps = [7, 4, 4, 7, 6, 1, 1, 1].iter().sum::<i32>() * 64;
    let cycles = |instructions: i32| f64::from(instructions) / 3.0;
    let (arithmetic, with_ends) = (words + steps, words + steps + 16 + 8);
    list.push(claim(
        "Shill",
        "816 instructions for the schedule, 1,984 for the rounds, 2,800 in all",
        Verdict::assuming(words == 816 && steps == 1984),
        format!(
            "the sums are right ({words} + {steps} = {}). In his own writing a matching needs at \
             least {} for the schedule and {} for the whole with loads and byte order: Σ destroys \
             three copies of a word that is needed again, not two.",
            words + steps,
            brief(his.schedule.total()),
            brief(his.cost.total()),
        ),
    ));
    list.push(claim(
        "Shill",
        "at least 2,800, and 2,824 with byte order and chaining value, by any integer code",
        Verdict::when(built.built > 2824.0),
        format!(
            "a program of {} instructions exists in the instruction set of 2003 ({}; with lea; \
             registers unlimited as in his count, loads of block and state counted), and no bound \
             stands above {} for any writing here, {} without lea. Maj's y ⊕ z is the x ⊕ y of the \
             round before, a chained Σ needs one copy and not two, lea adds K for nothing.",
            brief(built.built),
            built.forms.name(),
            brief(built.cost.total()),
            brief(best.cost.total()),
        ),
    ));
    let mut how_low = Vec::new();
    for (what, set) in [
        ("x86 with lea", "x86"),
        ("with rorx, andn, movbe", "x86-bmi"),
        ("three operands", "risc"),
        ("AArch64", "aarch64"),
    ] {
        let found = fewest(&mut block, models.instruction_set(set)?)?;
        let rounds = found.cost.total() - found.schedule.total();
        how_low.push(format!(
            "{what} {} (rounds {} with a vector schedule)",
            brief(found.cost.total()),
            brief(rounds)
        ));
    }
    list.push(claim(
        "Shill",
        "at least 933 cycles, 941 with the ends, 14.58 cycles/byte on an Athlon that retires three",
        Verdict::when(built.built / 3.0 >= cycles(arithmetic).floor()),
        format!(
            "right as divisions of his counts: {} and {} cycles, {} cycles/byte. But with {} \
             instructions it is {} cycles, {} cycles/byte. How low it goes: {}.",
            brief(cycles(arithmetic).floor()),
            brief(cycles(with_ends).floor()),
            two(cycles(arithmetic) / 64.0),
            brief(built.built),
            brief((built.built / 3.0).ceil()),
            two(built.built / 3.0 / 64.0),
            how_low.join("; "),
        ),
    ));
    for (family, name, counts) in [
        (Family::Sha256, "SHA-256", &[2891.0, 3061.0][..]),
        (Family::Sha1, "SHA-1", &[1265.0, 1353.0]),
        (Family::Sha512, "SHA-512", &[3699.0]),
    ] {
        let found = fewest(&mut record(family, false), x86)?;
        let listed: Vec<String> = counts.iter().map(|&n| brief(n)).collect();
        list.push(claim(
            "Young",
            format!("{} instructions for a block of {name}", listed.join(" and ")),
            Verdict::when(counts.iter().all(|&n| n >= found.cost.total())),
            format!(
                "none is below the least of {} for two operands and unlimited registers; they are {} \
                 above it.",
                brief(found.cost.total()),
                counts
                    .iter()
                    .map(|&n| format!("{:.0} %", 100.0 * (n / found.cost.total() - 1.0)))
                    .collect::<Vec<_>>()
                    .join(" and "),
            ),
        ));
    }
    let k8 = models.machine("k8")?;
    let mut per_byte = [0.0; 3];
    for (to, family) in per_byte.iter_mut().zip([Family::Sha1, Family::Sha256, Family::Sha512]) {
        *to = kernels.bounds(k8, family)?[0].cycles_per_byte();
    }
    let rubin = 994.0 / 431.0;
    list.push(claim(
        "Rubin",
        "SHA-256 is almost three times slower than SHA-1 even on Hammer",
        Verdict::when(per_byte[1] / per_byte[0] >= 2.75),
        format!(
            "{} by Young's cycles, {} by the model; both have words of 32 bits, so 64-bit registers \
             give nothing.",
            two(rubin), two(per_byte[1] / per_byte[0]),
        ),
    ));
    list.push(claim(
        "Young",
        "SHA-512 is definitely faster than SHA-256 on a 64-bit machine",
        Verdict::when(per_byte[2] < per_byte[1]),
        format!(
            "at best {} against {} cycles/byte on the model of Hammer: twice the bytes in 80 rounds \
             for 64.",
            two(per_byte[2]), two(per_byte[1]),
        ),
    ));
    let end = ending(&record(Family::Sha256, false));
    let all = *end.first_words.last().unwrap_or(&0);
    list.push(claim(
        "Taylor",
        "full unrolling could eliminate computations, as only h is taken at the end",
        Verdict::when(all < end.all),
        format!(
            "all eight words are taken: nothing of {all} operations goes. For SHA-224 the last \
             word's {} go; if one word alone were wanted, {} at most.",
            all - end.first_words[6],
            end.single_word.iter().map(|n| all - n).max().unwrap_or(0),
        ),
    ));
    Ok(list)
}
