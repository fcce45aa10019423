"""Reads what the scanner plans for a program file: the bytes that the runtime is handed (src/wire/patch_table.h)."""

import collections
import pathlib
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import snarl_case  # noqa: E402

WAYS = ("alone", "hole", "following", "preceding", "trap")
HEADER = struct.Struct("<QIII20sIIIIQQ")
PATCH = struct.Struct("<QQBBB")
INSTRUCTIONS_AT, MOST_INSTRUCTIONS, POINT_AT = 40, 5, 3
JUMP_BYTES = 5

Table = collections.namedtuple("Table", "sites disputed patches")
# `lengths` of its instructions; `points`: whether each of them is an atomic one.
Patch = collections.namedtuple("Patch", "address hole way length lengths points")


def starts_of(patch):
    """Address and length of each instruction."""
    at = patch.address
    for length in patch.lengths:
        yield at, length
        at += length


def overwritten(patch):
    """The bytes that may not be a target: all that change, but the first."""
    if patch.way == "trap":
        return range(0)
    return range(patch.address + 1, patch.address + patch.length)


def read_table(data):
    header = HEADER.unpack_from(data)
    size, disputed, sites, count = header[2], header[5], header[6], header[7]
    first = len(data) - size * count
    each = (size - INSTRUCTIONS_AT) // MOST_INSTRUCTIONS
    patches = []
    for at in range(first, len(data), size):
        address, hole, way, length, instructions = PATCH.unpack_from(data, at)
        begins = [at + INSTRUCTIONS_AT + i * each for i in range(instructions)]
        patches.append(Patch(address, hole, WAYS[way], length, [data[b] for b in begins],
                             [data[b + POINT_AT] != 0 for b in begins]))
    return Table(sites, disputed, patches)


def scan(path, timeout=120):
    """The table of a file; None if snarl can't read it."""
    with tempfile.TemporaryFile() as result:
        command = [snarl_case.snarl_binary(), "--scan", str(path), str(result.fileno()), "", "", ""]
        done = snarl_case.run(command, pass_fds=[result.fileno()], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=timeout)
        result.seek(0)
        return read_table(result.read()) if done.returncode == 0 else None


def points_in(table):
    return sum(sum(patch.points) for patch in table.patches)
