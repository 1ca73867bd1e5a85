//! Every output format, read by this command and by the tools that define the format.

use std::fs;

use lanesum_manifest::Format;

use crate::common::{Folder, bytes, hex, nasty_names, ran, refused, well};

#[test]
fn every_format_is_checked_audited_and_compared_with_any_names() {
    let folder = Folder::new();
    for (i, name) in nasty_names().iter().enumerate() {
        folder.file("tree/x", "");
        fs::write(folder.at("tree").join(name), bytes(i)).unwrap();
    }
    fs::remove_file(folder.at("tree/x")).unwrap();
    let count = fs::read_dir(folder.at("tree")).unwrap().count();
    for format in Format::all() {
        for zero in ["", "-z"] {
            let file = if format.is_known_by_file() { "manifest-sha256.txt" } else { "SUMS" };
            let name = format.name();
            well(folder.run(&format!("sum -r tree --format {name} {zero} -o {file}")), "");
            well(folder.run(&format!("check --quiet --strict {zero} {file}")), "");
            let all = format!("{count} files: {count} the same\n");
            well(folder.run(&format!("check --audit {zero} {file}")), &all);
            well(folder.run(&format!("diff {zero} {file} tree")), &all);
            let before = fs::read(folder.at(file)).unwrap();
            let update = format!("sum --update {file} --cache=CACHE {zero}");
            well(folder.run(&update), &all);
            assert_eq!(fs::read(folder.at(file)).unwrap(), before, "{name} {zero}");
        }
    }
}

#[test]
fn hashdeep_audits_our_manifests() {
    let folder = Folder::new();
    folder.file("tree/a", "abc").file("tree/b, c", "def");
    well(folder.run("sum -r tree -a md5,sha256 --format hashdeep -o SUMS"), "");
    let theirs = folder.peer("hashdeep -l -r -a -vv -k SUMS tree");
    assert!(theirs.out.contains("Audit passed"), "{theirs:?}");
    folder.file("SUMS", folder.peer("hashdeep -l -r -c md5,sha256 tree").out);
    well(folder.run("check --audit SUMS"), "2 files: 2 the same\n");
    well(folder.run("check SUMS --quiet"), "");
}

#[test]
fn manifests_of_other_tools_are_checked() {
    let folder = Folder::new();
    folder.file("a", "abc").file("b c", "def");
    let names = ["a", "b c"];
    for words in [
        "rhash --sha256",
        "rhash --sfv --sha256",
        "rhash --bsd --sha256 --md5",
        "rhash --simple --sha1 --sha512",
        "openssl dgst -sha256",
        "openssl dgst -sha3-256",
        "openssl dgst -blake2b512",
        "b2sum --tag",
        "rhash --bsd --sha3-224",
        "openssl dgst -r -sha512",
        "sha1sum",
        "cksum -a sha384",
        "shasum -a 224",
        "md5deep -l",
        "hashdeep -l",
    ] {
        let mut command = folder.command(words.split(' ').next().unwrap());
        command.args(words.split(' ').skip(1)).args(names);
        let theirs = ran(&command.output().unwrap());
        assert_eq!(theirs.status, Some(0), "{words}: {theirs:?}");
        folder.file("SUMS", &theirs.out);
        let ours = folder.run("check -w --quiet --strict SUMS");
        well(ours, "");
    }
}

#[test]
fn an_sfv_is_checked_but_not_audited() {
    let folder = Folder::new();
    folder.file("a", "abc").file("two words", bytes(300_000)).file("empty", "");
    let mut command = folder.command("rhash");
    let theirs = ran(&command.args(["--sfv", "a", "two words", "empty"]).output().unwrap());
    assert!(theirs.out.contains("a 352441C2\n") && theirs.out.contains("empty 00000000\n"));
    folder.file("f.sfv", &theirs.out).file("dos.sfv", theirs.out.replace('\n', "\r\n"));
    for name in ["f.sfv", "dos.sfv"] {
        well(folder.run(&format!("check --strict {name}")), "a: OK\ntwo words: OK\nempty: OK\n");
    }
    folder.file("a", "abd");
    std::fs::remove_file(folder.at("empty")).unwrap();
    let found = folder.run("check f.sfv");
    assert_eq!(found.status, Some(1));
    assert_eq!(found.out, "a: FAILED\ntwo words: OK\nempty: FAILED open or read\n");
    assert!(found.err.contains("cannot open empty: No such file or directory"), "{found:?}");
    assert_eq!(folder.run("check --ignore-missing f.sfv").out, "a: FAILED\ntwo words: OK\n");
    // CRC-32 proves nothing, so an audit rejects it.
    let found = folder.run("check --audit f.sfv");
    assert!(
        found.status == Some(1) && found.err.contains("CRC-32 detects accidental"),
        "{found:?}"
    );
    assert!(folder.run("check -a sha256 --strict f.sfv").err.contains("no properly formatted"));
}

#[test]
fn warn_reports_the_detected_format() {
    let folder = Folder::new();
    folder.file("a", "abc");
    let hash = hex("sha256", b"abc");
    for (text, kind) in [
        (format!("{hash}  a\n"), "GNU lines"),
        (format!("SHA256 (a) = {hash}\n"), "BSD tagged lines"),
        (format!("SHA2-256(a)= {hash}\n"), "OpenSSL lines"),
        (format!("a {hash}\n"), "SFV lines"),
        (format!("SHA256   {hash}  a\n"), "a PowerShell table"),
        (format!("SHA256 (a) = {hash}\n{hash}  a\n"), "BSD tagged lines and GNU lines"),
    ] {
        folder.file("SUMS", &text);
        let ran = folder.run("check --audit -w SUMS");
        assert_eq!(ran.err, format!("lanesum: SUMS: read as {kind}\n"));
    }
    folder.file("a.sha256", &hash);
    well(folder.run("check a.sha256"), "a: OK\n");
    let ran = folder.run("check --audit -w a.sha256 --allow new");
    assert_eq!(ran.err, "lanesum: a.sha256: read as digests without names\n");
    folder.file("sub/a", "abc").file("sub/a.sha256", &hash);
    well(folder.run("check sub/a.sha256"), "sub/a: OK\n");
}

#[test]
fn formats_that_cannot_express_the_request_are_rejected() {
    let folder = Folder::new();
    folder.file("a", "abc");
    for format in ["gnu", "bagit"] {
        let ran = folder.run(&format!("sum -a sha1,sha256 --format {format} a"));
        refused(&ran, 2, "does not record the algorithm");
    }
    for format in ["bsd", "solaris", "json", "csv", "hashdeep"] {
        let ran = folder.run(&format!("sum -a sha1,sha256 --format {format} a"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
    }
    let hash = hex("sha256", b"abc");
    folder.file("SUMS", format!("a {hash}\n"));
    refused(
        &folder.run("sum --update SUMS --cache=CACHE"),
        2,
        "cannot write SFV lines; select another format with --format",
    );
    well(folder.run("sum --update SUMS --cache=CACHE --format gnu -g a"), "1 file: 1 the same\n");
    assert_eq!(fs::read_to_string(folder.at("SUMS")).unwrap(), format!("{hash}  a\n"));
}
