"""Amazon S3, and stores with the same API.

boto3 lists, writes and queries metadata. obstore reads objects, at a tenth of boto3's cost per object. It
rejects keys with empty segments or control characters; boto3 reads these.
"""

import concurrent.futures
import datetime
import re

from .. import plan, points
from ..errors import Changed, Exists, ManifestError, reason, retried
from ..form import COMMIT
from . import Objects, attempt, hash_batches, hash_pieces, to_key, to_name

# Maximum total size of small objects in memory, in bytes.
BATCH_BYTES = 32 << 20

# The number of concurrent requests for small objects.
AT_ONCE = 16

# The seconds without data after which a request is aborted. A slow request may take longer.
SILENCE = 60

# Keys that obstore does not modify.
PLAIN = re.compile(rb"(?!\.{1,2}(/|$))[^/\x00-\x1f\x7f]+(/(?!\.{1,2}(/|$))[^/\x00-\x1f\x7f]+)*")


class S3(Objects):
    """`options` may have the names in S3_OPTIONS."""

    def __init__(self, place, options=None):
        try:
            import boto3
            import botocore
            import botocore.config
            import botocore.session
        except ImportError:
            raise ManifestError(
                "boto3 is not installed: install lanesum with the extra `s3`, or run `pip install boto3 obstore`"
            ) from None
        self.bucket, _, prefix = place.partition("/")
        self.prefix = prefix.rstrip("/") + "/" if prefix.strip("/") else ""
        self.url = f"s3://{self.bucket}/{self.prefix}".rstrip("/")
        self.options = options
        given = options or {}
        try:
            core = botocore.session.get_session()
            core.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=moment)
            session = boto3.Session(botocore_session=core)
            # Without credentials, requests are anonymous and reach only public objects.
            self.is_anonymous = "aws_access_key_id" not in given and session.get_credentials() is None
            config = botocore.config.Config(
                # `retried` retries the requests of both clients.
                retries={"mode": "standard", "total_max_attempts": 1},
                read_timeout=SILENCE,
                signature_version=botocore.UNSIGNED if self.is_anonymous else None,
            )
            self.client = session.client("s3", config=config, **given)
            self.objects = self._obstore(session)
        except Exception as error:
            raise ManifestError(f"cannot open {self.url}: {reason(error)}") from error
        self.pool = concurrent.futures.ThreadPoolExecutor(AT_ONCE, "lanesum-s3")

    def _obstore(self, session):
        try:
            import obstore.store
        except ImportError:
            return None
        given = self.options or {}
        names = {
            "aws_access_key_id": "access_key_id",
            "aws_secret_access_key": "secret_access_key",
            "aws_session_token": "session_token",
        }
        signing = {ours: given[name] for name, ours in names.items() if name in given}
        if not signing and not self.is_anonymous:
            # The provider refreshes credentials that expire.
            import obstore.auth.boto3

            signing["credential_provider"] = obstore.auth.boto3.Boto3CredentialProvider(session)
        endpoint = self.client.meta.endpoint_url
        # obstore knows the endpoints of Amazon, and accepts no None.
        other = {} if "amazonaws.com" in endpoint else {"endpoint": endpoint}
        return obstore.store.S3Store(
            self.bucket,
            region=self.client.meta.region_name or "us-east-1",
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "connect_timeout": f"{SILENCE}s",
                "read_timeout": f"{SILENCE}s",
                # The limit of a whole request: 16 MiB at 5 KB/s.
                "timeout": "3600s",
            },
            retry_config={"max_retries": 0},
            **other,
            **signing or {"skip_signature": True},
        )

    def full_key(self, key):
        return self.prefix + to_name(key)

    def ask(self, call, **words):
        """Calls a method of boto3's client, with retries."""

        def once():
            try:
                return getattr(self.client, call)(**words)
            except Exception as error:
                meant = plainly(error)
                if self.is_anonymous and isinstance(meant, PermissionError):
                    meant = PermissionError(f"{meant}, without credentials")
                raise meant from error

        return retried(once)

    def _pages(self, prefix):
        words = {"Bucket": self.bucket, "Prefix": prefix}
        page = {"IsTruncated": True}
        while page.get("IsTruncated"):
            page = self.ask("list_objects_v2", **words)
            yield page.get("Contents", [])
            words["ContinuationToken"] = page.get("NextContinuationToken")

    def listing(self):
        is_empty = True
        try:
            for rows in self._pages(self.prefix):
                if rows:
                    is_empty = False
                    yield plan.listed(
                        [to_key(row["Key"][len(self.prefix) :]) for row in rows],
                        [row["Size"] for row in rows],
                        [round(row["LastModified"].timestamp() * 1e9) for row in rows],
                        [row["ETag"] for row in rows],
                    )
            if is_empty and self.prefix:
                raise FileNotFoundError("no objects have this prefix")
        except Exception as error:
            raise ManifestError(f"cannot list {self.url}: {reason(error)}") from error

    def hash(self, table):
        return hash_batches(table, BATCH_BYTES, self._read_many, self._hash_long)

    def _read_many(self, table):
        return list(self.pool.map(lambda row: attempt(retried, self._read, row), table.to_pylist()))

    def _read(self, row):
        return self.read_part(row, 0, row["size"])

    def _is_plain(self, key):
        return self.objects is not None and PLAIN.fullmatch(to_key(self.prefix) + key) is not None

    def _read_by_boto(self, row, start, end):
        ranged = {} if (start, end) == (0, row["size"]) else {"Range": f"bytes={start}-{end - 1}"}
        try:
            got = self.client.get_object(
                Bucket=self.bucket, Key=self.full_key(row["key"]), IfMatch=row["etag"], **ranged
            )
            return got["Body"].read()
        except Exception as error:
            raise plainly(error) from error

    def read_part(self, row, start, end):
        """Reads bytes `start` to `end` of an object. Raises Changed if its ETag differs from the listing."""
        if self._is_plain(row["key"]):
            ranged = {} if (start, end) == (0, row["size"]) else {"range": (start, end)}
            options = {"if_match": row["etag"]} | ranged
            try:
                got = self.objects.get(self.full_key(row["key"]), options=options)
                data = got.bytes()
            except Exception as error:
                raise plainly(error) from error
        else:
            data = self._read_by_boto(row, start, end)
        if len(data) != end - start:
            raise OSError(f"read {len(data)} bytes of {end - start}")
        return data

    def _hash_long(self, row):
        return hash_pieces(lambda start, end: self.read_part(row, start, end), [row["size"]])[0]

    def names(self, directory):
        prefix = f"{self.prefix}{directory}/"
        try:
            return [row["Key"][len(prefix) :] for rows in self._pages(prefix) for row in rows]
        except Exception as error:
            raise ManifestError(f"cannot list {self.url}/{directory}: {reason(error)}") from error

    def get(self, name):
        return retried(self.read_whole, self.bucket, self.prefix + name)

    def read_whole(self, bucket, key):
        """Reads an object of any bucket."""
        try:
            return self.client.get_object(Bucket=bucket, Key=key)["Body"].read()
        except Exception as error:
            raise plainly(error) from error

    def put_new(self, name, data):
        self._put(name, data, IfNoneMatch="*")

    def replace(self, name, data):
        self._put(name, data)

    def _put(self, name, data, **condition):
        points.reached("commit aside" if name == COMMIT else "shard aside")
        try:
            self.ask("put_object", Bucket=self.bucket, Key=self.prefix + name, Body=bytes(data), **condition)
        except Changed as error:
            raise Exists(name) from error
        except Exception as error:
            raise ManifestError(f"cannot write {self.url}/{name}: {reason(error)}") from error


def moment(text):
    """Parses a time of a response. botocore's parser would take half of the time of a listing."""
    try:
        return datetime.datetime.fromisoformat(text)
    except (TypeError, ValueError):
        import botocore.utils

        return botocore.utils.parse_timestamp(text)


def plainly(error):
    """Translates an error of either client to a standard exception. Its text is deterministic, since it is
    stored in rows."""
    text, name = str(error), type(error).__name__
    response = getattr(error, "response", {})
    number = response.get("ResponseMetadata", {}).get("HTTPStatusCode") or found(r"status code: (\d+)", text)
    code = response.get("Error", {}).get("Code") or found(r"<Code>(\w+)</Code>", text) or ""
    number = int(number or 0)
    if isinstance(error, FileNotFoundError) or number == 404:
        is_bucket = code == "NoSuchBucket"
        return FileNotFoundError("no such bucket" if is_bucket else "no longer exists")
    if name in ("PermissionDeniedError", "UnauthenticatedError") or number in (401, 403):
        # For example an archived object, or a wrong clock.
        why = f" ({code})" if code not in ("", "AccessDenied", "403") else ""
        return PermissionError(f"access denied{why}")
    # 409 is a conflict of two concurrent writes.
    if name == "PreconditionError" or number in (409, 412):
        return Changed("changed after it was listed")
    if number:
        return OSError(f"the store returned status {number} {code}".rstrip())
    return OSError(re.sub(r" in [\d.]+(ns|µs|ms|s)\b", "", text.partition("\n")[0]))


def found(pattern, text):
    found = re.search(pattern, text)
    return found and found[1]
