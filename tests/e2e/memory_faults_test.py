#!/usr/bin/env python3
"""Accesses that fault, in programs with memory points: each fault has one place, that of the access itself, though the
hooks look at what is accessed before it is."""
import sys
import unittest

import snarl_case

POINTER = """
#include <pthread.h>
double cell[2], *p = cell, out[2];
__attribute__((noinline)) double sum(double *q) { double s = 0; for (int i = 0; i < 2; i++) s += q[i]; return s; }
void *a(void *) { out[0] = sum(p); return 0; }
void *b(void *) { p[0] = 1; p[1] = 2; out[1] = sum(p); p = 0; return 0; }
int main() { pthread_t x, y; pthread_create(&x,0,a,0); pthread_create(&y,0,b,0); pthread_join(x,0); pthread_join(y,0); }
"""
# The same text is measured twice: before its point, by the hook, and by libc.
TEXT = """
#include <pthread.h>
#include <string.h>
char word[] = "word", *volatile text = word;
volatile size_t length;
void *measure(void *) { length = strlen(text); return 0; }
void *forget(void *) { text = nullptr; return 0; }
int main() { pthread_t x, y; pthread_create(&x,0,measure,0); pthread_create(&y,0,forget,0); pthread_join(x,0); pthread_join(y,0); }
"""
COUNT = """
#include <atomic>
#include <thread>
std::atomic<int> one, *volatile count = &one;
int main() { std::thread x([] { count->fetch_add(1); }), y([] { count = nullptr; }); x.join(); y.join(); }
"""
# Goes on after the fault: the handler must be called once, for the access.
HANDLED = """
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
int cell, *volatile p = &cell;
volatile int faults;
sigjmp_buf back;
void caught(int) { ++faults; siglongjmp(back, 1); }
void *look(void *) { volatile int seen = 0; for (int i = 0; i < 3; i++) if (sigsetjmp(back, 1) == 0) seen = *p; return 0; }
void *forget(void *) { p = (int*)8; return 0; }
int main() {
  signal(SIGSEGV, caught);
  pthread_t x, y;
  pthread_create(&x,0,look,0); pthread_create(&y,0,forget,0); pthread_join(x,0); pthread_join(y,0);
  if (faults > 3) abort();
}
"""


class MemoryFaults(snarl_case.SnarlCase):
    def built(self, text):
        (self.folder / "n.cc").write_text(text)
        self.expect_code(self.snarl("c++", "-O1", "-g", "-pthread", "n.cc", "-o", "n"), 0)
        return "./n"

    def expect_one_finding(self, text, points):
        program = self.built(text)
        result = self.snarl("run", "--points", points, "--races", "off", "-j1", "-n", 600, "--seed", 2,
                            "--keep-going", "-o", self.out, "--", program)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        self.assertGreater(finding["schedules"], 10, self.describe(result, "rarely met"))
        again = self.snarl("replay", self.out, "--times", 10, "-q")
        self.expect_text(again, r"10 of 10")
        return finding

    def test_plain_access(self):
        for points in ("memory", "memory:all"):
            with self.subTest(points):
                self.assertIn("sum", self.expect_one_finding(POINTER, points)["summary"])

    def test_text(self):
        self.assertIn("measure", self.expect_one_finding(TEXT, "memory:all")["summary"])

    def test_atomic(self):
        self.expect_one_finding(COUNT, "memory:all")

    def test_handler_of_the_program(self):
        program = self.built(HANDLED)
        result = self.snarl("run", "--points", "memory:all", "--races", "off", "-j1", "-n", 300, "--seed", 2,
                            "-o", self.out, "--", program)
        self.expect_code(result, 0)


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(MemoryFaults), arguments)


if __name__ == "__main__":
    sys.exit(main())
