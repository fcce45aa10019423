#!/usr/bin/env python3
"""Copies of the fork server have the pages that runs write before they write them, and find in them what was there.

  SNARL=build/snarl copies_test.py --programs build/programs
"""

import mmap
import sys
import unittest

import snarl_case

POPULATE_WRITE = 23  # MADV_POPULATE_WRITE, which Python has no name for
PAGES = 32
RUNS = 60

# Notes how many of the pages that it is going to write are its own already, by the kernel's word for it.
PROGRAM = """
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
enum { kPage = 4096, kPages = 32 };
static char data[kPages * kPage] __attribute__((aligned(4096))) = {1};
static char zeros[kPage] __attribute__((aligned(4096)));
static int is_own(int pagemap, const char* page) {
  uint64_t entry = 0;
  if (pread(pagemap, &entry, sizeof entry, (off_t)((uintptr_t)page / kPage * sizeof entry)) != sizeof entry) return 0;
  return (entry >> 56 & 1) && (entry >> 61) == 4;  // present, not the file's
}
static void* work(void* arg) { return arg; }
int main(int argc, char** argv) {
  const int pagemap = open("/proc/self/pagemap", O_RDONLY), notes = open(argv[argc - 1], O_WRONLY | O_APPEND);
  int own = 0;
  for (int i = 0; i < kPages; ++i) {
    own += is_own(pagemap, data + i * kPage);
    if (data[i * kPage] != (i == 0) || memcmp(data + i * kPage + 1, zeros + 1, kPage - 1) != 0) return 3;
  }
  memset(data, 7, sizeof data);
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  return dprintf(notes, "%d\\n", own) > 0 ? 0 : 2;
}
"""


class CopiesTest(snarl_case.SnarlCase):
    def noted(self, *words):
        source, program, notes = (self.folder / name for name in ("pages.c", "pages", "notes"))
        source.write_text(PROGRAM)
        notes.write_text("")
        self.expect_code(self.command("gcc", "-O1", source, "-pthread", "-o", program), 0)
        self.expect_code(self.snarl("run", "-j", 1, "-p", "random", "-n", RUNS, *words, "-o", self.out, "--", program, notes), 0)
        return [int(line) for line in notes.read_text().split()]

    def test_written_pages_are_there(self):
        try:
            mmap.mmap(-1, mmap.PAGESIZE).madvise(POPULATE_WRITE)
        except OSError:
            self.skipTest("this kernel makes no pages ready")
        own = self.noted()
        self.assertGreaterEqual(own.count(PAGES), RUNS - 10, own)  # but for the first runs, and those that learn

    def test_only_in_copies(self):
        self.assertEqual(set(self.noted("--reset", "exec")), {0})


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(CopiesTest), arguments)


if __name__ == "__main__":
    sys.exit(main())
