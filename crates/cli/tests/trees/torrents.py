"""Creates torrents of a path with other programs. Prints a line with the info-hash of each, and
writes libtorrent's torrent to TORRENT.

torrents.py {1|2} PATH PIECE_LENGTH TORRENT
"""

import os
import subprocess
import sys
import warnings

import libtorrent
import torf

warnings.simplefilter("ignore", DeprecationWarning)
version, path, piece_length, torrent = sys.argv[1:]
piece_length = int(piece_length)


def info_hash(of):
    hashes = libtorrent.torrent_info(of).info_hashes()
    return hashes.v1 if version == "1" else hashes.v2


def below(folder):
    """Files in byte order of their names, directory by directory."""
    for name in sorted(os.listdir(folder), key=os.fsencode):
        inner = os.path.join(folder, name)
        if os.path.isdir(inner):
            yield from below(inner)
        else:
            yield inner


paths = below(path) if os.path.isdir(path) else [path]
parent = os.path.dirname(os.path.abspath(path))
files = libtorrent.file_storage()
for file in paths:
    files.add_file(os.path.relpath(file, parent), os.path.getsize(file))
only = libtorrent.create_torrent.v1_only if version == "1" else libtorrent.create_torrent.v2_only
made = libtorrent.create_torrent(files, piece_length, only)
libtorrent.set_piece_hashes(made, parent)
made = made.generate()
with open(torrent, "wb") as file:
    file.write(libtorrent.bencode(made))
print("libtorrent", info_hash(made))

if version == "1":
    if os.path.isfile(path):
        # torf sorts the files of a directory differently.
        made = torf.Torrent(path=path, piece_size=piece_length, private=None)
        made.generate()
        print("torf", made.infohash)
    if piece_length >= 1 << 15:
        other = torrent + ".mktorrent"
        if os.path.exists(other):
            os.remove(other)
        exponent = str(piece_length.bit_length() - 1)
        subprocess.run(
            ["mktorrent", "-d", "-a", "http://a/b", "-l", exponent, "-o", other, path],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        print("mktorrent", info_hash(other))
