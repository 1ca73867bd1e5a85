//! Constants of machines by origin: bounds use those with a source, and records confirm these.

use std::fs;
use std::path::{Path, PathBuf};

use lanesum_model::analyse::{KernelBound, Kernels};
use lanesum_model::{Constant, ConstantSource, Cycles, Machine, Models, Texts};
use lanesum_report::{Sources, bounds, markdown};
use lanesum_spec::Family;

/// The bound of one kernel, from the stated constants of `machine`.
fn bound(machine: &Machine, family: Family, kernel: &str) -> KernelBound {
    let models = Models::built_in().unwrap();
    let bounds = Kernels::new(&models).bounds(machine, family).unwrap();
    bounds.into_iter().find(|bound| bound.kernel == kernel).unwrap()
}

#[test]
fn a_bound_uses_stated_constants_and_names_their_sources() {
    let models = Models::built_in().unwrap();
    let zen5 = models.machine("zen5").unwrap();
    // 2041 operations on six ALUs, not on the 4.8 that the fit found.
    let scalar = bound(zen5, Family::Sha256, "scalar");
    assert_eq!((scalar.limit(), (100.0 * scalar.cycles_per_byte()).round()), ("alu", 532.0));
    let sources: Vec<String> = scalar.bound().sources().map(ToString::to_string).collect();
    assert!(sources.len() == 1 && sources[0].contains("58455"), "{sources:?}");
    // Without a source for the ALUs, they do not bound the kernel.
    let mut assumed = zen5.clone();
    assumed.units.pools.insert("alu".to_owned(), Constant::Assumed(4.8));
    let without = bound(&assumed, Family::Sha256, "scalar");
    assert!(without.pools.iter().all(|(pool, _)| pool != "alu"), "{without:?}");
    assert!(without.cycles() < scalar.cycles());
    // Assumed latencies are no part of a chain.
    let chain = |machine: &Machine| bound(machine, Family::Sha1, "sha_ni_x1").chain.cycles();
    let before = chain(&assumed);
    let rounds = assumed.units.ops.get_mut("sha1rnds4").unwrap();
    rounds.latency = Some(Constant::Assumed(60.0));
    rounds.from = Vec::new();
    assert!(chain(&assumed) < before);
}

#[test]
fn a_machine_without_sources_has_no_bounds_and_is_marked() {
    let mut texts = Texts::built_in();
    let (before, after) =
        texts.machines.split_once("[[machine.stated]]\nby = \"arm-neoverse\"").unwrap();
    let rest = after.split_once("\n\n").unwrap().1;
    texts.machines = format!("{before}\n{rest}");
    let models = Models::from_texts(&texts).unwrap();
    let machine = models.machine("neoverse").unwrap();
    assert_eq!(machine.shown(), "neoverse (assumed)");
    let mut kernels = Kernels::new(&models);
    let bounds = kernels.bounds(machine, Family::Sha1).unwrap();
    assert!(!bounds.is_empty() && bounds.iter().all(|bound| bound.cycles() == 0.0), "{bounds:?}");
    let estimates = kernels.estimates(machine, Family::Sha1).unwrap();
    assert!(estimates.iter().all(|estimate| estimate.cycles() > 0.0));
    assert_eq!(Models::built_in().unwrap().machine("neoverse").unwrap().shown(), "neoverse");
}

#[test]
fn a_measurement_below_a_bound_names_both() {
    let models = Models::built_in().unwrap();
    let scalar = bound(models.machine("zen5").unwrap(), Family::Sha256, "scalar");
    assert!(scalar.admits(7.59, "sha256 by bmi2_asm_x1").is_ok());
    let error = scalar.admits(4.9, "sha256 by bmi2_asm_x1").unwrap_err().to_string();
    assert!(
        error.contains("sha256 by bmi2_asm_x1 is 4.900 cycles per byte, below its bound 5.31"),
        "{error}"
    );
    assert!(error.contains("(alu; from AMD, ") && error.contains("58455"), "{error}");
}

#[test]
fn no_report_is_made_of_a_record_below_a_bound() {
    let folder = std::env::temp_dir().join(format!("lanesum-below-{}", std::process::id()));
    fs::create_dir_all(folder.join("somewhere")).unwrap();
    let record = |cycles: f64| {
        let text = format!(
            "# machine: AMD EPYC, family 26 model 2\n\
             algorithm,kernel,lanes,blocks,cycles_per_byte_min,cycles_per_byte_median\n\
             sha256,avx2_x8,8,64,{cycles},{cycles}\n"
        );
        fs::write(folder.join("somewhere/2026-01-02-kernels.csv"), text).unwrap();
        let sources = Sources::new(Models::built_in().unwrap(), &folder).unwrap();
        bounds(&sources, Some("zen5")).map(|document| markdown(&document, "figures").0)
    };
    let page = record(2.0).unwrap();
    assert!(page.contains("Cycles per byte of each kernel on AMD Zen 5 (somewhere, 2026-01-02)"));
    let error = record(1.5).unwrap_err().to_string();
    let expected = "sha256 by avx2_x8 on somewhere, 2026-01-02, is 1.500 cycles per byte, below its bound 1.590";
    assert!(error.contains(expected) && error.contains("(vector; from AMD, "), "{error}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_documentation_quotes_the_bounds_of_the_models() {
    let page = include_str!("../../../../docs/how-fast.md");
    let models = Models::built_in().unwrap();
    for (machine, family, kernel, measured) in [
        ("zen5", Family::Sha256, "scalar", Some(("7.59", "43 %"))),
        ("zen5", Family::Sha256, "rounds", None),
        ("goldencove", Family::Sha256, "rounds", None),
        ("goldencove", Family::Sha1, "sha_ni_x1", None),
    ] {
        let found = bound(models.machine(machine).unwrap(), family, kernel).cycles_per_byte();
        let least = format!("{found:.2}");
        assert!(page.contains(&least), "{least}: {kernel} on {machine}");
        if let Some((measured, more)) = measured {
            let share = 100.0 * (measured.parse::<f64>().unwrap() / found - 1.0);
            assert!(page.contains(measured) && page.contains(more), "{measured}, {more}");
            assert_eq!(more, format!("{share:.0} %"));
        }
    }
}

fn records() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/record")
}

#[test]
fn constants_are_those_of_their_records() {
    let models = Models::built_in().unwrap();
    let recorded = models.machines.iter().flat_map(|machine| machine.origins());
    let recorded = recorded.filter_map(|(_, constant)| match constant.stated()?.source() {
        ConstantSource::Record(file) => Some(file.clone()),
        _ => None,
    });
    let files: Vec<String> = recorded.collect();
    assert!(files.iter().all(|file| records().join(file).exists()), "{files:?}");
    assert!(models.check_records(&records()).unwrap() >= files.len() / 2);
    // Without records, nothing is compared.
    assert_eq!(models.check_records(Path::new("/nonexistent")).unwrap(), 0);
}

#[test]
fn a_constant_that_is_not_in_its_record_is_rejected() {
    for (from, to, expected) in [
        (
            "sha256rnds2 = { latency = 4, from = [4, 4, 4], sha = 2, vector = 1 }",
            "sha256rnds2 = { latency = 4, from = [4, 5, 4], sha = 2, vector = 1 }",
            "machine `zen5`: sha256rnds2 latency from abef is 5, but 4 in its source, ",
        ),
        (
            "sha1rnds4 = { latency = 4, from = [4, 4], sha = 2 }",
            "sha1rnds4 = { latency = 4, from = [3, 4], sha = 2 }",
            "machine `goldencove`: sha1rnds4 latency from abcd is 3, but 4 in its source, ",
        ),
        // Two instructions that take less time together than on shared units.
        (
            "vunpack = { latency = 1, vector = 1, unpack = 1 }",
            "vunpack = { latency = 1, vector = 1, unpack = 1, shuffle = 1 }",
            "machine `zen4`: pshufb + punpckldq in shuffle is 0.5, but 0.481 in its source, ",
        ),
        // An ALU count of a fit, passed off as measured by the microbenchmark.
        (
            "by = \"zen5-latencies\"\nlatencies",
            "by = \"zen5-latencies\"\npools = [\"alu\"]\nlatencies",
            "machine `zen5`: alu is not in its source, ",
        ),
    ] {
        let mut texts = Texts::built_in();
        assert!(texts.machines.contains(from), "{from}");
        texts.machines = texts.machines.replacen(from, to, 1);
        let models = Models::from_texts(&texts).unwrap();
        let error = models.check_records(&records()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn an_unknown_source_or_constant_is_rejected() {
    for (from, to, expected) in [
        ("by = \"amd-zen5\"", "by = \"hearsay\"", "has no source `hearsay`; there are amd-k8"),
        ("pools = [\"issue\", \"shift\"]", "pools = [\"isue\"]", "has no constant `isue`"),
        ("text = \"gaudet\"", "text = \"hearsay\"", "has no text `hearsay`; there are thread"),
        // A fitted number of ALUs, passed off as the manual's.
        (
            "pools = { issue = 8, alu = 6, shift = 3",
            "pools = { issue = 8, alu = 4.8, shift = 3",
            "machine `zen5`: pool `alu` has 4.8 units by its source",
        ),
    ] {
        let mut texts = Texts::built_in();
        assert!(texts.machines.contains(from), "{from}");
        texts.machines = texts.machines.replacen(from, to, 1);
        let error = Models::from_texts(&texts).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}
