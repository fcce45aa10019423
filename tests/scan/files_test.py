"""No patch of a real file is wrong: each is compared with binutils' disassembler (witness.py).

usage: files_test.py named | others SECONDS | all
`named` are files in which tables of inner switches lie behind those of outer ones; `others` is a sample of the system's
files, as many as the time allows; `all` is all of them.
"""

import concurrent.futures
import hashlib
import os
import pathlib
import sys
import time

import elf_file
import patch_table
import witness

NAMED = {  # file and the least number of patched sites
    "/usr/bin/fdfind": 1000, "/usr/bin/php8.2": 5, "/usr/bin/readelf": 0, "/usr/bin/perf": 40,
    "/usr/lib/x86_64-linux-gnu/libQt5Core.so.5": 5000, "/usr/bin/gdb": 100, "/usr/bin/fio": 20,
    "/usr/bin/python3.11": 15, "/usr/bin/sqlite3": 0, "/usr/bin/vim.basic": 0, "/usr/bin/pic": 0,
    "/usr/bin/gnatprep": 8,
    # What must not get fewer for all that: nine tenths of what a walk alone finds in them.
    "/usr/lib/x86_64-linux-gnu/libtbb.so.12": 565, "/usr/bin/redis-server": 61, "/usr/bin/rg": 1072,
}
FOLDERS = ("/usr/bin", "/usr/lib", "/usr/libexec")
LEAST_FILES, LEAST_SITES = 500, 5000  # of all
MAGIC = b"\x7fELF\x02"


def program_files():
    """Every ELF file of the system once, in an order that mixes small and large ones and is the same each time."""
    found = {}
    for root in FOLDERS:
        for folder, _, names in os.walk(root):
            for name in names:
                path = pathlib.Path(folder, name)
                if path.is_symlink() or not path.is_file() or not os.access(path, os.R_OK):
                    continue
                with open(path, "rb") as file:
                    if file.read(len(MAGIC)) == MAGIC:
                        about = path.stat()
                        found[about.st_dev, about.st_ino] = str(path)
    return sorted(found.values(), key=lambda path: hashlib.sha256(path.encode()).digest())


def check(path):
    """(sites patched, disputed, texts of what is wrong), or None if it is no program file."""
    elf = elf_file.ElfFile(path)
    if not elf.usable:
        return None
    table = patch_table.scan(path, timeout=300)
    if table is None:
        return 0, 0, ["snarl can't scan it"]
    return patch_table.points_in(table), table.disputed, witness.wrong_patches(elf, table)


class Tally:
    def __init__(self):
        self.files = self.sites = self.disputed = self.wrong = 0

    def add(self, path, result):
        if result is None:
            return
        sites, disputed, wrong = result
        self.files += 1
        self.sites += sites
        self.disputed += disputed
        self.wrong += len(wrong)
        for text in wrong:
            print(f"WRONG {path}: {text}")

    def passes(self, seconds, least_files, least_sites):
        print(f"{self.files} files, {self.sites} sites patched, {self.disputed} left alone, wrong: {self.wrong}"
              f" ({seconds:.0f} s)")
        return self.wrong == 0 and self.files >= least_files and self.sites >= least_sites


def check_named(tally):
    good = True
    for path, least in NAMED.items():
        result = check(path)
        tally.add(path, result)
        print(f"{pathlib.Path(path).name:<24} {result[0]:6} patched, {result[1]} left alone")
        if result[0] < least:
            print(f"FEWER {path}: {result[0]} sites patched, at least {least} expected")
            good = False
    return tally.passes(0, len(NAMED), 0) and good


def check_others(tally, seconds):
    begin = time.monotonic()
    for path in program_files():
        if time.monotonic() - begin > seconds:
            break
        if os.path.getsize(path) < 40 << 20:  # one alone would take most of the time
            tally.add(path, check(path))
    return tally.passes(time.monotonic() - begin, 20, 100)


def check_all(tally):
    begin = time.monotonic()
    paths = program_files()
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        for path, result in zip(paths, pool.map(check, paths)):
            tally.add(path, result)
    return tally.passes(time.monotonic() - begin, LEAST_FILES, LEAST_SITES)


def main():
    what, *rest = sys.argv[1:] or [""]
    tally = Tally()
    if what == "named":
        return 0 if check_named(tally) else 1
    if what == "others":
        return 0 if check_others(tally, float(rest[0])) else 1
    if what == "all":
        return 0 if check_all(tally) else 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())
