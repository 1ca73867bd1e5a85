//! The shared libraries, used by programs that were not written for Lanesum.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::{env, fs};

use tempfile::TempDir;

/// The crate's directory.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the path of the archive that `cargo test` built. Panics if it is older than the source.
fn archive() -> PathBuf {
    let test = env::current_exe().unwrap();
    let archive = test.parent().unwrap().with_file_name("examples").join("liblanesum_md.a");
    let age = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let newest =
        fs::read_dir(root().join("src")).unwrap().filter_map(|file| age(&file.unwrap().path()));
    let built = age(&archive).expect(
        "`cargo build -p lanesum-md --examples`, or a `cargo test` of all targets, builds it",
    );
    assert!(
        newest.max().unwrap() <= built,
        "{archive:?} is older than its source: `cargo build -p lanesum-md --examples`"
    );
    archive
}

/// Returns a directory with the shared libraries, under the names that programs load.
fn libraries() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = TempDir::new().unwrap();
            run(Command::new(root().join("link")).arg(archive()).arg(folder.path()));
            let link = |name, file| {
                std::os::unix::fs::symlink(file, folder.path().join(name)).unwrap();
            };
            link("libmd.so.0", "liblanesum_md.so");
            link("liblanesum_freebsd_md.so.0", "liblanesum_freebsd_md.so");
            link("libsha1detectcoll.so.1", "liblanesum_sha1dc.so");
            folder
        })
        .path()
}

/// Runs a command that must succeed. Returns its standard output.
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// Compiles one of the programs in `tests/c`.
fn compile(folder: &TempDir, name: &str, flags: &[&str]) -> PathBuf {
    let program = folder.path().join(name);
    run(Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-o"])
        .arg(&program)
        .arg(root().join("tests/c").join(name).with_extension("c"))
        .args(flags));
    program
}

/// Returns the path of a system library, as the loader finds it.
fn system(name: &str) -> PathBuf {
    let cache = run(Command::new("/sbin/ldconfig").arg("-p"));
    let line = cache.lines().find(|line| line.split_whitespace().next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("{name} is not installed: `cargo xtask tools`"));
    PathBuf::from(line.rsplit(" => ").next().unwrap())
}

/// Returns the functions that a library exports, with their versions.
fn exported(library: &Path) -> BTreeSet<String> {
    run(Command::new("objdump").arg("-T").arg(library))
        .lines()
        .filter(|line| line.contains(" .text\t"))
        .map(|line| line.split_whitespace().rev().take(2).collect::<Vec<_>>().join("@"))
        .collect()
}

#[test]
fn exports_match_libmd_and_the_documented_additions() {
    let theirs = exported(&system("libmd.so.0"));
    let ours = exported(&libraries().join("liblanesum_md.so"));
    assert!(theirs.contains("SHA256Init@LIBMD_0.0"), "{theirs:?}");
    let missing: Vec<_> = theirs.difference(&ours).collect();
    assert!(missing.is_empty(), "missing: {missing:?}");
    let counted = |version| ours.iter().filter(|name| name.ends_with(version)).count();
    assert_eq!((counted("@LIBMD_0.2"), counted("@LIBMD_0.3")), (6 * 3 + 1, 9));
    for more in ours.difference(&theirs) {
        let (name, version) = more.split_once('@').unwrap();
        let known = match version {
            // The system's libmd may lack these versions. Release 1.3 has all.
            "LIBMD_0.2" => name.starts_with("SHA3_") || name.starts_with("SHAKE"),
            "LIBMD_0.3" => name.starts_with("SHA512_224"),
            "LIBMD_0.1" => name.starts_with("SHA224") || name.starts_with("SHA512_256"),
            "LANESUM_MD_0.1" => name.starts_with("SHA2") || name == "md5_calc",
            _ => false,
        };
        assert!(known, "{more}");
    }
    let freebsd = exported(&libraries().join("liblanesum_freebsd_md.so"));
    let names = freebsd.iter().map(|name| name.split('@').next().unwrap());
    assert!(names.clone().all(|name| name.contains('_')), "{freebsd:?}");
    assert_eq!(names.count(), 8 * 9);
}

#[test]
fn context_sizes_match_the_headers() {
    let folder = TempDir::new().unwrap();
    let program = compile(&folder, "sizes", &["-lmd"]);
    run(&mut Command::new(&program));
    run(Command::new(&program).env("LD_LIBRARY_PATH", libraries()));
}

#[test]
fn functions_behave_as_in_the_system_library() {
    let folder = TempDir::new().unwrap();
    let program = compile(&folder, "agreement", &["-ldl"]);
    let file = folder.path().join("file");
    fs::write(&file, (0..100_000_u32).map(|i| (i.wrapping_mul(i) >> 5) as u8).collect::<Vec<_>>())
        .unwrap();
    let ours = libraries().join("liblanesum_md.so");
    let arguments = [&system("libmd.so.0"), &ours, &file, folder.path()];
    run(Command::new(&program).args(arguments).arg("100"));
    // Again with only the target's baseline instructions, and under valgrind without leaks or
    // invalid accesses (comparing our library with itself).
    run(Command::new(&program).args(arguments).arg("10").env("LANESUM_KERNEL", "portable"));
    run(Command::new("valgrind")
        .args(["-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"])
        .arg(&program)
        .args([&ours, &ours, &file, folder.path()])
        .arg("3"));
}

/// Functions of libmd cannot report an invalid variable. A line on standard error does, and digests
/// are correct.
#[test]
fn an_invalid_environment_is_ignored_and_reported_once() {
    let folder = TempDir::new().unwrap();
    let program = compile(&folder, "agreement", &["-ldl"]);
    let file = folder.path().join("file");
    fs::write(&file, [7; 1000]).unwrap();
    let ours = libraries().join("liblanesum_md.so");
    for name in ["LANESUM_KERNEL", "LANESUM_COSTS"] {
        let output = Command::new(&program)
            .args([&system("libmd.so.0"), &ours, &file, folder.path()])
            .arg("3")
            .env(name, "nonsense")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{said}");
        assert!(said.contains(&format!("{name} is ignored: ")), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_program_for_solaris_runs() {
    let folder = TempDir::new().unwrap();
    let (include, library) = (root().join("include/solaris"), libraries().join("liblanesum_md.so"));
    let flags = ["-I", include.to_str().unwrap(), library.to_str().unwrap()];
    let program = compile(&folder, "solaris", &flags);
    let lines = run(Command::new(&program).env("LD_LIBRARY_PATH", libraries()));
    let names = ["256", "256", "384", "512", "512-224", "512-256", "512"];
    let digests = names.map(|name| openssl(&format!("sha{name}"), b"abc"));
    let expected: Vec<_> = digests.into_iter().chain([openssl("md5", b"abc")]).collect();
    assert_eq!(lines.lines().collect::<Vec<_>>(), expected);
}

/// Returns the digest of a message that openssl(1) computes.
fn openssl(algorithm: &str, message: &[u8]) -> String {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("message");
    fs::write(&file, message).unwrap();
    let out = run(Command::new("openssl").args(["dgst", "-r", &format!("-{algorithm}")]).arg(file));
    out.split(' ').next().unwrap().to_owned()
}

#[test]
fn freebsd_functions_coexist_with_libcrypto() {
    let folder = TempDir::new().unwrap();
    let program = compile(&folder, "freebsd", &["-ldl"]);
    let file = folder.path().join("file");
    fs::write(&file, b"warp and weft").unwrap();
    let ours = libraries().join("liblanesum_freebsd_md.so");
    let crypto = system("libcrypto.so.3");
    for [first, second] in [[&crypto, &ours], [&ours, &crypto]] {
        let lines = run(Command::new(&program).args([first, second, &file]));
        let lines: Vec<_> = lines.lines().collect();
        for (i, name) in
            ["ripemd160", "sha1", "sha224", "sha256", "sha384", "sha512"].iter().enumerate()
        {
            let expected = openssl(name, b"abc");
            for line in &lines[3 * i..][..3] {
                assert_eq!(line.split(' ').nth(1), Some(&*expected), "{line}");
            }
        }
        assert_eq!(lines[18].split(' ').nth(1), Some(&*openssl("sha256", b"abc")));
        let whole = openssl("sha256", b"warp and weft");
        assert_eq!(lines[19..], [&*whole, &*whole, &*openssl("sha256", b"arp and weft")]);
    }
}

/// Returns the output of a program with the system's libmd and with ours, which it must load.
fn on_both(command: &mut Command) -> [String; 2] {
    let theirs = run(command);
    let ours = run(command.env("LD_LIBRARY_PATH", libraries()));
    let loaded = run(command.env("LD_TRACE_LOADED_OBJECTS", "1"));
    assert!(loaded.contains(libraries().to_str().unwrap()), "{loaded}");
    [theirs, ours]
}

#[test]
fn system_programs_run_with_our_libmd() {
    // mtree(8) of NetBSD: every digest that it supports, for a directory of this tree.
    let keys = "type,size,md5digest,rmd160digest,sha1digest,sha256digest,sha384digest,sha512digest";
    let [theirs, ours] = on_both(Command::new("mtree").args(["-c", "-k", keys, "-p"]).arg(root()));
    assert!(theirs.contains("sha512=") && theirs.lines().count() > 20, "{theirs}");
    // Comments contain the time.
    let lines = |text: &str| -> Vec<String> {
        text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
    };
    assert_eq!(lines(&theirs), lines(&ours));
    // dpkg(1): the MD5 of every file of a package.
    let [theirs, ours] = on_both(Command::new("dpkg").args(["--verify", "mtree-netbsd"]));
    assert_eq!(theirs, ours);
}

/// Returns the names of the messages of published collisions, and one of a reduced-round collision.
fn collisions() -> Vec<PathBuf> {
    let folder = root().join("../engine/tests/all/data/sha1dc");
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|f| f.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 5);
    files
}

/// The functions of sha1collisiondetection 1.0.3 that its header declares, without that of the intermediate
/// states of a block.
const SHA1DC: [&str; 8] = [
    "SHA1DCFinal",
    "SHA1DCInit",
    "SHA1DCSetCallback",
    "SHA1DCSetDetectReducedRoundCollision",
    "SHA1DCSetSafeHash",
    "SHA1DCSetUseDetectColl",
    "SHA1DCSetUseUBC",
    "SHA1DCUpdate",
];

#[test]
fn libsha1detectcoll_has_the_name_and_the_functions_of_the_original() {
    let library = libraries().join("liblanesum_sha1dc.so");
    let name = run(Command::new("objdump").arg("-p").arg(&library));
    let name = name.lines().find_map(|line| line.trim().strip_prefix("SONAME"));
    assert_eq!(name.map(str::trim), Some("libsha1detectcoll.so.1"));
    let names: Vec<_> =
        exported(&library).iter().map(|name| name.split('@').next().unwrap().to_owned()).collect();
    assert_eq!(names, SHA1DC);
    // The static library defines no other global name, either, except one in a group that all static
    // libraries of Rust share.
    let archive = libraries().join("liblanesum_sha1dc.a");
    let symbols = run(Command::new("nm").args(["-g", "--defined-only", "-P"]).arg(archive));
    let mut names: Vec<_> =
        symbols.lines().skip(1).map(|line| line.split(' ').next().unwrap()).collect();
    names.sort_unstable();
    let expected: Vec<_> = ["DW.ref.rust_eh_personality"].into_iter().chain(SHA1DC).collect();
    assert_eq!(names, expected);
}

#[test]
fn the_header_of_libsha1detectcoll_compiles_in_old_c_and_in_cpp() {
    let folder = TempDir::new().unwrap();
    let source = folder.path().join("header");
    fs::write(&source, "#include <sha1dc/sha1.h>\n#include <sha1dc/sha1.h>\nint a(SHA1_CTX *c) { return c->found_collision; }\n").unwrap();
    let flags = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-fsyntax-only", "-I"];
    for (compiler, language) in
        [("cc", ["-xc", "-std=c90"]), ("cc", ["-xc", "-std=c17"]), ("c++", ["-xc++", "-std=c++98"])]
    {
        let mut command = Command::new(compiler);
        run(command.args(flags).arg(root().join("include")).args(language).arg(&source));
    }
}

/// Returns the lines of a program in `tests/c` for the messages of collisions, without their directory.
fn lines_of(program: &Path, options: &[&str]) -> Vec<String> {
    let mut command = Command::new(program);
    let text = run(command.args(options).arg("--").args(collisions()));
    let folder = format!("{}/", collisions()[0].parent().unwrap().display());
    text.lines().map(|line| line.replace(&folder, "")).collect()
}

/// The digests are the ones of the original library.
#[test]
fn collisions_are_detected_with_every_setting() {
    let folder = TempDir::new().unwrap();
    let program = collisions_program(&folder);
    let harmless = "a56374e1cf4c3746499bc7c0acb39498ad2ee185  sha1_reducedsha_coll.bin";
    let safe = [
        "4f3d9be4a472c4dae83c6314aa6c36a064c1fd14 *coll* sha-mbles-1.bin",
        "9ed5d77a4f48be1dbf3e9e15650733eb850897f2 *coll* sha-mbles-2.bin",
        harmless,
        "7117b3cb9225aaf0d8ef1a40e493957b0bf8693d *coll* shattered-1.bin",
        "29f38ae9fd98e2931120fa0bf213e024250d3f6a *coll* shattered-2.bin",
    ];
    let mbles = "8ac60ba76f1999a1ab70223f225aefdc78d4ddc0";
    let shattered = "f92d74e3874587aaf443d1db961d4e26dde13e9c";
    let usual = [
        &*format!("{mbles} *coll* sha-mbles-1.bin"),
        &*format!("{mbles} *coll* sha-mbles-2.bin"),
        harmless,
        &*format!("{shattered} *coll* shattered-1.bin"),
        &*format!("{shattered} *coll* shattered-2.bin"),
    ];
    for more in [&[][..], &["unscreened"], &["pieces"], &["unscreened", "pieces"]] {
        let lines = |options: &[&str]| lines_of(&program, &[options, more].concat());
        assert_eq!(lines(&[]), safe, "{more:?}");
        assert_eq!(lines(&["unsafe"]), usual, "{more:?}");
        assert_eq!(lines(&["plain"]), usual.map(|line| line.replace("*coll*", "")), "{more:?}");
        let reduced = lines(&["reduced"]);
        assert_eq!(
            [&reduced[2], &reduced[3]],
            [
                "dd39885a2a5d8f59030b451e00cb45da9f9d3828 *coll* sha1_reducedsha_coll.bin",
                "faa73386988c49f5f938ed99a3732e741ba71587 *coll* shattered-1.bin",
            ],
            "{more:?}"
        );
    }
    // With only the target's baseline instructions, and under valgrind.
    let options = ["reduced", "callback", "--"];
    let portable = run(Command::new(&program)
        .args(options)
        .args(collisions())
        .env("LANESUM_KERNEL", "portable"));
    let watched = run(Command::new("valgrind")
        .args(["-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"])
        .arg(&program)
        .args(options)
        .args(collisions()));
    assert_eq!(portable, watched);
}

/// Returns the program `collisions`, linked with our library.
fn collisions_program(folder: &TempDir) -> PathBuf {
    let include = root().join("include");
    let library = libraries().join("libsha1detectcoll.so.1");
    let rpath = format!("-Wl,-rpath,{}", libraries().display());
    let flags = ["-I", include.to_str().unwrap(), library.to_str().unwrap(), &rpath];
    compile(folder, "collisions", &flags)
}

/// The callback receives the chaining value and the schedule of the other message. The two messages of a
/// published collision are each other's.
#[test]
fn the_callback_receives_the_other_message() {
    let folder = TempDir::new().unwrap();
    let program = collisions_program(&folder);
    let calls = |options: &[&str]| -> Vec<Vec<Vec<String>>> {
        let lines = lines_of(&program, options);
        // The calls for a message are printed before its digest.
        lines
            .split_inclusive(|line| !line.starts_with("block "))
            .map(|lines| {
                let calls = &lines[..lines.len() - 1];
                calls.iter().map(|call| call.split(' ').map(str::to_owned).collect()).collect()
            })
            .collect()
    };
    let value = |field: &str| field.split_once('=').unwrap().1.to_owned();
    for (options, blocks) in [
        (&["callback"][..], [&["576"][..], &[], &["256"]]),
        (&["callback", "pieces", "unsafe", "unscreened"], [&["576"], &[], &["256"]]),
        (&["callback", "reduced"], [&["576"], &["64"], &["192"]]),
        (&["callback", "reduced", "unsafe", "pieces"], [&["576"], &["64"], &["192", "256"]]),
    ] {
        let calls = calls(options);
        for (i, of) in [0, 0, 1, 2, 2].into_iter().enumerate() {
            let offsets: Vec<_> = calls[i].iter().map(|call| &*call[1]).collect();
            assert_eq!(offsets, blocks[of], "{options:?}");
        }
        let pairs = calls[0].iter().zip(&calls[1]).chain(calls[3].iter().zip(&calls[4]));
        for (first, second) in pairs {
            let [first, second] = [first, second].map(|call| call[2..].iter().map(|v| value(v)));
            let [first, second] = [first, second].map(Iterator::collect::<Vec<_>>);
            assert_ne!(first[2], first[3]);
            assert_eq!(
                [&first[0], &first[1], &first[2], &first[3]],
                [&second[1], &second[0], &second[3], &second[2]],
                "{options:?}"
            );
        }
        // The chaining values before a collision of fewer rounds are equal, and its blocks differ.
        for call in &calls[2] {
            assert!(value(&call[2]) == value(&call[3]) && value(&call[4]) != value(&call[5]));
        }
    }
}

/// A program may be linked with the static library, and with libcrypto, libmd and another static library of Rust.
#[test]
fn the_static_libsha1detectcoll_coexists_with_other_libraries() {
    let folder = TempDir::new().unwrap();
    let include = root().join("include");
    let archive = libraries().join("liblanesum_sha1dc.a");
    let others = ["-Wl,--no-as-needed", "-lcrypto", "-lmd", "-lpthread", "-ldl", "-lm", "-lgcc_s"];
    let flags = ["-I", include.to_str().unwrap(), archive.to_str().unwrap()];
    let program = compile(&folder, "collisions", &[&flags[..], &others].concat());
    let from_static = lines_of(&program, &["callback"]);
    let shared = TempDir::new().unwrap();
    let expected = lines_of(&collisions_program(&shared), &["callback"]);
    assert_eq!(from_static, expected);

    let (source, other) = (folder.path().join("other.rs"), folder.path().join("libother.a"));
    let code = "#[unsafe(no_mangle)] pub extern \"C\" fn other() { println!(); }";
    fs::write(&source, code).unwrap();
    run(Command::new("rustc")
        .args(["--edition=2024", "--crate-type=staticlib", "-Cpanic=abort", "-o"])
        .args([&other, &source]));
    let [archive, other] = [&archive, &other].map(|path| path.to_str().unwrap());
    for both in [[archive, other], [other, archive]] {
        let flags =
            [&["-I", include.to_str().unwrap(), "-Wl,-u,other"], &both[..], &others].concat();
        let program = compile(&folder, "collisions", &flags);
        assert_eq!(lines_of(&program, &["callback"]), expected, "{both:?}");
    }
}
