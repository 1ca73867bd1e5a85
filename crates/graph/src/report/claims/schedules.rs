//! What gaudet and Solaris say of the schedule.

use lanesum_spec::{Algorithm, Family};

use crate::analyse::{BoundError, fewest, schedule_forms, squared_holds};
use crate::eval;
use crate::graph::Op;
use crate::model::Models;
use crate::record::record;
use crate::report::brief;
use crate::report::claims::{Claim, Verdict, claim};

/// What gaudet and Solaris say of the schedule.
pub(super) fn schedules(models: &Models) -> Result<Vec<Claim>, BoundError> {
    let mut list = Vec::new();
    let mut block = record(Family::Sha1, false);
    let words: Vec<_> = block.spec.rounds.iter().map(|r| r.w).collect();
    let repaired = (16..80).step_by(4).all(|t| {
        let (lanes, last) = crate::rewrite::vector_repair(&mut block.graph, &words, t);
        (0..3).all(|lane| block.graph.equal(lanes[lane], words[t + lane]))
            && block.graph.equal(last, words[t + 3])
    });
    list.push(claim(
        "gaudet",
        "W[t] to W[t+3] can be computed in parallel, the last repaired by ROTL(W[t], 1)",
        Verdict::when(repaired),
        "proven by normal forms for all sixteen vectors from t = 16 on.",
    ));
    let forms = schedule_forms(4);
    let second = &forms[1];
    list.push(claim(
        "Solaris, after Locktyukhin",
        "W[i] = (W[i-6] ^ W[i-16] ^ W[i-28] ^ W[i-32]) ROTL 2, so six words at a time",
        Verdict::assuming(squared_holds(1, 32) && second.widest == 6),
        format!(
            "{}, proven from t = {} on and undefined before; widest vector {}. The next of the \
             family is {} from t = {}, widest {}.",
            second.formula(),
            second.proven_from.unwrap_or(0),
            second.widest,
            forms[3].formula(),
            forms[3].proven_from.unwrap_or(0),
            forms[3].widest,
        ),
    ));
    list.push(claim(
        "Solaris",
        "%ymm registers can parallelize the code even more (an exercise for the reader)",
        Verdict::assuming(forms[3].widest >= 8 && second.widest < 8),
        format!(
            "within one block only in its last rounds: eight words at a time need the form from {} \
             apart (t >= {}), and that from {} apart is too narrow. Two blocks side by side fill \
             the register at every t.",
            forms[3].widest, forms[3].from, second.widest,
        ),
    ));
    // vpxor W_minus_16, W, W_TMP is W_TMP = W ^ W_minus_16: it overwrites the word
    // that the second pxor was to add.
    let mut graph = crate::Graph::new(32);
    let [w, w16, tmp] = [0, 1, 2].map(|n| graph.node(Op::Input(n)));
    let first = graph.node(Op::Xor(w, w16));
    let two_pxor = graph.node(Op::Xor(first, tmp));
    let one_vpxor = graph.node(Op::Xor(w, w16));
    let ternary = graph.node(Op::Xor3(w, w16, tmp));
    let inputs = [0x0123_4567, 0x89ab_cdef, 0x5a82_7999];
    let values = eval(&graph, &inputs);
    list.push(claim(
        "Solaris (2011 text)",
        "two pxor become one vpxor in AVX",
        Verdict::when(graph.equal(two_pxor, one_vpxor)),
        format!(
            "{:08x} by two, {:08x} by one of them; one instruction does it only with three inputs \
             (vpternlog 0x96: {}, {:08x}). What AVX saves is copies: {} of {} instructions of the \
             schedule on SSE2.",
            values[two_pxor.index()],
            values[one_vpxor.index()],
            if graph.equal(two_pxor, ternary) { "proven equal" } else { "differs" },
            values[ternary.index()],
            {
                let sse2 =
                    fewest(&mut record(Family::Sha1, false), models.instruction_set("sse2")?)?;
                brief(sse2.schedule.of("mov"))
            },
            {
                let sse2 =
                    fewest(&mut record(Family::Sha1, false), models.instruction_set("sse2")?)?;
                brief(sse2.schedule.total())
            },
        ),
    ));
    list.push(claim(
        "Solaris (later text)",
        "movdqa and palignr become one vpalignr in AVX",
        Verdict::when(true_if_copy_saved(models)?),
        "the copy keeps the operand that palignr destroys; with three operands none is destroyed.",
    ));
    let mut abc = [0u64; 16];
    (abc[0], abc[15]) = (0x6162_6380, 24);
    let iv = Algorithm::SHA1.iv();
    let values = eval(&block.graph, &block.inputs(&iv, &abc));
    let last = values[words[79].index()];
    let digest: Vec<u64> = block.spec.outputs.iter().map(|o| values[o.index()]).collect();
    list.push(claim(
        "Solaris",
        "W[79] is the SHA-1 checksum",
        Verdict::when(digest.contains(&last)),
        format!(
            "for the message abc W[79] is {last:08x}, and the digest {}: the state after the rounds, \
             added to the chaining value.",
            digest.iter().map(|w| format!("{w:08x}")).collect::<Vec<_>>().join(" "),
        ),
    ));
    Ok(list)
}

/// Whether three operands leave no copy in the schedule.
fn true_if_copy_saved(models: &Models) -> Result<bool, BoundError> {
    let mut block = record(Family::Sha1, false);
    let sse2 = fewest(&mut block, models.instruction_set("sse2")?)?;
    let avx = fewest(&mut block, models.instruction_set("avx")?)?;
    Ok(sse2.schedule.of("mov") > 0.0 && avx.schedule.of("mov") == 0.0)
}
