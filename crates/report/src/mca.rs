//! Lanesum's models compared with LLVM's.

use crate::{Section, two};
use lanesum_kernels::mca::{table, turns};
use lanesum_model::Orders;
use lanesum_model::analyse::{BoundError, Kernels};

pub(crate) fn section(kernels: &mut Kernels<'_>) -> Result<Section, BoundError> {
    let models = kernels.models();
    let mut section = Section::new("Our models and llvm-mca's");
    let table = table();
    section.text(format!(
        "Cycles per block of each kernel for one message: by our model, and by llvm-mca ({}) for the \
         same instructions. For kernels in general registers our model runs each instruction, as in a \
         search; for kernels with vectors it predicts the most similar kernel in the models \
         (`sse2_stitched`). Both are estimates, which also use fitted and assumed constants. llvm-mca ignores \
         dependencies through memory.",
        table.says("tool").unwrap_or("of unknown version"),
    ));
    let borrowed: Vec<String> = models
        .machines
        .iter()
        .filter_map(|machine| {
            let llvm = machine.llvm.as_ref()?;
            let of = llvm.borrowed.as_ref()?;
            Some(format!("{} ({}) that of {of}", machine.titled(), llvm.cpu))
        })
        .collect();
    if !borrowed.is_empty() {
        section.text(format!(
            "LLVM lacks models of some cores, and uses another core's model: for {}.",
            borrowed.join(", for ")
        ));
    }
    let (turns, orders) = (turns()?, Orders::built_in()?);
    let mut rows = Vec::new();
    let mut old = Vec::new();
    for machine in &models.machines {
        let Some(llvm) = &machine.llvm else { continue };
        for turn in turns.iter().filter(|turn| turn.runs_on(machine)) {
            let fingerprint = turn.fingerprint();
            let wanted =
                [("kernel", &turn.kernel[..]), ("fingerprint", &fingerprint), ("cpu", &llvm.cpu)];
            let Some(theirs) = table.figure(&wanted, "cycles") else {
                old.push(format!("{} on {}", turn.kernel, machine.name));
                continue;
            };
            let Some((ours, how)) = turn.ours(kernels, machine, &orders)? else { continue };
            rows.push(vec![
                machine.shown(),
                turn.kernel.clone(),
                format!("{ours:.0}"),
                how.to_owned(),
                format!("{theirs:.0}"),
                two(ours / theirs),
            ]);
        }
    }
    section.table(
        "Cycles per block, and ours divided by LLVM's.",
        &["machine", "kernel", "ours", "how", "llvm-mca", "ours / LLVM's"],
        rows,
    );
    if !old.is_empty() {
        section.text(format!(
            "These kernels have changed since llvm-mca ran on them: {}. `lanesum-graph mca` runs it again.",
            old.join(", ")
        ));
    }
    Ok(section)
}
