//! Exit statuses and examples of each command, for its manual page and for `--help`.

use clap::{Command, CommandFactory};

use crate::args::Cli;

/// The exit statuses and examples of a page.
pub(crate) struct Page {
    /// Names of the subcommand and its parents; empty for the command itself.
    path: &'static [&'static str],
    /// Conditions for exit status 1.
    pub(crate) failure: &'static str,
    /// Example command lines, each with its purpose. A test runs all of them.
    pub(crate) examples: &'static [(&'static str, &'static str)],
}

/// A condition for exit status 1 of several commands.
const OUTPUT: &str = "The output cannot be written.";
/// Conditions for exit status 1 of `lanesum tree`'s subcommands.
const TREE: &str =
    "A file cannot be read or does not match --verify, or the output cannot be written.";

static PAGES: &[Page] = &[
    Page {
        path: &[],
        failure: "A file does not match, is missing or cannot be read; an audit or 'diff' finds a difference; \
                  a manifest cannot be used or is not updated; an output cannot be written; or nothing was \
                  verified.",
        examples: &[
            ("Write a manifest of a directory", "lanesum sum -r photos -o photos.sha256"),
            ("Verify it", "lanesum check photos.sha256"),
            ("Report new, changed, moved and missing files", "lanesum check --audit photos.sha256"),
            ("Compare two directories", "lanesum diff old new"),
        ],
    },
    Page {
        path: &["sum"],
        failure: "A file cannot be read, or contains a SHA-1 collision attack (sha1dc); no file was found, with \
                  --output or --glob; the output cannot be written; or --update refuses to change the \
                  manifest, or finds a rotted file.",
        examples: &[
            ("Print the SHA-256 of a file", "lanesum sum disk.img"),
            ("Compute several digests in one pass", "lanesum sum -a sha256,sha1 disk.img"),
            ("Write a manifest of a directory", "lanesum sum -r photos -o photos.sha256"),
            ("Exclude files by name", "lanesum sum -r photos -g '!*.tmp'"),
            ("Write JSON Lines", "lanesum sum -r photos --format json"),
            ("Update a manifest, reading only changed files", "lanesum sum --update photos.sha256"),
            (
                "Hash the files that another program lists",
                "find photos -name '*.jpg' -print0 | lanesum sum --files0-from -",
            ),
        ],
    },
    Page {
        path: &["check"],
        failure: "A file does not match, is missing or cannot be read; a manifest cannot be used; nothing was \
                  verified; --audit finds a difference that --allow does not name; --git finds a damaged object or \
                  file, or no object; or the report cannot be written.",
        examples: &[
            ("Verify the files of a manifest", "lanesum check photos.sha256"),
            ("Print only failures", "lanesum check --quiet photos.sha256"),
            (
                "Verify one file against a published digest",
                "lanesum check --expect sha1:a9993e364706816aba3e25717850c26c9cd0d89d abc.txt",
            ),
            ("Report new, changed, moved and missing files", "lanesum check --audit photos.sha256"),
            ("Write JSON Lines", "lanesum check --json photos.sha256"),
            ("Verify the objects of a git repository", "lanesum check --git project"),
        ],
    },
    Page {
        path: &["diff"],
        failure: "There is a difference that --allow does not name, an input cannot be read, or the report \
                  cannot be written.",
        examples: &[
            ("Compare two directories", "lanesum diff old new"),
            ("Compare a manifest with a directory", "lanesum diff photos.sha256 photos"),
            ("Write JSON Lines", "lanesum diff --json old new"),
        ],
    },
    Page {
        path: &["mac"],
        failure: "A file or the key cannot be read, or the output cannot be written.",
        examples: &[
            ("Print the HMAC-SHA-256 of a file", "lanesum mac -k key disk.img"),
            (
                "Read a hexadecimal key from the environment",
                "KEY=000102030405 lanesum mac --key-env KEY --key-hex disk.img",
            ),
        ],
    },
    Page {
        path: &["tree"],
        failure: TREE,
        examples: &[("Print the fs-verity digest of a file", "lanesum tree fsverity disk.img")],
    },
    Page {
        path: &["tree", "fsverity"],
        failure: TREE,
        examples: &[
            ("Print the fs-verity digest of a file", "lanesum tree fsverity disk.img"),
            ("Use SHA-512 and a salt", "lanesum tree fsverity -a sha512 --salt 0011 disk.img"),
        ],
    },
    Page {
        path: &["tree", "dmverity"],
        failure: TREE,
        examples: &[
            ("Print the dm-verity root of an image", "lanesum tree dmverity disk.img"),
            ("Write the hash device", "lanesum tree dmverity disk.img -o disk.verity"),
        ],
    },
    Page {
        path: &["tree", "torrent1"],
        failure: TREE,
        examples: &[
            ("Write a .torrent", "lanesum tree torrent1 photos -o photos.torrent"),
            ("Verify files against it", "lanesum tree torrent1 photos --verify photos.torrent"),
        ],
    },
    Page {
        path: &["tree", "torrent2"],
        failure: TREE,
        examples: &[
            ("Write a .torrent", "lanesum tree torrent2 photos -o photos.torrent"),
            ("Verify files against it", "lanesum tree torrent2 photos --verify photos.torrent"),
        ],
    },
    Page {
        path: &["tree", "rfc6962"],
        failure: TREE,
        examples: &[("Print the root of a log", "lanesum tree rfc6962 entries.txt")],
    },
    Page {
        path: &["tree", "s3"],
        failure: TREE,
        examples: &[(
            "Print the checksum of an upload in parts of 5 MiB",
            "lanesum tree s3 --part-size 5242880 disk.img",
        )],
    },
    Page {
        path: &["manifest"],
        failure: "The Python package fails, or cannot be run.",
        examples: &[("Print the help of the Python package", "lanesum manifest --help")],
    },
    Page {
        path: &["list"],
        failure: OUTPUT,
        examples: &[
            ("List the algorithms and their kernels", "lanesum list"),
            ("List every kernel", "lanesum list --all"),
            ("Show the effect of LANESUM_KERNEL", "LANESUM_KERNEL=portable lanesum list"),
        ],
    },
    Page {
        path: &["bench"],
        failure: OUTPUT,
        examples: &[
            ("Measure SHA-256 of 8 KiB messages", "lanesum bench -a sha256 -l 8192 --seconds 1"),
            ("Write JSON", "lanesum bench -a sha256 -k hash -l 64 --seconds 1 --json"),
        ],
    },
    Page {
        path: &["tune"],
        failure: "The file or the output cannot be written, or other programs disturb every measurement.",
        examples: &[
            ("Show which kernels the measured costs select", "lanesum tune"),
            ("Use them for a program", "lanesum tune -o costs && LANESUM_COSTS=costs lanesum list"),
        ],
    },
    Page {
        path: &["doctor"],
        failure: "--proof finds machine code that is not proven, or cannot compare it; or the output cannot be written.",
        examples: &[
            ("Show which programs use Lanesum", "lanesum doctor"),
            ("Compare the machine code of kernels with the proven one", "lanesum doctor --proof"),
        ],
    },
    Page {
        path: &["completions"],
        failure: OUTPUT,
        examples: &[("Write a completion script", "lanesum completions bash >lanesum.bash")],
    },
    Page {
        path: &["man"],
        failure: OUTPUT,
        examples: &[("Write the manual pages", "lanesum man man1")],
    },
];

impl Page {
    /// Returns the page of the command with the full name `name`, such as `lanesum tree s3`.
    pub(crate) fn of(name: &str) -> Option<&'static Self> {
        let is_it = |page: &&Self| name.split(' ').skip(1).eq(page.path.iter().copied());
        PAGES.iter().find(is_it)
    }

    /// Formats the examples for the end of a long help text.
    fn help(&self) -> String {
        let examples = self.examples.iter();
        let lines = examples.map(|(purpose, line)| format!("  {purpose}:\n    $ {line}\n"));
        "Examples:\n".to_owned() + &lines.collect::<String>()
    }
}

/// The subcommands in the first list of `lanesum --help`.
const MAIN: [&str; 5] = ["sum", "check", "diff", "mac", "list"];

/// Returns the command with examples in its long help texts. Parsing uses a command without them,
/// which starts faster.
pub(crate) fn command() -> Command {
    let mut command = Cli::command();
    for page in PAGES {
        match page.path {
            [] => command = command.after_long_help(page.help()),
            [name] => {
                command = command.mut_subcommand(name, |sub| sub.after_long_help(page.help()));
            }
            _ => {}
        }
    }
    // Build the nested subcommands. clap decides here whether a command has a long help text, so
    // the short help texts of nested subcommands also contain the examples.
    command.build();
    for page in PAGES.iter().filter(|page| page.path.len() > 1) {
        let mut at = &mut command;
        for name in page.path {
            at = at.find_subcommand_mut(name).expect("pages name subcommands");
        }
        *at = std::mem::take(at).after_help(page.help()).after_long_help(page.help());
    }
    with_main_commands_first(command)
}

/// Moves the subcommands other than [`MAIN`] to a second list.
fn with_main_commands_first(mut command: Command) -> Command {
    let (mut names, mut list) = (Vec::new(), String::new());
    for sub in command.get_subcommands_mut().filter(|sub| !MAIN.contains(&sub.get_name())) {
        *sub = std::mem::take(sub).hide(true);
        if let Some(about) = sub.get_about().filter(|_| sub.get_name() != "help") {
            list += &format!("  {:<12} {about}\n", sub.get_name());
            names.push(sub.get_name().to_owned());
        }
    }
    let rest = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = Page::of("lanesum").map(Page::help).unwrap_or_default();
    command
        .after_help(format!("More commands: {}; see 'lanesum --help'.\n\n{rest}", names.join(", ")))
        .after_long_help(format!("More commands:\n{list}\n{examples}\n{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the full names of a command and its subcommands.
    fn names(command: &Command, before: &str) -> Vec<String> {
        let name = format!("{before}{}", command.get_name());
        let below = command.get_subcommands().filter(|below| below.get_name() != "help");
        let below: Vec<_> = below.flat_map(|below| names(below, &format!("{name} "))).collect();
        [vec![name], below].concat()
    }

    #[test]
    fn every_command_has_a_page_and_every_page_a_command() {
        let names = names(&command(), "");
        assert!(names.iter().all(|name| Page::of(name).is_some()), "{names:?}");
        assert_eq!(names.len(), PAGES.len(), "{names:?}");
        assert!(PAGES.iter().all(|page| !page.examples.is_empty()));
    }
}
