"""Seconds of the client's CPU for objects of a loopback S3: lanesum.manifest beside boto3 with hashlib
in threads. Prints a table; the process of the server is not counted.

    python cost.py [OBJECTS] [BYTES]
"""

import concurrent.futures
import hashlib
import os
import random
import sys
import tempfile
import time

from conftest import Loopback
from lanesum import manifest


def cpu(call):
    begun, wall = time.process_time(), time.perf_counter()
    call()
    return time.process_time() - begun, time.perf_counter() - wall


def by_boto(client, prefix):
    def digest(key):
        body = client.get_object(Bucket="bucket", Key=key)["Body"]
        return hashlib.sha256(body.read()).digest()

    pages = client.get_paginator("list_objects_v2").paginate(Bucket="bucket", Prefix=prefix)
    keys = [row["Key"] for page in pages for row in page["Contents"]]
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        return list(pool.map(digest, keys))


def main(objects=5000, size=4096):
    import subprocess

    here = os.path.dirname(__file__)
    command = [sys.executable, os.path.join(here, "loopback.py")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        store = Loopback(server.stdout.readline().strip())
        data = random.Random(1).randbytes(size)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            keys = [f"some/{number:07}" for number in range(objects)]
            list(pool.map(lambda key: store.client.put_object(Bucket="bucket", Key=key, Body=data), keys))
        print("| client | CPU seconds | seconds | CPU microseconds an object |\n|---|---:|---:|---:|")
        with tempfile.TemporaryDirectory() as out:
            ways = {
                "boto3 and hashlib": lambda: by_boto(store.client, "some/"),
                "lanesum.manifest": lambda: manifest.build("s3://bucket/some", out, options=store.options),
            }
            ways["lanesum.manifest"]()
            for name in os.listdir(out):
                if name == "shards":
                    for shard in os.listdir(os.path.join(out, name)):
                        os.unlink(os.path.join(out, name, shard))
            for name, call in ways.items():
                used, wall = cpu(call)
                print(f"| {name} | {used:.2f} | {wall:.2f} | {used / objects * 1e6:.0f} |")
        server.stdin.close()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
