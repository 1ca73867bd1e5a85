//! Costs files: which are accepted, and their effect on the choice of kernels. No digest depends on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use lanesum::unstable::CostsFile;
use lanesum::{Algorithm, Engine, Family, Kernel, Policy, hash, hash_many};
use lanesum_testkit::{Kind, left_out};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::common::{bytes, itself, kernels, rust_crypto};

const MAX_COST: u32 = 1_000_000;
const MAX_LANES: usize = 32;

/// Returns a costs file of this CPU with a cost for every kernel and family.
fn file(cost: impl Fn(Kernel, Family) -> u32) -> String {
    let pairs = Family::ALL.into_iter().flat_map(|family| {
        let all = Kernel::all().filter(move |kernel| kernel.supports(family.algorithm()));
        all.map(move |kernel| (kernel, family))
    });
    let costs: Vec<_> =
        pairs.map(|(kernel, family)| (kernel, family, cost(kernel, family))).collect();
    CostsFile(&costs).to_string()
}

/// Returns a costs file by which `kernel` is the best for every number of messages.
fn in_favor_of(kernel: Kernel) -> String {
    file(|other, _| if other == kernel { 1 } else { MAX_COST })
}

fn all() -> Policy {
    Policy::parse("").unwrap()
}

/// Returns the kernel of the first step for each number of messages.
fn chosen(engine: &Engine) -> Vec<Kernel> {
    (1..=MAX_LANES).map(|live| engine.kernel(live)).collect()
}

/// Returns the head of a costs file of this CPU.
fn head() -> String {
    CostsFile(&[]).to_string()
}

#[test]
fn invalid_files_are_rejected_with_a_remedy() {
    let head = head();
    let lines: Vec<&str> = head.lines().collect();
    let [format, version, cpu] = lines[..] else { panic!("{head}") };
    let with = |line: &str| format!("{head}{line}\n");
    let not_costs = "the text is not a costs file of this version";
    let fourth = "line 4 of the text is malformed";
    for (text, why) in [
        (String::new(), not_costs),
        ("\n\n# nothing else\n".into(), not_costs),
        ("\u{7f}ELF\0\0".into(), not_costs),
        ("portable_x1 sha256 5000".into(), not_costs),
        (format!("{version}\n{cpu}\n"), not_costs),
        (head.replace(format, "lanesum costs 2"), not_costs),
        (head.replace(format, "lanesum costs 12"), not_costs),
        (head.replace(format, "Lanesum costs 1"), not_costs),
        // Files that end early.
        (format!("{format}\n"), not_costs),
        (format!("{format}\n{version}\n"), not_costs),
        (format!("{format}\n{cpu}\n{version}\n"), "line 2 of the text is malformed"),
        (format!("{format}\n# a comment\n\n{version}\nportable_x1 sha1 1\n"), "line 5 of the text"),
        (head.replace(cpu, "cpu x86_64 MadeUpByTest family 9 model 9"), "on another CPU"),
        (head.replace(cpu, &format!("{cpu} and more")), "on another CPU"),
        (head.replace(cpu, &cpu[..cpu.len() - 1]), "on another CPU"),
        (head.replace(cpu, "cpu "), "line 3 of the text is malformed"),
        (with("portable_x1 sha256"), fourth),
        (with("portable_x1 sha256 5000 5000"), fourth),
        (with("portable_x1"), fourth),
        (with("portable_x1 sha256 0"), fourth),
        (with("portable_x1 sha256 -1"), fourth),
        (with("portable_x1 sha256 5e3"), fourth),
        (with("portable_x1 sha256 nan"), fourth),
        (with("portable_x1 sha256 1000001"), fourth),
        (with("portable_x1 sha256 4294967297"), fourth),
        (with("portable_x1 sha256 18446744073709551617"), fourth),
        // Lines about unknown kernels must be well-formed, too.
        (with("abacus_x10 sha256 0"), fourth),
        (with("# a comment\nportable_x1 sha256 1\nportable_x1 sha256 x"), "line 6 of the text"),
    ] {
        let error = all().with_costs(&text).expect_err(&text);
        let said = error.to_string();
        assert!(said.contains(why), "{text:?}: {said}");
        assert!(said.contains("'lanesum tune --output'"), "{text:?}: {said}");
        assert!(!said.contains('\n') && error.variable() == "LANESUM_COSTS", "{said}");
    }
    let other = all().with_costs(&head.replace(cpu, "cpu other")).unwrap_err().to_string();
    assert!(other.contains(&cpu["cpu ".len()..]), "names this CPU: {other}");
}

#[test]
fn comments_and_unknown_kernels_are_ignored() {
    let portable = Kernel::all().find(|kernel| kernel.name() == "portable_x1").unwrap();
    let right = chosen(
        &all().with_costs(&in_favor_of(portable)).unwrap().engine(Algorithm::SHA256).unwrap(),
    );
    assert_eq!(right, [portable; MAX_LANES]);
    let absent = Kernel::table().find_map(Result::err).expect("no CPU has every kernel");
    let text = in_favor_of(portable);
    for text in [
        format!("{text}abacus_x10 sha256 1\n"),
        format!("{text}{absent} sha256 1\n"),
        format!("{text}portable_x1 sha256/beads 1\n"),
        format!("# before the format\n\n{text}"),
        text.replace('\n', "\n\n  # between\n"),
        text.replace('\n', "\r\n"),
        text.replace('\n', " \t\n"),
        text.trim_end().to_owned(),
        // Files of other versions.
        text.replace(env!("CARGO_PKG_VERSION"), "99.9.9-beta"),
    ] {
        let policy = all().with_costs(&text).expect(&text);
        assert_eq!(chosen(&policy.engine(Algorithm::SHA256).unwrap()), right, "{text}");
    }
}

/// Whatever CPU this is: a file with a cost for every kernel leaves nothing of the built-in costs.
#[test]
fn the_plan_is_the_cheapest_by_the_costs_of_the_file() {
    for seed in 0..50_u32 {
        let cost = |kernel: Kernel, family: Family| {
            let name = kernel.name().bytes().chain(family.name().bytes());
            let mixed =
                name.fold(seed, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
            // Costs like measured ones, and the extremes.
            match mixed % 16 {
                0 => 1,
                1 => MAX_COST,
                _ => 1000 + mixed % 20_000,
            }
        };
        let policy = all().with_costs(&file(cost)).unwrap();
        for family in Family::ALL {
            let engine = policy.engine(family.algorithm()).unwrap();
            let costs = policy
                .kernels(family.algorithm())
                .map(|kernel| (kernel, u64::from(cost(kernel, family))));
            let costs: Vec<_> = costs.collect();
            let mut cheapest = [0; MAX_LANES + 1];
            for live in 1..=MAX_LANES {
                let with = |&(kernel, cost): &(Kernel, u64)| {
                    cost + cheapest[live.saturating_sub(kernel.lanes())]
                };
                let least = costs.iter().map(with).min().unwrap();
                let own = costs.iter().find(|(kernel, _)| *kernel == engine.kernel(live)).unwrap();
                assert_eq!(with(own), least, "{seed}: {} {live}", family.name());
                cheapest[live] = least;
            }
        }
    }
}

proptest! {
    /// No text makes the parser or the plan panic, or changes a digest.
    #[test]
    fn any_text_is_accepted_or_rejected(
        (seed, at, len) in (any::<u32>(), any::<Index>(), 0..40_usize),
        with in prop_oneof![any::<String>(), "[a-z0-9_ #\\n]{0,40}", "[0-9]{1,12}"],
    ) {
        let mut text = file(|_, family| seed.rotate_left(family as u32));
        let start = at.index(text.len());
        text.replace_range(start..(start + len).min(text.len()), &with);
        if let Ok(policy) = all().with_costs(&text) {
            for family in Family::ALL {
                let algorithm = family.algorithm();
                let engine = policy.engine(algorithm).unwrap();
                let (one, mut many) = (hash(algorithm, "abc"), [hash(algorithm, ""); 5]);
                hash_many(&engine, &["abc"; 5], &mut many[..]);
                prop_assert_eq!(many, [one; 5]);
            }
        }
    }
}

#[test]
fn any_kernel_can_be_preferred_and_no_digest_changes() {
    let messages: Vec<Vec<u8>> = (0..2 * MAX_LANES + 1).map(|i| bytes(7 * i)).collect();
    for (kernel, algorithm) in kernels() {
        let policy = all().with_costs(&in_favor_of(kernel)).unwrap();
        let engine = policy.engine(algorithm).unwrap();
        assert_eq!(chosen(&engine), [kernel; MAX_LANES], "{algorithm}");
        assert_eq!(policy.engine_for_one(algorithm).unwrap().kernel(1), kernel, "{algorithm}");
        let mut digests = vec![hash(algorithm, ""); messages.len()];
        hash_many(&engine, &messages, &mut digests[..]);
        for (message, digest) in messages.iter().zip(digests) {
            assert_eq!(digest.as_bytes(), rust_crypto(algorithm, message), "{kernel} {algorithm}");
            assert_eq!(hash(&engine, message), digest, "{kernel} {algorithm}");
        }
    }
}

#[test]
fn costs_do_not_allow_excluded_kernels() {
    for only in Kernel::all() {
        for favored in Kernel::all() {
            let policy = Policy::fixed(only).with_costs(&in_favor_of(favored)).unwrap();
            for algorithm in Algorithm::all() {
                let left: Vec<_> = policy.kernels(algorithm).collect();
                let expected = Some(only).filter(|only| only.supports(algorithm));
                assert_eq!(left, Vec::from_iter(expected), "{algorithm}");
            }
        }
    }
}

#[test]
fn written_costs_are_within_the_limits() {
    let kernel = Kernel::all().last().unwrap();
    for (cost, written) in
        [(0, 1), (1, 1), (MAX_COST, MAX_COST), (MAX_COST + 1, MAX_COST), (u32::MAX, MAX_COST)]
    {
        let text = CostsFile(&[(kernel, Family::Sha1, cost)]).to_string();
        assert_eq!(text, format!("{}{kernel} sha1 {written}\n", head()));
        all().with_costs(&text).unwrap();
    }
    // The version and the CPU are in the head.
    assert!(
        head().contains(&format!("\nversion {}\ncpu ", env!("CARGO_PKG_VERSION"))),
        "{}",
        head()
    );
}

/// The tests below run this in a separate process, because tests of a process share the environment.
#[test]
#[ignore = "is run by the tests of the environment"]
fn says_its_choice() {
    if std::env::var_os("UNASKED").is_none() {
        match Policy::check_env(Algorithm::SHA256) {
            Ok(()) => println!("checked"),
            Err(error) => println!("check {}: {error}", error.variable()),
        }
    }
    match Policy::from_env() {
        Ok(policy) => println!("env {}", policy.engine(Algorithm::SHA256).unwrap().kernel(1)),
        Err(error) => println!("error {}: {error}", error.variable()),
    }
    println!("automatic {}", Engine::new(Algorithm::SHA256).kernel(1));
    for algorithm in Algorithm::all() {
        assert_eq!(hash(algorithm, b"abc").as_bytes(), rust_crypto(algorithm, b"abc"));
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ids = status.lines().find_map(|line| line.strip_prefix("Uid:")).unwrap_or_default();
    println!("ids {ids}");
}

const SAYS: [&str; 4] = ["costs::says_its_choice", "--exact", "--ignored", "--nocapture"];

fn said(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    let [out, err] = [&output.stdout, &output.stderr].map(|s| String::from_utf8_lossy(s));
    assert!(!err.contains("LANESUM_COSTS"), "the crate prints nothing: {err}");
    out.into_owned()
}

/// Returns a kernel that the built-in costs do not select for one message of SHA-256.
fn favored() -> Kernel {
    let built_in = all().engine(Algorithm::SHA256).unwrap().kernel(1);
    let mut others = Kernel::all().filter(|kernel| kernel.supports(Algorithm::SHA256));
    others.find(|&kernel| kernel != built_in).expect("several kernels")
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn the_environment_names_a_file() {
    let folder = folder("costs");
    let place = |name: &str, text: &[u8]| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    };
    let run = |path: &Path, kernels: &str| {
        let mut command = itself();
        command.args(SAYS).env("LANESUM_COSTS", path).env("LANESUM_KERNEL", kernels);
        said(&command.output().unwrap())
    };
    let favored = favored();
    let good = place("good", in_favor_of(favored).as_bytes());
    let out = run(&good, "");
    for line in ["checked".to_owned(), format!("env {favored}"), format!("automatic {favored}")] {
        assert!(out.contains(&line), "{line}: {out}");
    }
    // Both variables apply, and the kernels are not widened.
    let out = run(&good, "portable_x1");
    assert!(out.contains("env portable_x1") && out.contains("automatic portable_x1"), "{out}");
    // An error about kernels comes first; costs are obeyed nevertheless.
    let out = run(&good, "abacus");
    assert!(out.contains("error LANESUM_KERNEL: there is no"), "{out}");
    assert!(out.contains(&format!("automatic {favored}")), "{out}");

    let head = head();
    let long = format!("{}{}", "# long\n".repeat(1 << 16), in_favor_of(favored));
    let name = "a-long-name-of-which-the-end-is-shown-".repeat(5);
    let built_in = all().engine(Algorithm::SHA256).unwrap().kernel(1);
    for (path, why) in [
        (folder.join("missing"), "No such file"),
        (folder.clone(), "directory"),
        (place("empty", b""), "is not a costs file"),
        (place("bytes", b"lanesum costs 1\n\xff"), "is not a costs file"),
        (place("long", long.as_bytes()), "is not a costs file"),
        ("/dev/zero".into(), "is not a costs file"),
        (place("line", format!("{head}portable_x1 sha256 0\n").as_bytes()), "line 4 of '"),
        (place("cpu", head.replace("cpu ", "cpu other ").as_bytes()), "measured on another CPU"),
        (folder.join(name), "the-end-is-shown-'"),
    ] {
        let out = run(&path, "");
        for begin in ["check", "error"] {
            let begin = format!("{begin} LANESUM_COSTS: ");
            let line = out.lines().find(|line| line.contains(&begin)).expect(&out);
            assert!(line.contains(why) && line.contains("'lanesum tune --output'"), "{line}");
            let end = path.to_string_lossy();
            let end = &end[end.len().saturating_sub(20)..];
            assert!(line.contains(&format!("{end}'")), "{end}: {line}");
        }
        // Calls that cannot fail ignore the file, not the kernels.
        assert!(out.contains(&format!("automatic {built_in}")), "{out}");
        let out = run(&path, "portable_x1");
        assert!(out.contains("automatic portable_x1"), "{out}");
    }
    // An empty variable has no effect, and neither has any if the program does not opt in.
    let out = run(Path::new(""), "");
    assert!(out.contains("checked") && out.contains(&format!("env {built_in}")), "{out}");
    let mut unasked = itself();
    let out =
        said(&unasked.args(SAYS).env("LANESUM_COSTS", &good).env("UNASKED", "1").output().unwrap());
    assert!(out.contains(&format!("automatic {built_in}")), "{out}");
}

/// A user must not make a program with other rights open files.
#[test]
#[cfg(target_os = "linux")]
fn set_user_id_programs_ignore_the_file() {
    use std::os::unix::fs::{PermissionsExt, chown};

    let folder = folder("costs-secure");
    let [good, program] = ["good", "program"].map(|name| folder.join(name));
    fs::write(&good, in_favor_of(favored())).unwrap();
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    const NOBODY: u32 = 65534;
    let is_owned = chown(&program, Some(NOBODY), None).is_ok();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).unwrap();
    let output = Command::new(&program).args(SAYS).env("LANESUM_COSTS", &good).output();
    let out = output.as_ref().map(said).unwrap_or_default();
    fs::remove_file(&program).unwrap();
    let ids = out.lines().find_map(|line| line.strip_prefix("ids ")).unwrap_or_default();
    let mut ids = ids.split_whitespace();
    if !is_owned || ids.next() == ids.next() {
        return left_out(
            Kind::Test,
            "set_user_id",
            "only root can create such programs, and only on some file systems",
        );
    }
    let built_in = all().engine(Algorithm::SHA256).unwrap().kernel(1);
    assert!(out.contains("checked") && out.contains(&format!("automatic {built_in}")), "{out}");
}
