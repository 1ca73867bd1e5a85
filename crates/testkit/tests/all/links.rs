//! Every link of a document leads to a file of this tree, and to a heading that is there.

use std::fs;
use std::path::Path;

use crate::tree::{self, prose};

/// What the links of a document name: `[text](target)`.
fn targets(text: &str) -> Vec<String> {
    let after = prose(text);
    let parts = after.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    parts.map(|(target, _)| target.to_owned()).filter(|target| !target.contains(' ')).collect()
}

/// The anchor that a heading gets where documents are shown: small letters, digits, hyphens.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn has_heading(text: &str, wanted: &str) -> bool {
    let prose = prose(text);
    let mut headings = prose.lines().filter(|line| line.starts_with('#'));
    headings.any(|line| anchor(line.trim_start_matches('#')) == wanted)
}

/// What is wrong with the links of a document.
fn broken(path: &Path, text: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for target in targets(text) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
        let to = if file.is_empty() { path.to_owned() } else { path.with_file_name(file) };
        let there = if heading.is_empty() {
            to.exists()
        } else if file.is_empty() {
            has_heading(text, heading)
        } else {
            fs::read_to_string(&to).is_ok_and(|text| has_heading(&text, heading))
        };
        if !there {
            wrong.push(format!("{}: {target}", path.display()));
        }
    }
    wrong
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let mut found = tree::files(&tree::root());
    found.retain(|path| path.extension().is_some_and(|end| end == "md"));
    assert!(found.len() > 15, "{found:?}");
    let mut links = 0;
    let mut wrong = Vec::new();
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        links += targets(&text).len();
        wrong.extend(broken(&path, &text));
    }
    assert!(links > 50, "{links} links");
    assert!(wrong.is_empty(), "links that lead nowhere: {wrong:#?}");
}

#[test]
fn a_link_that_leads_nowhere_is_seen() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let broken = |text: &str| broken(&here, text).len();
    assert_eq!(broken("# A title, so\n[x](Cargo.toml) [y](#a-title-so) [z](src/lib.rs)"), 0);
    assert_eq!(broken("[x](Cargo.json)"), 1);
    assert_eq!(broken("# A title\n[y](#another)"), 1);
    assert_eq!(broken("```\n# A title\n```\n[y](#a-title) ![p](none.svg)"), 2);
    assert_eq!(broken("[z](../../CONTRIBUTING.md#contributing) [w](../../CONTRIBUTING.md#no)"), 1);
}

/// The pages of `docs` that a list of them does not name.
fn unlisted(list: &str) -> Vec<String> {
    let pages = fs::read_dir(tree::root().join("docs")).unwrap();
    let names = pages.map(|page| page.unwrap().file_name().into_string().unwrap());
    let listed = targets(list);
    names
        .filter(|name| name.ends_with(".md") && name != "README.md" && !listed.contains(name))
        .collect()
}

#[test]
fn every_page_is_in_the_list_of_pages() {
    let list = fs::read_to_string(tree::root().join("docs/README.md")).unwrap();
    assert_eq!(unlisted(&list), [""; 0]);
    assert_eq!(unlisted(&list.replace("(c.md)", "(d.md)")), ["c.md"]);
}
