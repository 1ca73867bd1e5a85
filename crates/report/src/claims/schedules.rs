//! The claims of gaudet and Solaris about the schedule.

use lanesum_spec::{Algorithm, Family};

use crate::brief;
use crate::claims::{Claim, Verdict, joined};
use lanesum_graph::eval;
use lanesum_graph::graph::{Graph, Id, Op};
use lanesum_graph::rewrite::vector_repair;
use lanesum_model::InstructionSet;
use lanesum_model::analyse::{BoundError, Cost, Kernels, fewest, schedule_forms, squared_holds};

const SOLARIS: &str = "Solaris";

pub(super) fn schedules(kernels: &Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let schedule = |set: &str| -> Result<Sha1Schedule<'_>, BoundError> {
        let set = kernels.models().instruction_set(set)?;
        Ok(Sha1Schedule { set, cost: fewest(&mut kernels.record(Family::Sha1), set)?.schedule })
    };
    let (sse2, avx) = (schedule("sse2")?, schedule("avx")?);
    let repaired = repaired(kernels);
    let mut list = vec![four_at_a_time(repaired)];
    list.extend(six_apart(kernels, repaired)?);
    list.push(fewer_pxor(&sse2, &avx));
    list.push(no_copies(&sse2, &avx));
    list.push(last_word(kernels)?);
    Ok(list)
}

/// The number of words of one block that [`vector_repair`] computes at a time.
const AT_A_TIME: usize = 4;

/// The number of vectors of the schedule for which this is proven, and the number of all.
fn repaired(kernels: &Kernels<'_>) -> (usize, usize) {
    let mut block = kernels.record(Family::Sha1);
    let words: Vec<_> = block.spec.rounds.iter().map(|r| r.w).collect();
    let vectors: Vec<usize> = (16..words.len()).step_by(AT_A_TIME).collect();
    let proven = |t: &&usize| {
        let (lanes, last): ([Id; AT_A_TIME], Id) = vector_repair(&mut block.graph, &words, **t);
        (0..3).all(|lane| block.graph.equal(lanes[lane], words[**t + lane]))
            && block.graph.equal(last, words[**t + 3])
    };
    (vectors.iter().filter(proven).count(), vectors.len())
}

fn four_at_a_time((proven, vectors): (usize, usize)) -> Claim {
    let what = "W[t] to W[t+3] can be computed in parallel, the last repaired by ROTL(W[t], 1)";
    Claim::new("four-at-a-time", "gaudet", what).is(
        Verdict::when(proven == vectors),
        if proven == vectors {
            format!("proven for all {vectors} vectors from t = 16 on")
        } else {
            format!("proven for only {proven} of {vectors} vectors from t = 16 on")
        },
    )
}

/// SHA-1's schedule in the instructions of a set.
struct Sha1Schedule<'m> {
    set: &'m InstructionSet,
    cost: Cost,
}

/// Locktyukhin's recurrence, and the exercise for the reader.
fn six_apart(
    kernels: &Kernels<'_>,
    (proven, vectors): (usize, usize),
) -> Result<Vec<Claim>, BoundError> {
    let models = kernels.models();
    let mut block = kernels.record(Family::Sha1);
    let forms = schedule_forms(&mut block, 4);
    let (second, fourth) = (&forms[1], &forms[3]);
    let distances = models.published("locktyukhin-distances")?;
    let rotation = models.number("locktyukhin-rotation")?;
    let at_a_time = models.number("locktyukhin-words")?;
    let terms: Vec<(f64, f64)> =
        second.terms.iter().map(|&(back, left)| (back as f64, left as f64)).collect();
    let claimed: Vec<(f64, f64)> = distances.iter().map(|&back| (back, rotation)).collect();
    let squared = squared_holds(&mut block, 1, second.from);
    let list: Vec<String> = distances.iter().map(|back| format!("W[i-{back}]")).collect();
    let first = Claim::new(
        "six-apart",
        "Solaris, after Locktyukhin",
        format!("W[i] = ({}) ROTL {rotation}, so {at_a_time} words at a time", list.join(" ^ ")),
    )
    .is(
        Verdict::assuming(squared && terms == claimed && second.widest as f64 == at_a_time),
        format!(
            "the squared recurrence is {}, {}. Its widest vector is {}. The next of the \
             family is {} from t = {}, widest {}",
            second.formula(),
            match second.proven_from {
                Some(t) => format!("proven from t = {t} on and undefined before"),
                None => "proven for no t".to_owned(),
            },
            second.widest,
            fourth.formula(),
            fourth.proven_from.unwrap_or(0),
            fourth.widest,
        ),
    );
    let lanes = (models.instruction_set("avx2")?.vector_bits / block.graph.width()) as usize;
    let words = block.spec.rounds.len();
    let from = fourth.proven_from.unwrap_or(words);
    let interleaved = if proven == vectors {
        let blocks = lanes.div_ceil(AT_A_TIME);
        format!(
            ". {blocks} interleaved blocks, {AT_A_TIME} words of each, fill the register at every t"
        )
    } else {
        String::new()
    };
    let what = "%ymm registers can parallelize the code even more (an exercise for the reader)";
    let second = Claim::new("ymm", SOLARIS, what).is(
        Verdict::of(second.widest >= lanes, fourth.widest >= lanes && from < words),
        format!(
            "{lanes} words at a time need a form with a shortest distance of at least {lanes}. Distance {} \
             {}; distance {} {}, but applies only to t ≥ {from}, {} of the {words} words{interleaved}",
            second.widest,
            if second.widest >= lanes { "is long enough" } else { "is too short" },
            fourth.widest,
            if fourth.widest >= lanes { "is long enough" } else { "is too short, too" },
            words - from,
        ),
    );
    Ok(vec![first, second])
}

/// `vpxor W_minus_16, W, W_TMP` computes W_TMP = W ⊕ W_minus_16. It overwrites the word that the second
/// `pxor` should add, unless the instruction set has an instruction with three inputs.
fn fewer_pxor(sse2: &Sha1Schedule<'_>, avx: &Sha1Schedule<'_>) -> Claim {
    let mut graph = Graph::new(32);
    let [w, w16, tmp] = [0, 1, 2].map(|n| graph.node(Op::Input(n)));
    let first = graph.node(Op::Xor(w, w16));
    let two = graph.node(Op::Xor(first, tmp));
    let ternary = graph.node(Op::Xor3(w, w16, tmp));
    let one = if avx.set.ternary { ternary } else { first };
    let values = eval(&graph, &[0x0123_4567, 0x89ab_cdef, 0x5a82_7999]);
    let value = |id: Id| format!("{:08x}", values[id.index()]);
    let mut reason = format!(
        "for a test input, two pxor yield {} and one three-operand vpxor yields {}",
        value(two),
        value(one)
    );
    if one != ternary && graph.equal(two, ternary) {
        reason += &format!(
            ". One instruction with three inputs (vpternlog 0x96) yields {}, which is proven equal",
            value(ternary)
        );
    }
    let copies = sse2.cost.of("mov") - avx.cost.of("mov");
    if copies > 0.0 {
        reason += &format!(
            ". AVX saves copies: {} of {} instructions of the schedule on SSE2",
            brief(copies),
            brief(sse2.cost.total()),
        );
    }
    Claim::new("pxor", "Solaris (2011 text)", "two pxor become one vpxor in AVX")
        .is(Verdict::when(graph.equal(two, one)), reason)
}

fn no_copies(sse2: &Sha1Schedule<'_>, avx: &Sha1Schedule<'_>) -> Claim {
    let needed = |of: &Sha1Schedule<'_>| {
        format!(
            "With {} operands the schedule needs {} copies",
            of.set.operands,
            brief(of.cost.of("mov"))
        )
    };
    let what = "movdqa and palignr become one vpalignr in AVX";
    Claim::new("palignr", "Solaris (later text)", what).is(
        Verdict::when(sse2.cost.of("mov") > 0.0 && avx.cost.of("mov") == 0.0),
        format!("a copy preserves an overwritten operand. {}. {}", needed(sse2), needed(avx)),
    )
}

fn last_word(kernels: &Kernels<'_>) -> Result<Claim, BoundError> {
    let last = kernels.models().number("solaris-last-word")? as usize;
    let block = kernels.record(Family::Sha1);
    let mut abc = [0u64; 16];
    (abc[0], abc[15]) = (0x6162_6380, 24);
    let values = eval(&block.graph, &block.inputs(&Algorithm::SHA1.iv(), &abc));
    let word = block.spec.rounds.get(last).map(|round| values[round.w.index()]);
    let digest: Vec<u64> = block.spec.outputs.iter().map(|o| values[o.index()]).collect();
    let hex = |word: &u64| format!("{word:08x}");
    let shown = word.as_ref().map_or("is not there".to_owned(), |word| format!("is {}", hex(word)));
    // A single word is the digest only if every word of the digest equals it.
    let is = word.is_some_and(|word| digest.iter().all(|&of_digest| of_digest == word));
    Ok(Claim::new("last-word", SOLARIS, format!("W[{last}] is the SHA-1 checksum")).is(
        Verdict::when(is),
        format!(
            "for the message abc W[{last}] {shown}, and the words of the digest are {}",
            joined(&digest.iter().map(hex).collect::<Vec<_>>()),
        ),
    ))
}
