#!/usr/bin/env python3
"""Copies of the fork server have the pages that runs write before they write them, and find in them what was there.
Those of the code that runs use come with the copy.

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

# Notes whether the page of main is still that of the file, after a run that used it; and whether its code and constants
# are as they were, in a mapping of the file.
CODE = """
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdint.h>
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
static int is_named(const char* file) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4096];
  int named = 0;
  while (fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0;
    sscanf(line, "%lx-%lx", &begin, &end);
    if (begin <= (unsigned long)is_named && (unsigned long)is_named < end)
      named = strstr(line, file) != NULL && strstr(line, "r-xp") != NULL;
  }
  fclose(maps);
  return named;
}
int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  const int pagemap = open("/proc/self/pagemap", O_RDONLY);
  uint64_t entry = 0;
  const int read = pread(pagemap, &entry, sizeof entry, (off_t)((uintptr_t)main / 4096 * sizeof entry)) == sizeof entry;
  close(pagemap);
  FILE* notes = fopen(argv[argc - 1], "a");
  fprintf(notes, "%s\\n", (entry >> 61 & 1) ? "file" : "own");
  return fclose(notes) == 0 && read && is_as_in_file() && is_named("/pages") ? 0 : 2;
}
"""

# Before main it makes its code writable, which it then writes, or asks the kernel to let nobody do so any more.
UNUSUAL = """
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
int main(int argc, char** argv);
__attribute__((constructor)) static void prepare(int argc, char** argv) {
  if (strcmp(argv[1], "never") == 0) prctl(65 /* PR_SET_MDWE */, 1, 0, 0, 0);  // since Linux 6.3
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

# Five threads at once, four of them on stacks of their own sizes. Notes for each whether its stack was mapped when main
# began, by the kernel's word for it, where it lies, and that libc says of its size what was asked for.
STACKS = """
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
enum { kThreads = 5 };
static const size_t sizes[kThreads] = {65536, 0, 65536, 131072, 20000};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct { uintptr_t at; int is_as_asked; } seen[kThreads];
static void* work(void* arg) {
  const int own = (int)(intptr_t)arg;
  pthread_attr_t attributes;
  void* begin = NULL;
  size_t size = 0, usual = 0;
  pthread_attr_init(&attributes);
  pthread_attr_getstacksize(&attributes, &usual);
  pthread_attr_destroy(&attributes);
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &begin, &size);
  pthread_attr_destroy(&attributes);
  const size_t asked = sizes[own] == 0 ? usual : sizes[own];
  pthread_mutex_lock(&mutex);
  seen[own].at = (uintptr_t)&size;
  seen[own].is_as_asked = asked - 64 <= size && size < asked + 4096;  // libc aligns it
  pthread_mutex_unlock(&mutex);
  return NULL;
}
static uintptr_t begins[4096], ends[4096];
static int areas;
int main(int argc, char** argv) {
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[4096];
  while (fgets(line, sizeof line, maps) && areas < 4096)
    if (sscanf(line, "%lx-%lx rw", &begins[areas], &ends[areas]) == 2) ++areas;
  fclose(maps);
  pthread_t threads[kThreads];
  for (int i = 0; i < kThreads; ++i) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (sizes[i] != 0 && pthread_attr_setstacksize(&attributes, sizes[i]) != 0) return 2;
    if (pthread_create(&threads[i], &attributes, work, (void*)(intptr_t)i) != 0) return 2;
    pthread_attr_destroy(&attributes);
  }
  for (int i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  FILE* notes = fopen(argv[argc - 1], "a");
  for (int i = 0; i < kThreads; ++i) {
    int mapped = 0;
    for (int k = 0; k < areas; ++k) mapped |= begins[k] <= seen[i].at && seen[i].at < ends[k];
    fprintf(notes, "%d:%d:%lx;", mapped, seen[i].is_as_asked, (unsigned long)seen[i].at);
  }
  fprintf(notes, "\\n");
  return fclose(notes);
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

    def need_ready_pages(self):
        try:
            mmap.mmap(-1, mmap.PAGESIZE).madvise(POPULATE_WRITE)
        except OSError:
            self.skipTest("this kernel makes no pages ready")

    def test_written_pages_are_there(self):
        self.need_ready_pages()
        own = self.own_pages()
        self.assertGreaterEqual(own.count(PAGES), RUNS - 10, own)  # but for the first runs, and those that learn

    def test_only_in_copies(self):
        self.assertEqual(set(self.own_pages("--reset", "exec")), {0})

    def test_used_code_comes_with_the_copy(self):
        self.need_ready_pages()
        for jobs in (1, 2):
            with self.subTest(jobs):
                code = self.noted(CODE, "-j", jobs, "-n", 200)
                self.assertGreaterEqual(code.count("own"), 200 - 25 * jobs, code)  # but for the first runs of each server
                self.assertGreater(code.count("file"), 0)

    # Also in a fresh process, which knows of earlier runs only what the profile says of them.
    def test_stacks_of_other_sizes_are_there(self):
        threads = [[thread.split(":") for thread in line.split(";")[:-1]] for line in self.noted(STACKS, "-j", 1, "-n", 200)]
        self.assertEqual({is_as_asked for run in threads for _, is_as_asked, _ in run}, {"1"})
        ready = ["".join(mapped for mapped, _, _ in run) for run in threads]
        self.assertEqual(ready[0], "01000", "before the first run nothing is known, and one usual stack prepared")
        self.assertEqual(set(ready[-150:]), {"11111"})
        places = {tuple(place for _, _, place in run) for run in threads[-150:]}
        self.assertEqual(len(places), 1, "stacks don't lie where they lay")
        fresh = self.noted(STACKS, "-j", 1, "-n", 20, "--reset", "exec", "--switching", "fibers")[-10:]
        self.assertEqual({tuple(thread.split(":")[2] for thread in line.split(";")[:-1]) for line in fresh}, places)

    def test_programs_that_change_their_code_or_may_not(self):
        program = self.built(UNUSUAL)
        for word in ("write", "never"):
            with self.subTest(word):
                self.expect_code(self.snarl("run", "-p", "random", "-j", 2, "-n", 400, "-o", self.out, "--", program, word), 0)


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(CopiesTest), arguments)


if __name__ == "__main__":
    sys.exit(main())
