"""python -m lanesum.manifest: manifests from a shell."""

import argparse
import os
import pathlib
import sys
import time

from lanesum import manifest as manifests

from .errors import ManifestError
from .exporting import FORMS

# How many objects that lack something are named one by one.
NAMED = 20


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("there is to be one at least")
    return number


def parser():
    description = "Manifests of folders and object stores: every object's digest, under one root."
    after = "exit status: 0 when all is well; 1 when something differs, lacks or failed; 2 for wrong usage."
    top = argparse.ArgumentParser("lanesum manifest", description=description, epilog=after)
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, says):
        made = commands.add_parser(name, help=says, description=says)
        made.add_argument("-q", "--quiet", action="store_true", help="print no progress and no counts")
        made.add_argument("--endpoint", metavar="URL", help="where an object store that speaks S3 is")
        return made

    def runs(made):
        made.add_argument(
            "--engine", default="threads", metavar="ENGINE", help="threads, dask or dask://HOST:PORT"
        )
        made.add_argument(
            "--threads", type=positive, metavar="N", help="how many threads, or workers of a local Dask"
        )

    build = command("build", "Make a manifest of all objects below a path or an URL.")
    build.add_argument("url", metavar="URL")
    build.add_argument("-o", "--out", required=True, metavar="OUT", help="where the manifest is kept")
    build.add_argument(
        "--reuse", metavar="EARLIER", help="a manifest: what looks as it did is not read again"
    )
    build.add_argument(
        "--inventory", metavar="URL", help="an S3 inventory's manifest.json, from which objects are listed"
    )
    runs(build)
    verify = command("verify", "Read the objects of a manifest again, and say what is otherwise.")
    verify.add_argument("manifest", metavar="MANIFEST")
    verify.add_argument("--quick", action="store_true", help="read only what looks otherwise than it did")
    verify.add_argument("--at", metavar="URL", help="another place with the same objects")
    runs(verify)
    diff = command("diff", "Say what is otherwise in a later manifest.")
    diff.add_argument("before", metavar="BEFORE")
    diff.add_argument("after", metavar="AFTER")
    root = command("root", "Print the root of a manifest.")
    root.add_argument("manifest", metavar="MANIFEST")
    prove = command("prove", "Print a proof that an object is under the root.")
    prove.add_argument("manifest", metavar="MANIFEST")
    prove.add_argument("key", metavar="KEY")
    clean = command("clean", "Remove what is left of earlier states of a manifest in a folder.")
    clean.add_argument("manifest", metavar="MANIFEST")
    check = command("check-proof", "Whether a proof, on standard input or in a file, leads to a root.")
    check.add_argument("root", metavar="ROOT")
    check.add_argument("proof", metavar="PROOF", nargs="?", default="-")
    export = command("export", "Write a manifest as other tools read it.")
    export.add_argument("manifest", metavar="MANIFEST")
    export.add_argument("--format", required=True, choices=FORMS)
    export.add_argument("-o", "--output", metavar="FILE", help="a file, or a bag's folder for bagit")
    return top


class Line:
    """A line on a terminal that says how far a run has come."""

    def __init__(self, quiet):
        self.quiet = quiet
        self.shown = not quiet and sys.stderr.isatty()
        self.last = 0.0
        self.dashboard = None

    def __call__(self, progress):
        if progress.dashboard != self.dashboard and not self.quiet:
            self.dashboard = progress.dashboard
            print(f"lanesum manifest: {self.dashboard} shows the run", file=sys.stderr, flush=True)
        now = time.monotonic()
        if self.shown and now - self.last > 0.2:
            self.last = now
            planned = f"{progress.planned}" if progress.whole else f"{progress.planned}+"
            print(
                f"\r\033[K{figures(progress)}, shard {progress.shards} of {planned}",
                end="",
                file=sys.stderr,
                flush=True,
            )

    def end(self):
        if self.shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)


def figures(progress):
    seconds = max(progress.seconds, 1e-9)
    rates = f"{progress.objects / seconds:,.0f} objects/s, {progress.bytes / seconds / 1e6:,.1f} MB/s"
    return f"{progress.objects:,} objects, {progress.bytes:,} bytes, {seconds:.1f} s, {rates}"


def shown(key):
    return key.decode("utf-8", "backslashreplace").replace("\n", "\\n")


def options(args, url):
    is_s3 = url.partition("://")[0] in ("s3", "s3a")
    return {"endpoint_url": args.endpoint} if args.endpoint and is_s3 else None


def opened(args):
    return manifests.open(args.manifest, options(args, args.manifest))


def run(args, quiet):
    if args.command == "build":
        line = Line(quiet)
        try:
            made = manifests.build(
                args.url,
                args.out,
                args.engine,
                threads=args.threads,
                options=options(args, args.url),
                out_options=options(args, args.out),
                reuse=args.reuse and manifests.open(args.reuse, options(args, args.reuse)),
                inventory=args.inventory,
                progress=line,
            )
        finally:
            line.end()
        print(made.root)
        if not quiet:
            reused = f", {made.progress.reused} shards of an earlier run" if made.progress.reused else ""
            print(f"lanesum manifest: {figures(made.progress)}{reused}", file=sys.stderr)
        for number, (key, status, error) in enumerate(made.lacking()):
            if number < NAMED:
                print(f"lanesum manifest: {shown(key)}: {status}: {error}", file=sys.stderr)
        if not made.complete:
            print(f"lanesum manifest: {made.commit['lacking']} objects have no digest", file=sys.stderr)
        return made.complete
    if args.command in ("verify", "diff"):
        line = Line(quiet)
        if args.command == "diff":
            before, after = (manifests.open(url, options(args, url)) for url in (args.before, args.after))
            changes = before.diff(after)
        else:
            kept = opened(args)
            given = {
                "engine": args.engine,
                "threads": args.threads,
                "options": options(args, args.at or kept.url),
                "progress": line,
            }
            changes = kept.verify(args.quick, at=args.at, **given)
        for change in changes:
            line.end()
            print(f"{change.kind}  {shown(change.key)}" + (f": {change.error}" if change.error else ""))
        line.end()
        if not quiet:
            counts = ", ".join(f"{count:,} {kind}" for kind, count in changes.counts.items() if count)
            print(f"lanesum manifest: {counts or 'no object'}", file=sys.stderr)
        return changes.same
    if args.command == "root":
        print(opened(args).root)
    elif args.command == "clean":
        count = len(manifests.clean(args.manifest, options(args, args.manifest)))
        if not quiet:
            print(f"lanesum manifest: {count} shards of earlier states removed", file=sys.stderr)
    elif args.command == "prove":
        try:
            print(opened(args).prove(os.fsencode(args.key)).json())
        except KeyError:
            raise ManifestError(f"{args.key} has no digest in this manifest") from None
    elif args.command == "check-proof":
        text = sys.stdin.read() if args.proof == "-" else pathlib.Path(args.proof).read_text()
        try:
            proof = manifests.Proof.of(text)
            good = manifests.check_proof(proof, args.root)
        except (ValueError, TypeError, KeyError):
            raise ManifestError("not a proof") from None
        print(f"{shown(proof.key)}: {'OK' if good else 'FAILED'}")
        return good
    else:
        to = args.output or sys.stdout.buffer
        opened(args).export(args.format, to)
    return True


def main():
    usage = parser()
    args = usage.parse_args()
    if args.command == "export" and args.format == "bagit" and not args.output:
        usage.error("bagit needs --output: the folder of the bag")
    try:
        return 0 if run(args, args.quiet) else 1
    except (ManifestError, OSError) as error:
        print(f"lanesum manifest: {error}", file=sys.stderr)
    except KeyboardInterrupt:
        print("lanesum manifest: stopped; run it again and it goes on", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
