//! Links of documents: the file and the heading exist, and the pages of the book link only to each other.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::tree::{self, prose};

/// The targets of the links of a document: `[text](target)`.
fn targets(text: &str) -> Vec<String> {
    let after = prose(text);
    let parts = after.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
    parts.map(|(target, _)| target.to_owned()).filter(|target| !target.contains(' ')).collect()
}

/// The anchor of a heading, on GitHub and in mdBook: lower case, spaces as hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn has_heading(text: &str, wanted: &str) -> bool {
    let prose = prose(text);
    let mut headings = prose.lines().filter(|line| line.starts_with('#'));
    headings.any(|line| anchor(line.trim_start_matches('#')) == wanted)
}

/// The broken links of a document.
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
fn a_broken_link_is_found() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let broken = |text: &str| broken(&here, text).len();
    assert_eq!(broken("# A title, so\n[x](Cargo.toml) [y](#a-title-so) [z](src/lib.rs)"), 0);
    assert_eq!(broken("[x](Cargo.json)"), 1);
    assert_eq!(broken("# A title\n[y](#another)"), 1);
    assert_eq!(broken("```\n# A title\n```\n[y](#a-title) ![p](none.svg)"), 2);
    assert_eq!(broken("[z](../../CONTRIBUTING.md#contributing) [w](../../CONTRIBUTING.md#no)"), 1);
}

/// The pages of the book: the links of its table of contents.
fn book(summary: &str) -> BTreeSet<PathBuf> {
    let docs = tree::root().join("docs");
    let pages = targets(summary).into_iter().filter(|target| !target.is_empty());
    pages.map(|page| docs.join(page).canonicalize().unwrap()).collect()
}

/// The pages below `docs` that the table of contents does not list.
fn unlisted(book: &BTreeSet<PathBuf>) -> Vec<PathBuf> {
    let mut pages = tree::files(&tree::root().join("docs"));
    pages.retain(|page| page.extension().is_some_and(|end| end == "md"));
    pages.retain(|page| !page.ends_with("SUMMARY.md") && !book.contains(page));
    pages
}

/// The links of a page that would be broken in the book, which has its pages, their list and the figures.
fn outside(book: &BTreeSet<PathBuf>, path: &Path, text: &str) -> Vec<String> {
    let [list, figures] =
        ["SUMMARY.md", "figures"].map(|name| tree::root().join("docs").join(name));
    let is_outside = |target: &String| {
        let file = target.split('#').next().unwrap_or_default();
        let to = path.with_file_name(file);
        !file.is_empty()
            && !file.contains(':')
            && to
                .canonicalize()
                .is_ok_and(|to| !book.contains(&to) && to != list && !to.starts_with(&figures))
    };
    targets(text).into_iter().filter(is_outside).collect()
}

#[test]
fn every_page_is_in_the_book_and_links_only_to_its_pages() {
    let summary = fs::read_to_string(tree::root().join("docs/SUMMARY.md")).unwrap();
    let pages = book(&summary);
    assert_eq!(unlisted(&pages), [""; 0].map(Path::new));
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        assert_eq!(outside(&pages, page, &text), [""; 0], "{}", page.display());
    }
    // Test the check: a page that is not listed, and links that leave the book.
    let fewer = book(&summary.replace("(c.md)", "()"));
    let faq = tree::root().join("docs/faq.md");
    assert_eq!(unlisted(&fewer), [tree::root().join("docs/c.md")]);
    assert_eq!(outside(&fewer, &faq, "[x](c.md) [y](faq.md#a) [z](figures/speed.svg)"), ["c.md"]);
    assert_eq!(outside(&pages, &faq, "[x](../Cargo.toml) [y](#a)"), ["../Cargo.toml"]);
}
