"""A listing from an S3 inventory of a bucket, in place of LIST requests.

An inventory is a `manifest.json` and the CSV, Parquet or ORC files that it lists. Its rows are unordered and
may include several versions of an object, so each file is sorted into a temporary file, and these are merged.
"""

import bisect
import datetime
import hashlib
import json
import os
import tempfile
import urllib.parse

import pyarrow
import pyarrow.compute as compute
import pyarrow.csv
import pyarrow.ipc
import pyarrow.orc
import pyarrow.parquet

from . import plan
from .errors import ManifestError, reason, retried
from .stores import to_key
from .stores.s3 import S3

# The number of rows that are read at a time from each temporary file.
PIECE = 8192
# Column names in CSV, and in Parquet and ORC.
NAMES = {
    "Key": "key",
    "Size": "size",
    "LastModifiedDate": "last_modified_date",
    "ETag": "e_tag",
    "IsLatest": "is_latest",
    "IsDeleteMarker": "is_delete_marker",
}


def listing(source, url):
    """Yields the objects of an inventory below an S3 prefix, as the pieces of a listing."""
    if not isinstance(source, S3):
        raise ManifestError(f"{source.url} is not in S3; only S3 has inventories")
    inventory = _manifest(source, os.fspath(url))
    with tempfile.TemporaryDirectory(prefix="lanesum-inventory-") as place:
        files = []
        for number, file in enumerate(inventory["files"]):
            data = _read(source, inventory["destinationBucket"].rpartition(":")[2], file["key"])
            if hashlib.md5(data, usedforsecurity=False).hexdigest() != file["MD5checksum"]:
                raise ManifestError(f"the inventory's {file['key']} is corrupt: its MD5 does not match")
            rows = _rows(source, inventory, data)
            if len(rows):
                files.append(os.path.join(place, str(number)))
                with (
                    pyarrow.OSFile(files[-1], "wb") as sink,
                    pyarrow.ipc.new_file(sink, rows.schema) as temporary,
                ):
                    temporary.write_table(rows, max_chunksize=PIECE)
        if not files and source.prefix:
            raise ManifestError(f"the inventory lists no object below {source.url}")
        yield from _merged(list(map(_pieces, files)))


def _manifest(source, url):
    scheme, _, place = url.partition("://")
    if scheme in ("s3", "s3a"):
        bucket, _, key = place.partition("/")
        text = _read(source, bucket, key)
    else:
        try:
            with open(url, "rb") as file:
                text = file.read()
        except OSError as error:
            raise ManifestError(f"cannot read {url}: {reason(error)}") from error
    try:
        inventory = json.loads(text)
        bucket, kind = inventory["sourceBucket"], inventory["fileFormat"].upper()
        inventory["files"], inventory["fileSchema"], inventory["destinationBucket"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ManifestError(f"{url} is not the manifest.json of an inventory") from None
    if bucket != source.bucket:
        raise ManifestError(f"the inventory {url} lists bucket {bucket}, not {source.bucket}")
    if kind not in READERS:
        raise ManifestError(f"the inventory {url} has the unsupported format {kind}: use {', '.join(READERS)}")
    return inventory | {"fileFormat": kind}


def _read(source, bucket, key):
    try:
        return retried(source.read_whole, bucket, key)
    except Exception as error:
        raise ManifestError(f"cannot read s3://{bucket}/{key}: {reason(error)}") from error


def _csv(data, schema):
    names = [NAMES.get(name.strip(), name.strip()) for name in schema.split(",")]
    table = pyarrow.csv.read_csv(
        pyarrow.CompressedInputStream(pyarrow.BufferReader(data), "gzip"),
        pyarrow.csv.ReadOptions(column_names=names),
        convert_options=pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(names, pyarrow.string())),
    )
    # Only CSV has its keys form-encoded.
    keys = [urllib.parse.unquote_to_bytes(key.replace("+", " ")) for key in table["key"].to_pylist()]
    return table.set_column(
        table.column_names.index("key"), "key", pyarrow.array(keys, pyarrow.large_binary())
    )


READERS = {
    "CSV": _csv,
    "PARQUET": lambda data, _: pyarrow.parquet.read_table(pyarrow.BufferReader(data)),
    "ORC": lambda data, _: pyarrow.orc.read_table(pyarrow.BufferReader(data)),
}


def _rows(source, inventory, data):
    """The rows of a file that are current objects below the prefix, sorted."""
    try:
        table = READERS[inventory["fileFormat"]](data, inventory["fileSchema"])
    except (pyarrow.ArrowException, KeyError, OSError, ValueError) as error:
        raise ManifestError(f"cannot read the inventory: {reason(error)}") from error
    for name in ("key", "size", "e_tag"):
        if name not in table.column_names:
            raise ManifestError(f"the inventory has no field {name}: configure it with Size and ETag")
    for name, wanted in (("is_latest", True), ("is_delete_marker", False)):
        if name in table.column_names:
            is_wanted = compute.equal(table[name].cast(pyarrow.bool_()), wanted)
            table = table.filter(compute.fill_null(is_wanted, True))
    prefix = to_key(source.prefix)
    keys = table["key"].cast(pyarrow.large_binary())
    table = table.set_column(table.column_names.index("key"), "key", keys)
    table = table.filter(compute.starts_with(keys, prefix)).sort_by("key")
    keys = [key[len(prefix) :] for key in table["key"].to_pylist()]
    # LIST returns ETags in quotes.
    tags = [f'"{tag.strip(chr(34))}"' for tag in table["e_tag"].to_pylist()]
    times = [None] * len(table)
    if "last_modified_date" in table.column_names:
        times = list(map(_nanoseconds, table["last_modified_date"].to_pylist()))
    return plan.listed(keys, table["size"].cast(pyarrow.int64()).to_numpy(), times, tags)


def _nanoseconds(time):
    if isinstance(time, str):
        time = datetime.datetime.fromisoformat(time)
    if time is None:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=datetime.UTC)
    return round(time.timestamp() * 1e9)


def _pieces(path):
    """The pieces of a temporary file, which is closed between reads: there may be thousands of them."""
    number = 0
    while True:
        with pyarrow.OSFile(path) as file, pyarrow.ipc.open_file(file) as rows:
            if number == rows.num_record_batches:
                return
            piece = pyarrow.Table.from_batches([rows.get_batch(number)])
        number += 1
        yield piece


def _up_to(bound, keys):
    """The number of sorted keys up to and including `bound`."""
    return bisect.bisect_right(range(len(keys)), bound, key=lambda at: keys[at].as_py())


def _merged(streams):
    """Merges sorted streams."""
    heads = {}

    def advance(number, rows):
        rows = rows if rows is not None and len(rows) else next(streams[number], None)
        if rows is None:
            heads.pop(number, None)
        else:
            heads[number] = rows, rows["key"][0].as_py(), rows["key"][-1].as_py()

    for number in range(len(streams)):
        advance(number, None)
    while heads:
        # All later keys are greater than the smallest of the last keys.
        bound = min(last for _, _, last in heads.values())
        some = []
        for number, (rows, first, last) in list(heads.items()):
            if first <= bound:
                count = len(rows)
                if last > bound:
                    count = _up_to(bound, rows["key"])
                some.append(rows.slice(0, count))
                advance(number, rows.slice(count))
        yield some[0] if len(some) == 1 else pyarrow.concat_tables(some).sort_by("key")
