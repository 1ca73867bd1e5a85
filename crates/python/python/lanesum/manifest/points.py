"""Named points of a run, at which tests stop it."""

NAMES = (
    "begun",
    "listed",
    "planned",
    "hashed",
    "shard aside",
    "shard written",
    "all shards",
    "nodes written",
    "commit aside",
    "committed",
)


def reached(name):
    """Called at each of the points; a test puts a function of its own in its place."""
