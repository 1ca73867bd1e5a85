//! `lanesum tune` and `LANESUM_COSTS`. The tests do not depend on measured speeds.

use std::fs;
use std::os::unix::fs::MetadataExt;

use lanesum::unstable::{CostsFile, Cpu};
use lanesum::{Algorithm, Family, Kernel, Policy};
use serde_json::Value;

use crate::common::{Folder, Ran, ran, refused};

/// Returns a costs file of this CPU by which `favored` is the best for every number of messages.
fn in_favor_of(favored: Kernel) -> String {
    let pairs = Family::ALL.into_iter().flat_map(|family| {
        let all = Kernel::all().filter(move |kernel| kernel.supports(family.algorithm()));
        all.map(move |kernel| (kernel, family, if kernel == favored { 1 } else { 1_000_000 }))
    });
    CostsFile(&pairs.collect::<Vec<_>>()).to_string()
}

fn with_costs(folder: &Folder, path: &str, words: &str) -> Ran {
    let mut command = folder.lanesum();
    command.env("LANESUM_COSTS", path).args(words.split(' '));
    ran(&command.output().unwrap())
}

#[test]
fn the_file_has_every_kernel_and_family_and_is_accepted() {
    let folder = Folder::new();
    let tune = folder.run("tune --seconds 0.5 --output costs");
    assert_eq!((tune.status, &tune.err[..]), (Some(0), ""));
    let text = fs::read_to_string(folder.at("costs")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "lanesum costs 1");
    assert_eq!(lines[1], format!("version {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(lines[2], format!("cpu {}", Cpu::this()));
    // A kernel is missing only if every sample was disturbed, which is reported.
    let mut missing = 0;
    for family in Family::ALL {
        for kernel in Kernel::all().filter(|kernel| kernel.supports(family.algorithm())) {
            let begin = format!("{kernel} {} ", family.name());
            match lines.iter().find_map(|line| line.strip_prefix(&begin)) {
                Some(cost) => assert!(cost.parse::<u32>().unwrap() > 0, "{begin}{cost}"),
                None => missing += 1,
            }
        }
    }
    let reported = tune.out.contains(&format!("{missing} costs are unchanged"));
    assert_eq!(missing > 0, reported, "{}", tune.out);
    let path = folder.at("costs");
    assert!(tune.out.contains(&format!("LANESUM_COSTS={}\n", path.display())), "{}", tune.out);

    // The engine accepts the file, and the command chooses kernels by it.
    let policy = Policy::parse("").unwrap().with_costs(&text).unwrap();
    let list = with_costs(&folder, "costs", "list --json");
    assert_eq!((list.status, &list.err[..]), (Some(0), ""));
    let list: Value = serde_json::from_str(&list.out).unwrap();
    for (found, algorithm) in list["algorithms"].as_array().unwrap().iter().zip(Algorithm::all()) {
        let engine = policy.engine(algorithm).unwrap();
        assert_eq!(found["one"], engine.kernel(1).name(), "{algorithm}");
        assert_eq!(found["many"], engine.kernel(32).name(), "{algorithm}");
    }
}

#[test]
fn each_changed_batch_has_a_line() {
    let folder = Folder::new();
    let tune = folder.run("tune -s 0.5 -o costs");
    let policies = [
        Policy::parse("").unwrap(),
        Policy::parse("")
            .unwrap()
            .with_costs(&fs::read_to_string(folder.at("costs")).unwrap())
            .unwrap(),
    ];
    let mut expected = Vec::new();
    for family in Family::ALL {
        let engines = policies.each_ref().map(|policy| policy.engine(family.algorithm()).unwrap());
        for live in 1..=32 {
            let [before, after] = engines.each_ref().map(|engine| engine.kernel(live).name());
            if before != after {
                expected.push((
                    family.name().to_owned(),
                    live,
                    before.to_owned(),
                    after.to_owned(),
                ));
            }
        }
    }
    let mut found = Vec::new();
    for line in tune.out.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [family, range, before, after, _, "%"] = words[..] else { continue };
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        for live in first.parse().unwrap()..=last.parse().unwrap() {
            found.push((family.to_owned(), live, before.to_owned(), after.to_owned()));
        }
    }
    assert_eq!(found, expected, "{}", tune.out);
    assert_eq!(expected.is_empty(), tune.out.contains("select the same kernels"), "{}", tune.out);
}

#[test]
fn no_file_is_written_unless_requested() {
    let folder = Folder::new();
    let tune = folder.run("tune --seconds 0");
    assert!(tune.status == Some(0) && tune.out.contains("'--output FILE'"), "{tune:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_file_is_replaced_atomically() {
    let folder = Folder::new();
    // Neither of these prevents measuring again.
    folder.file("costs", "old");
    let before = fs::metadata(folder.at("costs")).unwrap().ino();
    let tune = with_costs(&folder, "costs", "tune --seconds 0 -o costs");
    assert_eq!((tune.status, &tune.err[..]), (Some(0), ""));
    assert_ne!(fs::metadata(folder.at("costs")).unwrap().ino(), before);
    assert!(fs::read_to_string(folder.at("costs")).unwrap().starts_with("lanesum costs 1\n"));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    refused(&folder.run("tune --seconds 0 -o missing/costs"), 1, "cannot write missing/costs");
}

#[test]
fn misuse_is_rejected() {
    let folder = Folder::new();
    for words in ["tune costs", "tune -o", "tune --seconds x", "tune --seconds -1", "tune --json"] {
        assert_eq!(folder.run(words).status, Some(2), "{words}");
    }
}

#[test]
fn planted_costs_change_the_plan_but_no_digest() {
    let folder = Folder::new();
    let messages: Vec<String> = (0..40).map(|i| format!("m{i:02}")).collect();
    for (i, name) in messages.iter().enumerate() {
        folder.file(name, crate::common::bytes(100 * i));
    }
    let sum = format!("sum -j 1 -a sha256 {}", messages.join(" "));
    let right = folder.run(&sum);
    assert_eq!(right.status, Some(0));
    for favored in Kernel::all().filter(|kernel| kernel.supports(Algorithm::SHA256)) {
        folder.file("costs", in_favor_of(favored));
        let listed = with_costs(&folder, "costs", "list");
        let line = listed.out.lines().find(|line| line.starts_with("sha256 ")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[2..], [favored.name(); 2], "{line}");
        assert_eq!(with_costs(&folder, "costs", &sum), right, "{favored}");
        // 'bench --plan' hashes with the plan.
        let plan = "bench --plan -a sha256 -k portable_x1 -l 64 --messages 1,3 -s 0";
        assert_eq!(with_costs(&folder, "costs", plan).status, Some(0), "{favored}");
    }
}

#[test]
fn other_names_of_the_command_read_the_file() {
    let folder = Folder::new();
    folder.file("a", "abc");
    let favored = Kernel::all()
        .find(|kernel| kernel.lanes() > 1)
        .unwrap_or_else(|| Kernel::all().next().unwrap());
    folder.file("good", in_favor_of(favored)).file("wrong", "beans");
    let run = |name: &str, arguments: &[&str], costs: &str| {
        let mut command = folder.lanesum();
        std::os::unix::process::CommandExt::arg0(&mut command, name);
        ran(&command.args(arguments).arg("a").env("LANESUM_COSTS", costs).output().unwrap())
    };
    let debug = run("cksum", &["--debug", "-a", "sha256"], "good");
    assert_eq!(debug.err, format!("cksum: using {favored}, and {favored} for many files\n"));
    assert!(debug.out.starts_with("SHA256 (a) = ba7816bf"), "{debug:?}");
    for (name, arguments) in [("sha256sum", &[][..]), ("digest", &["-a", "sha256"])] {
        let well = run(name, arguments, "good");
        assert!(well.status == Some(0) && well.out.contains("ba7816bf"), "{name}: {well:?}");
        let refused = run(name, arguments, "wrong");
        assert!(refused.status == Some(1) && refused.out.is_empty(), "{name}: {refused:?}");
        assert!(refused.err.contains("LANESUM_COSTS: 'wrong' is not a costs file"), "{refused:?}");
    }
}

#[test]
fn a_file_of_another_cpu_is_refused() {
    let folder = Folder::new();
    let own = CostsFile(&[]).to_string();
    folder.file(
        "costs",
        own.replace(&Cpu::this().to_string(), "x86_64 GenuineIntel family 6 model 1"),
    );
    let list = with_costs(&folder, "costs", "list");
    refused(&list, 2, "LANESUM_COSTS: 'costs' was measured on another CPU");
    assert!(list.err.contains("with 'lanesum tune --output'"), "{}", list.err);
}
