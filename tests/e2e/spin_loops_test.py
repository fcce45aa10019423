#!/usr/bin/env python3
"""Loops without schedule points, in plain code: a thread that spins in one is found once, the summary names the place,
and the load that it waits with is a point from then on. Loops that do work are left as they are."""
import shutil
import sys
import unittest

import snarl_case

COMPILERS = [compiler for compiler in ("gcc", "clang") if shutil.which(compiler)]
LEVELS = ("-O0", "-O1", "-O2")
LEAST_RATE = 80  # schedules per CPU second; stopped by the watchdog in each schedule, there would be 8

SPIN = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int flags[9];
int count, number;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int all_are_set(void) {
  for (int i = 0; i < count; ++i)
    if (!atomic_load_explicit(&flags[i], memory_order_acquire)) return 0;
  return 1;
}
static void add(int what) { pthread_mutex_lock(&lock); number += what; pthread_mutex_unlock(&lock); }
void* work(void* unused) {
  if (count == 1) while (!atomic_load_explicit(&flags[0], memory_order_acquire)) {}  // one
  else while (!all_are_set()) {}  // nine
  add(1);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t threads[2];
  count = atoi(argv[1]);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < count; ++i) { add(10); atomic_store_explicit(&flags[i], 1, memory_order_release); }
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return number == 2 + 10 * count ? 0 : 1;
}
"""

# The update of two threads that is lost is behind the loop.
WRONG = """
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>
std::atomic<bool> go;
std::mutex lock;
int number;
int get() { std::lock_guard guard(lock); return number; }
void set(int value) { std::lock_guard guard(lock); number = value; }
void work() {
  while (!go.load(std::memory_order_acquire)) {}  // here
  set(get() + 1);
}
int main() {
  std::thread a(work), b(work);
  go.store(true, std::memory_order_release);
  a.join(), b.join();
  assert(number == 2);
}
"""

# Some 200 ms of work without a point, and what must come out of it, found in another way.
WORK = """
#include <pthread.h>
#include <stdint.h>
enum { kRounds = 300000000 };
#define A 6364136223846793005u
#define C 1442695040888963407u
uint64_t sums[2];
void* work(void* which) {
  uint64_t sum = 1;
  for (long i = 0; i < kRounds; ++i) sum = sum * A + C;
  sums[(uintptr_t)which] = sum;
  return 0;
}
int main(void) {
  pthread_t threads[2];
  uint64_t factor = 1, sum = 0, a = A, c = C;
  for (long n = kRounds; n != 0; n /= 2, c = c * a + c, a *= a)
    if (n % 2 == 1) factor *= a, sum = sum * a + c;
  for (uintptr_t i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, (void*)i);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return sums[0] == factor + sum && sums[1] == factor + sum ? 0 : 1;
}
"""

# It gets on, as far as anybody can tell from the outside.
COUNTS = WRONG.replace("while (!go.load(std::memory_order_acquire)) {}", """
  static thread_local volatile long rounds;
  while (!go.load(std::memory_order_acquire)) rounds = rounds + 1;""").replace(
      "assert(number == 2)", "assert(number >= 1)")


def line_of(text, mark):
    return next(n for n, line in enumerate(text.splitlines(), 1) if mark in line)


class SpinCase(snarl_case.SnarlCase):
    def built(self, name, text, compiler, *words):
        source = self.folder / (name + (".cc" if compiler.endswith("++") else ".c"))
        source.write_text(text)
        binary = self.folder / (name + compiler + "".join(words))
        self.expect_code(self.command(compiler, "-g", *words, source, "-pthread", "-o", binary), 0)
        return binary

    def explored(self, *words, code=0, schedules=800):
        result = self.snarl("run", "--seed", "1", "-n", schedules, "-t", "30s", "-o", self.out, *words)
        self.expect_code(result, code)
        return result

    def expect_point(self, result, place):
        loops = self.summary(result).get("spin_loops", [])
        self.assertEqual([(loop["place"], loop["is_point"]) for loop in loops], [(place, True)],
                         self.describe(result, "the loop is not named as a point"))
        self.expect_text(result, f"spins at {place} in ")

    def expect_rate(self, result):
        summary = self.summary(result)
        rate = summary["schedules"] / summary["cpu_seconds"]
        self.assertGreater(rate, LEAST_RATE, self.describe(result, "too slow"))

    def check_spin(self, flags, mark):
        place = f"spin.c:{line_of(SPIN, mark)}"
        for compiler in COMPILERS:
            for level in LEVELS:
                with self.subTest(compiler=compiler, level=level):
                    result = self.explored("--", self.built("spin", SPIN, compiler, level), flags)
                    self.expect_rate(result)
                    loops = self.summary(result).get("spin_loops", [])
                    self.assertTrue(loops and all(loop["is_point"] for loop in loops), self.describe(result, "no point"))
                    if flags == 1:
                        self.expect_point(result, place)

    def test_one_flag(self):
        self.check_spin(1, "// one")

    def test_nine_flags(self):
        self.check_spin(9, "// nine")

    def test_on_gates(self):
        result = self.explored("--switching", "gates", "--", self.built("spin", SPIN, "gcc", "-O1"), 1, schedules=400)
        self.expect_point(result, f"spin.c:{line_of(SPIN, '// one')}")
        self.assertGreater(self.summary(result)["schedules"], 399, self.describe(result, "too slow"))

    def test_without_atomic_points(self):
        self.expect_rate(self.explored("--points", "sync", "--", self.built("spin", SPIN, "gcc", "-O1"), 1))

    def test_what_is_behind_the_loop_is_found_and_replayed(self):
        for level in LEVELS:
            with self.subTest(level=level):
                result = self.explored("--", self.built("wrong", WRONG, "g++", "-std=c++20", level), code=1)
                self.expect_point(result, f"wrong.cc:{line_of(WRONG, '// here')}")
                schedule = self.finding_folder(self.only_finding(result)) / "schedule.snarl"
                self.assertRegex(schedule.read_text(), r"(?m)^spin m\d+\+0x[0-9a-f]+$")
                replay = self.snarl("replay", schedule, "--times", "20")
                self.expect_code(replay, 1)
                self.expect_text(replay, "20 of 20")

    def test_a_seed_means_the_same_for_any_number_of_workers(self):
        binary = self.built("wrong", WRONG, "g++", "-std=c++20", "-O1")
        seen = set()
        for jobs in (1, 2, 3):
            summary = self.summary(self.explored("-j", jobs, "--keep-going", "--", binary, code=1, schedules=300))
            repeatable = summary["repeatable"]
            self.assertEqual(repeatable["same"], repeatable["of"], summary)
            seen.add((summary["failing_schedules"], summary["distinct_schedules"], summary["findings"][0]["index"]))
        self.assertEqual(len(seen), 1, seen)

    def test_work_is_left_alone(self):
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                result = self.explored("--", self.built("work", WORK, "gcc", level), schedules=2)
                self.assertEqual(self.summary(result).get("spin_loops", []), [], self.describe(result, "a loop is named"))

    def test_a_loop_that_counts_is_named_and_no_point(self):
        result = self.explored("-j", 1, "--slice", "200ms", "--", self.built("counts", COUNTS, "g++", "-std=c++20", "-O1"),
                               schedules=6)
        loops = self.summary(result)["spin_loops"]
        self.assertEqual([loop["is_point"] for loop in loops], [False] * len(loops), loops)
        self.assertIn("counts.cc", loops[0]["place"], loops)


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(SpinCase), arguments)


if __name__ == "__main__":
    sys.exit(main())
