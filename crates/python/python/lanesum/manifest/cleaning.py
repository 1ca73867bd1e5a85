"""Removes the shards of earlier states of a manifest."""

from .form import SHARDS, read_commit
from .stores import store
from .types import Options, Url


def clean(url: Url, options: Options = None) -> list[str]:
    """Removes obsolete shards, which a manifest does not list, and returns their names.

    url is the directory of the manifest. Raises ManifestError if a run is in progress there, or if there is no
    committed manifest. It also raises ManifestError for an object store, which has no locks; options are
    arguments for the client of that store.

        removed = manifest.clean("photos.manifest")
    """
    kept = store(url, options)
    with kept.held(alone=True):
        kept.clear()
        commit = read_commit(kept)
        named = {shard["file"] for shard in commit["shards"]} | {commit["nodes"]["file"]}
        names = [f"{SHARDS}/{name}" for name in kept.names(SHARDS)]
        left = [name for name in names if name.endswith((".parquet", ".bin")) and name not in named]
        for name in left:
            kept.remove(name)
    return left
