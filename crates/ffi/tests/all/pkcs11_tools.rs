//! The PKCS #11 module, tested with common tools and bindings, and compared with SoftHSM.

use std::fs;
use std::os::unix::fs::PermissionsExt;
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
fn algorithms_without_a_kernel_are_not_mechanisms() {
    let has = |words: &str, mechanism: &str| {
        let listed = run(pkcs11_tool().arg("--list-mechanisms").env("LANESUM_KERNEL", words));
        listed.lines().any(|line| line.trim_start().split([' ', ',']).next() == Some(mechanism))
    };
    assert!(has("portable", "SHA256") && has("portable", "SHA512"));
    // An invalid value is an error. PKCS #11 has no code for it, so the library prints the reason.
    let absent = engine::Kernel::table().find_map(Result::err).expect("no CPU has every kernel");
    for value in ["nonsense", absent] {
        let output =
            pkcs11_tool().arg("--list-mechanisms").env("LANESUM_KERNEL", value).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{value}: {said}");
        assert!(said.contains("CKR_GENERAL_ERROR"), "{value}: {said}");
        let lines = said.lines().filter(|line| line.starts_with("lanesum: LANESUM_KERNEL: "));
        assert_eq!(lines.count(), 1, "{value}: {said}");
    }
    let directory = tempfile::tempdir().unwrap();
    let costs = directory.path().join("costs");
    for (text, is_valid) in [("", false), (&engine::unstable::CostsFile(&[]).to_string(), true)] {
        fs::write(&costs, text).unwrap();
        let mut command = pkcs11_tool();
        let output =
            command.arg("--list-mechanisms").env("LANESUM_COSTS", &costs).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.success(), is_valid, "{said}");
        let lines = said.lines().filter(|line| line.starts_with("lanesum: LANESUM_COSTS: "));
        assert_eq!(lines.count(), usize::from(!is_valid), "{said}");
    }
    let [sha256, sha512] = [engine::Algorithm::SHA256, engine::Algorithm::SHA512];
    let lacks = |kernel: &engine::Kernel| kernel.supports(sha256) && !kernel.supports(sha512);
    let lacks = engine::Kernel::all().find(lacks).expect("a kernel without SHA-512").name();
    assert!(has(lacks, "SHA256") && !has(lacks, "SHA512"), "{lacks}");
}

#[test]
fn p11_kit_lists_it() {
    // p11-kit reads a user's modules from the home directory, but not for root. Therefore root runs
    // it as the user nobody, who may lack access to the source tree: the module is copied.
    let home = tempfile::tempdir().unwrap();
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let copy = home.path().join("liblanesum.so");
    fs::copy(library(), &copy).unwrap();
    let modules = home.path().join(".config/pkcs11/modules");
    fs::create_dir_all(&modules).unwrap();
    let text = fs::read_to_string(file("share/lanesum.module")).unwrap();
    let text = text.replace("liblanesum.so", &copy.display().to_string());
    fs::write(modules.join("lanesum.module"), text).unwrap();
    let is_root = run(Command::new("id").arg("-u")).trim() == "0";
    let nobody: &[&str] = match is_root {
        true => &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
        false => &["env"],
    };
    let listed = run(Command::new(nobody[0])
        .args(&nobody[1..])
        .args(["p11-kit", "list-modules"])
        .env("HOME", home.path())
        .env_remove("XDG_CONFIG_HOME"));
    for line in ["lanesum: ", "library-description: Lanesum SHA engine", "token: lanesum"] {
        assert!(listed.contains(line), "{line}: {listed}");
    }
}

#[test]
fn python_bindings_get_the_same_results_as_from_softhsm() {
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
