"""Every patch of generated code begins and ends where the assembler says that instructions do, and overwrites no label.

The truth is the assembler's own listing (listing.py), not another disassembler. Lines of the debug information are
starts in both ways of the scanner, but for code that nothing leads to (reach.py).

usage: listing_test.py --starts TOOL --debugged FILE [--functions N]
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import code_generator
import elf_file
import listing
import patch_table
import reach
import witness
from patch_table import snarl_case

CLANG = shutil.which("clang++-14") or shutil.which("clang++")
RUSTC = shutil.which("rustc")
LEAST_PATCHED = 0.9  # of the atomic instructions in the listing
LEAST_LED_TO = 0.7  # of all instructions: else the witness itself is lost
ARGUMENTS = None

# For each level: code that may be moved, whose tables hold offsets, and code that may not, whose tables hold addresses;
# with what the processor checks at indirect jumps; with a section for each function.
FLAVOURS = (("-fPIC", "-shared"), ("-fno-pic", "-no-pie"), ("-fPIC", "-shared", "-fcf-protection=full"),
            ("-fno-pic", "-no-pie", "-ffunction-sections"))
ROW = re.compile(r"^\S+ +(\d+|-) +(0x[0-9a-f]+)")


class ListingCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snarl-listing-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def run_tool(self, *command, **options):
        done = snarl_case.run([str(word) for word in command], cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=120, check=False, **options)
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout[-2000:]}")
        return done.stdout

    def build(self, compiler, level, flavour, source):
        """The binary of a source text, and its listing."""
        (self.folder / "x.cc").write_text(source)
        assembler = ["-Wa,-aln=x.lst,--listing-lhs-width=4"] + (["-fno-integrated-as"] if "clang" in compiler else [])
        self.run_tool(compiler, "-w", "-g", level, *flavour, *assembler, "-c", "x.cc", "-o", "x.o")
        self.run_tool(compiler, *flavour, "-fuse-ld=bfd", "-Wl,-Map=x.map", "x.o", "-o", "x")
        return self.folder / "x", listing.Listing(self.folder / "x.lst")

    def placement(self):
        """Of what has a place in the listing, by address in the binary."""
        where = listing.addresses(self.folder / "x.map", "x.o")
        self.assertIn(".text", {section[:5] for section in where})
        return lambda items: {where[place[0]] + place[1]: what for place, what in items if place[0] in where}

    def compare(self, binary, truth):
        """All patches with the listing; returns how many sites are patched, and how many there are."""
        placed = self.placement()
        instructions = placed(truth.instructions.items())
        padding = {byte for at, length in placed(truth.padding.items()).items() for byte in range(at, at + length)}
        targets = placed((place, True) for place in truth.targets)
        begin, end = min(instructions), max(instructions)
        patched = 0
        for patch in patch_table.scan(binary).patches:
            if begin <= patch.address <= end:  # not of what the compiler links in
                patched += sum(patch.points)
                self.assertEqual(list(self.faults(patch, instructions, padding, targets)), [], f"{binary}: {patch}")
        return patched, sum(1 for _, text in instructions.values() if listing.ATOMIC.match(text))

    @staticmethod
    def faults(patch, instructions, padding, targets):
        for (address, length), point in zip(patch_table.starts_of(patch), patch.points):
            if address in padding and not point:
                continue
            said = instructions.get(address)
            if said is None or said[0] != length or point != bool(listing.ATOMIC.match(said[1])):
                yield f"{length} bytes at {address:#x}, where the listing has {said}"
        for byte in patch_table.overwritten(patch):
            if byte in targets:
                yield f"a label stands at {byte:#x}"
        for byte in range(patch.hole, patch.hole + patch_table.JUMP_BYTES if patch.way == "hole" else 0):
            if byte in instructions:
                yield f"an instruction begins in the hole, at {byte:#x}"

    @staticmethod
    def is_code(elf, address):
        """A line that ends in nothing, because it is never reached, stands behind its function."""
        function = elf.function_at(address)
        return function is not None and address < function[1]

    def compare_lines(self, binary):
        """Each row of the line table is the begin of an instruction for the linear way. Returns the number of rows, and
        the addresses of those that the walk does not have."""
        elf, rows = elf_file.ElfFile(binary), set()
        for line in self.run_tool("objdump", "--dwarf=decodedline", "-WN", binary).splitlines():
            match = ROW.match(line)
            if match and match[1] != "-" and self.is_code(elf, int(match[2], 16)):
                rows.add(int(match[2], 16))
        said = self.run_tool(ARGUMENTS.starts, binary, input="\n".join(map(hex, sorted(rows)))).splitlines()
        self.assertEqual(len(said), len(rows))
        for row, what in zip(sorted(rows), said):
            self.assertIn(what, ("both", "linear"), f"the line at {row:#x} in {binary}")
        return len(rows), [row for row, what in zip(sorted(rows), said) if what != "both"]

    def test_lines_of_real_code(self):
        """Optimised as one, by a compiler that moves code between files."""
        rows, unwalked = self.compare_lines(ARGUMENTS.debugged)
        elf = elf_file.ElfFile(ARGUMENTS.debugged)
        decoded = witness.decode(elf, elf.functions)
        for row in unwalked:
            self.assertTrue(reach.comes_from_nowhere(row, decoded, elf.function_at(row)[0]),
                            f"something leads to the line at {row:#x}, but not the walk")
        print(f"{ARGUMENTS.debugged}: {rows} lines, nothing leads to {len(unwalked)}")
        self.assertGreater(rows, 10000)

    def check_compiler(self, compiler):
        for number, level in enumerate(("-O0", "-O1", "-O2", "-O3")):
            flavour = FLAVOURS[number]
            with self.subTest(compiler=compiler, level=level, flavour=flavour):
                source = code_generator.Functions(number, atomics=True).source(ARGUMENTS.functions)
                binary, truth = self.build(compiler, level, flavour, source)
                patched, sites = self.compare(binary, truth)
                rows, unwalked = self.compare_lines(binary)
                led_to = self.placement()((place, True) for place in reach.led_to(truth))
                self.assertGreaterEqual(len(led_to), LEAST_LED_TO * len(truth.instructions))
                self.assertEqual([hex(row) for row in unwalked if row in led_to], [], "something leads there, but not the walk")
                print(f"{compiler} {level} {' '.join(flavour)}: {patched} of {sites} sites, {rows} lines,"
                      f" nothing leads to {len(unwalked)}")
                self.assertGreater(sites, ARGUMENTS.functions)
                self.assertGreaterEqual(patched, LEAST_PATCHED * sites)

    def test_gcc(self):
        self.check_compiler("g++")

    @unittest.skipUnless(CLANG, "no clang")
    def test_clang(self):
        self.check_compiler(CLANG)

    @unittest.skipUnless(RUSTC, "no rustc")
    def test_rust(self):
        for level in ("0", "2"):
            with self.subTest(level=level):
                (self.folder / "x.rs").write_text(code_generator.rust_source(int(level), ARGUMENTS.functions))
                self.run_tool(RUSTC, "--crate-type", "lib", "--emit", "asm", "-C", f"opt-level={level}", "-o", "x.s", "x.rs")
                self.run_tool("as", "-aln=x.lst", "--listing-lhs-width=4", "x.s", "-o", "x.o")
                self.run_tool("ld.bfd", "-shared", "--eh-frame-hdr", "-Map=x.map", "x.o", "-o", "x")
                patched, sites = self.compare(self.folder / "x", listing.Listing(self.folder / "x.lst"))
                print(f"rustc {level}: {patched} of {sites} sites")
                self.assertGreaterEqual(patched, LEAST_PATCHED * sites)

    def test_switches_without_atomics(self):
        """300 functions, and nothing in them to patch."""
        for number, level in enumerate(("-O1", "-O2")):
            with self.subTest(level=level):
                source = code_generator.Functions(number, atomics=False).switches_only(300)
                (self.folder / "x.cc").write_text(source)
                self.run_tool("g++", "-w", level, "x.cc", "-o", "x")
                self.assertEqual(patch_table.scan(self.folder / "x").patches, [])


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser()
    parser.add_argument("--starts", required=True)
    parser.add_argument("--debugged", required=True, help="a large program file with debug information")
    parser.add_argument("--functions", type=int, default=20)
    ARGUMENTS, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest], verbosity=1)


if __name__ == "__main__":
    main()
