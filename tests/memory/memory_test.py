#!/usr/bin/env python3
"""Programs whose bug needs points at atomics and memory accesses, built with snarl cc and snarl c++.

Each wrong one is found within its bound by pct and replays; nothing is found in its correct twin. The first line of
a program says what must be found: `// snarl: kind=assert within=500`, or `// snarl: correct`.
"""
import json
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

VARIANTS = {
    "O0": ["-O0"], "O1": ["-O1"], "O2": ["-O2"], "O3": ["-O3", "-march=native"],
    "nopie": ["-O1", "-no-pie", "-fno-pie"],
}
COMPILERS = {"gcc": ("gcc", "g++"), "clang": ("clang-14", "clang++-14")}
CORRECT_SCHEDULES = 60
RACY = {"plain_spin", "spin_barrier"}  # they do what they should, but are data races to C++


def read_header(source):
    with open(source, encoding="utf-8") as text:
        words = text.readline().split()
    assert words[:2] == ["//", "snarl:"], source
    return dict(word.partition("=")[::2] for word in words[2:])


class MemoryCase(snarl_case.SnarlCase):
    timeout = 120

    def build(self, source, compiler, flags):
        verb, compilers = ("cc", 0) if source.suffix == ".c" else ("c++", 1)
        binary = self.folder / source.stem
        result = self.snarl(verb, f"--with={COMPILERS[compiler][compilers]}", *flags, "-UNDEBUG", "-Wall", "-Wextra",
                            *(["-std=c++20"] if compilers else []), source, "-o", binary)
        self.expect_code(result, 0)
        self.assertEqual(result.err, "", self.describe(result, "warnings"))
        return binary

    def check_wrong(self, source, compiler, flags):
        header = read_header(source)
        binary = self.build(source, compiler, flags)
        result = self.snarl("run", "--points", "memory", "--races", "off", "-p", "pct:depth=2", "-n", header["within"],
                            "-o", self.out, "--", binary)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertIn(finding["kind"], header["kind"].split(","), self.describe(result, "wrong kind"))
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        times = 1 if finding["kind"] == "livelock" else 5  # a livelock takes 120,000 switches
        again = self.snarl("replay", self.out, "--times", times, "--timeout", "60s", "--json")
        self.expect_code(again, 1)
        self.assertEqual(json.loads(again.out)["reproduced"], times, self.describe(again, "not reproduced each time"))

    def check_correct(self, source, compiler, flags):
        binary = self.build(source, compiler, flags)
        self.expect_code(self.command(binary), 0)  # without snarl
        races = ["--races", "off"] if source.stem in RACY else []
        result = self.snarl("run", "--points", "memory", *races, "-p", "random", "-p", "pct:depth=3",
                            "-n", CORRECT_SCHEDULES, "-o", self.out, "--", binary)
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertEqual(summary["findings"], [], self.describe(result, "a false alarm"))
        self.assertEqual(summary["repeatable"]["same"], summary["repeatable"]["of"], self.describe(result, "not repeatable"))


def add_tests(compiler, variant, only):
    for part in ("wrong", "correct"):
        for source in sorted((HERE / part).glob("*.c*")):
            if only and source.stem not in only:
                continue
            check = getattr(MemoryCase, "check_" + part)
            name = re.sub(r"\W", "_", f"test_{part}_{source.stem}_{compiler}_{variant}")
            setattr(MemoryCase, name, lambda self, s=source, c=check: c(self, s, compiler, VARIANTS[variant]))


def main():
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--compiler", choices=COMPILERS, default="gcc")
    parser.add_argument("--variant", choices=VARIANTS, default="O1")
    parser.add_argument("--few", action="store_true", help="only the programs that say most about a compiler's flags")
    arguments = parser.parse_args()
    add_tests(arguments.compiler, arguments.variant, {"lost_update", "plain_spin"} if arguments.few else set())
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(MemoryCase), arguments)


if __name__ == "__main__":
    sys.exit(main())
