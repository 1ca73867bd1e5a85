//! The parsing of each kind of line.

use lanesum_manifest::{
    Checksum, Entry, Format, InvalidEntry, Line, MAX_LINE, Malformed, Options, Reader, Terminator,
};
use lanesum_spec::{Algorithm, digest};

const MD5: &str = "d41d8cd98f00b204e9800998ecf8427e";
const SHA1: &str = "da39a3ee5e6b4b0d3255bfef95601890afd80709";
const SHA224: &str = "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f";
const SHA256: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const SHA384: &str = "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da\
                      274edebfe76f65fbd51ad2f14898b95b";
const SHA512: &str = "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce\
                      47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e";
/// The digest in base64.
const MD5_64: &str = "1B2M2Y8AsgTpgAmY7PhCfg==";
const SHA1_64: &str = "2jmj7l5rSw0yVb/vlWAYkK/YBwk=";
const SHA224_64: &str = "0UoCjCo6K8lHYQK7KII0xBWisB+CjqYqxbPkLw==";
const SHA256_64: &str = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
const SHA384_64: &str = "OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb";
const SHA512_64: &str = "z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUd\
                         BeoGlODJ6+SfaPg==";

/// Returns an entry with this name for the empty message.
fn empty(algorithm: Algorithm, name: &[u8]) -> Line<'_> {
    let digest = digest(algorithm, b"");
    Line::Entry(Entry::new(algorithm, &digest[..algorithm.digest_len()], name).unwrap())
}

/// Parses a manifest with a single line.
fn only(line: &[u8]) -> Line<'_> {
    Reader::new(Options::default()).line(line)
}

fn only_of(algorithm: Algorithm, line: &[u8]) -> Line<'_> {
    Reader::new(Options { algorithm: Some(algorithm.into()), ..Options::default() }).line(line)
}

fn malformed(line: &str) -> Malformed {
    match only(line.as_bytes()) {
        Line::Malformed(reason) => reason,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn lines_of_other_tools_are_entries() {
    let upper = SHA256.to_uppercase();
    for line in [
        format!("{SHA256}  f"),
        format!("{SHA256} *f"),
        format!("{SHA256} f"),
        format!("{upper}  f"),
        format!(" \t {SHA256}  f"),
        format!("\u{feff}{SHA256}  f"),
        format!("\\{SHA256}  f"),
        format!("{SHA256_64}  f"),
        format!("SHA256 (f) = {SHA256}"),
        format!("SHA256 (f) = {upper}"),
        format!("SHA256 (f) = {SHA256_64}"),
        format!("SHA256(f)= {SHA256}"),
        format!("SHA2-256(f)= {SHA256}"),
        format!("sha256 (f) = {SHA256}"),
        format!("SHA-256 (f)={SHA256}"),
        format!("  \\SHA256 (f) = {SHA256}"),
        format!(r#"{{"algorithm":"sha256","digest":"{SHA256}","path":"f"}}"#),
        format!(r#"{{"algorithm":"SHA-256","digest":"{SHA256_64}","path_base64":"Zg=="}}"#),
        format!(
            r#" {{ "depth": 1, "path": "\u0066", "digest": "{upper}", "algorithm": "sha256" }} "#
        ),
    ] {
        for end in ["", "\n", "\r\n"] {
            let line = format!("{line}{end}");
            assert_eq!(only(line.as_bytes()), empty(Algorithm::SHA256, b"f"), "{line}");
        }
    }
}

#[test]
fn the_length_of_a_digest_determines_its_algorithm() {
    for (algorithm, hex, base64) in [
        (Algorithm::MD5, MD5, MD5_64),
        (Algorithm::SHA1, SHA1, SHA1_64),
        (Algorithm::SHA224, SHA224, SHA224_64),
        (Algorithm::SHA256, SHA256, SHA256_64),
        (Algorithm::SHA384, SHA384, SHA384_64),
        (Algorithm::SHA512, SHA512, SHA512_64),
    ] {
        for digest in [hex, base64] {
            let line = format!("{digest}  f");
            assert_eq!(only_of(algorithm, line.as_bytes()), empty(algorithm, b"f"), "{algorithm}");
            if digest == SHA384_64 {
                // Otherwise a damaged hexadecimal SHA-256 digest would be accepted as one of these.
                assert_eq!(malformed(&line), Malformed::Unrecognized);
            } else {
                assert_eq!(only(line.as_bytes()), empty(algorithm, b"f"), "{algorithm}");
            }
            let line = format!("{} (f) = {digest}", algorithm.tag());
            assert_eq!(only(line.as_bytes()), empty(algorithm, b"f"), "{algorithm}");
        }
    }
}

#[test]
fn a_tag_distinguishes_algorithms_of_equal_length() {
    for algorithm in Algorithm::all() {
        let hex: String = digest(algorithm, b"")[..algorithm.digest_len()]
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect();
        for tag in [algorithm.tag(), algorithm.title(), algorithm.name()] {
            let line = format!("{tag} (f) = {hex}");
            assert_eq!(only(line.as_bytes()), empty(algorithm, b"f"), "{line}");
        }
    }
}

#[test]
fn blank_lines_and_comments_are_skipped() {
    for line in [
        "",
        "\n",
        "\r\n",
        "  \n",
        "#\n",
        "# SHA256 (f) = 00\n",
        "#d41d8c  f",
        "\u{feff}",
        "\u{feff}# x",
    ] {
        assert_eq!(only(line.as_bytes()), Line::Skip, "{line:?}");
    }
}

#[test]
fn a_requested_algorithm_applies_to_every_entry() {
    let line = format!("{SHA256}  f");
    let Line::Entry(entry) = only_of(Algorithm::SHA512_256, line.as_bytes()) else {
        panic!("{line}");
    };
    assert_eq!(entry.algorithm(), Algorithm::SHA512_256);

    let tagged = format!("SHA256 (f) = {SHA256}");
    let json = format!(r#"{{"algorithm":"sha256","digest":"{SHA256}","path":"f"}}"#);
    for line in [tagged, json] {
        assert_eq!(only_of(Algorithm::SHA256, line.as_bytes()), empty(Algorithm::SHA256, b"f"));
        assert_eq!(
            only_of(Algorithm::SHA512_256, line.as_bytes()),
            Line::Malformed(Malformed::OtherAlgorithm {
                tagged: Algorithm::SHA256.into(),
                asked: Algorithm::SHA512_256.into()
            })
        );
    }
    assert_eq!(
        only_of(Algorithm::SHA512, line.as_bytes()),
        Line::Malformed(Malformed::DigestLength {
            algorithm: Algorithm::SHA512.into(),
            characters: 64
        })
    );
    assert_eq!(only_of(Algorithm::SHA512, b"not one"), Line::Malformed(Malformed::Unrecognized));
}

#[test]
fn malformed_lines_have_a_reason() {
    let algorithm = Checksum::Lanesum(Algorithm::SHA256);
    let short = &SHA256[1..];
    let not_hex = format!("{short}g");
    for (line, reason) in [
        ("garbage line".into(), Malformed::Unrecognized),
        ("garbage".into(), Malformed::Unrecognized),
        (SHA256.into(), Malformed::Bare),
        ("\\".into(), Malformed::Unrecognized),
        ("\\\\".into(), Malformed::Unrecognized),
        (format!("SHA256 (f) {SHA256}"), Malformed::Unrecognized),
        (format!("SHA256 (f = {SHA256}"), Malformed::Unrecognized),
        ("SHA256 (".into(), Malformed::Unrecognized),
        (format!("{not_hex}  f"), Malformed::Unrecognized),
        (
            format!("\\{{\"algorithm\":\"sha256\",\"digest\":\"{SHA256}\",\"path\":\"f\"}}"),
            Malformed::Unrecognized,
        ),
        (format!("SHA256 (f) = {not_hex}"), Malformed::NotADigest),
        (format!("{SHA256}\tf"), Malformed::Tab),
        (format!("SHA256 (f) = {short}"), Malformed::DigestLength { algorithm, characters: 63 }),
        (format!("SHA256 (f) = {SHA256} "), Malformed::DigestLength { algorithm, characters: 65 }),
        (format!("SHA256 (f) = {MD5}"), Malformed::DigestLength { algorithm, characters: 32 }),
        ("SHA256 (f) = ".into(), Malformed::DigestLength { algorithm, characters: 0 }),
        (format!("{short}  f"), Malformed::UnknownLength { digits: 63 }),
        (format!("BLAKE2s (f) = {SHA256}"), Malformed::UnknownAlgorithm("BLAKE2s".into())),
        (
            format!("HMAC-SHA2-256(f)= {SHA256}"),
            Malformed::UnknownAlgorithm("HMAC-SHA2-256".into()),
        ),
        (
            format!(r#"{{"algorithm":"x","digest":"{MD5}","path":"f"}}"#),
            Malformed::UnknownAlgorithm("x".into()),
        ),
        (format!(r"\{SHA256}  a\tb"), Malformed::Escape),
        (format!(r"\{SHA256}  a\"), Malformed::Escape),
        (format!(r"\SHA256 (a\) = {SHA256}"), Malformed::Escape),
        (format!("{SHA256} "), Malformed::Name(InvalidEntry::EmptyName)),
        (format!("SHA256 () = {SHA256}"), Malformed::Name(InvalidEntry::EmptyName)),
        (
            format!(r#"{{"algorithm":"md5","digest":"{MD5}","path":""}}"#),
            Malformed::Name(InvalidEntry::EmptyName),
        ),
        (
            format!(r#"{{"algorithm":"md5","digest":"{MD5}","path":"a\u0000"}}"#),
            Malformed::Name(InvalidEntry::NulInName),
        ),
        (format!("{SHA256}  a\0b"), Malformed::Nul),
        ("a".repeat(MAX_LINE + 1), Malformed::TooLong),
        ("a\0".repeat(MAX_LINE), Malformed::Nul),
    ] {
        assert_eq!(malformed(&line), reason, "{}", &line[..line.len().min(200)]);
    }
    for (line, reason) in [
        (r#"{"algorithm":"sha256""#, "EOF while parsing an object at column 21"),
        (r#"{}"#, "missing field `algorithm` at column 2"),
        (
            r#"{"algorithm":"md5","digest":"d41d8cd98f00b204e9800998ecf8427e"}"#,
            "no field `path` or `path_base64`",
        ),
        (
            r#"{"algorithm":"md5","digest":"d41d8cd98f00b204e9800998ecf8427e","path":"f","path_base64":"Zg=="}"#,
            "both `path` and `path_base64`",
        ),
    ] {
        assert_eq!(malformed(line).to_string(), reason, "{line}");
    }
    let utf16: Vec<u8> = "\u{feff}e3".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(only(&utf16), Line::Malformed(Malformed::Utf16));
}

#[test]
fn reasons_suggest_a_fix() {
    assert_eq!(
        malformed(&format!("{SHA256}\tf")).to_string(),
        "a tab follows the digest; replace it with two spaces"
    );
    assert_eq!(
        malformed("SHA256 (f) = 00").to_string(),
        "the digest has 2 characters; sha256 digests have 64 (or 44 in base64)"
    );
}

#[test]
fn the_first_untagged_line_determines_whether_one_space_follows_the_digest() {
    let one = format!("{SHA256} f");
    let two = format!("{SHA256}  f");
    let bracket = format!("{SHA256} f (1) = x");
    let tagged = format!("SHA256 (f) = {SHA256}");
    let mut reader = Reader::new(Options::default());
    for (line, name) in
        [(&tagged, "f"), (&one, "f"), (&two, " f"), (&tagged, "f"), (&bracket, "f (1) = x")]
    {
        assert_eq!(reader.line(line.as_bytes()), empty(Algorithm::SHA256, name.as_bytes()));
    }
    let mut reader = Reader::new(Options::default());
    assert_eq!(reader.line(two.as_bytes()), empty(Algorithm::SHA256, b"f"));
    assert_eq!(reader.line(one.as_bytes()), Line::Malformed(Malformed::OneSpace));
    assert_eq!(reader.line(two.as_bytes()), empty(Algorithm::SHA256, b"f"));
    assert_eq!(reader.line_number(), 3);
}

#[test]
fn a_byte_order_mark_is_skipped_only_at_the_start() {
    let marked = format!("\u{feff}{SHA256}  f");
    let mut reader = Reader::new(Options::default());
    assert_eq!(reader.line(marked.as_bytes()), empty(Algorithm::SHA256, b"f"));
    assert_eq!(reader.line(marked.as_bytes()), Line::Malformed(Malformed::Unrecognized));
}

#[test]
fn names_on_nul_terminated_lines_are_not_escaped() {
    let options = Options { terminator: Terminator::Nul, ..Options::default() };
    for name in ["a\nb", "a\\n", "\\", "a\r", "a\n"] {
        for line in [format!("{SHA256}  {name}\0"), format!("SHA256 ({name}) = {SHA256}\0")] {
            let mut reader = Reader::new(options);
            assert_eq!(reader.line(line.as_bytes()), empty(Algorithm::SHA256, name.as_bytes()));
        }
    }
}

#[test]
fn entries_that_no_line_can_represent_are_rejected() {
    let algorithm = Checksum::Lanesum(Algorithm::SHA256);
    let digest = [0; 32];
    assert!(Entry::new(algorithm, &digest, "f").is_ok());
    assert_eq!(Entry::new(algorithm, &digest, ""), Err(InvalidEntry::EmptyName));
    assert_eq!(Entry::new(algorithm, &digest, "\0"), Err(InvalidEntry::NulInName));
    assert_eq!(
        Entry::new(algorithm, &digest[1..], "f"),
        Err(InvalidEntry::DigestLength { algorithm, len: 31 })
    );
}

#[test]
fn json_has_the_documented_fields() {
    let mut out = Vec::new();
    for name in [b"a \"b\"\n".as_slice(), b"\xff"] {
        let digest = digest(Algorithm::MD5, b"");
        let entry = Entry::new(Algorithm::MD5, &digest[..16], name).unwrap();
        Format::from_name("json").unwrap().write(&entry, Terminator::Newline, &mut out);
    }
    let expected = format!(
        "{{\"algorithm\":\"md5\",\"digest\":\"{MD5}\",\"path\":\"a \\\"b\\\"\\n\"}}\n\
         {{\"algorithm\":\"md5\",\"digest\":\"{MD5}\",\"path_base64\":\"/w==\"}}\n"
    );
    assert_eq!(String::from_utf8(out).unwrap(), expected);
}

#[test]
fn the_longest_line_may_end_with_a_newline() {
    let name = "a".repeat(MAX_LINE - SHA256.len() - 2);
    let line = format!("{SHA256}  {name}");
    for end in ["", "\n"] {
        assert_eq!(
            only(format!("{line}{end}").as_bytes()),
            empty(Algorithm::SHA256, name.as_bytes())
        );
    }
    assert_eq!(malformed(&format!("{line}a")), Malformed::TooLong);
}

#[test]
fn every_format_is_found_by_its_name() {
    let names: Vec<_> = Format::all().map(Format::name).collect();
    assert_eq!(names, ["gnu", "bsd", "solaris", "json", "csv", "hashdeep", "bagit"]);
    for format in Format::all() {
        assert_eq!(Format::from_name(format.name()), Some(format));
    }
    assert_eq!(Format::from_name("GNU "), None);
}
