"""A manifest without the shards of earlier states."""

from .form import SHARDS, read_commit
from .stores import store


def clean(url, options=None):
    """Removes the shards that the manifest in a folder does not name, and returns their names. A ManifestError
    if a run is at work there, or there is no whole manifest."""
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
