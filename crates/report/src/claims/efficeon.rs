//! gaudet's page on Efficeon: its bottleneck and its issue width.

use lanesum_spec::Family;

use crate::claims::{Claim, Verdict, about, joined};
use crate::{brief, two};
use lanesum_model::Cycles;
use lanesum_model::analyse::{BoundError, Kernels};

const WHO: &str = "gaudet";

pub(super) fn efficeon(kernels: &mut Kernels<'_>) -> Result<Vec<Claim>, BoundError> {
    let models = kernels.models();
    let machine = models.machine("efficeon")?;
    let bytes = Family::Sha1.block_len() as f64;
    let estimates = kernels.estimates(machine, Family::Sha1)?;
    let stitched = estimates.iter().find(|estimate| estimate.kernel.ends_with("stitched"));
    let least = ["alu", "vector", "memory"].map(|name| {
        let pools = stitched.map_or(&[][..], |estimate| &estimate.pools);
        pools.iter().find(|(pool, _)| pool == name).map_or(0.0, |pool| pool.1.cycles())
    });
    let claimed: [f64; 3] = models.numbers("gaudet-efficeon")?;
    let measured = models.figures_of(WHO, "efficeon", "sha1").find(|f| f.kernel == "stitched");
    let measured = measured.map_or(f64::NAN, |f| f.cycles_per_byte);
    let cycles = measured * bytes;
    let busiest = |pools: [f64; 3]| pools[0] > pools[1] && pools[0] > pools[2];
    let alus = Claim::new(
        "efficeon-alus",
        WHO,
        format!(
            "on Efficeon the ALUs bind: about {} instructions each, {} on each SIMD unit",
            claimed[0], claimed[1]
        ),
    )
    .is(
        Verdict::when(
            busiest(least)
                && busiest(claimed)
                && about(claimed[0], least[0])
                && about(claimed[1], least[1]),
        ),
        format!(
            "at least {} on each of {} ALUs and {} on each of {} SIMD units. {} cycles are {} \
             cycles/byte of the {measured} measured",
            brief(least[0]),
            machine.pool("alu", 0),
            brief(least[1]),
            machine.pool("vector", 0),
            claimed[0],
            two(claimed[0] / bytes),
        ),
    );
    let memory = Claim::new(
        "efficeon-memory",
        WHO,
        format!("on Efficeon about {} instructions go to each memory unit", claimed[2]),
    )
    .is(
        Verdict::of(about(claimed[2], least[2]), claimed[2] >= least[2] && claimed[2] <= cycles),
        format!(
            "the block, the chaining value and W + K, stored and loaded again, are at least {} for \
             each of {} units. {}",
            brief(least[2]),
            machine.pool("memory", 0),
            if claimed[2] < least[2] {
                "There cannot be fewer".to_owned()
            } else if claimed[2] > cycles {
                format!(
                    "No unit does more than one in each of the {} cycles measured",
                    brief(cycles)
                )
            } else if about(claimed[2], least[2]) {
                "That is about as many".to_owned()
            } else {
                format!(
                    "The claim holds if {} more are for constants and spilled words",
                    brief(claimed[2] - least[2])
                )
            },
        ),
    );
    let pipelines = models.number("gaudet-pipelines")?;
    let units = ["alu", "vector", "memory"].map(|pool| machine.pool(pool, 0));
    let each = |counts: [f64; 3]| counts.iter().zip(units).map(|(n, units)| n * units).sum::<f64>();
    let (fewest, his) = (each(least) / cycles, each(claimed) / cycles);
    let issue = machine.pool("issue", 0);
    let mut wrong = Vec::new();
    if pipelines < fewest {
        wrong.push(format!("at least {} are needed", two(fewest)));
    }
    if pipelines > issue {
        wrong.push(format!("no more than {issue} can be"));
    }
    // His counts are rounded, so the result may differ by the rounding error.
    if (his / pipelines - 1.0).abs() > ABOUT_COUNTS {
        wrong.push(format!("his own counts make {}", two(his)));
    }
    let issued = Claim::new(
        "efficeon-pipelines",
        WHO,
        format!("on Efficeon {pipelines} pipelines are fed an instruction in every cycle"),
    )
    .is(
        Verdict::when(wrong.is_empty()),
        format!(
            "at least {} instructions are needed, {} in each of the {} cycles measured; his counts make \
             {}. The machine can issue {issue}.{}",
            brief(each(least)),
            two(fewest),
            brief(cycles),
            two(his),
            if wrong.is_empty() { String::new() } else { format!(" But {}", joined(&wrong)) },
        ),
    );
    Ok(vec![alus, memory, issued])
}

/// The relative accuracy of counts with one or two digits.
const ABOUT_COUNTS: f64 = 0.05;
