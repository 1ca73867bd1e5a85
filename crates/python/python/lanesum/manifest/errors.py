"""What a manifest raises."""


class ManifestError(Exception):
    """A manifest that cannot be made or used: one clause says why."""


class Stopped(ManifestError):
    """A run that did not come to its end. What it has finished is kept; run it again."""


class OtherVersion(ManifestError):
    """A manifest that another release has written."""


class Exists(Exception):
    """A name that is taken in a store."""


class Changed(Exception):
    """An object that is not what was listed."""


def reason(error: BaseException) -> str:
    """An exception as one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())[:500] or type(error).__name__


# How often something is asked for, and the seconds before it is asked for again, which double.
TIMES = 7
WAIT = 0.1


def retried(call, *arguments):
    """What `call` returns, which may fail for a while: a store that is busy, a body cut short. What
    is not there, is not allowed or was changed is not asked for again."""
    import random
    import time

    for turn in range(TIMES):
        try:
            return call(*arguments)
        except (FileNotFoundError, PermissionError, FileExistsError, IsADirectoryError, Exists, Changed):
            raise
        except Exception:
            if turn + 1 == TIMES:
                raise
            time.sleep(WAIT * 2**turn * (1 + random.random()))
