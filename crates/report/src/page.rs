//! The document as a self-contained HTML page.

use std::fmt::Write as _;

use crate::svg::escape;
use crate::{Document, Item};

const STYLE: &str = "body{font:15px/1.5 sans-serif;max-width:70em;margin:2em auto;padding:0 1em}\
table{border-collapse:collapse;margin:.5em 0 1.5em}\
td,th{padding:.15em .6em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}\
figure{margin:1em 0;overflow-x:auto}figcaption{color:#555}div{overflow-x:auto}";

/// Writes the page.
pub fn page(document: &Document) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}</title>\
         <style>{STYLE}</style></head><body>\n<h1>{0}</h1>\n",
        escape(&document.title)
    );
    for section in &document.sections {
        let _ = writeln!(out, "<h2>{}</h2>", escape(&section.title));
        for item in &section.items {
            match item {
                Item::Text { text } => {
                    let _ = writeln!(out, "<p>{}</p>", escape(text));
                }
                Item::List { points } => {
                    let points = points.iter().map(|point| format!("<li>{}</li>", escape(point)));
                    let _ = writeln!(out, "<ul>{}</ul>", points.collect::<String>());
                }
                Item::Table { caption, columns, rows } => {
                    let _ = write!(out, "<p>{}</p>\n<div><table><tr>", escape(caption));
                    columns.iter().for_each(|c| {
                        let _ = write!(out, "<th>{}</th>", escape(c));
                    });
                    out.push_str("</tr>\n");
                    for row in rows {
                        out.push_str("<tr>");
                        row.iter().for_each(|cell| {
                            let _ = write!(out, "<td>{}</td>", escape(cell));
                        });
                        out.push_str("</tr>\n");
                    }
                    out.push_str("</table></div>\n");
                }
                Item::Figure { caption, svg } => {
                    let caption = escape(caption);
                    let _ =
                        writeln!(out, "<figure>{svg}<figcaption>{caption}</figcaption></figure>");
                }
            }
        }
    }
    out.push_str("</body></html>\n");
    out
}
