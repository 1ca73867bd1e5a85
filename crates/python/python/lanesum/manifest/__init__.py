"""Manifests of directories and object stores: the digest of every object, under one Merkle root.

::

    manifest = lanesum.manifest.build("s3://bucket/prefix", out="s3://meta/run", engine="dask://HOST:8786")
    manifest.root
"""

from .building import Progress, build
from .cleaning import clean
from .comparing import Change, Changes, diff
from .errors import ManifestError, Stopped
from .jobs import Job, run_job
from .manifest import Manifest, open
from .plan import Limits
from .proving import Proof, check_proof

__all__ = [
    "Change",
    "Changes",
    "Job",
    "Limits",
    "Manifest",
    "ManifestError",
    "Progress",
    "Proof",
    "Stopped",
    "build",
    "check_proof",
    "clean",
    "diff",
    "open",
    "run_job",
]
