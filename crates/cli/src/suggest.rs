//! Suggestions for other tools' arguments that this command lacks. clap suggests similar names
//! itself, which covers typos.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::CommandFactory;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use lanesum_manifest::Checksum;

use crate::args::Cli;
use crate::personalities::quote;

/// First arguments that are not subcommands, and their replacements.
const COMMANDS: &[(&[&str], &[&str])] = &[
    (&["audit"], &["check", "--audit"]),
    (&["verify", "validate", "-c", "--check"], &["check"]),
    (&["hash", "digest", "checksum", "sha256"], &["sum"]),
    (&["update"], &["sum", "--update"]),
    (&["compare"], &["diff"]),
    (&["hmac"], &["mac"]),
];

/// Subcommands, options that they lack, and replacements.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (&["sum", "check", "diff"], &["--exclude"], "use -g '!PATTERN'"),
    (&["sum", "check", "diff"], &["--include"], "use -g PATTERN"),
    (&["sum", "check", "diff"], &["--hidden"], "hidden files are always included: omit it"),
    (&["sum", "check", "diff", "mac"], &["--threads"], "use -j N"),
    (
        &["sum", "check", "diff", "mac"],
        &["-b", "--binary", "-t", "--text"],
        "files are always read as bytes: omit it",
    ),
    (&["sum", "mac"], &["-c", "--check"], "use: lanesum check MANIFEST"),
    (&["check"], &["-c", "--check"], "'lanesum check' always verifies: omit it"),
    (
        &["check"],
        &["-r", "--recursive"],
        "use --audit to compare a whole directory with the manifest",
    ),
    (&["check"], &["-q", "--silent"], "use --quiet, or --status for no output at all"),
    (&["sum", "check", "diff", "mac"], &["-0", "--null"], "use -z"),
    (&["sum"], &["--bsd"], "use --tag"),
];

/// Maximum number of similar names listed for an unknown algorithm.
const MAX_SIMILAR: usize = 3;

/// Adds a suggestion to a usage error. `arguments` excludes the program's name.
pub(crate) fn explain(mut error: Error, arguments: &[OsString]) -> Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let tip = match error.kind() {
        ErrorKind::InvalidSubcommand => command(arguments),
        ErrorKind::UnknownArgument => {
            let option = text(ContextKind::InvalidArg);
            replacement_option(arguments, &option).or_else(|| command(arguments))
        }
        ErrorKind::ValueValidation if text(ContextKind::InvalidArg).ends_with("<ALG>") => {
            let has_others =
                arguments.first().is_none_or(|command| !OURS.iter().any(|ours| command == ours));
            let names = similar_algorithms(&text(ContextKind::InvalidValue), has_others);
            if !names.is_empty() {
                error.insert(ContextKind::SuggestedValue, ContextValue::Strings(names));
            }
            None
        }
        _ => None,
    };
    if let Some(tip) = tip {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = ContextValue::StyledStrs(vec![StyledStr::from(tip)]);
        error.insert(ContextKind::Suggested, tip);
    }
    error
}

/// Returns the command that was probably meant, if the first argument is not a subcommand.
fn command(arguments: &[OsString]) -> Option<String> {
    let (first, rest) = arguments.split_first()?;
    let known = COMMANDS.iter().find(|(given, _)| given.iter().any(|word| first == word));
    let (words, rest) = if let Some((_, words)) = known {
        (*words, rest)
    } else if has_option("sum", first) {
        (&["sum"][..], arguments)
    } else {
        match Path::new(first).metadata() {
            Ok(metadata) if metadata.is_dir() => (&["sum", "-r"][..], arguments),
            Ok(_) => (&["sum"][..], arguments),
            Err(_) => return None,
        }
    };
    let mut call = "use: lanesum".to_owned();
    for word in words.iter().map(OsStr::new).chain(rest.iter().map(OsString::as_os_str)) {
        let word = word.as_encoded_bytes();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./=,:@%+".contains(byte);
        let quoted = match !word.is_empty() && word.iter().all(is_plain) {
            true => word.to_vec(),
            false => quote::name(word),
        };
        call += " ";
        call += &String::from_utf8_lossy(&quoted);
    }
    Some(call)
}

/// Whether a subcommand has the option that an argument begins with.
fn has_option(subcommand: &str, argument: &OsStr) -> bool {
    let argument = argument.to_string_lossy();
    let mut command = Cli::command();
    command.build();
    let Some(command) = command.find_subcommand(subcommand) else { return false };
    match argument.strip_prefix("--") {
        Some(long) => {
            let long = long.split('=').next();
            command
                .get_arguments()
                .any(|option| option.get_long().is_some() && option.get_long() == long)
        }
        None => {
            let short = argument.strip_prefix('-').and_then(|shorts| shorts.chars().next());
            command.get_arguments().any(|option| short.is_some() && option.get_short() == short)
        }
    }
}

/// Returns the replacement for `option`, which the subcommand lacks.
fn replacement_option(arguments: &[OsString], option: &str) -> Option<String> {
    let subcommand = arguments.first()?;
    let (.., tip) = OPTIONS.iter().find(|(subcommands, options, _)| {
        subcommands.iter().any(|name| subcommand == name) && options.contains(&option)
    })?;
    Some((*tip).to_owned())
}

/// The subcommands that accept only Lanesum's own algorithms.
const OURS: [&str; 3] = ["bench", "mac", "tree"];

/// Returns names of algorithms similar to `name`, the most similar first.
fn similar_algorithms(name: &str, has_others: bool) -> Vec<String> {
    let name = name.to_ascii_lowercase();
    let known = Checksum::all().filter(|known| has_others || known.lanesum().is_some());
    let names = known.flat_map(|algorithm| {
        let aliases = algorithm.aliases().iter().copied();
        std::iter::once(algorithm.name()).chain(aliases)
    });
    let similarity = |known: &str| strsim::jaro(&name, known);
    let mut names: Vec<_> = names.filter(|known| similarity(known) > 0.7).collect();
    names.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
    names.truncate(MAX_SIMILAR);
    names.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> impl Iterator<Item = &str> {
        text.split([' ', '\'', ',', ':']).filter(|word| !word.is_empty())
    }

    #[test]
    fn suggestions_name_commands_and_options_that_exist() {
        let mut command = Cli::command();
        command.build();
        for (given, instead) in COMMANDS {
            for word in *given {
                assert!(command.find_subcommand(word).is_none(), "'{word}' is a subcommand");
            }
            let (subcommand, options) = instead.split_first().unwrap();
            assert!(command.find_subcommand(subcommand).is_some(), "{subcommand}");
            for option in options {
                assert!(has_option(subcommand, OsStr::new(option)), "{subcommand} {option}");
            }
        }
        for (subcommands, given, tip) in OPTIONS {
            for subcommand in *subcommands {
                for option in *given {
                    let has = has_option(subcommand, OsStr::new(option));
                    assert!(!has, "lanesum {subcommand} has {option}");
                }
                for option in words(tip).filter(|word| word.starts_with('-')) {
                    assert!(has_option(subcommand, OsStr::new(option)), "{subcommand}: {tip}");
                }
                if let Some(other) = words(tip).skip_while(|word| *word != "lanesum").nth(1) {
                    assert!(command.find_subcommand(other).is_some(), "{tip}");
                }
            }
        }
    }

    #[test]
    fn similar_algorithms_are_few_and_the_nearest_comes_first() {
        let similar = |name| similar_algorithms(name, true);
        assert!(similar("sha257").contains(&"sha256".to_owned()));
        assert!(similar("SHA_512").contains(&"sha512".to_owned()));
        assert_eq!(similar("ripemd-161")[0], "ripemd-160");
        assert_eq!(similar("blake33")[0], "blake3");
        assert!(similar_algorithms("blake33", false).is_empty());
        assert!(similar("sha257").len() <= MAX_SIMILAR);
        assert!(similar("whirlpool").is_empty() && similar("").is_empty());
    }
}
