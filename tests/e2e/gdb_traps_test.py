#!/usr/bin/env python3
"""`snarl replay --gdb` of a program in which an atomic instruction is an int3 of the runtime's: gdb passes it on, and stops
where the user says and at the failure."""
import sys
import unittest

import gdb_test
import snarl_case

# No jump fits in the place of the atomic instruction (as in programs/correct/memory/trapped_atomic.c). Who takes the last unit
# before the other thread has looked makes it fail.
SOURCE = """
#include <assert.h>
#include <pthread.h>
static unsigned char left = 4;
__attribute__((noinline)) static int take(unsigned char* from, int again) {
  int result;
  __asm__ volatile(
      ".rept 70\\n add $1, %%eax\\n .endr\\n"
      "1: test %%edx, %%edx\\n"
      "jne 3f\\n"
      "2: lock decb (%%rdi)\\n"
      "3: jne 4f\\n"
      "xor %%edx, %%edx\\n"
      "4: dec %%edx\\n"
      "js 5f\\n"
      "test %%edx, %%edx\\n"
      "je 2b\\n"
      "5: .rept 70\\n add $1, %%eax\\n .endr\\n"
      : "=a"(result), "+d"(again) : "D"(from), "a"(0) : "memory", "cc");
  return result;
}
static int seen(void) {
  return *(volatile unsigned char*)&left;
}
static void* work(void* unused) {
  take(&left, 0);
  const int before = seen();
  take(&left, 0);
  assert(seen() + 1 == before);
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""


class GdbTrapsCase(gdb_test.GdbCase):
    def setUp(self):
        super().setUp()
        (self.folder / "taken.c").write_text(SOURCE)
        self.expect_code(self.command("gcc", "-g", "-O0", "-pthread", "taken.c", "-o", "taken"), 0)
        result = self.snarl("run", "--seed", 7, "-n", 1000, "-o", self.out, "--", "./taken")
        self.expect_code(result, 1)
        self.assertEqual(self.only_finding(result)["kind"], "assert", self.describe(result, "wrong kind"))

    def test_passes_traps_and_stops_at_breakpoints(self):
        for layer in gdb_test.LAYERS:
            result = self.gdb("snarl why", "break seen", "run", "bt 2", "continue", "finish", "delete", "continue", layer=layer)
            self.assertNotIn("SIGTRAP", result.out, self.describe(result, "stopped at a trap"))
            self.expect_text(result, r"SIGABRT(.|\n)*failing step(.|\n)*assert\(seen(.|\n)*"
                                     r"Breakpoint 1, seen \(\)(.|\n)*#1 .* in work (.|\n)*"
                                     r"Breakpoint 1, seen \(\)(.|\n)*Value returned is \$1 = \d(.|\n)*SIGABRT")

    def test_a_trap_of_the_program_is_a_failure(self):
        text = SOURCE.replace("assert(seen() + 1 == before);", 'if (seen() + 1 != before) __asm__ volatile("int3");')
        (self.folder / "taken.c").write_text(text)
        self.expect_code(self.command("gcc", "-g", "-O0", "-pthread", "taken.c", "-o", "taken"), 0)
        result = self.snarl("run", "--seed", 7, "-n", 1000, "-o", self.out, "--", "./taken")
        self.expect_code(result, 1)
        for layer in gdb_test.LAYERS:
            self.expect_text(self.gdb(layer=layer), r"failing step(.|\n)*work \(unused")


def own_tests():
    """Without those of the class that it builds on."""
    return unittest.TestSuite(GdbTrapsCase(name) for name in vars(GdbTrapsCase) if name.startswith("test_"))


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    if reason := gdb_test.why_not():
        print(f"SKIPPED: {reason}")
        return 77
    return snarl_case.run_suite(own_tests(), arguments)


if __name__ == "__main__":
    sys.exit(main())
