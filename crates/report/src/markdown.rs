//! The document as Markdown, with its figures in separate files.

use std::fmt::Write as _;

use crate::{Document, Item};

/// Returns the text, and the figures with the names that the text refers to in `folder`.
///
/// # Panics
///
/// If two figures have the same name.
pub fn markdown(document: &Document, folder: &str) -> (String, Vec<(String, String)>) {
    let mut figures = Vec::new();
    let mut out = format!("# {}\n", document.title);
    for section in &document.sections {
        let _ = write!(out, "\n## {}\n", section.title);
        for item in &section.items {
            match item {
                Item::Text { text } => {
                    let _ = write!(out, "\n{text}\n");
                }
                Item::List { points } => {
                    out.push('\n');
                    points.iter().for_each(|point| out += &format!("- {point}\n"));
                }
                Item::Table { caption, columns, rows } => {
                    let _ = write!(out, "\n{caption}\n\n");
                    line(&mut out, columns);
                    line(&mut out, &vec!["---".to_owned(); columns.len()]);
                    rows.iter().for_each(|row| line(&mut out, row));
                }
                Item::Figure { caption, svg } => {
                    // A caption begins with the figure's name.
                    let name = caption.split(':').next().unwrap_or("figure");
                    let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_'));
                    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
                    let file = format!("{}.svg", words.join("-"));
                    assert!(figures.iter().all(|(other, _)| *other != file), "two figures {file}");
                    let _ = write!(out, "\n![{caption}]({folder}/{file})\n");
                    figures.push((file, svg.clone()));
                }
            }
        }
    }
    (out, figures)
}

fn line(out: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}
