//! A reference model of the commands that compare and write manifests, as pure functions. A tree
//! with its faults, a manifest, the cached digests and the arguments determine the next manifest,
//! the findings and the exit status. It shares no code with the command.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::hex;

pub(super) type Names = BTreeSet<String>;

/// The metadata of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) len: u64,
    pub(super) modified: String,
    /// The inode and the change time.
    pub(super) identity: (u64, i64, i64),
}

/// A modification time that is later than every clock of these tests, in seconds.
pub(super) const FUTURE: u64 = 4_000_000_000;

impl Stamp {
    /// Whether a later write must change the modification time. All times are long past or in the
    /// future.
    fn is_settled(&self) -> bool {
        !self.modified.starts_with(&FUTURE.to_string())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    File { digest: String, stamp: Stamp },
    Link(String),
    Special,
}

/// The nodes below the working directory by name; the directory itself is "".
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: BTreeMap<String, Node>,
    /// Files that cannot be read.
    pub(super) unreadable: Names,
    /// Directories that cannot be listed, and whether all entries were seen before the error.
    pub(super) unlistable: BTreeMap<String, bool>,
    /// Directories that can be neither listed nor searched.
    pub(super) closed: Names,
}

/// The result of resolving a name.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Lookup {
    At(String),
    /// The error is `ENOENT` or `ENOTDIR`.
    Gone,
    /// Any other error.
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) digest: String,
    pub(super) len: Option<u64>,
    pub(super) modified: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    pub(super) is_json: bool,
    /// Whether every name begins with `./`.
    pub(super) is_dotted: bool,
    pub(super) lines: BTreeMap<String, Line>,
}

/// The cached digests.
pub(super) type Cache = BTreeMap<String, (Stamp, String)>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Glob {
    OnlyC,
    NotC,
    NotE,
}

impl Glob {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::OnlyC => "*.c",
            Self::NotC => "!*.c",
            Self::NotE => "!e",
        }
    }

    fn excludes(self, name: &str, is_directory: bool) -> bool {
        match self {
            Self::OnlyC => !is_directory && !name.ends_with(".c"),
            Self::NotC => name.ends_with(".c"),
            Self::NotE => last(name) == "e",
        }
    }
}

/// The files that a command covers.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) paths: Vec<String>,
    pub(super) glob: Option<Glob>,
    pub(super) depth: Option<usize>,
}

/// The arguments of `sum -u` or `check --audit`.
#[derive(Clone, Debug, Default)]
pub(super) struct Asked {
    pub(super) scope: Scope,
    pub(super) paranoid: bool,
    pub(super) stat: bool,
    pub(super) allow_missing: bool,
    /// Whether files are trusted whose length and time match their line, as in an update.
    pub(super) trusts_lines: bool,
    pub(super) is_update: bool,
}

/// The expected form of a line in the next manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Rule {
    /// Unchanged.
    Kept(Line),
    /// Unchanged or removed.
    Perhaps(Line),
    /// Derived from the file, with one of these times.
    Now { digest: String, len: Option<u64>, modified: Vec<Option<String>> },
}

/// Whether something happens. `Either` means that the rules do not specify it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Will {
    Yes,
    No,
    Either,
}

/// The expected findings, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Findings {
    pub(super) same: Names,
    pub(super) changed: Names,
    pub(super) rotted: Names,
    pub(super) unreadable: Names,
    /// Missing files, each with the new name if it has moved, and its digest.
    pub(super) missing: BTreeMap<String, String>,
    /// New files, each with the former name if it has moved.
    pub(super) new: BTreeMap<String, String>,
    /// Names with unspecified findings.
    pub(super) open: Names,
}

/// The required result of a command.
#[derive(Clone, Debug)]
pub(super) struct Expected {
    pub(super) status: Vec<i32>,
    pub(super) is_refused: Will,
    /// The required lines of the manifest, unless the update is refused.
    pub(super) lines: BTreeMap<String, Rule>,
    pub(super) findings: Findings,
    /// The digests that are added to the cache.
    pub(super) learnt: Cache,
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap()
}

pub(super) fn join(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}

/// Returns the part of `name` below `directory`.
pub(super) fn below<'a>(directory: &str, name: &'a str) -> Option<&'a str> {
    match directory {
        "" => Some(name),
        _ => name.strip_prefix(directory)?.strip_prefix('/'),
    }
}

fn is_at_or_below(root: &str, name: &str) -> bool {
    root == name || below(root, name).is_some()
}

impl Scope {
    /// Whether a walk from `root` excludes the file `name`.
    fn excludes(&self, root: &str, name: &str) -> bool {
        let Some(rest) = below(root, name).filter(|_| root != name) else { return false };
        if self.depth.is_some_and(|depth| rest.split('/').count() > depth) {
            return true;
        }
        let Some(glob) = self.glob else { return false };
        let mut parent = String::new();
        let count = rest.split('/').count();
        rest.split('/').enumerate().any(|(i, part)| {
            parent = join(&parent, part);
            glob.excludes(&parent, i + 1 < count)
        })
    }

    fn has_filter(&self) -> bool {
        self.glob.is_some() || self.depth.is_some()
    }
}

/// The result of a walk from one root.
#[derive(Debug, Default)]
struct Walk {
    /// Files, each with its real path.
    files: BTreeMap<String, String>,
    blocked: Names,
}

impl Tree {
    fn lookup(&self, name: &str, follow: bool) -> Lookup {
        let mut at = String::new();
        let parts = |path: &str| path.split('/').rev().map(str::to_owned).collect::<Vec<_>>();
        let mut todo = parts(name);
        let mut hops = 0;
        while let Some(part) = todo.pop() {
            match &part[..] {
                "" | "." => continue,
                ".." => {
                    at = at.rsplit_once('/').map_or(String::new(), |(parent, _)| parent.to_owned());
                    continue;
                }
                _ if self.closed.contains(&at) => return Lookup::Unknown,
                _ => {}
            }
            let next = join(&at, &part);
            match self.nodes.get(&next) {
                None => return Lookup::Gone,
                Some(Node::Link(target)) if follow || !todo.is_empty() => {
                    hops += 1;
                    if hops > 20 {
                        return Lookup::Unknown;
                    }
                    todo.extend(parts(target));
                }
                Some(Node::Directory) => at = next,
                Some(_) if !todo.is_empty() => return Lookup::Gone,
                Some(_) => at = next,
            }
        }
        Lookup::At(at)
    }

    fn is_directory(&self, real: &str) -> bool {
        real.is_empty() || self.nodes.get(real) == Some(&Node::Directory)
    }

    /// Whether `name` is a file whose path contains no symlink.
    pub(super) fn is_file(&self, name: &str) -> bool {
        matches!(self.nodes.get(name), Some(Node::File { .. }))
    }

    /// Whether opening `name` may block.
    pub(super) fn is_special(&self, name: &str) -> bool {
        matches!(self.lookup(name, true), Lookup::At(real) if self.nodes.get(&real) == Some(&Node::Special))
    }

    /// Whether `name` resolves to a file with these contents.
    pub(super) fn has(&self, name: &str, digest: &str) -> bool {
        let Lookup::At(real) = self.lookup(name, true) else { return false };
        matches!(self.nodes.get(&real), Some(Node::File { digest: found, .. }) if found == digest)
    }

    /// Whether `name` resolves to a readable file with these contents.
    pub(super) fn verifies(&self, name: &str, digest: &str) -> bool {
        let real = self.lookup(name, true);
        let is_denied = matches!(&real, Lookup::At(real) if self.unreadable.contains(real));
        self.has(name, digest) && !is_denied
    }

    fn walk(&self, root: &str, scope: &Scope) -> Walk {
        let mut walk = Walk::default();
        if let Lookup::At(real) = self.lookup(root, true) {
            if self.is_directory(&real) {
                self.enter(root, &real, 1, scope, &mut walk);
            } else if let Some(Node::File { .. }) = self.nodes.get(&real) {
                walk.files.insert(root.to_owned(), real);
            }
        }
        walk
    }

    fn enter(&self, name: &str, real: &str, level: usize, scope: &Scope, walk: &mut Walk) {
        if scope.depth.is_some_and(|depth| level > depth) {
            return;
        }
        let sees = match self.unlistable.get(real) {
            _ if self.closed.contains(real) => Some(false),
            sees => sees.copied(),
        };
        if sees.is_some() {
            walk.blocked.insert(name.to_owned());
        }
        if sees == Some(false) {
            return;
        }
        for (child, node) in &self.nodes {
            let Some(part) = below(real, child).filter(|rest| !rest.contains('/')) else {
                continue;
            };
            let path = join(name, part);
            let is_directory = *node == Node::Directory;
            if scope.glob.is_some_and(|glob| glob.excludes(&path, is_directory)) {
                continue;
            }
            match node {
                Node::Directory => self.enter(&path, child, level + 1, scope, walk),
                Node::File { .. } => {
                    walk.files.insert(path, child.clone());
                }
                Node::Link(_) | Node::Special => {}
            }
        }
    }

    fn file(&self, real: &str) -> (&str, &Stamp) {
        match &self.nodes[real] {
            Node::File { digest, stamp } => (digest, stamp),
            other => panic!("{real} is {other:?}"),
        }
    }
}

/// Returns the directory that contains all names.
fn shared(manifest: &Manifest) -> String {
    let mut names = manifest.lines.keys();
    let parent = |name: &str| name.rsplit_once('/').map_or("", |(parent, _)| parent).to_owned();
    let Some(mut common) = names.next().map(|name| parent(name)) else { return String::new() };
    for name in names {
        while below(&common, name).is_none() {
            common = parent(&common);
        }
    }
    common
}

/// Returns the roots of an update or an audit.
pub(super) fn roots(manifest: &Manifest, scope: &Scope) -> Vec<String> {
    if scope.paths.is_empty() { vec![shared(manifest)] } else { scope.paths.clone() }
}

/// Returns the required result of `sum -u` or `check --audit`; `None` if the rules do not specify
/// it.
pub(super) fn compared(
    tree: &Tree,
    manifest: &Manifest,
    cache: &Cache,
    is_settled: bool,
    asked: &Asked,
) -> Option<Expected> {
    let scope = &asked.scope;
    let mut refused = Will::No;
    let mut findings = Findings::default();
    let mut lines: BTreeMap<String, Rule> = manifest
        .lines
        .iter()
        .map(|(name, line)| (name.clone(), Rule::Kept(line.clone())))
        .collect();
    let mut learnt = Cache::new();
    let mut in_scope = 0;
    let mut excluded = 0;
    let mut is_bad = false;
    // Names below each root that may have lost all its files.
    let mut lost = Vec::new();
    let refuse = |refused: &mut Will, will| {
        if *refused != Will::Yes {
            *refused = will;
        }
    };
    let has_stat = asked.stat
        || manifest.lines.values().any(|line| line.len.is_some() || line.modified.is_some());
    for root in roots(manifest, scope) {
        let of_root: Vec<_> =
            manifest.lines.iter().filter(|(name, _)| is_at_or_below(&root, name)).collect();
        let is_inside = of_root.iter().any(|(name, _)| **name != root);
        in_scope += of_root.len();
        match tree.lookup(&root, true) {
            Lookup::Unknown => return None,
            // The rules do not specify whether a dangling symlink exists.
            Lookup::Gone if tree.lookup(&root, false) != Lookup::Gone => return None,
            Lookup::Gone if of_root.is_empty() => {
                refused = Will::Yes;
                is_bad = true;
                continue;
            }
            Lookup::Gone if !asked.allow_missing => refuse(&mut refused, Will::Yes),
            // The rules do not specify whether excluded lines count as lines of a missing tree.
            Lookup::Gone if of_root.iter().all(|(name, _)| scope.excludes(&root, name)) => {
                refuse(&mut refused, Will::Either);
            }
            // The rules do not specify whether an audit allows a missing tree.
            Lookup::Gone if !asked.is_update && is_inside => refuse(&mut refused, Will::Either),
            Lookup::Gone => {}
            Lookup::At(real) if !tree.is_directory(&real) && is_inside => return None,
            Lookup::At(_) => {
                let everything = tree.walk(&root, &Scope::default());
                let some = tree.walk(&root, scope);
                let is_empty = everything.files.is_empty();
                // The rules do not specify whether an unreadable file counts.
                let is_readable = |real: &String| !tree.unreadable.contains(real);
                let selects = some.files.values().any(is_readable);
                if !of_root.is_empty() && !selects && !asked.allow_missing {
                    let is_sure = is_empty && everything.blocked.is_empty() && !scope.has_filter();
                    let lstat = |name: &str| tree.lookup(name, false);
                    let is_sure = is_sure && of_root.iter().all(|(n, _)| lstat(n) == Lookup::Gone);
                    refuse(&mut refused, if is_sure { Will::Yes } else { Will::Either });
                }
            }
        }
        let walk = tree.walk(&root, scope);
        is_bad |= !walk.blocked.is_empty();
        for (name, line) in &of_root {
            let name = *name;
            if walk.files.contains_key(name) {
                continue;
            }
            if scope.excludes(&root, name) {
                excluded += 1;
                // The rules do not specify whether the file is reported.
                findings.open.insert(name.clone());
                continue;
            }
            let is_blocked = walk.blocked.iter().any(|b| below(b, name).is_some());
            let found = match tree.lookup(name, false) {
                // A file cannot be read through a directory with its name.
                Lookup::At(real) if tree.is_directory(&real) => Lookup::Gone,
                found => found,
            };
            match found {
                Lookup::Gone if is_blocked => {
                    lines.insert(name.clone(), Rule::Perhaps((*line).clone()));
                    findings.open.insert(name.clone());
                }
                Lookup::Gone => {
                    lines.remove(name);
                    findings.missing.insert(name.clone(), line.digest.clone());
                }
                Lookup::At(_) | Lookup::Unknown => {
                    is_bad = true;
                    findings.unreadable.insert(name.clone());
                }
            }
        }
        for (name, real) in &walk.files {
            let (digest, stamp) = tree.file(real);
            let line = manifest.lines.get(name);
            let is_cached =
                !asked.paranoid && cache.get(name).is_some_and(|(known, _)| known == stamp);
            let looks_same = line.is_some_and(|line| {
                line.len == Some(stamp.len) && line.modified.as_ref() == Some(&stamp.modified)
            });
            let is_trusted = !asked.paranoid && asked.trusts_lines && looks_same;
            let digest = match line {
                _ if is_cached => digest,
                Some(line) if is_trusted => &line.digest,
                _ if tree.unreadable.contains(real) => {
                    is_bad = true;
                    findings.unreadable.insert(name.clone());
                    continue;
                }
                _ => digest,
            };
            let is_read = !is_cached && !is_trusted;
            let is_same = line.is_some_and(|line| line.digest == *digest);
            match line {
                Some(_) if is_same => findings.same.insert(name.clone()),
                Some(_) if looks_same => {
                    is_bad = true;
                    findings.rotted.insert(name.clone());
                    continue;
                }
                Some(_) => findings.changed.insert(name.clone()),
                None => findings.new.insert(name.clone(), digest.to_owned()).is_none(),
            };
            if is_read && is_settled && stamp.is_settled() {
                learnt.insert(name.clone(), (stamp.clone(), digest.to_owned()));
            }
            let has_stat = has_stat && manifest.is_json;
            let modified = match has_stat {
                false => vec![None],
                true if stamp.is_settled() => vec![Some(stamp.modified.clone())],
                // A recorded time may be preserved or dropped.
                true if is_same && looks_same => vec![None, Some(stamp.modified.clone())],
                true => vec![None],
            };
            let len = has_stat.then_some(stamp.len);
            lines.insert(name.clone(), Rule::Now { digest: digest.to_owned(), len, modified });
        }
        // Excluded files may still exist.
        if !of_root.is_empty() && !scope.has_filter() {
            lost.push(of_root);
        }
    }
    for names in lost {
        let is_missing = |name: &String| findings.missing.contains_key(name);
        let is_open = |name: &String| matches!(lines.get(name), Some(Rule::Perhaps(_)));
        if asked.allow_missing || !names.iter().all(|(name, _)| is_missing(name) || is_open(name)) {
            continue;
        }
        // Files may have moved within the root.
        let has_copy = |line: &Line| findings.new.values().any(|digest| *digest == line.digest);
        let is_sure = names.iter().all(|(name, line)| is_missing(name) && !has_copy(line));
        refuse(&mut refused, if is_sure { Will::Yes } else { Will::Either });
    }
    let gone = unmoved(&findings);
    let is_many = |of: usize| gone > 10 && gone * 10 > of;
    if !asked.allow_missing && is_many(in_scope - excluded) {
        refuse(&mut refused, if is_many(in_scope) { Will::Yes } else { Will::Either });
    }
    let status = |is_refused| {
        let differs = !findings.changed.is_empty() || !findings.new.is_empty();
        let differs = differs || gone < findings.missing.len();
        let is_missing = gone > 0 && !asked.allow_missing;
        let fails = match asked.is_update {
            true => is_bad || is_refused,
            false => is_bad || is_refused || differs || is_missing || in_scope == excluded,
        };
        i32::from(fails)
    };
    let mut statuses = match refused {
        Will::Yes => vec![status(true)],
        Will::No => vec![status(false)],
        Will::Either => vec![status(false), 1],
    };
    if lines.values().any(|rule| matches!(rule, Rule::Perhaps(_))) {
        statuses.push(1);
    }
    Some(Expected { status: statuses, is_refused: refused, lines, findings, learnt })
}

/// Returns the number of missing files that have not moved. A moved file requires a new file with
/// the same contents.
fn unmoved(findings: &Findings) -> usize {
    let empty = hex("sha256", b"");
    let mut new: BTreeMap<&str, usize> = BTreeMap::new();
    findings.new.values().for_each(|digest| *new.entry(digest).or_default() += 1);
    let stays = |digest: &&String| match new.get_mut(&***digest) {
        Some(count) if *count > 0 && **digest != empty => {
            *count -= 1;
            false
        }
        _ => true,
    };
    findings.missing.values().filter(stays).count()
}

/// The arguments of `sum -r PATHS -o M`, or of `sum -r PATHS` to standard output.
#[derive(Clone, Debug, Default)]
pub(super) struct Listed {
    pub(super) scope: Scope,
    pub(super) partial: bool,
    pub(super) stat: bool,
    pub(super) is_json: bool,
    pub(super) trusts_cache: bool,
    pub(super) to_stdout: bool,
}

/// Returns the required result of `sum -r`; `None` if the rules do not specify it.
pub(super) fn listed(
    tree: &Tree,
    cache: &Cache,
    is_settled: bool,
    asked: &Listed,
) -> Option<Expected> {
    let mut lines = BTreeMap::new();
    let mut learnt = Cache::new();
    let mut is_bad = false;
    for root in &asked.scope.paths {
        match tree.lookup(root, true) {
            Lookup::Unknown => return None,
            Lookup::Gone => is_bad = true,
            Lookup::At(_) => {}
        }
        let walk = tree.walk(root, &asked.scope);
        is_bad |= !walk.blocked.is_empty();
        for (name, real) in &walk.files {
            let (digest, stamp) = tree.file(real);
            let is_cached = asked.trusts_cache && cache.get(name).is_some_and(|(s, _)| s == stamp);
            if !is_cached && tree.unreadable.contains(real) {
                is_bad = true;
                continue;
            }
            if !is_cached && is_settled && stamp.is_settled() {
                learnt.insert(name.clone(), (stamp.clone(), digest.to_owned()));
            }
            let has_stat = asked.stat && asked.is_json;
            let modified = (has_stat && stamp.is_settled()).then(|| stamp.modified.clone());
            let len = has_stat.then_some(stamp.len);
            let modified = vec![modified];
            lines.insert(name.clone(), Rule::Now { digest: digest.to_owned(), len, modified });
        }
    }
    let is_empty = lines.is_empty();
    let is_nothing = is_empty && (!asked.to_stdout || asked.scope.glob.is_some());
    let is_refused = !asked.partial && !asked.to_stdout && (is_bad || is_empty);
    Some(Expected {
        status: vec![i32::from(is_bad || is_nothing)],
        is_refused: if is_refused { Will::Yes } else { Will::No },
        lines,
        findings: Findings::default(),
        learnt,
    })
}
