"""A local S3 server (moto's) with fault injection, in a separate process.

    python loopback.py        prints its URL, and serves until its input ends

A POST of JSON to /-/faults selects the faults of every third GET of an object from then on, here for the number 3:
{"busy": 3} returns 503 ({"all": 3}: for every third request of any kind), {"short": 3} sends half of the body,
{"cut": 3} sends half of it with a matching length, {"stall": 3} pauses for 3 seconds after a half, and {"drip": 3}
sends ten pieces in 1.5 seconds. {"slow": 0.1} waits 0.1 seconds before every response; {"denied": "key"} rejects a
key, and {"closed": true} requests without credentials. A GET of /-/counts returns the numbers of requests.
"""

import collections
import json
import logging
import os
import sys
import threading
import time

import cheroot.wsgi
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app

logging.disable()


class Faulty:
    def __init__(self, application):
        self.application = application
        self.faults, self.counts = {}, collections.Counter()

    def __call__(self, environ, start):
        # By this moto knows what is quoted in a key.
        environ["RAW_URI"] = environ["REQUEST_URI"]
        path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
        if path == "/-/faults":
            self.faults = json.loads(environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"])))
            self.counts.clear()
        if path.startswith("/-/"):
            start("200 OK", [("Content-Type", "application/json")])
            return [json.dumps(self.counts).encode()]
        self.counts[method] += 1
        self.counts["all"] += 1
        if "all" in self.faults and self.counts["all"] % self.faults["all"] == 0:
            return self._busy(start)
        if "closed" in self.faults and "HTTP_AUTHORIZATION" not in environ:
            return self._denied(start)
        # A bucket is not an object: its name is the whole path.
        is_object = path.count("/") > 1 and path.split("/", 2)[2] and "commit.json" not in path
        if method != "GET" or not is_object:
            return self.application(environ, start)
        self.counts["objects"] += 1
        number, faults = self.counts["objects"], self.faults
        time.sleep(faults.get("slow", 0))
        if "busy" in faults and number % faults["busy"] == 0:
            return self._busy(start)
        if "denied" in faults and path.endswith(faults["denied"]):
            return self._denied(start)
        for kind in ("short", "cut"):
            if kind in faults and number % faults[kind] == 0:
                return self._less(environ, start, kind)
        for kind, pieces, seconds in (("drip", 10, 0.15), ("stall", 2, 3.0)):
            if kind in faults and number % faults[kind] == 0:
                return self._in_pieces(environ, start, pieces, seconds)
        return self.application(environ, start)

    def _busy(self, start):
        start("503 Slow Down", [("Content-Type", "application/xml")])
        return [b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"]

    def _denied(self, start):
        start("403 Forbidden", [("Content-Type", "application/xml")])
        return [b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"]

    def _less(self, environ, start, kind):
        said = []
        body = b"".join(self.application(environ, lambda *words: said.append(words)))
        status, headers, *_ = said[0]
        half = body[: len(body) // 2] if status.startswith("2") else body
        if kind == "cut":
            headers = [(name, value) for name, value in headers if name.lower() != "content-length"]
            headers.append(("Content-Length", str(len(half))))
        start(status, headers)
        return [half]

    def _in_pieces(self, environ, start, count, seconds):
        body = b"".join(self.application(environ, start))
        size = -(-len(body) // count) or 1
        for at in range(0, len(body), size):
            time.sleep(seconds if at else 0)
            yield body[at : at + size]


if __name__ == "__main__":
    application = Faulty(DomainDispatcherApplication(create_backend_app))
    # It keeps connections, as stores do.
    server = cheroot.wsgi.Server(("127.0.0.1", 0), application, numthreads=16)
    server.error_log = lambda *_, **__: None
    server.prepare()
    threading.Thread(target=server.serve, daemon=True).start()
    print(f"http://127.0.0.1:{server.bind_addr[1]}", flush=True)
    sys.stdin.read()
    os._exit(0)
