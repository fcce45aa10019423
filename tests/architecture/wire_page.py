#!/usr/bin/env python3
"""Does docs/formats/wire.md describe the wire as it is compiled?

usage: wire_page.py PROJECT_FOLDER [--write] [--compiler CXX] [--gdb GDB]

Compiles wire/layout.h with debug info, asks gdb for the offset of every field, and compares that with the table between
the two markers of the page, and the version in its title with kWireVersion. --write puts both right. The table above
them, which says what the parts are for, is written by hand: each part of the layout must have a row there, and each
row must name parts that exist.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

PAGE = "docs/formats/wire.md"
BEGIN, END = "<!-- layout: begin -->\n", "<!-- layout: end -->\n"
TITLE = re.compile(r"# The wire, version (\d+)\n")

UNIT = """#include "wire/layout.h"
extern "C" const unsigned wire_version;
const unsigned wire_version = snarl::wire::kWireVersion;
unsigned size_in(const snarl::wire::Layout& layout) { return layout.size; }  // a use: clang describes no type without
snarl::wire::Request request;
snarl::wire::Reply reply;
"""

# Runs inside gdb: writes all structs that the roots are made of.
ASK = r"""
import gdb, json

def element(type):
    type, sizes = type.strip_typedefs(), ""
    while type.code == gdb.TYPE_CODE_ARRAY:
        sizes += "[%d]" % (type.range()[1] + 1)
        type = type.target().strip_typedefs()
    return type, sizes

# Fields with their bits; those of a union without a name stand at the same one.
def fields_of(type, begin):
    for field in type.fields():
        if not hasattr(field, "bitpos"):
            continue
        if field.name:
            yield field, begin + field.bitpos
        else:
            yield from fields_of(field.type.strip_typedefs(), begin + field.bitpos)

def visit(type, found):
    if type.code != gdb.TYPE_CODE_STRUCT or not type.name.startswith("snarl::") or type.name in found:
        return
    fields = list(fields_of(type, 0))
    found[type.name] = (type.sizeof, [
        (field.name + element(field.type)[1], bit // 8, bit % 8 if field.bitsize else None) for field, bit in fields])
    for field, _ in fields:
        visit(element(field.type)[0], found)

found = {}
for root in ("Layout", "Request", "Reply"):
    visit(gdb.lookup_type("snarl::wire::" + root), found)
print(json.dumps([int(gdb.parse_and_eval("wire_version")), found]))
"""


def compiled_layout(project, compiler, gdb):
    """The wire's version, and {struct: [bytes, [[field, offset, bit or None]]]} in the order in which they are met."""
    with tempfile.TemporaryDirectory() as folder:
        unit, thing, ask = (pathlib.Path(folder, name) for name in ("unit.cc", "unit.o", "ask.py"))
        unit.write_text(UNIT)
        ask.write_text(ASK)
        subprocess.run([compiler, "-std=c++20", "-g", "-gdwarf-4", "-c", "-I", project / "src", "-I", project / "include",
                        unit, "-o", thing], check=True, timeout=300)
        answer = subprocess.run([gdb, "-nx", "-batch", "-ex", f"source {ask}", thing], check=True, timeout=300,
                                capture_output=True, text=True)
    if not answer.stdout:
        raise RuntimeError(f"gdb says nothing of {PAGE}: {answer.stderr}")
    return json.loads(answer.stdout.splitlines()[-1])


def rows_of(structs):
    """{name as on the page: [bytes, field with its offset, ...]}, as texts."""
    return {name.removeprefix("snarl::"): [str(size)] + [f"`{field}` {offset}" + ("" if bit is None else f":{bit}")
                                                         for field, offset, bit in fields]
            for name, (size, fields) in structs.items()}


def table_of(structs):
    lines = ["| struct | bytes | fields, each with its offset |", "| --- | --- | --- |"]
    lines += [f"| `{name}` | {size} | {', '.join(fields)} |" for name, (size, *fields) in rows_of(structs).items()]
    return "".join(f"{line}\n" for line in lines)


def rows_in(table):
    """What rows_of() would have to be for this table."""
    rows = re.findall(r"^\| `([\w:]+)` \| (\d+) \| (.*) \|$", table, re.M)
    return {name: [size] + fields.split(", ") for name, size, fields in rows}


def split_page(text):
    """The page before the table, the table, and the page after it."""
    before, begin, rest = text.partition(BEGIN)
    table, end, after = rest.partition(END)
    if not begin or not end or not TITLE.match(before):
        raise ValueError(f"{PAGE} needs the title '# The wire, version N', and a line {BEGIN.strip()} before {END.strip()}")
    return before, table, after


def parts_in(before):
    """The names in the first column of the table that is written by hand."""
    rows = re.findall(r"^\| (`[^|]*) \|", before, re.M)
    return [name for row in rows for name in re.findall(r"`(\w+)`", row)]


def differences(page, compiled):
    for name in page.keys() - compiled.keys():
        yield f"{PAGE}: {name} is no struct of the wire"
    for name, row in compiled.items():
        told = page.get(name, [])
        wrong = [field for field in told if field not in row], [field for field in row if field not in told]
        if told != row:
            says, is_so = (", ".join(fields) or "nothing" for fields in wrong)
            yield f"{PAGE}: {name}: the page says {says}; compiled, there is {is_so}"


def complaints(text, version, structs):
    """What of the page is not as compiled, as lines."""
    before, table, _ = split_page(text)
    found = []
    if int(TITLE.match(before)[1]) != version:
        found.append(f"{PAGE}: the title says version {TITLE.match(before)[1]}, kWireVersion is {version}")
    found += differences(rows_in(table), rows_of(structs))
    if not found and table != table_of(structs):
        found.append(f"{PAGE}: the table is not as it would be written")
    if found:
        found.append("If the layout has changed, raise kWireVersion in src/wire/layout.h; then run "
                     "tests/architecture/wire_page.py . --write")
    rows, parts = parts_in(before), [re.sub(r"\[.*", "", field[0]) for field in structs["snarl::wire::Layout"][1]]
    for part in parts:
        if rows.count(part) != 1:
            found.append(f"{PAGE}: the part `{part}` of Layout stands in {rows.count(part)} rows of the first table: edit it")
    for row in rows:
        if row not in parts:
            found.append(f"{PAGE}: the first table speaks of `{row}`, which Layout does not have: edit it")
    return found


def rewritten(text, version, structs):
    before, _, after = split_page(text)
    return TITLE.sub(f"# The wire, version {version}\n", before) + BEGIN + table_of(structs) + END + after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--gdb", default="gdb")
    given = parser.parse_args()
    page = given.project / PAGE
    version, structs = compiled_layout(given.project, given.compiler, given.gdb)
    if given.write:
        page.write_text(rewritten(page.read_text(encoding="utf-8"), version, structs), encoding="utf-8")
    found = complaints(page.read_text(encoding="utf-8"), version, structs)
    for line in found:
        print(line)
    print(f"{len(structs)} structs, {sum(len(fields) for _, fields in structs.values())} fields: "
          f"{'the page differs' if found else 'the page is right'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
