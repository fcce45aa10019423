#!/usr/bin/env python3
"""A failure of a patched body is made once more with the program's bytes untouched, as in tests/e2e/cross_examine_test.py:
a patch that a test plants in the cache is exposed and taken out, and what the body does wrong stays a failure.

usage: cross_examine_test.py BUILD SOURCE
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import cross_examine_test as planting  # noqa: E402
import snarl_case  # noqa: E402

BUILD, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

PROGRAM = """
#include <snarl/snarl.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
// The value of a constant, whose lowest byte the test overwrites.
__attribute__((noinline)) int one() {
  int value;
  __asm__ volatile("wrong: mov $1, %0\\n lock orl $0, (%%rsp)" : "=a"(value) : : "memory", "cc");
  return value;
}
void checks() {
  std::thread a([] { if (one() != 1) snarl::fail("not one"); }), b([] { one(); });
  a.join();
  b.join();
}
void crashes() {
  std::thread a([] { if (one() != 1) abort(); }), b([] { one(); });
  a.join();
  b.join();
}
void loses() {
  std::atomic<int> a{0};
  bool seen = false;
  std::thread t([&] { if (a.fetch_add(1) == 4) seen = true; }), u([&] { a.fetch_add(4); });
  t.join();
  u.join();
  if (seen) snarl::fail("seen");
}
int main(int, char** argv) {
  void (*const body)() = std::strcmp(argv[1], "checks") == 0 ? checks : std::strcmp(argv[1], "crashes") == 0 ? crashes : loses;
  const snarl::Result result = snarl::explore({.schedules = 300}, body);
  std::printf("%s\\n%s\\n", result.tested.c_str(), result.report.c_str());
  return result ? 0 : 1;
}
"""


class CrossExamination(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="snarl-examined-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.program = cls.folder / "program"
        (cls.folder / "program.cc").write_text(PROGRAM)
        code, out = cls.run_here("g++", "-std=c++20", "-O1", "-g", "-no-pie", "-pthread", f"-I{SOURCE}/include",
                                 cls.folder / "program.cc", "-o", cls.program, f"-L{BUILD}/lib", "-lsnarl",
                                 f"-Wl,-rpath,{BUILD}/lib")
        assert code == 0, out

    @staticmethod
    def run_here(*command, **environment):
        env = {k: v for k, v in os.environ.items() if not k.startswith("SNARL")} | environment
        done = snarl_case.run([str(word) for word in command], env=env, timeout=250, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        return done.returncode, done.stdout

    def explore(self, body, cache):
        return self.run_here(self.program, body, SNARL_CACHE=str(cache))

    def scanned(self, name):
        """A cache in which the program has been scanned."""
        cache = self.folder / name
        cache.mkdir(mode=0o700)
        self.explore("loses", cache)
        return cache

    def plant(self, cache):
        """An int3 in the second byte of `wrong`."""
        symbols = self.run_here("nm", self.program)[1]
        address = int(re.search(r"^([0-9a-f]+) \w wrong$", symbols, re.MULTILINE).group(1), 16) + 1
        build_id = re.search(r"Build ID: ([0-9a-f]+)", self.run_here("readelf", "-n", self.program)[1]).group(1)
        file, = cache.glob(build_id + ".*.patches")
        data = file.read_bytes()
        head = list(planting.HEAD.unpack_from(data))
        size = head[2]
        self.assertEqual(size, 40 + planting.MOST_INSTRUCTIONS * planting.INSTRUCTION.size, "the format has changed")
        patches = [data[i:i + size] for i in range(planting.HEAD.size, len(data), size)]
        far = [p for p in patches if abs(planting.PATCH.unpack_from(p)[0] - address) > 16]
        there = self.program.read_bytes()[address - 0x400000:][:1]
        far.append(planting.patch_bytes(address, planting.TRAP, [1], there))
        rows = b"".join(sorted(far, key=lambda p: planting.PATCH.unpack_from(p)[0]))
        head[7], head[-1] = len(far), planting.patch_sum(rows)
        file.write_bytes(planting.HEAD.pack(*head) + rows)

    def test_a_wrong_patch_is_taken_out(self):
        cache = self.scanned("planted")
        self.plant(cache)
        for body in ("checks", "crashes"):
            with self.subTest(body):
                code, out = self.explore(body, cache)
                self.assertEqual(code, 0, out)
                self.assertRegex(out, "^300 schedules in ")
                self.assertRegex(out, r"program has no atomic points: snarl's patches made it fail "
                                      r"\(program\+0x\w+ is in the middle of an instruction\)")

    def test_what_the_body_does_stays(self):
        cache = self.scanned("sound")
        for body, expected in (("checks", 0), ("crashes", 0), ("loses", 1)):
            with self.subTest(body):
                code, out = self.explore(body, cache)
                self.assertEqual(code, expected, out)
                self.assertNotIn("NOT CONFIRMED", out)
                self.assertNotIn("made it fail", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
