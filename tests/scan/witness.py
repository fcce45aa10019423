"""Compares the patches of a real file with what binutils' disassembler shows. Each function with a patch is decoded
from its begin, one instruction after the other; all functions of a file by one call of objdump."""

import re
import subprocess
import tempfile

import patch_table
from patch_table import snarl_case

ATOMIC = re.compile(r"\block\b|\bxchg\b|\bmfence\b|\bpause\b|\btpause\b|\bumwait\b|\brdrand\b|\brdseed\b|\brdtscp?\b")
PADDING = re.compile(r"\bnop[wl]?\b|\bint3\b|\bxchg +%ax,%ax|\bdata16\b|\bcs\b")
LINE = re.compile(r"^ *([0-9a-f]+):\t([0-9a-f ]+)\t(.*)$")
BRANCH = re.compile(r"^(?:bnd |notrack )*(?:j[a-z]+|call|loop[a-z]*)(?:,p[nt])? +0x([0-9a-f]+)$")
GAP = b"\x90" * 16  # behind each function: whatever was cut there ends in it
BEHIND = 32         # bytes of padding that are decoded with a hole


class Decoded:
    """Instructions of a file, by address: (length, text), and where direct branches lead to."""

    def __init__(self):
        self.instructions = {}
        self.targets = {}


def decode(elf, functions):
    """All of these (begin, end)."""
    pieces, places, size = [], [], 0
    for begin, end in functions:
        code = elf.code(begin, end)
        places.append((size, size + len(code), begin))
        pieces += [code, GAP]
        size += len(code) + len(GAP)
    decoded = Decoded()
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(pieces))
        file.flush()
        command = ("objdump", "-D", "-w", "-z", "-b", "binary", "-m", "i386:x86-64", file.name)
        with (subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as process,
              snarl_case.limited(process, 300)):
            _read(process.stdout, places, decoded)
    if process.returncode != 0:
        raise RuntimeError("objdump failed")
    return decoded


def _read(lines, places, decoded):
    place = iter(places)
    first, end, begin = next(place)
    for line in lines:
        match = LINE.match(line)
        if not match:
            continue
        offset = int(match[1], 16)
        while offset >= end + len(GAP):
            first, end, begin = next(place)
        length = len(match[2].split())
        if offset + length > end:
            continue
        address, text = offset - first + begin, match[3].split("#")[0].strip()
        decoded.instructions[address] = (length, text)
        branch = BRANCH.match(text)
        if branch:
            decoded.targets.setdefault(int(branch[1], 16) - first + begin, address)


def wrong_patches(elf, table):
    """A text for each patch that is not what objdump shows."""
    if not table.patches:
        return []
    ranges, wrong, known = set(), [], []
    for patch in table.patches:
        function = elf.function_at(patch.address)
        if function is None:
            wrong.append(f"{patch.address:#x}: outside of every function")
            continue
        known.append(patch)
        ranges.add(function)
        hole = elf.function_at(patch.hole) if patch.way == "hole" else None
        if hole is not None:
            ranges.add((hole[0], max(hole[1], patch.hole + BEHIND)))
    if not known:
        return wrong
    decoded = decode(elf, _merged(ranges))
    for patch in known:
        wrong += [f"{patch.address:#x} ({patch.way}): {text}" for text in _faults(patch, decoded)]
    return wrong


def _merged(ranges):
    """One for each begin, the longest."""
    longest = {}
    for begin, end in ranges:
        longest[begin] = max(end, longest.get(begin, 0))
    return sorted(longest.items())


def _faults(patch, decoded):
    for (address, length), point in zip(patch_table.starts_of(patch), patch.points):
        shown = decoded.instructions.get(address)
        if shown is None:
            yield f"no instruction begins at {address:#x}"
        elif shown[0] != length:
            yield f"{address:#x} is {shown[0]} bytes long, not {length}: {shown[1]}"
        elif point and not ATOMIC.search(shown[1]):
            yield f"{address:#x} is no atomic instruction: {shown[1]}"
    for byte in patch_table.overwritten(patch):
        if byte in decoded.targets:
            yield f"{decoded.targets[byte]:#x} leads to {byte:#x}, which is overwritten"
    if patch.way == "hole":
        yield from _faults_of_hole(patch.hole, decoded)


def _faults_of_hole(hole, decoded):
    end = hole + patch_table.JUMP_BYTES
    for byte in range(hole, end):
        if byte in decoded.targets:
            yield f"{decoded.targets[byte]:#x} leads to {byte:#x}, which is in a hole"
    at = hole
    while at not in decoded.instructions and hole - at < 16:
        at -= 1
    while at < end:
        length, text = decoded.instructions.get(at, (0, "nothing"))
        if length == 0 or not PADDING.search(text):
            yield f"the hole at {hole:#x} has at {at:#x}: {text}"
            return
        at += length
