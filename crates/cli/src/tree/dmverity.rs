//! Emulates `veritysetup format`, and reports the blocks that differ from a hash device.

use std::fmt::Write as _;

use data_encoding::HEXLOWER;
use lanesum::Digest;
use lanesum::tree::{Levels, Tree};

use super::read::Source;
use super::stored::StoredTree;
use super::{Hashing, failed, print_verdict, usage};
use crate::args::Dmverity;
use crate::message::{Shown, print_message};
use crate::output::{Output, Stop};
use crate::{CommandResult, Reported, print};

/// Length of the superblock of a hash device, in bytes.
const SUPERBLOCK: usize = 512;

pub(super) fn run(args: &Dmverity) -> CommandResult {
    let hashing =
        Hashing { bytes: args.bytes.clone(), ..Hashing::new(&args.jobs, args.algorithm)? };
    let (engine, salt) = (&hashing.engine, &args.salt.0);
    let tree = Tree::dm_verity(engine, args.data_block_size, args.hash_block_size, salt);
    let tree = tree.map_err(usage)?;
    let shown = Shown(args.path.as_os_str());
    let unread = |error| failed("read", &args.path, &error);
    let mut source = Source::open(&args.path).map_err(unread)?;
    // Like veritysetup, ignore bytes after the last whole block.
    let rest = source.bytes % args.data_block_size as u64;
    source.bytes -= rest;
    if source.bytes == 0 {
        print_message(format_args!(
            "{shown} is shorter than a block of {} bytes",
            args.data_block_size
        ));
        return Err(Reported::Failed);
    }
    if rest > 0 {
        print_message(format_args!(
            "the root does not cover the last {rest} bytes of {shown}, an incomplete block"
        ));
    }
    let mut out = Vec::new();
    if let (Some(wanted), Some(path)) = (&args.verify, &args.hash_device) {
        let start = SUPERBLOCK.next_multiple_of(args.hash_block_size);
        let stored = StoredTree { path, start, block_len: args.hash_block_size };
        let leads = |root: &Digest| Ok(root == wanted);
        let compared = stored.compare(&hashing, &tree, source, (&args.path, leads), &mut out);
        let printed = print(&out);
        return compared.and(printed);
    }
    let leaves = hashing.leaves(&source, &tree).map_err(unread)?;
    let levels = tree.above(leaves);
    let Some(wanted) = &args.verify else { return format(args, &levels) };
    let compared = print_verdict(&args.path, levels.root() == *wanted, &mut out);
    let printed = print(&out);
    compared.and(printed)
}

/// Prints the root and its parameters. Writes the hash device with `--output`.
fn format(args: &Dmverity, levels: &Levels<'_>) -> CommandResult {
    let root = levels.root();
    let mut uuid: [u8; 16] = root.as_bytes()[..16].try_into().expect("digests are longer");
    // UUID version 8 of RFC 9562: custom contents, here from the root.
    uuid[6] = uuid[6] & 0x0f | 0x80;
    uuid[8] = uuid[8] & 0x3f | 0x80;
    let blocks: usize =
        stored_levels(levels).map(|level| level.len().div_ceil(args.hash_block_size)).sum();
    let start = SUPERBLOCK.next_multiple_of(args.hash_block_size);
    if let Some(path) = &args.output {
        let mut output = Output::file(path).map_err(|stop| stop.print_message())?;
        output.check_input(&args.path).map_err(|stop| stop.print_message())?;
        let device = output.buffer();
        device.extend(superblock(args, levels, &uuid));
        device.resize(start, 0);
        for level in stored_levels(levels) {
            device.extend(level);
            device.resize(device.len().next_multiple_of(args.hash_block_size), 0);
        }
        output.finish().map_err(|stop: Stop| stop.print_message())?;
    }
    let hex = HEXLOWER.encode(&uuid);
    let salt = match &args.salt.0[..] {
        [] => "-".to_owned(),
        salt => HEXLOWER.encode(salt),
    };
    let name = args.output.as_ref().unwrap_or(&args.path);
    let mut text = format!("VERITY header information for {}\n", Shown(name.as_os_str()));
    let uuid = [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-");
    // The column widths are veritysetup's.
    let mut line = |label: &str, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{label}	{value}");
    };
    line("UUID:            ", &uuid);
    line("Hash type:       ", &1);
    line("Data blocks:     ", &levels.digests(0).len());
    line("Data block size: ", &args.data_block_size);
    line("Hash blocks:     ", &blocks);
    line("Hash block size: ", &args.hash_block_size);
    line("Hash algorithm:  ", &args.algorithm.name());
    line("Salt:            ", &salt);
    line("Root hash:      ", &root);
    line("Hash device size: ", &format!("{} [bytes]", start + blocks * args.hash_block_size));
    print(text.as_bytes())
}

/// Returns the levels stored in a hash device, from the one below the root.
fn stored_levels<'l>(levels: &'l Levels<'_>) -> impl Iterator<Item = &'l [u8]> {
    (0..levels.count() - 1).rev().map(|level| levels.bytes(level))
}

/// Serializes `struct verity_sb` of cryptsetup.
fn superblock(args: &Dmverity, levels: &Levels<'_>, uuid: &[u8; 16]) -> [u8; SUPERBLOCK] {
    let mut block = [0; SUPERBLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..][..bytes.len()].copy_from_slice(bytes);
    put(0, b"verity\0\0");
    put(8, &1u32.to_le_bytes());
    put(12, &1u32.to_le_bytes());
    put(16, uuid);
    put(32, args.algorithm.name().as_bytes());
    put(64, &(args.data_block_size as u32).to_le_bytes());
    put(68, &(args.hash_block_size as u32).to_le_bytes());
    put(72, &(levels.digests(0).len() as u64).to_le_bytes());
    put(80, &(args.salt.0.len() as u16).to_le_bytes());
    put(88, &args.salt.0);
    block
}
