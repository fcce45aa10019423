#!/usr/bin/env python3
"""Atomic instructions of files that make it hard: stripped ones, libraries that are loaded later, code that may not be
changed. What can be a point is one, the rest works all the same, and the summary says what is less."""
import sys
import unittest

import snarl_case

PROGRAMS = None
# Two instructions where one was meant; nothing else could be a point between them.
UPDATE = """
static int count;
extern "C" void add() {
  const int seen = __atomic_fetch_add(&count, 0, __ATOMIC_SEQ_CST);
  __atomic_exchange_n(&count, seen + 1, __ATOMIC_SEQ_CST);
}
extern "C" int total() { return count; }
"""
CALLS = """
#include <thread>
extern "C" void add();
extern "C" int total();
int main() { std::thread a(add), b(add); a.join(), b.join(); return total() == 2 ? 0 : 3; }
"""
LOADS = """
#include <dlfcn.h>
#include <thread>
int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  auto add = reinterpret_cast<void (*)()>(dlsym(library, "add"));
  auto total = reinterpret_cast<int (*)()>(dlsym(library, "total"));
  std::thread a(add), b(add);
  a.join(), b.join();
  return total() == 2 ? 0 : 3;
}
"""


class PatchedCase(snarl_case.SnarlCase):
    def built(self, name, text, *words):
        source = self.folder / (name + ".cc")
        source.write_text(text)
        self.expect_code(self.command("g++", "-O2", source, *words, "-pthread", "-o", self.folder / name), 0)
        return self.folder / name

    def expect_lost_update(self, *command):
        for points, code in (("sync", 0), ("atomic", 1)):
            result = self.snarl("run", "--seed", "1", "--points", points, "-n", "400", "-o", self.out, "--", *command)
            self.expect_code(result, code)
        sites = self.summary(result)["atomic_sites"]
        self.assertGreaterEqual(sites["patched"], 2, self.describe(result, "too few sites"))
        self.assertEqual(self.only_finding(result)["kind"], "exit", self.describe(result, "wrong kind"))

    def test_stripped_program(self):
        self.expect_lost_update(self.built("bare", UPDATE + CALLS.replace('extern "C" void add();', ""), "-s"))

    def test_only_one_site(self):
        one = UPDATE.replace("__atomic_exchange_n(&count, seen + 1, __ATOMIC_SEQ_CST)", "count = seen + 1")
        binary = self.built("one", one + CALLS.replace('extern "C" void add();', ""))
        result = self.snarl("run", "--seed", "1", "-n", "400", "-o", self.out, "--", binary)
        self.expect_code(result, 1)

    def test_stripped_library_that_is_loaded_later(self):
        library = self.built("library.so", UPDATE, "-shared", "-fPIC", "-s")
        self.expect_lost_update(self.built("loads", LOADS, "-s"), library)

    def test_code_that_may_not_be_changed(self):
        result = self.snarl("run", "--seed", "1", "-n", "100", "-o", self.out, "--", PROGRAMS / "hostile" / "refuses_mprotect")
        self.expect_code(result, 0)
        self.expect_text(result, "can't be changed here")
        self.assertEqual(self.summary(result)["atomic_sites"]["patched"], 0)


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(PatchedCase), arguments)


if __name__ == "__main__":
    sys.exit(main())
