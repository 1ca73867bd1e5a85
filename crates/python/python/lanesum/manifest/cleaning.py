"""A manifest without the shards of earlier states."""

from .form import SHARDS, read_commit
from .stores import store
from .types import Options, Url


def clean(url: Url, options: Options = None) -> list[str]:
    """Removes the shards that a manifest does not name, and returns their names.

    url is the directory with the manifest; options are for the client of an object store. Raises
    ManifestError if a run is in progress there, or there is no complete manifest.
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
