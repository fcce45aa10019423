#!/usr/bin/env python3
"""Copies of the fork server have the pages that runs write before they write them, and find in them what was there.
Servers of several workers have the program's code in memory of their own.

  SNARL=build/snarl copies_test.py --programs build/programs
"""

import mmap
import os
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

# Notes where the pages of main come from, and whether its code and constants are still those of its file.
CODE = """
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char kConstant[] = "a constant";
static void* work(void* arg) { return arg; }
static int is_as_in_file(void) {
  extern const char __executable_start, etext;
  const size_t size = (size_t)(&etext - &__executable_start);
  char* held = malloc(size);
  FILE* file = fopen("/proc/self/exe", "r");
  const int same = fread(held, 1, size, file) == size && memcmp(held, &__executable_start, size) == 0;
  fclose(file);
  free(held);
  return same && strcmp(kConstant, "a constant") == 0;
}
int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  FILE *maps = fopen("/proc/self/maps", "r"), *notes = fopen(argv[argc - 1], "a");
  char line[4096];
  while (fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0;
    sscanf(line, "%lx-%lx", &begin, &end);
    if (begin <= (unsigned long)main && (unsigned long)main < end) fprintf(notes, "%s", strstr(line, "snarl-code") ? "own\\n" : "shared\\n");
  }
  fclose(maps);
  return fclose(notes) == 0 && is_as_in_file() ? 0 : 2;
}
"""

# Before main it makes its code writable, which it then writes, or may not write to files any more.
UNUSUAL = """
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
int main(int argc, char** argv);
__attribute__((constructor)) static void prepare(int argc, char** argv) {
  const struct rlimit none = {0, RLIM_INFINITY};
  if (strcmp(argv[1], "limit") == 0) setrlimit(RLIMIT_FSIZE, &none);
  if (strcmp(argv[1], "write") == 0) mprotect((void*)((uintptr_t)main & -4096ul), 4096, PROT_READ | PROT_WRITE | PROT_EXEC);
}
static void* work(void* arg) { return arg; }
int main(int argc, char** argv) {
  volatile char* code = (volatile char*)(uintptr_t)main;
  if (strcmp(argv[1], "write") == 0) *code = *code;
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  return pthread_join(thread, NULL);
}
"""


class CopiesTest(snarl_case.SnarlCase):
    def built(self, text):
        source, program = self.folder / "pages.c", self.folder / "pages"
        source.write_text(text)
        self.expect_code(self.command("gcc", "-O1", source, "-pthread", "-o", program), 0)
        return program

    def noted(self, text, *words):
        notes = self.folder / "notes"
        notes.write_text("")
        self.expect_code(self.snarl("run", "-p", "random", *words, "-o", self.out, "--", self.built(text), notes), 0)
        return notes.read_text().split()

    def own_pages(self, *words):
        return [int(line) for line in self.noted(PROGRAM, "-j", 1, "-n", RUNS, *words)]

    def test_written_pages_are_there(self):
        try:
            mmap.mmap(-1, mmap.PAGESIZE).madvise(POPULATE_WRITE)
        except OSError:
            self.skipTest("this kernel makes no pages ready")
        own = self.own_pages()
        self.assertGreaterEqual(own.count(PAGES), RUNS - 10, own)  # but for the first runs, and those that learn

    def test_only_in_copies(self):
        self.assertEqual(set(self.own_pages("--reset", "exec")), {0})

    def test_two_servers_share_no_code(self):
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one core: one worker")
        code = self.noted(CODE, "-j", 2, "-n", 400)
        self.assertGreaterEqual(code.count("own"), 200, code)  # but for the first runs of each
        self.assertGreater(code.count("shared"), 0)

    def test_one_server_has_that_of_the_files(self):
        self.assertEqual(set(self.noted(CODE, "-j", 1, "-n", 400)), {"shared"})

    def test_programs_that_change_their_code_or_may_write_no_file(self):
        program = self.built(UNUSUAL)
        for word in ("write", "limit"):
            with self.subTest(word):
                self.expect_code(self.snarl("run", "-p", "random", "-j", 2, "-n", 400, "-o", self.out, "--", program, word), 0)


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(CopiesTest), arguments)


if __name__ == "__main__":
    sys.exit(main())
