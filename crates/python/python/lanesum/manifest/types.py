"""Types of the arguments that several functions share."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

# A path or a URL.
Url = str | bytes | os.PathLike[str] | os.PathLike[bytes]
# Arguments for the client of an object store.
Options = Mapping[str, Any] | None
# "threads", "dask", "dask://HOST:PORT", or a function from an iterator of jobs to their results.
Engine = str | Callable[[Iterator[Any]], Iterable[Any]]
