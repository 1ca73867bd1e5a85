"""Amazon S3, and what speaks as it does.

boto3 lists, writes and says what the store knows of an object; obstore reads objects, at a tenth of
what boto3 takes for one. Its keys cannot be any (no empty segment, no control character), so boto3 reads
those that it cannot have.
"""

import concurrent.futures
import datetime
import re

from .. import plan, points
from ..errors import Changed, Exists, ManifestError, reason, retried
from ..form import COMMIT
from . import Objects, attempt, hash_batches, hash_pieces, to_key, to_name

BATCH_BYTES = 32 << 20

# How many small objects are asked for at once.
AT_ONCE = 16

# After so many seconds without a byte a request is given up; a slow one may take long.
SILENCE = 60

# Keys that obstore leaves as they are.
PLAIN = re.compile(rb"(?!\.{1,2}(/|$))[^/\x00-\x1f\x7f]+(/(?!\.{1,2}(/|$))[^/\x00-\x1f\x7f]+)*")


class S3(Objects):
    """`options` are boto3's for a client (endpoint_url, region_name, ...)."""

    def __init__(self, place, options=None):
        try:
            import boto3
            import botocore
            import botocore.config
            import botocore.session
        except ImportError:
            raise ManifestError("no boto3: pip install 'lanesum[s3]'") from None
        self.bucket, _, prefix = place.partition("/")
        self.prefix = prefix.rstrip("/") + "/" if prefix.strip("/") else ""
        self.url = f"s3://{self.bucket}/{self.prefix}".rstrip("/")
        self.options = options
        given = options or {}
        try:
            core = botocore.session.get_session()
            core.get_component("response_parser_factory").set_parser_defaults(timestamp_parser=moment)
            session = boto3.Session(botocore_session=core)
            # Without credentials it asks for what everybody may read.
            self.is_anonymous = "aws_access_key_id" not in given and session.get_credentials() is None
            config = botocore.config.Config(
                # What fails is asked for again here, whichever client asks.
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
            # Those that run out are asked for again.
            import obstore.auth.boto3

            signing["credential_provider"] = obstore.auth.boto3.Boto3CredentialProvider(session)
        endpoint = self.client.meta.endpoint_url
        return obstore.store.S3Store(
            self.bucket,
            endpoint=endpoint if "amazonaws.com" not in endpoint else None,
            region=self.client.meta.region_name or "us-east-1",
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "connect_timeout": f"{SILENCE}s",
                "read_timeout": f"{SILENCE}s",
                # Of a whole request: 16 MiB at 5 KB/s.
                "timeout": "3600s",
            },
            retry_config={"max_retries": 0},
            **signing or {"skip_signature": True},
        )

    def full_key(self, key):
        return self.prefix + to_name(key)

    def ask(self, call, **words):
        """What boto3's call returns, which the store may not answer at first."""

        def once():
            try:
                return getattr(self.client, call)(**words)
            except Exception as error:
                meant = plainly(error)
                if self.is_anonymous and isinstance(meant, PermissionError):
                    meant = PermissionError(f"{meant}, and there are no credentials")
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
                raise FileNotFoundError("there is nothing below it")
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
        """Some bytes of an object that is as it was listed."""
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
            raise OSError(f"{len(data)} bytes came of {end - start}")
        return data

    def _hash_long(self, row):
        return hash_pieces(lambda start, end: self.read_part(row, start, end), [row["size"]])[0]

    def names(self, folder):
        prefix = f"{self.prefix}{folder}/"
        try:
            return [row["Key"][len(prefix) :] for rows in self._pages(prefix) for row in rows]
        except Exception as error:
            raise ManifestError(f"cannot list {self.url}/{folder}: {reason(error)}") from error

    def get(self, name):
        return retried(self.read_whole, self.bucket, self.prefix + name)

    def read_whole(self, bucket, key):
        """The bytes of an object of some bucket."""
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
    """A time of a response. Those of a listing are in this form, and botocore takes half of it to read them."""
    try:
        return datetime.datetime.fromisoformat(text)
    except (TypeError, ValueError):
        import botocore.utils

        return botocore.utils.parse_timestamp(text)


def plainly(error):
    """What either client raises, as what it means: in words that are the same each time, since rows have them."""
    text, name = str(error), type(error).__name__
    response = getattr(error, "response", {})
    number = response.get("ResponseMetadata", {}).get("HTTPStatusCode") or found(r"status code: (\d+)", text)
    code = response.get("Error", {}).get("Code") or found(r"<Code>(\w+)</Code>", text) or ""
    number = int(number or 0)
    if isinstance(error, FileNotFoundError) or number == 404:
        is_bucket = code == "NoSuchBucket"
        return FileNotFoundError("there is no such bucket" if is_bucket else "it is not there any more")
    if name in ("PermissionDeniedError", "UnauthenticatedError") or number in (401, 403):
        # An archived object, say, or a clock that is wrong.
        why = f" ({code})" if code not in ("", "AccessDenied", "403") else ""
        return PermissionError(f"the store does not permit it{why}")
    # 409 is said of two that write at the same moment.
    if name == "PreconditionError" or number in (409, 412):
        return Changed("it was changed after it was listed")
    if number:
        return OSError(f"the store answered {number} {code}".rstrip())
    return OSError(re.sub(r" in [\d.]+(ns|µs|ms|s)\b", "", text.partition("\n")[0]))


def found(pattern, text):
    found = re.search(pattern, text)
    return found and found[1]
