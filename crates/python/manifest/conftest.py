"""Shared fixtures of the tests of manifests: trees of files, a cluster, a store."""

import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import urllib.request

import hypothesis
import pytest

from lanesum.manifest import plan

hypothesis.settings.register_profile("lanesum", database=None, deadline=None)
hypothesis.settings.load_profile("lanesum")

HERE = pathlib.Path(__file__).parent
# Shards of few objects, so that small trees have many.
SMALL = plan.Limits(min_objects=8, mean_objects=16, max_objects=64, max_bytes=1 << 20)


def fill(directory, count, seed=0):
    """Writes files of 0 to 5,000 bytes into directories, and returns their keys and bytes."""
    chance = random.Random(seed)
    contents = {}
    for number in range(count):
        # Names whose order as paths is not that of their parts.
        key = f"{chance.choice(['a', 'a.b', 'a0', 'z/y', 'z-'])}/{number:05}"
        contents[key.encode()] = chance.randbytes(chance.choice([0, 1, 55, 56, 64, 1000, 5000]))
    for key, data in contents.items():
        path = os.path.join(os.fsencode(directory), key)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
    return contents


def root_of(contents):
    """The root by the standard's own words, of keys and bytes."""
    return root_of_digests((key, len(data), hashlib.sha256(data).digest()) for key, data in contents.items())


def root_of_digests(objects):
    leaves = [
        hashlib.sha256(b"\0" + size.to_bytes(8, "big") + digest + key).digest()
        for key, size, digest in sorted(objects)
    ]
    return merkle_tree_hash(leaves).hex()


def merkle_tree_hash(leaves):
    """MTH of RFC 6962, section 2.1, over hashes of leaves."""
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    split = 1 << ((len(leaves) - 1).bit_length() - 1)
    return hashlib.sha256(
        b"\1" + merkle_tree_hash(leaves[:split]) + merkle_tree_hash(leaves[split:])
    ).digest()


def shifted(proof):
    """What makes another object of a proof whose leaf has the same bytes: a digest's last byte as the key's first."""
    digest = bytes.fromhex(proof.sha256)
    return {"sha256": digest[:-1].hex(), "key": digest[-1:] + proof.key}


@pytest.fixture
def tree(tmp_path):
    """A directory of files, with their keys and bytes."""
    folder = tmp_path / "tree"
    return folder, fill(folder, 400)


@pytest.fixture(scope="session")
def cluster():
    """A local cluster of two workers, as an engine's name."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address.replace("tcp://", "dask://")


class Loopback:
    def __init__(self, url):
        import boto3

        self.url = url
        self.options = {
            "endpoint_url": url,
            "aws_access_key_id": "key",
            "aws_secret_access_key": "secret",
            "region_name": "us-east-1",
        }
        self.client = boto3.client("s3", **self.options)
        self.client.create_bucket(Bucket="bucket")

    def fill(self, prefix, contents):
        for key, data in contents.items():
            self.client.put_object(Bucket="bucket", Key=f"{prefix}/{os.fsdecode(key)}", Body=data)

    def faults(self, **faults):
        request = urllib.request.Request(f"{self.url}/-/faults", json.dumps(faults).encode())
        urllib.request.urlopen(request).read()

    def counts(self):
        return json.load(urllib.request.urlopen(f"{self.url}/-/counts"))


@pytest.fixture(scope="session")
def loopback():
    """A store that speaks S3, on this machine."""
    command = [sys.executable, HERE / "loopback.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        store = Loopback(process.stdout.readline().strip())
        yield store
        store.client.close()
        process.stdin.close()


@pytest.fixture
def store(loopback):
    loopback.faults()
    yield loopback
    loopback.faults()
