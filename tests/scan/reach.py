"""Which code something leads to: what the walk of the scanner must have found. Two witnesses that share nothing with it.

`led_to` reads the assembler's listing, where jumps and tables have names. `comes_from_nowhere` judges a place of a real
file by binutils' disassembler.
"""

import collections
import re

ENDS = re.compile(r"^(?:bnd |notrack )*(?:jmp|ret|ud2|hlt)")
JUMP = re.compile(r"^(?:bnd |notrack )*(?:j[a-z]+|call[a-z]*|loop[a-z]*) +([^*\s]+)$")
BOUNDS = re.compile(r"^(?:ja|jae|jb|jbe)\b")  # an index that came past one of these has a limit
NAME = re.compile(r"\.?[A-Za-z_][\w.$@]*")
DIFFERENCE = re.compile(r"^\.uleb128 (\S+)-(\S+)$")
EXCEPTIONS, NOT_DATA = ".gcc_except_table", (".debug", ".eh_frame")


def led_to(listing):
    """Places of all instructions that a function, a jump, a landing pad or a table leads to. Of a switch's table that is
    used where nothing limits its index nobody can say how long it is: it leads nowhere."""
    switches, others = _tables(listing)
    limited = _limited(listing, switches)
    reached, waiting = set(), _starts(listing, others)
    while waiting:
        place = waiting.pop()
        while place in listing.padding and listing.padding[place]:
            place = (place[0], place[1] + listing.padding[place])
        if place in reached or place not in listing.instructions:
            continue
        reached.add(place)
        length, text = listing.instructions[place]
        jump = JUMP.match(text)
        names = [jump[1]] if jump else [entry for table in limited.intersection(NAME.findall(text)) for entry in switches[table]]
        waiting += [listing.places[name] for name in names if name in listing.places]
        if not ENDS.match(text):
            waiting.append((place[0], place[1] + length))
    return reached


def _starts(listing, tables):
    functions = [place for label, place in listing.places.items() if not label.startswith(".L")]
    names = _landing_pads(listing) + [entry for entries in tables.values() for entry in entries]
    return functions + [listing.places[name] for name in names if name in listing.places]


def _landing_pads(listing):
    """A call site has three differences: its begin and its landing pad from the function's begin, its end from its begin."""
    rows = [match.groups() for section, _, text in listing.words if section.startswith(EXCEPTIONS)
            for match in [DIFFERENCE.match(text)] if match]
    firsts, seconds = {a for a, _ in rows}, {b for _, b in rows}
    return [a for a, b in rows if b not in firsts and a not in seconds]


def _tables(listing):
    """What is named under each label of data: those of switches, which have names of the compiler, and others."""
    tables = collections.defaultdict(list)
    for section, table, text in listing.words:
        if not section.startswith(NOT_DATA + (EXCEPTIONS,)) and re.match(r"^\.(?:long|quad)\b", text):
            tables[table] += NAME.findall(text.split(None, 1)[1])
    switches = {table: names for table, names in tables.items() if table.startswith(".L")}
    return switches, {table: names for table, names in tables.items() if table not in switches}


def _limited(listing, tables):
    """Those that are named behind a limit: in the same run of instructions, without a label in between."""
    limited, limit, end = set(), False, None
    for place in sorted(listing.instructions):
        length, text = listing.instructions[place]
        if place != end or place in listing.targets:
            limit = False
        end = None if ENDS.match(text) else (place[0], place[1] + length)
        limit = limit or bool(BOUNDS.match(text))
        if limit:
            limited.update(name for name in NAME.findall(text) if name in tables)
    return limited


def comes_from_nowhere(address, decoded, begin):
    """Is it in a run of instructions, behind one that does not go on, that no direct branch leads to? It must begin with
    an `endbr64`: whoever comes there comes by a register."""
    before = {at + length: at for at, (length, _) in decoded.instructions.items() if begin <= at < address}
    while address not in decoded.targets and address in before:
        if ENDS.match(decoded.instructions[before[address]][1]):
            return decoded.instructions[address][1].startswith("endbr64")
        address = before[address]
    return False
