//! Installs liblanesum in an empty root, and builds C and C++ programs with it through pkg-config.

use crate::cc;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::{env, fs};

use engine::sha1dc::{Detection, Sha1Dc};
use engine::tree::{Tree, fs_verity_digest};
use lanesum_spec::{Algorithm, digest};
use tempfile::TempDir;

/// The crate's directory.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the directory of the libraries that `cargo test` built. Panics if they are older than
/// the source.
fn built() -> PathBuf {
    fn newest(folder: &Path) -> std::time::SystemTime {
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap());
        let age = |file: fs::DirEntry| match file.file_type().unwrap().is_dir() {
            true => newest(&file.path()),
            false => fs::metadata(file.path()).unwrap().modified().unwrap(),
        };
        files.map(age).max().unwrap()
    }
    let folder = env::current_exe().unwrap().parent().unwrap().with_file_name("examples");
    let library = fs::metadata(folder.join("liblanesum.so")).and_then(|file| file.modified());
    let fresh = library.is_ok_and(|built| newest(&root().join("src")) <= built);
    assert!(
        fresh,
        "the libraries in {folder:?} are older than the source: `cargo build -p lanesum-ffi \
         --examples`, or a `cargo test` of all targets, builds them"
    );
    folder
}

/// Runs a command that must succeed. Returns its standard output.
pub(crate) fn run(command: &mut Command) -> String {
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

/// Runs `make` for `goal`, with the libraries and programs in `build`.
fn make(goal: &str, build: &Path, destination: &Path) {
    let setting = |name: &str, path: &Path| format!("{name}={}", path.display());
    run(Command::new("make")
        .args(["-C", root().join("../..").to_str().unwrap(), "--no-print-directory", goal])
        .args(["PREFIX=/usr", &setting("BUILD", build), &setting("DESTDIR", destination)])
        .env_remove("MAKEFLAGS"));
}

/// Returns a root directory in which liblanesum is installed.
pub(crate) fn installed() -> &'static Path {
    static ROOT: OnceLock<TempDir> = OnceLock::new();
    ROOT.get_or_init(|| {
        let folder = TempDir::new().unwrap();
        make("install-lib", &built(), folder.path());
        folder
    })
    .path()
}

/// Returns the flags that pkg-config prints for liblanesum in that root.
fn pkg_config(arguments: &[&str]) -> Vec<String> {
    let flags = run(Command::new("pkg-config")
        .args(arguments)
        .arg("lanesum")
        .env("PKG_CONFIG_SYSROOT_DIR", installed())
        .env("PKG_CONFIG_LIBDIR", installed().join("usr/lib/pkgconfig"))
        .env("PKG_CONFIG_ALLOW_SYSTEM_CFLAGS", "1")
        .env("PKG_CONFIG_ALLOW_SYSTEM_LIBS", "1"));
    flags.split_whitespace().map(str::to_owned).collect()
}

/// Compiles a program and links it with the installed library.
pub(crate) fn compile(compiler: &str, source: &Path, out: &Path, flags: &[&str]) {
    run(&mut compilation(compiler, source, out, flags));
}

/// The command that [`compile`] runs.
fn compilation(compiler: &str, source: &Path, out: &Path, flags: &[&str]) -> Command {
    let mut command = Command::new(compiler);
    command
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-g", "-pthread", "-o"])
        .arg(out)
        .arg(source)
        .args(flags)
        .args(pkg_config(&["--cflags", "--libs"]))
        .args(cc::flags());
    command
}

/// A command that runs `program` with the installed library.
pub(crate) fn on_it(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("LD_LIBRARY_PATH", installed().join("usr/lib"));
    command
}

/// Compiles one of the programs in `tests/c`.
fn test_program(folder: &TempDir, name: &str, flags: &[&str]) -> PathBuf {
    let program = folder.path().join(name);
    let source = root().join("tests/c").join(name).with_extension("c");
    compile("cc", &source, &program, &[&["-std=c11", "-D_GNU_SOURCE"], flags].concat());
    program
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn the_c_example_prints_the_same_as_sha256sum() {
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("sum");
    compile("cc", &root().join("../../examples/sum.c"), &program, &["-std=c99"]);
    let files = [root().join("Cargo.toml"), built().join("liblanesum.so"), "/dev/null".into()];
    assert_eq!(run(on_it(&program).args(&files)), run(Command::new("sha256sum").args(&files)));
    let missing = on_it(&program).arg("/nonexistent").output().unwrap();
    assert_eq!(missing.status.code(), Some(1));
}

#[test]
fn the_header_is_c90() {
    let folder = TempDir::new().unwrap();
    let (file, program) = (folder.path().join("c90.c"), folder.path().join("c90"));
    fs::write(&file, "#include <lanesum.h>\nint main(void) { return lanesum_version() == 0; }\n")
        .unwrap();
    compile("cc", &file, &program, &["-std=c90", "-pedantic-errors"]);
    run(&mut on_it(&program));
}

/// `clang -flto` of another release cannot read the intermediate code of Rust's standard library.
#[test]
fn the_installed_archive_has_no_intermediate_code() {
    let sections = |archive: &Path| run(Command::new("objdump").arg("-h").arg(archive));
    assert!(sections(&built().join("liblanesum.a")).contains(".llvmbc"));
    assert!(!sections(&installed().join("usr/lib/liblanesum.a")).contains(".llvmbc"));
}

/// A provider or a PKCS #11 module that is linked with the archive defines the entry points that the shared library exports.
#[test]
fn the_installed_archive_defines_no_entry_point_of_a_module() {
    let folder = TempDir::new().unwrap();
    let archive = installed().join("usr/lib/liblanesum.a");
    for entry in ["OSSL_provider_init", "C_GetFunctionList", "C_GetInterface", "C_GetInterfaceList"]
    {
        let file = folder.path().join("own.c");
        let code = format!(
            "#include <lanesum.h>\nint {entry}(void) {{ unsigned char digest[32];\n\
             return lanesum_hash(LANESUM_SHA256, 0, 0, digest, sizeof digest); }}\n"
        );
        fs::write(&file, code).unwrap();
        let own = folder.path().join("own.so");
        run(Command::new("cc")
            .args(["-shared", "-fPIC", "-I"])
            .arg(installed().join("usr/include"))
            .args([&file, &archive])
            .args(["-lpthread", "-ldl", "-lm", "-lgcc_s", "-o"])
            .arg(&own));
        let exports = run(Command::new("nm").args(["-D", "--defined-only"]).arg(&own));
        let count = exports.lines().filter(|line| line.ends_with(&format!(" T {entry}"))).count();
        assert_eq!(count, 1, "{entry}");
    }
}

/// Links the archive with the flags of `pkg-config --static`, into a dynamic program and into
/// static ones.
#[test]
fn the_c_example_links_statically() {
    let folder = TempDir::new().unwrap();
    let file = root().join("Cargo.toml");
    let expected = run(Command::new("sha256sum").arg(&file));
    // Without a shared library in its search path, the linker resolves -llanesum to the archive.
    let archives = folder.path().join("lib");
    fs::create_dir(&archives).unwrap();
    fs::copy(installed().join("usr/lib/liblanesum.a"), archives.join("liblanesum.a")).unwrap();
    for flags in [&[][..], &["-static"], &["-static-pie"]] {
        let program = folder.path().join("sum");
        run(Command::new("cc")
            .args(flags)
            .arg("-o")
            .args([&program, &root().join("../../examples/sum.c")])
            .arg(format!("-L{}", archives.display()))
            .args(
                pkg_config(&["--static", "--cflags", "--libs"])
                    .iter()
                    .filter(|flag| !flag.starts_with("-L")),
            )
            .args(cc::flags()));
        assert_eq!(run(Command::new(&program).arg(&file)), expected, "{flags:?}");
        let needs = run(Command::new("objdump").arg("-p").arg(&program));
        assert!(!needs.contains("liblanesum"), "{needs}");
        assert_eq!(needs.contains("NEEDED"), flags.is_empty(), "{flags:?}: {needs}");
    }
}

#[test]
fn the_c_code_of_the_readme_works() {
    let page = fs::read_to_string(root().join("../../README.md")).unwrap();
    let (_, rest) = page.split_once("```c\n").unwrap();
    let (block, _) = rest.split_once("```").unwrap();
    let (includes, statements): (Vec<&str>, Vec<&str>) =
        block.lines().partition(|line| line.starts_with('#'));
    let print = "for (int i = 0; i < 32; i++) printf(\"%02x\", digest[i]);\nreturn status;";
    let source = [&includes.join("\n"), "#include <stdio.h>", "int main(void) {"];
    let source = [&source.join("\n"), &statements.join("\n"), print, "}\n"].join("\n");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("block.c");
    fs::write(&file, source).unwrap();
    let program = folder.path().join("block");
    compile("cc", &file, &program, &["-std=c99"]);
    assert_eq!(run(&mut on_it(&program)), hex(&digest(Algorithm::SHA256, b"abc")[..32]));
}

/// Compiles each piece of C code of the page, in a function that declares the caller's variables.
#[test]
fn the_c_code_of_the_page_compiles_without_warnings() {
    let page = fs::read_to_string(root().join("../../docs/c.md")).unwrap();
    let blocks = page.split("```c\n").skip(1).map(|rest| rest.split_once("```").unwrap().0);
    let functions = blocks.enumerate().map(|(i, block)| {
        let given = [
            "const void **messages, size_t *lens, size_t count, unsigned char *digests, size_t room",
            "const void *first, size_t first_len, const void *second, size_t second_len",
            "const void *file, size_t len, const void **entries",
        ];
        // A block may declare variables of the same names.
        let given = given.join(", ");
        format!("int block_{i}({given});\nint block_{i}({given})\n{{\n{{\n{block}return status;\n}}\n}}\n")
    });
    let source =
        format!("#include <lanesum.h>\n#include <stdio.h>\n{}", functions.collect::<String>());
    let folder = TempDir::new().unwrap();
    let (file, out) = (folder.path().join("page.c"), folder.path().join("page.o"));
    fs::write(&file, &source).unwrap();
    let flags = ["-std=c99", "-c", "-Wempty-body", "-Wno-unused-parameter"];
    compile("cc", &file, &out, &flags);
    // A fault in one of the blocks is detected.
    fs::write(&file, source.replacen("fprintf(stderr, \"another", ";(void)(\"another", 1)).unwrap();
    assert!(!compilation("cc", &file, &out, &flags).output().unwrap().status.success());
}

#[test]
fn the_c_program_of_the_tutorial_prints_the_documented_digests() {
    let page = fs::read_to_string(root().join("../../docs/tutorial-messages.md")).unwrap();
    let block = |kind: &str| {
        let (_, rest) = page.split_once(&format!("```{kind}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let folder = TempDir::new().unwrap();
    let (file, program) = (folder.path().join("many.c"), folder.path().join("many"));
    fs::write(&file, block("c")).unwrap();
    compile("cc", &file, &program, &["-std=c99"]);
    assert_eq!(run(&mut on_it(&program)), block("text"));
}

#[test]
fn the_cpp_example_prints_the_root_of_rfc_9162() {
    /// A literal transcription of RFC 9162 §2.1.1.
    fn merkle(chunks: &[&[u8]]) -> Vec<u8> {
        let hash = |parts: &[&[u8]]| digest(Algorithm::SHA256, &parts.concat())[..32].to_vec();
        match chunks {
            [one] => hash(&[&[0], one]),
            more => {
                let (left, right) = more.split_at(more.len().next_power_of_two() / 2);
                hash(&[&[1], &merkle(left), &merkle(right)])
            }
        }
    }
    let folder = TempDir::new().unwrap();
    let program = folder.path().join("merkle");
    let source = root().join("../../examples/merkle.cpp");
    compile("c++", &source, &program, &["-std=c++17"]);
    for len in [0, 1, 4096, 4097, 5 * 4096, 100_000] {
        let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let file = folder.path().join("message");
        fs::write(&file, &message).unwrap();
        let line = run(on_it(&program).stdin(Stdio::from(fs::File::open(&file).unwrap())));
        let empty: [&[u8]; 1] = [&[]];
        let chunks: Vec<&[u8]> = message.chunks(4096).collect();
        let root = merkle(if chunks.is_empty() { &empty } else { &chunks });
        assert_eq!(line.trim(), hex(&root), "{len}");
    }
}

#[test]
fn all_functions_agree_with_the_specification() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "agreement", &[]);
    let buffer: Vec<u8> = (0..70 * 70).map(|i| (i % 251) as u8).collect();
    let t_of_192 = Algorithm::from_name("sha512/192").unwrap();
    for algorithm in Algorithm::all().chain([t_of_192]) {
        let lines = run(on_it(&program).arg(algorithm.name()));
        let hash = |message: &[u8]| engine::hash(algorithm, message).as_bytes().to_vec();
        let at = |i: usize| i * i.saturating_sub(1) / 2;
        let message = |i: usize| &buffer[at(i)..at(i) + i];
        let all = |of: &dyn Fn(usize) -> Vec<u8>| (0..70).flat_map(of).collect::<Vec<_>>();
        let key = engine::HmacKey::new(algorithm, &buffer[..200]);
        let hkdf = |salt: &[u8], secret: &[u8], info: &[u8]| {
            let mut out = vec![0; 42];
            engine::Hkdf::new(algorithm, salt, secret).expand(info, &mut out).unwrap();
            out
        };
        let pbkdf2 = |password: &[u8], salt: &[u8]| {
            let mut out = vec![0; 42];
            engine::pbkdf2(algorithm, password, salt, 5, &mut out).unwrap();
            out
        };
        let chain = |i: usize, links: usize| {
            let len = algorithm.digest_len();
            (0..links).fold(buffer[i * len..][..len].to_vec(), |digest, _| hash(&digest))
        };
        for line in lines.lines() {
            let (what, digits) = line.split_once(' ').unwrap();
            let expected = match what {
                "hash" => digest(algorithm, &buffer)[..algorithm.digest_len()].to_vec(),
                "many" => all(&|i| hash(message(i))),
                "strided" => all(&|i| hash(&buffer[i * 70..][..33])),
                "doubles" => all(&|i| hash(&hash(message(i)))),
                "chain" => chain(0, 1000),
                "chains" => all(&|i| chain(i, i)),
                "hmac" => key.mac(&buffer[..1000]).as_bytes().to_vec(),
                "hmacs" => all(&|i| key.mac(message(i)).as_bytes().to_vec()),
                "hkdf" => hkdf(&buffer[..7], &buffer[..22], &buffer[..9]),
                "hkdfs" => all(&|i| hkdf(message(i), message(i), message(i))),
                "pbkdf2" => pbkdf2(&buffer[..7], &buffer[..22]),
                "pbkdf2s" => all(&|i| pbkdf2(message(i), message(i))),
                other => panic!("{other}"),
            };
            assert_eq!(digits, hex(&expected), "{algorithm} {what}");
        }
        assert_eq!(lines.lines().count(), 18);
    }
}

#[test]
fn sha1_collisions_are_detected() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "collisions", &[]);
    let files = root().join("../engine/tests/all/data/sha1dc");
    let detections = [
        Detection::new(),
        Detection::new().safe(),
        Detection::new().reduced(),
        Detection::new().safe().reduced(),
    ];
    let mut found = 0;
    for file in fs::read_dir(files).unwrap().map(|file| file.unwrap().path()) {
        let message = fs::read(&file).unwrap();
        for (number, detection) in detections.into_iter().enumerate() {
            let checked = Sha1Dc::with(Algorithm::SHA1, detection).update(&message).finish();
            let collision = i32::from(checked.is_collision());
            found += collision;
            let line = format!("{} {collision}\n", hex(&checked.digest()));
            let input = Stdio::from(fs::File::open(&file).unwrap());
            let said = run(on_it(&program).arg(number.to_string()).stdin(input));
            assert_eq!(said, line.repeat(3), "{} {number}", file.display());
        }
    }
    // Of five files. One is a collision of reduced-round SHA-1, which two of the detections find.
    assert_eq!(found, 4 * 4 + 2);
}

#[test]
fn tree_roots_match_the_engine() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "trees", &[]);
    for len in [1024_usize, 16_384, 16_385, 300_000] {
        let message: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
        let file = folder.path().join("message");
        fs::write(&file, &message).unwrap();
        let said = run(on_it(&program).stdin(Stdio::from(fs::File::open(&file).unwrap())));
        let sha256 = Algorithm::SHA256;
        let verity = Tree::fs_verity(sha256, 4096, b"salt").unwrap().build(&message).root();
        let verity = fs_verity_digest(sha256, 4096, b"salt", len as u64, &verity).unwrap();
        let blocks = &message[..len / 1024 * 1024];
        let entries: [&[u8]; 3] = [b"", b"a", &message];
        let expected = format!(
            "fs_verity {verity}\ndm_verity {}\ntorrent2 {}\ns3 {}\nlog {}\n",
            Tree::dm_verity(sha256, 1024, 1024, b"salt").unwrap().build(blocks).root(),
            Tree::torrent2().build(&message).root(),
            Tree::list(sha256, 5000).build(&message).composite(),
            Tree::rfc6962(sha256).build_entries(&entries).root(),
        );
        assert_eq!(said, expected, "{len}");
    }
}

#[test]
fn invalid_calls_return_a_status() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "misuse", &[]);
    run(on_it(&program).arg("search"));
    run(on_it(&program).env("LANESUM_KERNEL", "portable"));
    if !cc::is_sanitized() {
        run(&mut memcheck(&program));
        let sanitized = test_program(&folder, "misuse", &["-fsanitize=address,undefined"]);
        run(&mut on_it(&sanitized));
    }
}

#[test]
fn algorithms_without_a_kernel_return_a_status() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "environment", &[]);
    let good = folder.path().join("costs");
    let kernels: Vec<_> = engine::Kernel::all().collect();
    let lacks = kernels.iter().any(|kernel| !kernel.supports(Algorithm::SHA512));
    assert!(lacks, "every CPU has a kernel without SHA-512");
    for algorithm in Algorithm::all() {
        let leaves = |words: &str, left: &str| {
            let mut command = on_it(&program);
            command.args([algorithm.name(), left]).env("LANESUM_KERNEL", words);
            run(&mut command);
            let said = command.output().unwrap().stderr;
            assert!(said.is_empty(), "{words}: {}", String::from_utf8_lossy(&said));
        };
        leaves("nonsense", "none");
        leaves("\u{fffd},portable", "none");
        // An invalid costs file also leaves no kernel.
        let costs = |path: &Path, expected: &[&str]| {
            let mut command = on_it(&program);
            command.arg(algorithm.name()).args(expected).env("LANESUM_COSTS", path);
            run(&mut command);
            let said = command.output().unwrap().stderr;
            assert!(said.is_empty(), "{path:?}: {}", String::from_utf8_lossy(&said));
        };
        costs(&folder.path().join("missing"), &["none"]);
        costs(&program, &["none"]);
        // The default is another kernel on every CPU with more than portable ones.
        let portable =
            kernels.iter().copied().find(|kernel| kernel.name() == "portable_x1").unwrap();
        let cheap = [(portable, algorithm.family(), 1)];
        fs::write(&good, engine::unstable::CostsFile(&cheap).to_string()).unwrap();
        costs(&good, &["some", "portable_x1"]);
        leaves("portable", "some");
        for kernel in &kernels {
            leaves(kernel.name(), if kernel.supports(algorithm) { "some" } else { "none" });
        }
    }
}

/// Checks that an overrun is detected: a library that is not instrumented would pass any test.
#[test]
fn memory_checkers_detect_an_overrun_by_the_library() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "overrun", &[]);
    let mut command = if cc::is_sanitized() { on_it(&program) } else { memcheck(&program) };
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{command:?}");
    let seen = ["heap-buffer-overflow", "Invalid write"].iter().any(|error| said.contains(error));
    assert!(seen, "{command:?}: {said}");
}

/// Runs every single-message kernel that valgrind can emulate on a message marked as undefined.
/// Valgrind lacks AVX-512 and SHA instructions: `lab/tests/all/binary.rs` proves the machine code
/// of those kernels.
#[test]
fn no_branch_or_address_depends_on_the_message() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "secret", &[]);
    let buffer: Vec<u8> = (0..4096 + 77).map(|i| (i % 251) as u8).collect();
    let kernels: Vec<_> = engine::Kernel::all().filter(|kernel| kernel.lanes() == 1).collect();
    let mut seen = 0;
    let has = |kernel: &engine::Kernel| {
        !["avx512", "sha"].iter().any(|begin| kernel.name().starts_with(begin))
    };
    for kernel in kernels.into_iter().filter(has) {
        for algorithm in [Algorithm::SHA1, Algorithm::SHA256, Algorithm::SHA512] {
            if !kernel.supports(algorithm) {
                continue;
            }
            let lines = run(on_it(Path::new("valgrind"))
                .args(["-q", "--error-exitcode=9"])
                .arg(&program)
                .arg(algorithm.name())
                .env("LANESUM_KERNEL", kernel.name()));
            let lens = [1, 55, 64, 111, 128, 300, buffer.len(), buffer.len()];
            let expected =
                lens.map(|len| hex(&digest(algorithm, &buffer[..len])[..algorithm.digest_len()]));
            assert_eq!(lines.lines().collect::<Vec<_>>(), expected, "{kernel}, {algorithm}");
            seen += 1;
        }
    }
    assert!(seen >= 3 * 3, "too few of the kernels that run on every x86-64 CPU");
    for (planted, error) in [("branch", "jump or move"), ("address", "Use of uninitialised value")]
    {
        let mut command = on_it(Path::new("valgrind"));
        command.args(["-q", "--error-exitcode=9"]).arg(&program).args(["sha256", planted]);
        let output = command.env("LANESUM_KERNEL", "portable").output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(9) && said.contains(error), "{planted}: {said}");
    }
}

/// Runs `program` under memcheck, which fails on invalid or uninitialized reads and on leaks.
fn memcheck(program: &Path) -> Command {
    let mut command = on_it(Path::new("valgrind"));
    command
        .args(["-q", "--error-exitcode=9", "--leak-check=full", "--show-leak-kinds=definite"])
        .arg(program);
    command
}

#[test]
fn concurrent_use_of_a_context_is_reported() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "threads", &[]);
    run(&mut on_it(&program));
    if !cc::is_sanitized() {
        run(&mut on_it(&test_program(&folder, "threads", &["-fsanitize=address"])));
    }
}

#[test]
fn batches_use_several_threads() {
    let folder = TempDir::new().unwrap();
    run(&mut on_it(&test_program(&folder, "parallel", &["-ldl"])));
}

/// The compiler warns about an ignored status, but not about functions without one or whose status
/// may be ignored.
#[test]
fn an_ignored_status_is_a_warning() {
    let folder = TempDir::new().unwrap();
    let header = fs::read_to_string(root().join("include/lanesum.h")).unwrap();
    let warned = |call: &str| {
        let source = folder.path().join("ignored.c");
        let text = format!(
            "#include <lanesum.h>\nstatic lanesum_hasher hasher;\nvoid f(void) {{ {call}; (void)&hasher; }}\n"
        );
        fs::write(&source, text).unwrap();
        let output = Command::new("cc")
            // -fsyntax-only would not check the attribute.
            .args(["-c", "-o", "/dev/null", "-I"])
            .arg(root().join("include"))
            .arg(&source)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        said.contains("warn_unused_result") || said.contains("warn-unused-result")
    };
    for call in [
        "lanesum_hash(LANESUM_SHA256, \"abc\", 3, 0, 0)",
        "lanesum_hasher_init(&hasher, LANESUM_SHA256, 0)",
        "lanesum_hasher_update(&hasher, \"abc\", 3)",
        "lanesum_hasher_finish(&hasher, 0, 0)",
    ] {
        assert!(warned(call), "{call}");
    }
    for call in ["lanesum_hasher_wipe(&hasher)", "lanesum_policy_free(0)", "lanesum_version()"] {
        assert!(!warned(call), "{call}");
    }
    // Every function that returns a status has the attribute, except `_wipe` functions.
    let mut before = "";
    for line in header.lines() {
        let plain = line.trim_start_matches("LANESUM_MUST_CHECK ");
        if plain.starts_with("int lanesum_") {
            let has_it = plain != line || before == "LANESUM_MUST_CHECK";
            assert_eq!(has_it, !line.contains("_wipe("), "{line}");
        }
        before = line;
    }
}

#[test]
fn a_child_resumes_its_parent_s_message() {
    let folder = TempDir::new().unwrap();
    run(&mut on_it(&test_program(&folder, "forks", &[])));
}

#[test]
fn nothing_is_allocated_after_first_use() {
    let folder = TempDir::new().unwrap();
    let program = test_program(&folder, "allocation", &[]);
    run(&mut on_it(&program));
}

/// Returns the functions that the header declares.
pub(crate) fn functions(header: &str) -> Vec<&str> {
    let lines = header.lines().filter(|line| !line.starts_with([' ', '#']) && line.contains('('));
    lines
        .filter_map(|line| line.split('(').next()?.split([' ', '*']).next_back())
        .filter(|name| name.starts_with("lanesum_"))
        .collect()
}

#[test]
fn exports_match_the_header() {
    let header = fs::read_to_string(root().join("include/lanesum.h")).unwrap();
    let exported = run(Command::new("objdump").arg("-T").arg(built().join("liblanesum.so")));
    let exported: Vec<_> = exported
        .lines()
        .filter(|line| line.contains(" .text\t"))
        .map(|line| line.split_whitespace().last().unwrap())
        // The headers of OpenSSL and PKCS #11 declare the entry points of modules.
        .filter(|name| *name != "OSSL_provider_init" && !name.starts_with("C_"))
        .collect();
    assert!(exported.len() > 30, "{exported:?}");
    for name in &exported {
        assert!(header.contains(&format!("{name}(")), "{name} is exported, but not declared");
    }
    let declared = functions(&header);
    for name in &declared {
        assert!(exported.contains(name), "{name} is declared, but not exported");
    }
    assert_eq!(declared.len(), exported.len());
    // The symbols file of the Debian package lists each, with the first version that exports it.
    let listed = root().join("../../packages/debian/liblanesum0.symbols");
    let listed = fs::read_to_string(listed).unwrap();
    let mut listed: Vec<_> = listed
        .lines()
        .filter_map(|line| line.trim_start().split_once('@'))
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("lanesum_"))
        .collect();
    listed.sort_unstable();
    let mut sorted = exported.clone();
    sorted.sort_unstable();
    assert_eq!(listed, sorted);
    let dynamic = run(Command::new("objdump").arg("-p").arg(built().join("liblanesum.so")));
    assert!(dynamic.contains("SONAME               liblanesum.so.0"), "{dynamic}");
}

#[test]
fn uninstall_removes_all_that_install_added() {
    let folder = TempDir::new().unwrap();
    let files = || {
        let list =
            run(Command::new("find").arg(".").args(["!", "-type", "d"]).current_dir(&folder));
        let mut list: Vec<_> = list.lines().map(str::to_owned).collect();
        list.sort();
        list
    };
    // A file of another package, which must remain.
    let theirs = folder.path().join("usr/lib/pkgconfig/other.pc");
    fs::create_dir_all(theirs.parent().unwrap()).unwrap();
    fs::write(&theirs, "").unwrap();
    let before = files();

    // Other crates build the command, its pages and liblanesum_md: use placeholder files.
    let build = TempDir::new().unwrap();
    for name in ["liblanesum.so", "liblanesum.a"] {
        std::os::unix::fs::symlink(built().join(name), build.path().join(name)).unwrap();
    }
    let md = ["liblanesum_md.so", "liblanesum_freebsd_md.so"];
    let sha1dc = ["liblanesum_sha1dc.so", "liblanesum_sha1dc.a"];
    for name in ["lanesum"].into_iter().chain(md).chain(sha1dc) {
        fs::write(build.path().join(name), name).unwrap();
    }
    fs::create_dir(build.path().join("man")).unwrap();
    for page in ["man/lanesum.1", "man/lanesum-sum.1"] {
        fs::write(build.path().join(page), page).unwrap();
    }
    make("install", build.path(), folder.path());
    let version = env!("CARGO_PKG_VERSION");
    let shared = format!("./usr/lib/liblanesum.so.{version}");
    let expected = [
        "./usr/bin/lanesum",
        "./usr/bin/lanesum-scrub",
        "./usr/include/lanesum-pkcs11.h",
        "./usr/include/lanesum.h",
        "./usr/include/lanesum/sha1dc/sha1.h",
        "./usr/include/lanesum/solaris/sha2.h",
        "./usr/lib/cmake/lanesum/lanesum-config-version.cmake",
        "./usr/lib/cmake/lanesum/lanesum-config.cmake",
        "./usr/lib/lanesum/liblanesum_freebsd_md.so.0",
        "./usr/lib/lanesum/libmd.so.0",
        "./usr/lib/lanesum/libsha1detectcoll.a",
        "./usr/lib/lanesum/libsha1detectcoll.so",
        "./usr/lib/lanesum/libsha1detectcoll.so.1",
        "./usr/lib/liblanesum.a",
        "./usr/lib/liblanesum.so",
        "./usr/lib/liblanesum.so.0",
        &shared,
        "./usr/lib/pkgconfig/lanesum.pc",
        "./usr/lib/pkgconfig/other.pc",
        "./usr/lib/systemd/system/lanesum-scrub@.service",
        "./usr/lib/systemd/system/lanesum-scrub@.timer",
        "./usr/share/lanesum/lanesum.module",
        "./usr/share/lanesum/openssl.cnf",
        "./usr/share/man/man1/lanesum-scrub.1",
        "./usr/share/man/man1/lanesum-sum.1",
        "./usr/share/man/man1/lanesum.1",
    ];
    let installed = files();
    // Manual pages of the C library: one for each function, and overview pages.
    let (pages, others): (Vec<_>, Vec<_>) =
        installed.iter().cloned().partition(|file| file.contains("/man3/"));
    assert_eq!(others, expected);
    let header = fs::read_to_string(root().join("include/lanesum.h")).unwrap();
    for name in functions(&header) {
        assert!(pages.contains(&format!("./usr/share/man/man3/{name}.3")), "{name} has no page");
    }
    for page in &pages {
        // A dangling link fails here.
        assert!(fs::read_to_string(folder.path().join(page)).unwrap().contains(".TH"), "{page}");
    }
    // Installing twice changes nothing.
    make("install", build.path(), folder.path());
    assert_eq!(files(), installed);
    make("uninstall", build.path(), folder.path());
    assert_eq!(files(), before);
}
