#!/usr/bin/env python3
"""Noise makers at every level of points: a bug that needs the level is found, and repeats; without it, it is not."""
import json
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

PROGRAM = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked, plain, called;
static atomic_int word;
static int look(void) { pthread_mutex_lock(&lock); int seen = locked; pthread_mutex_unlock(&lock); return seen; }
static void set(int n) { pthread_mutex_lock(&lock); locked = n; pthread_mutex_unlock(&lock); }
#if defined(FUNCTION)
__attribute__((noinline)) static void keep(int n) { called = n; }
#endif
static void* work(void* unused) {
#if defined(SYNC)
  set(look() + 1);
#elif defined(ATOMIC)
  int seen = atomic_load(&word);
  atomic_store(&word, seen + 1);
#elif defined(MEMORY)
  ++plain;
#else
  int seen = called;
  keep(seen + 1);
#endif
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  assert(look() + word + plain + called == 2);
  set(0);
}
"""
LEVELS = {"sync": None, "atomic": "sync", "memory": "sync,atomic", "function": "sync,atomic"}  # without it: not found
# Each fails in at least a twentieth of the schedules: none in 1,000 has a chance below 1e-20.
SCHEDULES, WITHOUT = 1000, 100


class NoiseCase(snarl_case.SnarlCase):
    timeout = 120

    def run_noise(self, program, policy, points, schedules):
        return self.snarl("run", "--points", points, "--races", "off", "-p", policy["trial"], "--seed", 3, "-n", schedules,
                          "-o", self.out, "--", program)

    def check(self, level, without):
        source, program = self.folder / "program.c", self.folder / "program"
        source.write_text(PROGRAM)
        built = self.snarl("cc", "-O1", "-UNDEBUG", f"-D{level.upper()}", source, "-o", program)
        self.expect_code(built, 0)
        policies = snarl_case.policies(snarl_case.makes_noise)
        for policy in policies:
            if snarl_case.has_parameter(policy, "variable") and level == "function":
                continue  # an entry has no variable that there could be contention for
            with self.subTest(policy=policy["name"]):
                result = self.run_noise(program, policy, level, SCHEDULES)
                self.expect_code(result, 1)
                finding = self.only_finding(result)
                self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
                again = self.snarl("replay", self.finding_folder(finding), "--times", 3, "--json")
                self.assertEqual(json.loads(again.out)["reproduced"], 3, self.describe(again, "not each time"))
        if without:
            self.expect_code(self.run_noise(program, policies[0], without, WITHOUT), 0)


for name, less in LEVELS.items():
    setattr(NoiseCase, "test_" + name, lambda self, level=name, without=less: self.check(level, without))


if __name__ == "__main__":
    sys.exit(snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(NoiseCase),
                                  snarl_case.argument_parser(__doc__).parse_args()))
