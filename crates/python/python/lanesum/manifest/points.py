"""Named points of a run, at which tests interrupt it."""

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
    """Does nothing. It is called at each of the points, and tests replace it."""
