"""Programs whose threads are not made of pthread calls alone: they run, or are refused with a sentence, soon."""

import time
import unittest

from real_case import RealCase

OPENMP = """
#include <stdio.h>
int main(void) {
  long sum = 0, tasks = 0;
  for (int round = 0; round < 3; ++round) {
#pragma omp parallel for num_threads(4) schedule(dynamic, 50) reduction(+ : sum)
    for (int i = 0; i < 1000; ++i) sum += i;
#pragma omp parallel num_threads(4)
#pragma omp single
    for (int i = 0; i < 10; ++i) {
#pragma omp task
      {
#pragma omp critical
        ++tasks;
      }
    }
  }
  printf("%ld %ld\\n", sum, tasks);
  return sum != 1498500 || tasks != 30;
}
"""

THREAD = """
#include <pthread.h>
static void* work(void* unused) { return unused; }
int main(void) {
  pthread_t thread;
  return pthread_create(&thread, 0, work, 0) || pthread_join(thread, 0);
}
"""

SOON = 10  # seconds


class RealRuntimes(RealCase):

    def compile(self, text, *options):
        (self.folder / "program.c").write_text(text)
        self.native("gcc", "-O2", "program.c", "-o", "program", *options)
        return ["./program"]

    def refused(self, command, sentence):
        for verb in ("run", "doctor"):
            begin = time.monotonic()
            result = self.snarl(verb, "--", *command)
            self.assertLess(time.monotonic() - begin, SOON)
            self.assertEqual(result.code, 4, f"{result.command}\n{result.out}\n{result.err}")
            self.assertIn(sentence, result.out + result.err)

    def test_openmp(self):
        """libgomp waits with futexes of its own, in inline system calls: the watchdog finds them asleep."""
        command = self.compile(OPENMP, "-fopenmp")
        begin = time.monotonic()
        self.once(command, lambda result: self.assertEqual(result.out, "1498500 30\n"))
        self.assertLess((time.monotonic() - begin) / 3, SOON)
        self.explore(command, least_threads=4)

    def test_static(self):
        self.refused(self.compile(THREAD, "-static", "-pthread"), "statically linked")

    def test_go(self):
        self.refused(["fzf", "--version"], "Go program")


if __name__ == "__main__":
    unittest.main(verbosity=1)
