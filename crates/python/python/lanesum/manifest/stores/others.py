"""Stores with an fsspec driver."""

import datetime

import fsspec

from .. import plan, points
from ..errors import Changed, Exists, ManifestError, reason, retried
from ..form import COMMIT
from . import Objects, hash_batches, hash_pieces, to_key, to_name

# Maximum total size of small objects that are fetched together, in bytes.
BATCH_BYTES = 32 << 20


class Others(Objects):
    def __init__(self, url, options=None):
        self.fs, path = fsspec.core.url_to_fs(url, **(options or {}))
        self.root = path.rstrip("/")
        self.url = url.rstrip("/")
        self.options = options
        # A cached listing could be stale.
        self.fs.use_listings_cache = False

    def _path(self, key):
        return f"{self.root}/{to_name(key)}"

    def listing(self):
        self.fs.invalidate_cache()
        try:
            found = retried(lambda: self.fs.find(self.root, detail=True))
            if not found and not self.fs.exists(self.root):
                raise FileNotFoundError("no objects have this prefix")
        except Exception as error:
            raise ManifestError(f"cannot list {self.url}: {reason(error)}") from error
        rows = sorted(
            (to_key(path[len(self.root) + 1 :]), *look(info))
            for path, info in found.items()
            if path.startswith(self.root + "/")
        )
        for at in range(0, len(rows), 1 << 14):
            yield plan.listed(*map(list, zip(*rows[at : at + (1 << 14)], strict=True)))

    def hash(self, table):
        return hash_batches(table, BATCH_BYTES, self._read_many, self._hash_long)

    def _read_many(self, table):
        rows = table.to_pylist()
        paths = [self._path(row["key"]) for row in rows]
        try:
            found = self.fs.cat(paths, on_error="return")
        except Exception as error:
            found = dict.fromkeys(paths, error)
        values = []
        for row, path in zip(rows, paths, strict=True):
            value = found.get(path)
            try:
                if not isinstance(value, bytes) or len(value) != row["size"]:
                    value = retried(self._read, path, row)
                self._compare(path, row)
            except Exception as error:
                value = error
            values.append(value)
        return values

    def _read(self, path, row):
        value = self.fs.cat_file(path)
        if len(value) != row["size"]:
            self._compare(path, row)
            raise OSError(f"read {len(value)} bytes of {row['size']}")
        return value

    def _hash_long(self, row):
        path = self._path(row["key"])

        def read(start, end):
            data = self.fs.cat_file(path, start=start, end=end)
            if len(data) != end - start:
                raise OSError(f"read {len(data)} bytes of {end - start}")
            return data

        try:
            digest, _ = hash_pieces(read, [row["size"]])
        finally:
            self._compare(path, row)
        return digest

    def _compare(self, path, row):
        """Raises Changed if the metadata of an object differs from the listing."""
        now = look(retried(self.fs.info, path))
        if now != (row["size"], row["mtime"], row["etag"]):
            raise Changed("changed after it was listed")

    def names(self, directory):
        self.fs.invalidate_cache()
        try:
            found = self.fs.ls(f"{self.root}/{directory}", detail=False)
        except FileNotFoundError:
            return []
        except Exception as error:
            raise ManifestError(f"cannot list {self.url}/{directory}: {reason(error)}") from error
        return sorted(path.rpartition("/")[2] for path in found)

    def get(self, name):
        return retried(self.fs.cat_file, f"{self.root}/{name}")

    def put_new(self, name, data):
        self._put(name, data, "create")

    def replace(self, name, data):
        self._put(name, data, "overwrite")

    def _put(self, name, data, mode):
        path = f"{self.root}/{name}"
        points.reached("commit aside" if name == COMMIT else "shard aside")
        try:
            self.fs.makedirs(path.rpartition("/")[0], exist_ok=True)
            retried(lambda: self.fs.pipe_file(path, bytes(data), mode=mode))
        except FileExistsError as error:
            raise Exists(name) from error
        except Exception as error:
            raise ManifestError(f"cannot write {self.url}/{name}: {reason(error)}") from error


def look(info):
    """The size, time and ETag in a driver's metadata of an object."""
    time = next(
        (
            info[name]
            for name in ("mtime", "LastModified", "last_modified", "modified", "created")
            if info.get(name)
        ),
        None,
    )
    if isinstance(time, datetime.datetime):
        time = time.timestamp()
    tag = next(
        (str(info[name]) for name in ("ETag", "etag", "md5", "checksum", "sha256") if info.get(name)), None
    )
    return info["size"] or 0, round(time * 1e9) if isinstance(time, (int, float)) else None, tag
