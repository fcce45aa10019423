#!/usr/bin/env python3
"""Distinct partial orders: how many a program has is found, on every layer and with any number of workers; what has no
name counts as well; and how many are left is said while there are some.

  SNARL=build/snarl orders_test.py --programs build/programs
"""

import sys

import snarl_case

PROGRAMS = None

# Three threads, and a mutex that has no name, on the heap.
ON_THE_HEAP = """
#include <mutex>
#include <thread>
#include <vector>
int main() {
  auto* mutex = new std::mutex;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([mutex] { for (int j = 0; j < 2; ++j) { std::lock_guard<std::mutex> hold(*mutex); } });
  for (auto& thread : threads) thread.join();
  delete mutex;
}
"""
OF_THREE = 90  # 6! / (2! 2! 2!)

# Each thread has a mutex of its own, whose block may lie where another's was.
EACH_ITS_OWN = """
#include <mutex>
#include <thread>
int main() {
  auto work = [] {
    for (int i = 0; i < 3; ++i) {
      auto* mutex = new std::mutex;
      mutex->lock();
      mutex->unlock();
      delete mutex;
    }
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}
"""


class OrdersCase(snarl_case.SnarlCase):
    def explore(self, program, *more, count=4000, policy="surw"):
        result = self.snarl("run", "-p", policy, "-n", count, "--seed", "5", *more, "-o", self.out, "--", program)
        self.expect_code(result, 0)
        return result, self.summary(result)

    def build(self, source):
        (self.folder / "program.cc").write_text(source)
        snarl_case.run(["g++", "-O1", "-g", "program.cc", "-o", "program"], check=True, cwd=self.folder)
        return self.folder / "program"


class CountTest(OrdersCase):
    # Each of the 70 has more than 1 in 200 of surw's draws, which are nearly uniform: one is missed with less than 1e-11.
    def test_all_orders_of_two_threads_are_found_and_nothing_is_left(self):
        for more in ([], ["--switching", "gates"], ["-j", "3"]):
            result, summary = self.explore(PROGRAMS / "correct/four_locks.O0", *more, count=6000)
            orders = summary["orders"]
            self.assertEqual((orders["schedules"], orders["distinct"], orders["left"]), (6000, 70, 0), more)
            self.assertGreater(summary["distinct_schedules"], 1000)
            self.expect_text(result, "70 partial orders, no new one in the last ")

    def test_few_schedules_leave_some(self):
        result, summary = self.explore(PROGRAMS / "correct/four_locks.O0", count=63)
        orders = summary["orders"]
        self.assertLess(orders["distinct"], 64)
        self.assertGreater(orders["left"], 0)
        self.expect_text(result, f"{orders['distinct']} partial orders, and at least {orders['left']} left by estimate")

    def test_what_has_no_name_counts_on_every_layer(self):
        program = self.build(ON_THE_HEAP)
        for more in ([], ["--switching", "gates"], ["--points", "sync"]):
            _, summary = self.explore(program, *more, count=10000)
            self.assertEqual(summary["orders"]["distinct"], OF_THREE, more)

    def test_what_threads_do_not_share_is_one_order(self):
        program = self.build(EACH_ITS_OWN)
        _, summary = self.explore(program, count=2000, policy="random")
        self.assertGreater(summary["distinct_schedules"], 1000)
        self.assertEqual(summary["orders"]["distinct"], 1)

    def test_off_changes_nothing_else(self):
        seen = []
        for orders in ("on", "off"):
            _, summary = self.explore(PROGRAMS / "correct/ping_pong.O0", "--orders", orders, count=300, policy="pct:depth=3")
            seen.append([summary[key] for key in ("schedules", "distinct_schedules", "steps", "profiles")])
            self.assertEqual(summary["orders"]["schedules"], 300 if orders == "on" else 0)
        self.assertEqual(seen[0], seen[1])


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of({"count": CountTest}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
