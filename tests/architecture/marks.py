#!/usr/bin/env python3
"""Checks that every variable of the runtime that can change says whose it is (src/base/state_marks.h).

usage: marks.py LIBRARY     a libsnarl_rt.so with its symbol table; exit 1 if a variable of ours has no mark

What the sections .data, .bss and thread-local storage still hold is other people's, and listed here.
"""
import re
import subprocess
import sys

MARKED = {"snarl_run", "snarl_process", ".lbss"}
UNMARKED = re.compile(r"\.(data|bss|tdata|tbss|lbss|ldata)(\..*)?")
CONSTANT = re.compile(r"\.data\.rel\.ro.*")

# libstdc++, libgcc and the C start files, linked into the library.
FOREIGN = re.compile(r"""
    __dso_handle | __TMC_END__ | completed\.0
  | DW\.ref\..*                                   # addresses that exception tables point to
  | .*\b(__cxxabiv1|__gnu_cxx)::.* | .*\bget_global\(\)::global | .*\bemergency_pool | .*__verbose_terminate_handler.*
""", re.VERBOSE)
# Thread-local storage has no sections of its own by mark: each of these says what it is beside its definition.
THREAD_LOCAL = {"snarl::runtime::current", "snarl::runtime::(anonymous namespace)::ours"}


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def section_names(library):
    """{number: name}"""
    lines = run("readelf", "-SW", library).splitlines()
    found = (re.match(r"\s*\[\s*(\d+)\] (\S+)", line) for line in lines)
    return {match[1]: match[2] for match in found if match}


def demangled(names):
    """A linker's or compiler's suffix, which keeps c++filt from its work, is left off."""
    plain = [re.sub(r"\.(lto_priv|constprop|part|isra)\.\d+$", "", name) for name in names]
    return subprocess.run(["c++filt"], input="\n".join(plain), check=True, capture_output=True, text=True).stdout.splitlines()


def variables(library):
    """(name, section) of every variable of the symbol table."""
    sections = section_names(library)
    rows = [line.split() for line in run("readelf", "-sW", library).splitlines()]
    rows = [(row[7], sections[row[6]]) for row in rows if len(row) >= 8 and row[3] in ("OBJECT", "TLS") and row[6] in sections]
    rows = sorted(set(rows))
    return list(zip(demangled([name for name, _ in rows]), (section for _, section in rows)))


def is_unmarked(name, section):
    if section in MARKED or CONSTANT.fullmatch(section) or not UNMARKED.fullmatch(section):
        return False
    return not FOREIGN.fullmatch(name) and name not in THREAD_LOCAL


def check(found):
    """Prints what is wrong with these (name, section); returns the exit code."""
    unmarked = [(name, section) for name, section in found if is_unmarked(name, section)]
    for name, section in unmarked:
        print(f"{name} in {section}: neither SNARL_RUN_STATE nor SNARL_PROCESS_STATE nor SNARL_LARGE")
    counts = {section: sum(1 for _, at in found if at == section) for section in sorted(MARKED)}
    print(", ".join(f"{count} in {section}" for section, count in counts.items()) + f", {len(unmarked)} unmarked")
    if 0 in counts.values():
        print("a kind of mark is not used at all: no symbol table, or another library?")
        return 1
    return 1 if unmarked else 0


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    return check(variables(argv[1]))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
