"""The command lanesum-manifest, also if its dependencies are missing."""

import sys


def main():
    try:
        from lanesum.manifest.__main__ import main
    except ModuleNotFoundError as error:
        sys.exit(f"lanesum-manifest: {error}; install lanesum with the extra 'manifest'")
    return main()
