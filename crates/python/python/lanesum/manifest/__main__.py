"""python -m lanesum.manifest: manifests from a shell."""

import argparse
import itertools
import os
import pathlib
import re
import sys
import time

from lanesum import __version__, manifest as manifests

from .checksums import compare_checksums
from .engines import check_name
from .errors import ManifestError, reason
from .exporting import FORMATS

# Maximum number of objects without a digest that are listed.
NAMED = 20

# Characters that garble a line or a terminal, and bytes that are not UTF-8.
ODD = re.compile("[\x00-\x1f\x7f-\x9f\udc80-\udcff]")


def positive(text):
    number = int(text) if text.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"expected a number of at least 1, not {text!r}")
    return number


def engine(name):
    try:
        check_name(name)
    except ManifestError as error:
        raise argparse.ArgumentTypeError(error) from None
    return name


def parser():
    description = "Make and verify manifests of directories and object stores, under one Merkle root."
    after = (
        "exit status: 0 on success; 1 if an object differs, is missing or failed; 2 for a usage error. "
        "Without the command lanesum, run lanesum-manifest."
    )
    top = argparse.ArgumentParser("lanesum manifest", description=description, epilog=after)
    top.add_argument("--version", action="version", version=f"lanesum manifest {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(run, says, name=None):
        made = commands.add_parser(name or run.__name__, help=says, description=says)
        made.set_defaults(run=run)
        made.add_argument("-q", "--quiet", action="store_true", help="do not print progress and counts")
        made.add_argument("--endpoint", metavar="URL", help="address of an S3-compatible object store")
        return made

    def runs(made):
        made.add_argument(
            "--engine",
            type=engine,
            default="threads",
            metavar="ENGINE",
            help="threads, dask or dask://HOST:PORT [default: threads]",
        )
        made.add_argument(
            "--threads", type=positive, metavar="N", help="number of threads, or workers of a local Dask cluster"
        )

    made = command(build, "Make a manifest of all objects below a path or a URL.")
    made.add_argument("url", metavar="URL")
    made.add_argument("-o", "--out", required=True, metavar="OUT", help="path or URL of the manifest")
    made.add_argument(
        "--reuse",
        metavar="EARLIER",
        help="earlier manifest: skip objects with the same size, time and ETag",
    )
    made.add_argument(
        "--inventory", metavar="URL", help="manifest.json of an S3 inventory, instead of listing the bucket"
    )
    made.add_argument(
        "--allow-empty", action="store_true", help="replace a manifest by an empty one if no objects exist"
    )
    runs(made)
    made = command(verify, "Verify the objects of a manifest, and print the differences.")
    made.add_argument("manifest", metavar="MANIFEST")
    made.add_argument(
        "--quick", action="store_true", help="read only objects whose size, time or ETag differ"
    )
    made.add_argument("--at", metavar="URL", help="verify a copy of the objects in another location")
    runs(made)
    made = command(diff, "Print the differences between two manifests.")
    made.add_argument("before", metavar="BEFORE")
    made.add_argument("after", metavar="AFTER")
    made = command(checksums, "Compare a manifest with the SHA-256 checksums stored in S3.")
    made.add_argument("manifest", metavar="MANIFEST")
    made.add_argument(
        "--no-read", action="store_true", help="skip composite checksums, which require reading the object"
    )
    made = command(root, "Print the root of a manifest.")
    made.add_argument("manifest", metavar="MANIFEST")
    made = command(prove, "Print an inclusion proof for an object.")
    made.add_argument("manifest", metavar="MANIFEST")
    made.add_argument("key", metavar="KEY")
    made = command(check_proof, "Verify an inclusion proof against a root.", "check-proof")
    made.add_argument("root", metavar="ROOT")
    made.add_argument("proof", metavar="PROOF", nargs="?", default="-", help="file [default: standard input]")
    made = command(export, "Export a manifest in the format of another tool.")
    made.add_argument("manifest", metavar="MANIFEST")
    made.add_argument("--format", required=True, choices=FORMATS)
    made.add_argument("-o", "--output", metavar="FILE", help="file, or the directory of the bag for bagit")
    made = command(clean, "Remove obsolete shards from the directory of a manifest.")
    made.add_argument("manifest", metavar="MANIFEST")
    return top


def say(text):
    print(f"lanesum manifest: {text}", file=sys.stderr, flush=True)


def escape(odd):
    number = ord(odd[0])
    return f"\\u{number:04x}" if 0x80 <= number < 0xA0 else f"\\x{number & 0xFF:02x}"


def shown(key):
    """The key, quoted and escaped if it would garble a line."""
    text = key.decode("utf-8", "surrogateescape")
    if text and not ODD.search(text):
        return text
    text = ODD.sub(escape, re.sub(r'[\\"]', r"\\\g<0>", text))
    return f'"{text}"'


def number(count, what):
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def figures(progress):
    seconds = max(progress.seconds, 1e-9)
    rates = f"{progress.objects / seconds:,.0f} objects/s, {progress.bytes / seconds / 1e6:,.1f} MB/s"
    return f"{progress.objects:,} objects, {progress.bytes:,} bytes, {seconds:.1f} s, {rates}"


def counted(counts):
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)


class Line:
    """A progress line on a terminal."""

    def __init__(self, quiet):
        self.quiet = quiet
        self.shown = not quiet and sys.stderr.isatty()
        self.last = 0.0
        self.dashboard = self.progress = None

    def __call__(self, progress):
        self.progress = progress
        if progress.dashboard != self.dashboard and not self.quiet:
            self.dashboard = progress.dashboard
            say(f"dashboard: {self.dashboard}")
            if not progress.workers:
                say("waiting for workers: the cluster has none")
        now = time.monotonic()
        if self.shown and now - self.last > 0.2:
            self.last = now
            planned = f"{progress.planned}" if progress.all_planned else f"{progress.planned}+"
            text = f"{figures(progress)}, shard {progress.shards} of {planned}"
            print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def options(args, url):
    is_s3 = url.partition("://")[0] in ("s3", "s3a")
    return {"endpoint_url": args.endpoint} if args.endpoint and is_s3 else None


def opened(args, url=None):
    url = url or args.manifest
    return manifests.open(url, options(args, url))


def build(args):
    line = Line(args.quiet)
    try:
        made = manifests.build(
            args.url,
            args.out,
            args.engine,
            threads=args.threads,
            options=options(args, args.url),
            out_options=options(args, args.out),
            reuse=args.reuse and opened(args, args.reuse),
            inventory=args.inventory,
            allow_empty=args.allow_empty,
            progress=line,
        )
    finally:
        line.end()
    print(made.root, flush=True)
    if not args.quiet:
        reused = made.progress.reused
        say(figures(made.progress) + (f", {number(reused, 'shard')} of an earlier run" if reused else ""))
        if made.progress.skipped:
            say(f"{made.progress.skipped:,} skipped (symlinks and special files)")
    if not made.complete:
        for key, error in itertools.islice(made.failed(), NAMED):
            say(f"{shown(key)}: unreadable: {error}")
        say(f"{number(made.commit['failed'], 'object')} without a digest")
    return made.complete


def verify(args):
    kept, line = opened(args), Line(args.quiet)
    changes = kept.verify(
        args.quick,
        at=args.at,
        options=options(args, args.at or kept.url),
        engine=args.engine,
        threads=args.threads,
        progress=line,
    )
    is_same = report(args, changes, line)
    # The number of bytes read by a quick run is unknown.
    if line.progress and not args.quiet and not args.quick:
        say(figures(line.progress))
    return is_same


def diff(args):
    return report(args, opened(args, args.before).diff(opened(args, args.after)), Line(quiet=True))


def report(args, changes, line):
    """Prints the differences. Returns whether there were none."""
    try:
        for change in changes:
            line.end()
            print(f"{change.class_}  {shown(change.key)}" + (f": {change.reason}" if change.reason else ""))
    finally:
        line.end()
    sys.stdout.flush()
    if not args.quiet:
        say(counted(changes.counts | {"moved": len(changes.moved)}) or "no objects")
    return changes.same


def checksums(args):
    kept = opened(args)
    words = {"same": "same", "changed": "changed", "unreadable": "unreadable"}
    words |= {"unread": "composite, not read", "none": "without a SHA-256 in the store"}
    counts = dict.fromkeys(words, 0)
    for found in compare_checksums(kept, read=not args.no_read, options=options(args, kept.url)):
        counts[found.class_] += 1
        if found.class_ in ("changed", "unreadable"):
            print(f"{found.class_}  {shown(found.key)}" + (f": {found.reason}" if found.reason else ""))
    sys.stdout.flush()
    if not args.quiet:
        say(counted({words[class_]: count for class_, count in counts.items()}) or "no objects")
    return not counts["changed"] + counts["unreadable"]


def root(args):
    print(opened(args).root)
    return True


def prove(args):
    key = os.fsencode(args.key)
    try:
        print(opened(args).prove(key).json())
    except KeyError:
        raise ManifestError(f"{shown(key)} has no digest in this manifest") from None
    return True


def check_proof(args):
    try:
        text = sys.stdin.buffer.read() if args.proof == "-" else pathlib.Path(args.proof).read_bytes()
    except OSError as error:
        raise ManifestError(f"cannot read {args.proof}: {reason(error)}") from error
    try:
        proof = manifests.Proof.of(text)
    except (ValueError, TypeError, KeyError, RecursionError):
        what = "standard input" if args.proof == "-" else args.proof
        raise ManifestError(f"{what} is not a proof") from None
    good = manifests.check_proof(args.root, proof)
    print(f"{shown(proof.key)}: {'OK' if good else 'FAILED'}")
    return good


def export(args):
    opened(args).export(args.format, args.output or sys.stdout.buffer)
    return True


def clean(args):
    removed = manifests.clean(args.manifest, options(args, args.manifest))
    if not args.quiet:
        say(f"{number(len(removed), 'shard')} removed")
    return True


def main():
    usage = parser()
    args = usage.parse_args()
    if args.command == "export" and args.format == "bagit" and not args.output:
        usage.error("--format bagit requires --output, the directory of the bag")
    if args.command == "check-proof" and not re.fullmatch("[0-9a-fA-F]{64}", args.root):
        usage.error("a root must have 64 hexadecimal digits")
    sys.stdout.reconfigure(errors="backslashreplace")
    try:
        is_well = args.run(args)
        sys.stdout.flush()
        return 0 if is_well else 1
    except BrokenPipeError:
        # The reader has closed the pipe: suppress the flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ManifestError as error:
        say(error)
    except OSError as error:
        # An error without a file name is standard output's.
        name = os.fsdecode(error.filename) if error.filename else "standard output"
        say(f"{name}: {reason(error)}")
    except KeyboardInterrupt:
        hint = "; run the command again to resume"
        say(f"interrupted{hint if args.command == 'build' else ''}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
