//! The thread of 2003: the minimum number of instructions.

use lanesum_spec::Family;

use crate::claims::{Claim, Verdict, joined, printed};
use crate::counts::short;
use crate::{brief, two};
use lanesum_graph::rewrite::{ChForm, Forms, MajForm, SigmaForm};
use lanesum_model::Figure;
use lanesum_model::analyse::{
    BoundError, Instructions, Kernels, by_function, ending, fewest, instructions,
};

pub(super) fn counts(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let mut list = shill(kernels)?;
    for family in [Family::Sha256, Family::Sha1, Family::Sha512] {
        list.push(young(kernels, family)?);
    }
    list.push(taylor(kernels));
    Ok(list)
}

/// His forms of Ch, Maj, Σ and σ.
const HIS: Forms = Forms { ch: ChForm::Mux, maj: MajForm::Plain, sigma: SigmaForm::Plain };

fn shill(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    const WHO: &str = "Shill";
    let models = kernels.models();
    let (plain, x86) = (models.instruction_set("x86-plain")?, models.instruction_set("x86")?);
    let mut block = kernels.record(Family::Sha256);
    let spec = block.spec.clone();

    let functions: [f64; 3] = models.numbers("shill-functions")?;
    let [schedule, rounds, total, with_ends] =
        ["shill-schedule", "shill-rounds", "shill-total", "shill-with-ends"]
            .map(|name| models.number(name));
    let (schedule, rounds, total, with_ends) = (schedule?, rounds?, total?, with_ends?);
    let counted = by_function(&block, HIS, plain)?;
    let each = ["Σ", "Ch", "Maj"].map(|name| counted.functions.get(name).copied().unwrap_or(0.0));
    let matched = instructions(&mut block, &spec, HIS, plain)?;
    let right = (counted.schedule, counted.rounds) == (schedule, rounds)
        && each == functions
        && schedule + rounds == total;
    let first = Claim::new(
        "shill-counts",
        WHO,
        format!(
            "{schedule} instructions for the schedule, {rounds} for the rounds, {total} in all"
        ),
    )
    .is(
        Verdict::assuming(right),
        format!(
            "by function, a Σ takes {}, Ch {} and Maj {}; {} + {} = {} in all, if Σ and σ overwrite \
             their operands and the others preserve them. In this form, instruction matching needs \
             at least {} for the schedule and {} for the whole block with loads and byte order{}",
            each[0],
            each[1],
            each[2],
            counted.schedule,
            counted.rounds,
            counted.schedule + counted.rounds,
            brief(matched.schedule.total()),
            brief(matched.cost.total()),
            if matched.schedule.total() > counted.schedule {
                ", because the operand of a Σ is needed again"
            } else {
                ""
            },
        ),
    );

    let mut ways: Vec<Instructions> = Vec::new();
    for forms in Forms::all() {
        ways.push(instructions(&mut block, &spec, forms, x86)?);
    }
    let built = |x: &&Instructions, y: &&Instructions| x.built.total_cmp(&y.built);
    let built = ways.iter().min_by(built).expect("a way");
    let best = fewest(&mut block, plain)?;
    let least = fewest(&mut block, x86)?.cost.total();
    // The cost of each of his forms in the otherwise best program.
    let costs = |forms: Forms| {
        let other = ways.iter().find(|way| way.forms == forms).expect("every way");
        format!("{} costs {} more", forms.name(), other.built - built.built)
    };
    let his = [Forms { maj: HIS.maj, ..built.forms }, Forms { sigma: HIS.sigma, ..built.forms }];
    let his = his.into_iter().filter(|&forms| forms != built.forms).map(costs);
    let his: String = his.map(|costs| format!(". {costs}")).collect();
    let ends = total + (block.block.len() + block.state.len()) as f64;
    let second = Claim::new(
        "shill-least",
        WHO,
        format!(
            "at least {total}, and {with_ends} with byte order and chaining value, by any integer code"
        ),
    )
    .is(
        Verdict::of(
            ends == with_ends && least >= with_ends,
            ends == with_ends && built.built >= with_ends,
        ),
        format!(
            "a program of {} instructions exists with the instructions of 2003 ({}; with lea; unlimited \
             registers as in his count, and with loads of block and state). No bound above {} holds \
             for every form examined here, nor above {} without lea{his}",
            brief(built.built),
            built.forms.name(),
            brief(least),
            brief(best.cost.total()),
        ),
    );

    let [without, with] = models.numbers("shill-cycles")?;
    let per_byte = models.number("shill-cycles-per-byte")?;
    let retired = models.machine("k7")?.pool("issue", 0);
    let bytes = block.family.block_len() as f64;
    let divided = (total / retired).floor() == without
        && (with_ends / retired).floor() == with
        && printed(total / retired / bytes, per_byte, 2);
    let mut how_low = Vec::new();
    for (what, set) in [
        ("x86 with lea", "x86"),
        ("with rorx, andn, movbe", "x86-bmi"),
        ("three operands", "risc"),
        ("AArch64", "aarch64"),
    ] {
        let found = fewest(&mut block, models.instruction_set(set)?)?;
        how_low.push(format!(
            "{what} {} (rounds {} with a vector schedule)",
            brief(found.cost.total()),
            brief(found.cost.total() - found.schedule.total())
        ));
    }
    let third = Claim::new(
        "shill-cycles",
        WHO,
        format!(
            "at least {without} cycles, {with} with the ends, {per_byte} cycles/byte on an Athlon that \
             retires three"
        ),
    )
    .is(
        Verdict::of(
            divided && least / retired >= without,
            divided && built.built / retired >= without,
        ),
        format!(
            "his counts, at {retired} per cycle, make {} and {} cycles, {} cycles/byte. {} instructions \
             make {} cycles, {} cycles/byte. The minimum numbers of instructions are: {}",
            (total / retired).floor(),
            (with_ends / retired).floor(),
            two(total / retired / bytes),
            brief(built.built),
            (built.built / retired).ceil(),
            two(built.built / retired / bytes),
            how_low.join("; "),
        ),
    );
    Ok(vec![first, second, third])
}

/// Describes a contradiction in one of Young's rows: within itself, or with the minimum number of
/// instructions or the machine's issue width.
fn wrong(figure: &Figure, least: f64, issue: f64, bytes: f64) -> Option<String> {
    let (count, cycles) = (f64::from(figure.instructions?), f64::from(figure.cycles?));
    let found = if count < least {
        format!("{count} are fewer than the {} that are needed", brief(least))
    } else if count > issue * cycles {
        format!("{count} are more than {issue} in each of {cycles} cycles")
    } else if figure.ipc.is_some_and(|ipc| !printed(count / cycles, ipc, 2)) {
        format!("{count} in {cycles} cycles are {} per cycle", two(count / cycles))
    } else if !printed(cycles / bytes, figure.cycles_per_byte, 1) {
        format!("{cycles} cycles are {} cycles/byte", two(cycles / bytes))
    } else {
        let rate = figure.ghz? * 1e9 / figure.bytes_per_second?;
        if printed(rate, figure.cycles_per_byte, 1) {
            return None;
        }
        format!("clock and throughput make {} cycles/byte", two(rate))
    };
    Some(format!("{found} ({})", figure.called))
}

/// Checks each of Young's counts against the minimum number of instructions, the machine's issue
/// width, and his other columns.
fn young(kernels: &Kernels<'_>, family: Family) -> Result<Claim, BoundError> {
    const WHO: &str = "Young";
    let models = kernels.models();
    let (name, algorithm) = match family {
        Family::Sha1 => ("young-sha1", "sha1"),
        Family::Sha512 => ("young-sha512", "sha512"),
        _ => ("young-sha256", "sha256"),
    };
    let least = fewest(&mut kernels.record(family), models.instruction_set("x86")?)?.cost.total();
    let bytes = family.block_len() as f64;
    let figures = models.figures.iter().filter(|f| f.who.starts_with(WHO));
    let figures: Vec<&Figure> = figures.filter(|f| f.algorithm == algorithm).collect();
    let mut found = Vec::new();
    for figure in &figures {
        let issue = models.machine(&figure.machine)?.pool("issue", 0);
        found.extend(wrong(figure, least, issue, bytes));
    }
    let mut counts: Vec<u32> = figures.iter().filter_map(|f| f.instructions).collect();
    counts.sort_unstable();
    counts.dedup();
    let percent = |&n: &u32| format!("{:.0} %", 100.0 * (f64::from(n) / least - 1.0));
    let listed: Vec<String> = counts.iter().map(ToString::to_string).collect();
    Ok(Claim::new(
        name,
        WHO,
        format!("{} instructions for a block of {}", joined(&listed), short(family)),
    )
    .is(
        Verdict::when(found.is_empty() && !counts.is_empty()),
        if found.is_empty() {
            format!(
                "the minimum is {} with two operands and unlimited registers; his counts are {} above it. \
                 Instructions, cycles, clock and throughput agree with each other, and no count \
                 exceeds what its machine can issue",
                brief(least),
                joined(&counts.iter().map(percent).collect::<Vec<_>>()),
            )
        } else {
            joined(&found)
        },
    ))
}

/// The claims that compare the speeds of functions.
pub(super) fn speed(kernels: &mut Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let models = kernels.models();
    let k8 = models.machine("k8")?;
    let families = [Family::Sha1, Family::Sha256, Family::Sha512];
    let mut per_byte = [0.0; 3];
    for (to, family) in per_byte.iter_mut().zip(families) {
        *to = kernels.estimates(k8, family)?[0].cycles_per_byte();
    }
    let [sha1, sha256, sha512] = families.map(|family| kernels.record(family));
    let cycles = |algorithm| {
        let first = models.figures_of("Young", "k8", algorithm).find_map(|f| f.cycles);
        first.map_or(f64::NAN, f64::from)
    };
    let claimed = models.number("rubin-ratio")?;
    let ratios = [cycles("sha256") / cycles("sha1"), per_byte[1] / per_byte[0]];
    // "Almost three" means nearer to three than to two.
    let almost = ratios.map(|ratio| ratio.round() == claimed);
    let rubin = Claim::new(
        "rubin",
        "Rubin",
        format!("SHA-256 is almost {claimed} times slower than SHA-1 even on Hammer"),
    )
    .is(
        Verdict::of(almost[0] && almost[1], almost[0]),
        format!(
            "{} by Young's measurements, {} by the model. {}{}",
            two(ratios[0]),
            two(ratios[1]),
            if sha1.graph.width() == sha256.graph.width() {
                format!("Both use {}-bit words", sha1.graph.width())
            } else {
                format!(
                    "They use {}-bit and {}-bit words",
                    sha1.graph.width(),
                    sha256.graph.width()
                )
            },
            if sha1.graph.width().max(sha256.graph.width()) < k8.scalar_bits {
                format!(", so {}-bit registers do not help", k8.scalar_bits)
            } else {
                String::new()
            },
        ),
    );
    let times = |x: usize, y: usize| brief(x as f64 / y as f64);
    let faster = Claim::new(
        "young-faster",
        "Young",
        "SHA-512 is definitely faster than SHA-256 on a 64-bit machine",
    )
    .is(
        Verdict::when(per_byte[2] < per_byte[1]),
        format!(
            "at best {} compared with {} cycles/byte on the model of Hammer: {} times the bytes in {} \
             instead of {} rounds",
            two(per_byte[2]),
            two(per_byte[1]),
            times(sha512.family.block_len(), sha256.family.block_len()),
            sha512.rounds(),
            sha256.rounds(),
        ),
    );
    Ok(vec![rubin, faster])
}

/// The operations that full unrolling removes.
fn taylor(kernels: &Kernels<'_>) -> Claim {
    let end = ending(&kernels.record(Family::Sha256));
    let all = *end.first_words.last().unwrap_or(&0);
    let gone = end.all - all;
    Claim::new(
        "taylor",
        "Taylor",
        "full unrolling could eliminate computations, because only h is used at the end",
    )
    .is(
        Verdict::when(gone > 0),
        format!(
            "{gone} of {} operations contribute to no word of the state, all {} of which are used. \
             SHA-224 omits the last word, which saves {}. For a single word, at most {} would be saved",
            end.all,
            end.first_words.len(),
            all - end.first_words[end.first_words.len() - 2],
            end.single_word.iter().map(|n| all - n).max().unwrap_or(0),
        ),
    )
}
