"""Programs whose threads are not made of pthread calls alone: they run, or are refused with a sentence, soon."""

import time
import unittest

from real_case import SOURCES, RealCase

# Waits in system calls that nobody can intercept, before a first switch has been made and after.
FUTEX = """
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
static unsigned go, arrived;
static void futex(unsigned* word, long operation, long value) {
  register long none asm("r10") = 0;
  long result;
  asm volatile("syscall" : "=a"(result) : "a"(SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(none)
               : "rcx", "r11", "memory");
}
static void wait_while(unsigned* word, unsigned value) {
  for (unsigned now; (now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) <= value;) futex(word, FUTEX_WAIT_PRIVATE, now);
}
static void* work(void* unused) {
  wait_while(&go, 0);
  __atomic_add_fetch(&arrived, 1, __ATOMIC_RELEASE);
  futex(&arrived, FUTEX_WAKE_PRIVATE, 1);
  return unused;
}
static void* let_go(void* unused) {
  __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
  futex(&go, FUTEX_WAKE_PRIVATE, 1 << 20);
  return unused;
}
int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, work, 0);
  pthread_create(&threads[3], 0, let_go, 0);
  wait_while(&arrived, 2);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], 0);
  return 0;
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
        command = self.compile((SOURCES / "openmp.c").read_text(), "-fopenmp")
        begin = time.monotonic()
        self.once(command, lambda result: self.assertEqual(result.out, "1498500 30\n"))
        self.assertLess((time.monotonic() - begin) / 3, SOON)
        self.explore(command, least_threads=4)

    def test_inline_futex(self):
        command = self.compile(FUTEX, "-pthread")
        begin = time.monotonic()
        self.once(command, lambda result: None)
        self.assertLess((time.monotonic() - begin) / 3, SOON)
        self.explore(command, least_threads=5)

    def test_static(self):
        self.refused(self.compile(THREAD, "-static", "-pthread"), "statically linked")

    def test_go(self):
        self.refused(["fzf", "--version"], "Go program")


if __name__ == "__main__":
    unittest.main(verbosity=1)
