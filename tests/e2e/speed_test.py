#!/usr/bin/env python3
"""Thread speeds of real programs: serially by vectors, counted in calls (stripped programs too), and in parallel."""
import json
import sys
import unittest

import snarl_case

# Two threads count calls of their own until one is done; then both say how far they were.
RACE = """
#include <cstdio>
#include <thread>
static int done[2];
static volatile bool over;
extern "C" __attribute__((noipa)) void called(int) {}
static void work(int me, int calls) {
  for (int i = 0; i < calls && !over; ++i) { called(i); ++done[me]; }
  over = true;
}
int main() {
  std::thread a(work, 0, 2000), b(work, 1, 2000);
  a.join(); b.join();
  std::printf("%d %d\\n", done[0], done[1]);
}
"""
# The same with a library call, which nothing hooks, and a lock of its own for each of them.
LOCKS = """
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
static int done[2];
static volatile bool over;
static std::mutex locks[2];
static void work(int me, int calls) {
  for (int i = 0; i < calls && !over; ++i) { std::lock_guard guard(locks[me]); ++done[me]; }
  over = true;
}
int main() {
  std::thread a(work, 0, 20000), b(work, 1, 20000);
  a.join(); b.join();
  std::printf("%d %d\\n", done[0], done[1]);
}
"""
LIBRARY_CALLS = RACE.replace("called(i);", "if (std::labs(i) < 0) return;").replace(
    "#include <thread>", "#include <thread>\n#include <cstdlib>")


class SpeedCase(snarl_case.SnarlCase):
    def built(self, text, *words):
        source = self.folder / "program.cc"
        source.write_text(text)
        binary = self.folder / "program"
        made = self.command("g++", "-std=c++20", "-O1", "-fno-builtin", source, *words, "-pthread", "-o", binary)
        self.expect_code(made, 0)
        return binary

    def ratio(self, binary, policy):
        """Of the events of T1 to those of T2, as the program itself counts them."""
        result = self.snarl("run", "--once", "--seed", "3", "-p", policy, "--", binary)
        self.expect_code(result, 0)
        a, b = map(int, result.out.split())
        return a / max(b, 1)


class Serial(SpeedCase):
    def test_points_follow_the_vector(self):
        binary = self.built(LOCKS)
        for speed, expected in (("1,0.25,1", 0.25), ("1,1,0.125", 8), ("0.01,1,1", 1)):
            self.assertAlmostEqual(self.ratio(binary, f"speed:vector={speed}") / expected, 1, delta=0.02)

    def test_calls_follow_the_vector(self):
        for words in ((), ("-s",), ("-static-libstdc++", "-s")):
            binary = self.built(RACE, *words)
            self.assertAlmostEqual(self.ratio(binary, "speed:events=function,vector=1,0.25,1"), 0.25, delta=0.02)
            # Without points in it, the thread that comes first has all of its calls at once.
            self.assertFalse(0.01 < self.ratio(binary, "speed:vector=1,0.25,1") < 100)

    def test_library_calls_are_counted_at_their_slots(self):
        binary = self.built(LIBRARY_CALLS, "-s")
        self.assertAlmostEqual(self.ratio(binary, "speed:events=function,vector=1,1,0.125"), 8, delta=0.5)

    def test_the_summary_says_what_is_counted(self):
        binary = self.built(RACE, "-s")
        result = self.snarl("run", "--seed", "1", "-p", "speed:events=function", "-n", "3", "-o", self.out, "--", binary)
        self.assertRegex(result.out + result.err, r"calls are counted at functions and slots of libraries: \d+")

    def test_a_schedule_repeats_by_its_number(self):
        binary = self.built(LOCKS)
        first = [self.ratio(binary, "speed") for _ in range(2)]
        self.assertEqual(first[0], first[1])


class Parallel(SpeedCase):
    def test_threads_have_their_shares_at_the_same_time(self):
        binary = self.built(LOCKS)
        for vector, expected in (("1,0.25,1", 0.25), ("1,1,0.125", 8)):
            ratio = self.ratio(binary, f"speed:mode=parallel,interval=128,vector={vector}")
            # To within an interval of 128 points, which are 43 locks, of some thousand.
            self.assertAlmostEqual(ratio / expected, 1, delta=0.1)

    def test_blocked_threads_do_not_hold_up_the_others(self):
        program = """
#include <condition_variable>
#include <mutex>
#include <thread>
static std::mutex lock; static std::condition_variable changed; static int turn, sum;
static void work(int me) {
  for (int i = 0; i < 300; ++i) {
    std::unique_lock guard(lock);
    changed.wait(guard, [me] { return turn % 2 == me; });
    ++turn; ++sum;
    changed.notify_all();
  }
}
int main() { std::thread a(work, 0), b(work, 1); a.join(); b.join(); return sum == 600 ? 0 : 1; }
"""
        binary = self.built(program)
        result = self.snarl("run", "--seed", "1", "-p", "speed:mode=parallel", "-n", "42", "--keep-going", "--json",
                            "-o", self.out, "--", binary)
        self.expect_code(result, 0)
        self.assertEqual(json.loads(result.out)["failing_schedules"], 0)


class Words(SpeedCase):
    def test_wrong_lists_are_refused_with_their_form(self):
        for policy, text in (("speed:vector=1,0", "vector"), ("speed:basis=1", "basis"), ("speed:vector=", "S,S"),
                             ("speed:interval=5", "128"), ("speed:mode=both", "serial, parallel")):
            result = self.snarl("run", "-p", policy, "--", "/bin/true")
            self.expect_code(result, 2)
            self.assertIn(text, result.err)


if __name__ == "__main__":
    sys.exit(snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]),
                                  snarl_case.argument_parser(__doc__).parse_args()))
