"""Errors of manifests."""


class ManifestError(Exception):
    """A manifest cannot be built or read; the message is one clause with the reason."""

    def __str__(self) -> str:
        # A path that is not UTF-8 has lone surrogates, which print() cannot encode.
        return super().__str__().encode("utf-8", "backslashreplace").decode()


class Stopped(ManifestError):
    """A cluster failed during a run. build() retains the finished shards: call it again with the same out to
    resume. verify() starts from the beginning."""


class OtherVersion(ManifestError):
    """A manifest that another release has written, in a format that this one cannot read."""


class Exists(Exception):
    """A name that already exists in a store."""


class Changed(Exception):
    """An object that changed after it was listed."""


def reason(error: BaseException) -> str:
    """An exception as one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())[:500] or type(error).__name__


# Maximum number of attempts of a request, and the seconds before the second one; the delay doubles each time.
ATTEMPTS = 7
WAIT = 0.1


def retried(call, *arguments):
    """Calls `call` again if it fails for a temporary reason, such as a busy store or a truncated body. Raises
    the error of an object that is missing, forbidden or changed at once."""
    import random
    import time

    for attempt in range(ATTEMPTS):
        try:
            return call(*arguments)
        except (FileNotFoundError, PermissionError, FileExistsError, IsADirectoryError, Exists, Changed):
            raise
        except Exception:
            if attempt + 1 == ATTEMPTS:
                raise
            time.sleep(WAIT * 2**attempt * (1 + random.random()))
