"""What a manifest raises."""


class ManifestError(Exception):
    """A manifest that cannot be made or used: one clause says why."""


class Stopped(ManifestError):
    """A run that did not come to its end. What it has finished is kept; run it again."""


class Exists(Exception):
    """A name that is taken in a store."""


class Changed(Exception):
    """An object that is not what was listed."""


def reason(error):
    """An exception as one line."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return " ".join(str(error).split())[:500] or type(error).__name__


def retried(call, *arguments, times=7, wait=0.05):
    """What `call` returns, which may fail for a while: a store that is busy, a body cut short. What
    is not there, is not allowed or was changed is not asked for again."""
    import random
    import time

    for turn in range(times):
        try:
            return call(*arguments)
        except (FileNotFoundError, PermissionError, FileExistsError, IsADirectoryError, Exists, Changed):
            raise
        except Exception:
            if turn + 1 == times:
                raise
            time.sleep(wait * 2**turn * (1 + random.random()))
