"""A listing from an inventory that S3 has made of a bucket, in place of LIST.

An inventory is a `manifest.json` and the files that it names, of CSV, Parquet or ORC. Its rows are in no
order, and may be of many versions; so each file is sorted by itself, put aside, and all are merged.
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

# What stands aside is read again so many rows at a time of each file.
PIECE = 8192
# CSV's names of columns, and those of Parquet and ORC.
NAMES = {
    "Key": "key",
    "Size": "size",
    "LastModifiedDate": "last_modified_date",
    "ETag": "e_tag",
    "IsLatest": "is_latest",
    "IsDeleteMarker": "is_delete_marker",
}


def listing(source, url):
    """What an inventory says was below a place of S3's, as the pieces of a listing."""
    if not isinstance(source, S3):
        raise ManifestError(f"{source.url} is no place of S3's: only S3 has inventories")
    said = _manifest(source, os.fspath(url))
    with tempfile.TemporaryDirectory(prefix="lanesum-inventory-") as place:
        files = []
        for number, file in enumerate(said["files"]):
            data = _read(source, said["destinationBucket"].rpartition(":")[2], file["key"])
            if hashlib.md5(data, usedforsecurity=False).hexdigest() != file["MD5checksum"]:
                raise ManifestError(f"the inventory's {file['key']} is damaged: it has another MD5")
            rows = _rows(source, said, data)
            if len(rows):
                files.append(os.path.join(place, str(number)))
                with (
                    pyarrow.OSFile(files[-1], "wb") as sink,
                    pyarrow.ipc.new_file(sink, rows.schema) as aside,
                ):
                    aside.write_table(rows, max_chunksize=PIECE)
        if not files and source.prefix:
            raise ManifestError(f"the inventory has nothing below {source.url}")
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
        said = json.loads(text)
        bucket, kind = said["sourceBucket"], said["fileFormat"].upper()
        said["files"], said["fileSchema"], said["destinationBucket"]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ManifestError(f"{url} is no manifest.json of an inventory") from None
    if bucket != source.bucket:
        raise ManifestError(f"the inventory {url} is of bucket {bucket}")
    if kind not in READERS:
        raise ManifestError(f"the inventory {url} is of {kind}: {', '.join(READERS)} are read")
    return said | {"fileFormat": kind}


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
    # Keys are as forms have them; here alone.
    keys = [urllib.parse.unquote_to_bytes(key.replace("+", " ")) for key in table["key"].to_pylist()]
    return table.set_column(
        table.column_names.index("key"), "key", pyarrow.array(keys, pyarrow.large_binary())
    )


READERS = {
    "CSV": _csv,
    "PARQUET": lambda data, _: pyarrow.parquet.read_table(pyarrow.BufferReader(data)),
    "ORC": lambda data, _: pyarrow.orc.read_table(pyarrow.BufferReader(data)),
}


def _rows(source, said, data):
    """The rows of a file that are there now and below the place, sorted."""
    try:
        table = READERS[said["fileFormat"]](data, said["fileSchema"])
    except (pyarrow.ArrowException, KeyError, OSError, ValueError) as error:
        raise ManifestError(f"cannot read the inventory: {reason(error)}") from error
    for name in ("key", "size", "e_tag"):
        if name not in table.column_names:
            raise ManifestError(f"the inventory has no {name}: it is to have Size and ETag")
    for name, wanted in (("is_latest", True), ("is_delete_marker", False)):
        if name in table.column_names:
            is_wanted = compute.equal(table[name].cast(pyarrow.bool_()), wanted)
            table = table.filter(compute.fill_null(is_wanted, True))
    prefix = to_key(source.prefix)
    keys = table["key"].cast(pyarrow.large_binary())
    table = table.set_column(table.column_names.index("key"), "key", keys)
    table = table.filter(compute.starts_with(keys, prefix)).sort_by("key")
    keys = [key[len(prefix) :] for key in table["key"].to_pylist()]
    # As LIST has them.
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
    """What stands aside in a file, which is open only while it is read: there may be thousands."""
    number = 0
    while True:
        with pyarrow.OSFile(path) as file, pyarrow.ipc.open_file(file) as rows:
            if number == rows.num_record_batches:
                return
            piece = pyarrow.Table.from_batches([rows.get_batch(number)])
        number += 1
        yield piece


def _up_to(bound, keys):
    """How many of sorted keys are not after a bound."""
    return bisect.bisect_right(range(len(keys)), bound, key=lambda at: keys[at].as_py())


def _merged(streams):
    """Sorted streams as one."""
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
        # Nothing that comes later is before the first of all ends.
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
