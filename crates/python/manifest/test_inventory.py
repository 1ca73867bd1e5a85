"""S3 inventories in place of LIST: of every form, whatever order and versions they have."""

import csv
import datetime
import gzip
import hashlib
import io
import json
import os
import random
import resource
import urllib.parse

import pyarrow
import pyarrow.orc
import pyarrow.parquet
import pytest
from conftest import SMALL, root_of

from lanesum import manifest as manifests
from lanesum.manifest import inventory

FIELDS = {
    "Bucket": "bucket",
    "Key": "key",
    "VersionId": "version_id",
    "IsLatest": "is_latest",
    "IsDeleteMarker": "is_delete_marker",
    "Size": "size",
    "LastModifiedDate": "last_modified_date",
    "ETag": "e_tag",
}


def as_csv(rows):
    text = io.StringIO()
    writer = csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n")
    for row in rows:
        row = row | {"key": urllib.parse.quote_plus(row["key"])}
        row["last_modified_date"] = row["last_modified_date"].strftime("%Y-%m-%dT%H:%M:%S.000Z")
        words = (str(value).lower() if isinstance(value, bool) else value for value in row.values())
        writer.writerow("" if word is None else word for word in words)
    return gzip.compress(text.getvalue().encode())


def as_table(rows, write):
    sink = pyarrow.BufferOutputStream()
    write(pyarrow.Table.from_pylist(rows), sink)
    return sink.getvalue().to_pybytes()


FORMS = {
    "CSV": as_csv,
    "Parquet": lambda rows: as_table(rows, pyarrow.parquet.write_table),
    "ORC": lambda rows: as_table(rows, pyarrow.orc.write_table),
}


class Inventory:
    """An inventory of a prefix as S3 would make it, kept in the same store."""

    def __init__(self, store, prefix, form, files=3):
        self.client, self.form, self.place = store.client, form, f"inventories/{prefix}"
        chance = random.Random(1)
        rows = []
        for page in self.client.get_paginator("list_objects_v2").paginate(Bucket="bucket", Prefix=prefix):
            for found in page["Contents"]:
                row = dict.fromkeys(FIELDS.values()) | {"bucket": "bucket", "key": found["Key"]}
                row |= {"version_id": "v2", "is_latest": True, "is_delete_marker": False}
                row |= {
                    "size": found["Size"],
                    "last_modified_date": found["LastModified"].astimezone(datetime.UTC),
                }
                rows.append(row | {"e_tag": found["ETag"].strip('"')})
                if chance.random() < 0.2:
                    rows.append(rows[-1] | {"is_latest": False, "version_id": "v1", "e_tag": "0" * 32})
        deleted = {"is_delete_marker": True, "size": None, "e_tag": None}
        rows.append(rows[0] | {"key": f"{prefix}/deleted"} | deleted)
        rows.append(rows[0] | {"key": "elsewhere/object"})
        chance.shuffle(rows)
        self.rows = rows
        self.files = [self.add(rows[number::files]) for number in range(files)]
        self.url = self.commit()

    def add(self, rows):
        data = FORMS[self.form](rows)
        key = f"{self.place}/data/{hashlib.md5(data).hexdigest()}"
        self.client.put_object(Bucket="bucket", Key=key, Body=data)
        return {"key": key, "size": len(data), "MD5checksum": hashlib.md5(data).hexdigest()}

    def commit(self, **otherwise):
        said = {
            "sourceBucket": "bucket",
            "destinationBucket": "arn:aws:s3:::bucket",
            "version": "2016-11-30",
            "creationTimestamp": "1795000000000",
            "fileFormat": self.form,
            "fileSchema": ", ".join(FIELDS),
            "files": self.files,
        }
        key = f"{self.place}/manifest.json"
        self.client.put_object(Bucket="bucket", Key=key, Body=json.dumps(said | otherwise))
        return f"s3://bucket/{key}"


@pytest.fixture
def objects(store, request):
    prefix = request.node.name
    chance = random.Random(1)
    keys = ["a b", "ü/ö", "%41", "x?a=b#c", "+", 'quo"te', "a,b", "a//b", *map(str, range(60))]
    contents = {key.encode(): chance.randbytes(chance.choice([0, 1, 56, 3000])) for key in keys}
    store.fill(prefix, contents)
    return prefix, contents


def build(store, prefix, out, **more):
    return manifests.build(f"s3://bucket/{prefix}", out, options=store.options, limits=SMALL, **more)


@pytest.mark.parametrize("form", FORMS)
def test_the_same_as_by_a_list(store, objects, tmp_path, form, monkeypatch):
    monkeypatch.setattr(inventory, "PIECE", 7)
    prefix, contents = objects
    made = Inventory(store, prefix, form)
    listed = build(store, prefix, tmp_path / "listed")
    by_inventory = build(store, prefix, tmp_path / "out", inventory=made.url)
    assert by_inventory.root == listed.root == root_of(contents)
    # Rows and names of shards are equal too, so that one run resumes the other.
    commits = [(tmp_path / out / "commit.json").read_bytes() for out in ("listed", "out")]
    assert commits[0] == commits[1]
    # A copy of it that was fetched does as well.
    body = store.client.get_object(Bucket="bucket", Key=made.url.removeprefix("s3://bucket/"))["Body"]
    (tmp_path / "manifest.json").write_bytes(body.read())
    copy = build(store, prefix, tmp_path / "copy", inventory=tmp_path / "manifest.json")
    assert copy.root == listed.root


def test_it_reads_what_is_there_now_or_nothing(store, objects, tmp_path):
    prefix, contents = objects
    made = Inventory(store, prefix, "Parquet")
    gone, changed = b"10", b"11"
    store.client.delete_object(Bucket="bucket", Key=f"{prefix}/10")
    store.client.put_object(Bucket="bucket", Key=f"{prefix}/11", Body=b"otherwise")
    built = build(store, prefix, tmp_path / "out", inventory=made.url)
    assert {key for key, _ in built.failed()} == {gone, changed}
    assert built.root == root_of({key: contents[key] for key in contents if key not in (gone, changed)})


def test_more_files_than_a_process_may_have_open(store, objects, tmp_path):
    prefix, contents = objects
    made = Inventory(store, prefix, "CSV", files=70)
    was = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 50, was[1]))
    try:
        root = build(store, prefix, tmp_path / "out", inventory=made.url).root
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, was)
    assert root == root_of(contents)


def test_what_it_refuses(store, objects, tmp_path):
    prefix, _ = objects
    made = Inventory(store, prefix, "Parquet")

    def refused(text, inventory, url=f"s3://bucket/{prefix}"):
        with pytest.raises(manifests.ManifestError, match=text):
            options = store.options if str(url).startswith("s3") else None
            manifests.build(url, tmp_path / "out", options=options, limits=SMALL, inventory=inventory)
        assert not os.path.exists(tmp_path / "out" / "commit.json")

    refused("lists bucket other, not", made.commit(sourceBucket="other"))
    refused("unsupported format JSON: use CSV, PARQUET, ORC", made.commit(fileFormat="json"))
    refused("is not the manifest.json", f"s3://bucket/{made.files[0]['key']}")
    refused("cannot read s3://bucket/none", "s3://bucket/none")
    refused("cannot read", tmp_path / "none")
    refused("is corrupt", made.commit(files=[made.files[0] | {"MD5checksum": "0" * 32}]))
    refused("cannot read the inventory", made.commit(fileFormat="ORC"))
    bare = [{name: row[name] for name in ("bucket", "key", "size")} for row in made.rows]
    refused("has no field e_tag", made.commit(files=[made.add(bare)]))
    refused(f"lists no object below s3://bucket/{prefix}/none", made.commit(), url=f"s3://bucket/{prefix}/none")
    # One that names an object twice.
    refused("lists a key twice", made.commit(files=[made.files[0], made.files[0]]))
    refused("only S3 has inventories", made.commit(), url=tmp_path)
