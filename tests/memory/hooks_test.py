#!/usr/bin/env python3
"""Memory and function points need hooks that the compiler puts in: without any, nothing passes for tested."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

LIBRARY = "int counter; void add(void) { int seen = counter; counter = seen + 1; }"
PROGRAM = """
#include <pthread.h>
void add(void);
extern int counter;
static void* work(void* unused) { add(); return unused; }
int main(int argc, char** argv) {
  pthread_t a, b;
  if (argc > 1) return 0;
  pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return counter == 2 ? 0 : 3;
}
"""


class HooksCase(snarl_case.SnarlCase):
    def build(self, program_by=("gcc",), library_by=("gcc",)):
        sources = {"add": LIBRARY, "program": PROGRAM}
        for name, text in sources.items():
            (self.folder / f"{name}.c").write_text(text)
        library, program = self.folder / "libadd.so", self.folder / "program"
        self.expect_code(self.command(*library_by, "-O1", "-g", "-shared", "-fPIC", self.folder / "add.c", "-o", library), 0)
        self.expect_code(self.command(*program_by, "-O1", "-g", "-pthread", self.folder / "program.c", library,
                                      f"-Wl,-rpath,{self.folder}", "-o", program), 0)
        return program

    def explore(self, program, points, *more, words=()):
        schedules = () if "--once" in more else ("-n", 300)
        return self.snarl("run", "--points", points, *schedules, "-o", self.out, *more, "--", program, *words)

    def test_none(self):
        program = self.build()
        for points, kind in (("memory", "memory"), ("memory:all", "memory"), ("function", "function"),
                             ("atomic,function", "function")):
            for more in ((), ("--reset", "exec"), ("--switching", "gates"), ("--once",)):
                result = self.explore(program, points, *more)
                self.expect_code(result, 2)
                self.expect_text(result, f"no {kind} hooks; build with snarl c\\+\\+")
                self.assertNotIn("Nothing found", result.out, self.describe(result, "passes for tested"))
        self.expect_code(self.explore(program, "atomic"), 0)

    def test_bisect_skips(self):
        self.expect_code(self.explore(self.build(), "memory", "--bisect"), 125)

    def test_launcher(self):
        """A test without threads is none of ours; one with threads is not passed on as tested."""
        program = self.build()
        self.expect_code(self.explore(program, "memory", "--launcher", words=("alone",)), 0)
        self.expect_code(self.explore(program, "memory", "--launcher"), 2)

    def test_one_thread_is_said_first(self):
        self.expect_code(self.explore(self.build(), "memory", words=("alone",)), 4)

    def test_hooks_of_a_library_count(self):
        ours = (snarl_case.snarl_binary(), "cc")
        for program in (self.build(program_by=ours), self.build(library_by=ours)):
            self.expect_code(self.explore(program, "function"), 0, 1)
        self.expect_code(self.explore(self.build(library_by=ours), "memory"), 1)  # where the bug is


if __name__ == "__main__":
    sys.exit(snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(HooksCase),
                                  snarl_case.argument_parser(__doc__).parse_args()))
