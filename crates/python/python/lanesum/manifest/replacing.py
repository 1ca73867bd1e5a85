"""Replaces files atomically."""

import contextlib
import os


@contextlib.contextmanager
def replacing(path, temporary, before_rename=lambda: None):
    """Opens the new file `temporary`, and renames it to `path` once the block has written it and it is synced.
    An exception removes it. `before_rename` is called in between."""
    try:
        with open(temporary, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            before_rename()
            os.rename(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
