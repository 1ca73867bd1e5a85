//! The PKCS #11 door, through the tools and bindings that people use, with SoftHSM
//! beside it.

use std::fs;
use std::process::Command;

use crate::doors::{file, library, python, run};

fn pkcs11_tool() -> Command {
    let mut command = Command::new("pkcs11-tool");
    command.arg("--module").arg(library());
    command
}

#[test]
fn pkcs11_tool_finds_no_errors() {
    let tested = run(pkcs11_tool().arg("--test"));
    assert!(tested.contains("all 4 digest functions seem to work"), "{tested}");
    assert!(tested.contains("No errors"), "{tested}");
    let listed = run(pkcs11_tool().arg("-M"));
    for mechanism in ["SHA-1, digest", "SHA256-HMAC, keySize", "SHA512, digest"] {
        assert!(listed.contains(mechanism), "{mechanism}: {listed}");
    }
    let directory = tempfile::tempdir().unwrap();
    let (input, output) = (directory.path().join("in"), directory.path().join("out"));
    fs::write(&input, b"abc").unwrap();
    run(pkcs11_tool().args(["--hash", "-m", "SHA256", "-i"]).arg(&input).arg("-o").arg(&output));
    let abc = lanesum_spec::digest(lanesum_spec::Algorithm::SHA256, b"abc");
    assert_eq!(fs::read(output).unwrap(), abc[..32]);
}

#[test]
fn what_the_environment_leaves_no_row_is_no_mechanism() {
    let has = |words: &str, mechanism: &str| {
        let listed = run(pkcs11_tool().arg("--list-mechanisms").env("LANESUM_BACKEND", words));
        listed.lines().any(|line| line.trim_start().split([' ', ',']).next() == Some(mechanism))
    };
    assert!(has("portable", "SHA256") && has("portable", "SHA512"));
    assert!(!has("nonsense", "SHA256") && !has("nonsense", "SHA512"));
    let lacks = engine::Backend::all().find(|row| !row.supports(engine::Algorithm::SHA512));
    let lacks = lacks.expect("a row of every CPU has no SHA-512").name();
    assert!(has(lacks, "SHA256") && !has(lacks, "SHA512"), "{lacks}");
}

#[test]
fn p11_kit_lists_it() {
    let directory = tempfile::tempdir().unwrap();
    let module = directory.path().join("lanesum.module");
    let text = fs::read_to_string(file("share/lanesum.module")).unwrap();
    fs::write(&module, text.replace("liblanesum.so", &library().display().to_string())).unwrap();
    // In a view of the file system where no other module is, and nothing is changed for
    // other programs.
    let script = "mount -t tmpfs tmpfs /usr/share/p11-kit/modules \
        && cp \"$0\" /usr/share/p11-kit/modules && p11-kit list-modules";
    let listed = run(Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(&module));
    for line in ["lanesum: ", "library-description: Lanesum SHA engine", "token: lanesum"] {
        assert!(listed.contains(line), "{line}: {listed}");
    }
}

#[test]
fn the_bindings_of_python_get_what_softhsm_gives() {
    let directory = tempfile::tempdir().unwrap();
    let tokens = directory.path().join("tokens");
    fs::create_dir(&tokens).unwrap();
    let config = directory.path().join("softhsm2.conf");
    fs::write(&config, format!("directories.tokendir = {}\n", tokens.display())).unwrap();
    run(Command::new("softhsm2-util")
        .args(["--init-token", "--free", "--label", "t", "--pin", "1234", "--so-pin", "1234"])
        .env("SOFTHSM2_CONF", &config));
    run(Command::new(python())
        .arg(file("tests/doors/oracle.py"))
        .arg(library())
        .arg("/usr/lib/softhsm/libsofthsm2.so")
        .env("SOFTHSM2_CONF", &config));
}
