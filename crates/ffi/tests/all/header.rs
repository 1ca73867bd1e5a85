//! Generates `lanesum.h` and its manual pages from the source (`cargo xtask header`).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::programs::functions;

/// The files of `src/c` in the order of their items in the header, each with its manual page and
/// the title of that page.
const FILES: [(&str, &str, &str); 12] = [
    ("status", "lanesum", "hash one message, or many in parallel SIMD lanes"),
    ("algorithm", "lanesum_algorithm", "names and lengths of hash algorithms"),
    ("kernel", "lanesum_kernel", "list the kernels that can run on this CPU"),
    ("policy", "lanesum_policy", "select the kernels and threads of a call"),
    ("hasher", "lanesum_hasher", "hash one message, whole or in pieces"),
    ("batch", "lanesum_hash_many", "hash many messages in parallel"),
    ("chain", "lanesum_chain", "hash chains, and double hashes of many messages"),
    ("sha1dc", "lanesum_sha1dc", "SHA-1 with detection of collision attacks"),
    ("hmac", "lanesum_hmac", "HMAC of one message, or of many"),
    ("derive", "lanesum_hkdf", "derive keys with HKDF and PBKDF2"),
    ("tree", "lanesum_tree", "Merkle trees of fs-verity, dm-verity, BitTorrent and S3"),
    ("log", "lanesum_log", "Merkle logs of RFC 6962 and their proofs"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source(file: &str) -> PathBuf {
    root().join("src/c").join(file).with_extension("rs")
}

/// Generates the header from the files of `src/c`.
fn generated() -> String {
    let mut config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let versions: Vec<_> = env!("CARGO_PKG_VERSION").split('.').collect();
    let text =
        config.after_includes.take().unwrap().replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    let text = ["@MAJOR@", "@MINOR@", "@PATCH@"]
        .iter()
        .zip(versions)
        .fold(text, |text, (name, number)| text.replace(name, number));
    config.after_includes = Some(text);
    assert_eq!(
        fs::read_dir(root().join("src/c")).unwrap().count(),
        FILES.len() + 1,
        "every file of src/c but mod.rs is one of {FILES:?}"
    );
    let builder = cbindgen::Builder::new().with_config(config);
    let builder = FILES.iter().fold(builder, |builder, (file, ..)| builder.with_src(source(file)));
    let mut header = Vec::new();
    builder.generate().unwrap().write(&mut header);
    // C90 has no `//` comments.
    String::from_utf8(header).unwrap().replace("// __cplusplus", "/* __cplusplus */")
}

/// An item of the header.
struct Item<'h> {
    comment: &'h str,
    declaration: &'h str,
}

impl Item<'_> {
    /// Returns the declaration without its attribute.
    fn plain(&self) -> &str {
        self.declaration.trim_start_matches("LANESUM_MUST_CHECK").trim_start()
    }

    /// Returns the name of the function, constant or type that it declares.
    fn name(&self) -> &str {
        let line = self.plain();
        let name = match line.strip_prefix("#define ") {
            Some(rest) => rest.split(' ').next(),
            None if line.starts_with("typedef") => {
                line.trim_end_matches(';').rsplit([' ', '}']).next()
            }
            None => functions(line).first().copied(),
        };
        name.unwrap_or_else(|| panic!("{line}"))
    }

    /// Returns the functions and the type that it declares, by which `man` finds their page.
    fn entries(&self) -> Vec<&str> {
        if self.plain().starts_with("typedef") {
            return vec![self.name()];
        }
        functions(self.declaration)
    }
}

fn items(header: &str) -> Vec<Item<'_>> {
    let item = |part| {
        let (comment, rest): (&str, &str) = str::split_once(part, "\n */\n")?;
        let end = if rest.starts_with("typedef struct {") {
            rest.find("\n} ").map(|at| at + rest[at..].find(';').unwrap() + 1)
        } else {
            rest.find("\n\n")
        };
        Some(Item { comment, declaration: rest[..end.unwrap_or(rest.len())].trim_end() })
    };
    header.split("\n\n/*\n").skip(1).filter_map(item).collect()
}

/// Escapes text for troff.
fn troff(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-").replace('`', "");
    let lines = text.lines().map(|line| match line.trim() {
        "" => ".IP".to_owned(),
        line if line.starts_with(['.', '\'']) => format!("\\&{line}"),
        line => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Generates the manual pages. Returns them by name.
fn pages(header: &str) -> BTreeMap<String, String> {
    let preface = header.strip_prefix("/* ").unwrap().split("*/").next().unwrap();
    let items = items(header);
    let mut pages = BTreeMap::new();
    for (file, page, title) in FILES {
        let source = fs::read_to_string(source(file)).unwrap();
        let is_here = |item: &&Item<'_>| {
            let name = item.name();
            ["fn ", "const ", "type ", "struct "].iter().any(|kind| {
                source.contains(&format!("pub {kind}{name}"))
                    && source.split(&format!("{kind}{name}")).skip(1).any(|rest| {
                        !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
                    })
                    || source.contains(&format!("pub unsafe extern \"C\" {kind}{name}("))
                    || source.contains(&format!("pub extern \"C\" {kind}{name}("))
            })
        };
        let here: Vec<_> = items.iter().filter(is_here).collect();
        let names: Vec<_> = here.iter().flat_map(|item| item.entries()).collect();
        let mut text = format!(
            ".\\\" Generated by `cargo xtask header` from crates/ffi/src/c/{file}.rs. Do not edit.\n"
        );
        for name in names.iter().filter(|name| **name != page) {
            text += &format!(".\\\" also {name}\n");
        }
        let all: Vec<_> =
            [page].into_iter().chain(names.iter().copied().filter(|n| *n != page)).collect();
        text += &format!(
            ".TH {} 3 \"\" \"lanesum {}\" \"C library\"\n.nh\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.nf\n#include <lanesum.h>\n",
            page.to_uppercase(),
            env!("CARGO_PKG_VERSION"),
            all.join(", "),
            troff(title)
        );
        for item in here.iter().filter(|item| !functions(item.declaration).is_empty()) {
            let declaration = item.plain();
            text += &format!("\n{declaration}\n");
        }
        text += ".fi\n.SH DESCRIPTION\n";
        if file == "status" {
            text += &troff(preface).replace(".IP", ".PP");
            text += "\n";
        }
        for item in &here {
            text += &format!(".TP\n.B {}\n{}\n", item.name(), troff(item.comment));
        }
        text += ".SH RETURN VALUE\nFunctions that return a status return\n.B LANESUM_OK\n(0), or a negative status, described in\n.BR lanesum (3).\n.SH SEE ALSO\n";
        let others = FILES.iter().filter(|(_, other, _)| *other != page);
        let others: Vec<_> = others.map(|(_, other, _)| format!(".BR {other} (3)")).collect();
        text += &others.join(",\n");
        text += "\n";
        pages.insert(format!("{page}.3"), text);
    }
    pages
}

#[test]
fn the_header_and_its_pages_match_the_source() {
    let path = root().join("include/lanesum.h");
    let generated = generated();
    let pages = pages(&generated);
    let man = root().join("man");
    if env::var_os("LANESUM_WRITE").is_some() {
        fs::write(&path, &generated).unwrap();
        fs::create_dir_all(&man).unwrap();
        for old in fs::read_dir(&man).unwrap() {
            fs::remove_file(old.unwrap().path()).unwrap();
        }
        for (name, text) in &pages {
            fs::write(man.join(name), text).unwrap();
        }
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == generated,
        "include/lanesum.h does not match the source: run `cargo xtask header`"
    );
    let files = fs::read_dir(&man).unwrap().map(|file| file.unwrap().path());
    let name = |file: &PathBuf| file.file_name().unwrap().to_str().unwrap().to_owned();
    let found: BTreeMap<_, _> =
        files.map(|file| (name(&file), fs::read_to_string(file).unwrap())).collect();
    assert!(found == pages, "crates/ffi/man does not match the source: run `cargo xtask header`");
    // Every item of the header is described on a page.
    for item in items(&generated) {
        let entry = format!(".TP\n.B {}\n", item.name());
        let count = pages.values().filter(|page| page.contains(&entry)).count();
        assert_eq!(count, 1, "{}", item.name());
    }
    for name in functions(&generated) {
        let entry = format!(".TP\n.B {name}\n");
        assert!(pages.values().any(|page| page.contains(&entry)), "{name} is on no page");
    }
    // `man` finds every function and every type.
    for name in items(&generated).iter().flat_map(Item::entries) {
        let link = format!(".\\\" also {name}\n");
        let is_found =
            |(page, text): (&String, &String)| *page == format!("{name}.3") || text.contains(&link);
        assert!(pages.iter().any(is_found), "man does not find {name}");
    }
}

#[test]
fn man_formats_the_pages_without_a_warning() {
    for page in fs::read_dir(root().join("man")).unwrap().map(|page| page.unwrap().path()) {
        let output = std::process::Command::new("man")
            .args(["--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z"])
            .arg(&page)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.is_empty(), "{}: {said}", page.display());
        let output = std::process::Command::new("man")
            .args(["-E", "UTF-8", "-l"])
            .arg(&page)
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains('\u{2010}'), "{}: a word is hyphenated", page.display());
    }
}
