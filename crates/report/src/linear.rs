//! SHA-1's schedule as a linear recurrence.

use lanesum_spec::Family;

use crate::Section;
use lanesum_graph::record::record;
use lanesum_graph::rewrite::{squared_schedule, vector_repair};
use lanesum_model::analyse::{schedule_forms as forms, squared_holds};

pub(crate) fn schedule_forms() -> Section {
    let mut section = Section::new("SHA-1's schedule: every power of the recurrence");
    section.text(
        "The schedule is linear over GF(2): with x for one word earlier and r for a rotation left \
         by one, 1 + r(x^3 + x^8 + x^14 + x^16) maps W to 0. So does every power of it, and over \
         GF(2) a square is the sum of the squares: powers of two have four terms. The table shows \
         from which t on each form is proven for the words of the graph.",
    );
    let mut block = record(Family::Sha1, false);
    let mut rows = Vec::new();
    for form in forms(&mut block, 8) {
        let formula = form.formula();
        rows.push(vec![
            form.power.to_string(),
            form.terms.len().to_string(),
            form.from.to_string(),
            match form.proven_from {
                Some(t) => t.to_string(),
                None => "never in 80 words".to_owned(),
            },
            form.widest.to_string(),
            if form.terms.len() <= 4 { formula } else { "...".to_owned() },
        ]);
    }
    section.table(
        "Powers of the recurrence. Widest: the maximum number of words per vector such that no \
         word depends on another word of the same vector.",
        &["power", "terms", "from t =", "proven from", "widest", "form"],
        rows,
    );
    let mut says = |k: u32, from: usize| {
        if squared_holds(&mut block, k, from) { "holds" } else { "is not proven" }
    };
    section.text(format!(
        "Distance six, rotated by 2: {} for every t from 32 on. Distance twelve, rotated by 4: {} \
         for every t from 64 on. Earlier, too few words exist, so a vector of four needs the first \
         form and its repair up to t = 31.",
        says(1, 32),
        says(2, 64),
    ));
    let words: Vec<_> = block.spec.rounds.iter().map(|r| r.w).collect();
    let (mut vectors, mut good, mut wrong_lanes) = (0, 0, 0);
    for t in (16..80).step_by(4) {
        let (lanes, repaired) = vector_repair(&mut block.graph, &words, t);
        let graph = &block.graph;
        let first_three = (0..3).all(|lane| graph.equal(lanes[lane], words[t + lane]));
        vectors += 1;
        good += usize::from(first_three && graph.equal(repaired, words[t + 3]));
        wrong_lanes += usize::from(!graph.equal(lanes[3], words[t + 3]));
    }
    section.text(format!(
        "gaudet's four words at a time: of {vectors} vectors {good} are proven, with the last word \
         repaired by ⊕ ROTL^1(W_t). Without the repair the last word of {wrong_lanes} is not W_{{t+3}}.",
    ));
    let spec = block.spec.clone();
    let proven =
        [1, 2].iter().filter(|&&k| squared_schedule(&mut block.graph, &spec, k).is_ok()).count();
    section.text(format!("Passes on the whole block: {proven} of 2 are proven."));
    section
}
