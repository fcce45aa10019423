#!/usr/bin/env python3
"""How runs and explorations end: killed, too long, with nothing new to draw; and what that cost.

  SNARL=build/snarl endings_test.py --programs build/programs [--part killed|budget|exhausted|cost|limits]
"""

import os
import re
import subprocess
import sys
import time

import snarl_case

PROGRAMS = None  # set by main

# The second thread may see what the first has set.
SETS = r"""
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int set;
static long total;
static void work(pthread_mutex_t *lock, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    pthread_mutex_lock(lock);
    ++total;
    pthread_mutex_unlock(lock);
  }
}
static void *first(void *unused) {
  FIRST;
  return unused;
}
static void *second(void *unused) {
  pthread_mutex_lock(&mutex);
  int seen = set;
  pthread_mutex_unlock(&mutex);
  SECOND;
  return (void *)(long)(seen && unused);
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
SET = "pthread_mutex_lock(&mutex); set = 1; pthread_mutex_unlock(&mutex)"


def two_threads(second, first=SET):
    return SETS.replace("FIRST", first).replace("SECOND", second)


# Half of the schedules end by that.
def killed(end):
    return two_threads(f"if (seen) {end}")


# Correct, and long.
LOCKS = two_threads("work(&other, 250000)", first="work(&other, 250000)")
# Long only if the second thread comes first.
SOMETIMES_LONG = two_threads("work(&other, seen ? 1 : 2000)")
# Fails after 6,000 steps, if the first thread has not come by then.
FAILS_LATE = two_threads("work(&other, 2000); if (!set) kill(getpid(), SIGABRT)")

# Correct: one waits for 64 flags of the other, which is never seen as a spin of few places.
FLAGS = r"""
#include <atomic>
#include <thread>
std::atomic<int> flag[64];
int main() {
  std::thread waits([] {
    for (bool all = false; !all;) {
      all = true;
      for (auto &f : flag) all = f.load() != 0 && all;
    }
  });
  std::thread sets([] {
    for (auto &f : flag) f.store(1);
  });
  waits.join();
  sets.join();
}
"""


class EndingCase(snarl_case.SnarlCase):
    def built(self, name, text):
        source, program = self.folder / f"{name}.c", self.folder / name
        source.write_text(text)
        snarl_case.run(["cc", "-g", "-O1", "-pthread", "-o", program, source], check=True, timeout=60)
        return program

    def explore(self, program, *options):
        return self.snarl("run", "--seed", 1, "-o", self.out, *options, "--", program)


class KilledTest(EndingCase):
    def expect_killed(self, name, end):
        program = self.built(name, killed(end))
        result = self.explore(program, "-n", 100, "-p", "random")
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["kind"], "signal", self.describe(result, "another kind"))
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        self.expect_text(result, "SIGKILL")
        replayed = self.snarl("replay", "-q", "--times", 5, self.out)
        self.expect_code(replayed, 1)
        self.expect_text(replayed, "signal again, 5 of 5")
        return finding

    def test_by_itself(self):
        for name, end in (("kills", "kill(getpid(), SIGKILL)"), ("raises", "raise(SIGKILL)"),
                          ("all", "kill(0, SIGKILL)")):
            with self.subTest(end=end):
                self.assertIn(f"{name}.c:", self.expect_killed(name, end)["place"])

    def test_unseen(self):
        """As the kernel does it when memory is short: nobody inside can tell where."""
        self.expect_killed("unseen", "syscall(SYS_kill, getpid(), SIGKILL)")

    def test_in_each_run(self):
        program = self.built("always", two_threads("kill(getpid(), SIGKILL)"))
        result = self.explore(program, "-n", 20)
        self.expect_code(result, 5)  # without snarl, too
        self.assertEqual(self.only_finding(result)["kind"], "signal")


# Each run takes so many microseconds, as the clock on the wall says.
def takes(microseconds, end=""):
    return two_threads("", first=f"usleep({microseconds}); {SET}").replace("return 0;\n}\n", f"{end}; return 0;\n}}\n")


class LimitsTest(EndingCase):
    """-t is a limit: 2 s more, however long a run takes. A failure has --after-finding for all that follows it. The
    bounds here leave room for a busy machine, and are still less than what the runs would take."""

    def expect_within(self, result, seconds):
        self.assertLess(result.seconds, seconds, self.describe(result, "took longer than its limit"))

    def test_no_run_ends_in_time(self):
        program = self.built("long", takes(8_000_000))
        result = self.explore(program, "-t", "2s", "--time", "real")
        self.expect_code(result, 4)
        self.expect_text(result, "nothing was tested: not one schedule came to its end in the time given")
        self.expect_within(result, 7)

    def test_the_self_check_is_within(self):
        """Twenty repetitions would take longer than all the time given."""
        program = self.built("long", takes(700_000))
        result = self.explore(program, "-t", "5s", "--time", "real", "-j", 1)
        self.expect_code(result, 0)
        self.expect_within(result, 8.5)
        self.assertGreater(self.summary(result)["repeatable"]["of"], 0)

    def test_a_failure_is_confirmed_within_its_time(self):
        program = self.built("fails", takes(1_500_000, "if (set) abort()").replace("<signal.h>", "<signal.h>\n#include <stdlib.h>"))
        options = ("-n", 20, "--time", "real", "-p", "random")
        result = self.explore(program, *options, "--after-finding", "1s")
        self.expect_code(result, 1)
        self.assertFalse(self.only_finding(result)["confirmed"])
        self.expect_text(result, r"NOT CONFIRMED: no fresh process failed so within 1 s \(--after-finding\)")
        result = self.explore(program, *options, "--after-finding", 0)
        self.expect_code(result, 1)
        self.expect_text(result, r"NOT CONFIRMED: no fresh process was to try it \(--after-finding 0\)")
        self.assertEqual(self.summary(result)["unconfirmed"], 1)


class BudgetTest(EndingCase):
    def test_long_and_correct(self):
        program = self.built("locks", LOCKS)
        result = self.explore(program, "-t", "3s", "-j", 1)
        self.expect_code(result, 4)
        self.assertEqual(self.summary(result)["findings"], [])
        self.assertEqual(self.summary(result)["too_long"], self.summary(result)["schedules"])
        self.assertGreater(self.summary(result)["too_long"], 0)
        self.assertLess(self.summary(result)["seconds"], 6, self.describe(result, "-t 3s took longer"))
        steps = re.search(r"--steps (\d+)", result.err)
        self.assertTrue(steps, self.describe(result, "no number to raise"))
        raised = self.explore(program, "-n", 2, "-p", "random", "--steps", steps[1])
        self.expect_code(raised, 0)
        self.assertEqual(self.summary(raised)["too_long"], 0)
        bisected = self.explore(program, "-n", 1, "-p", "random", "--bisect")
        self.expect_code(bisected, 125)

    def test_some_are_too_long(self):
        program = self.built("sometimes", SOMETIMES_LONG)
        result = self.explore(program, "-n", 60, "-p", "random", "--steps", 1000)
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertGreater(summary["too_long"], 0)
        self.assertLess(summary["too_long"], summary["schedules"])
        self.expect_text(result, rf"{summary['too_long']} of 60 schedules took more than 1,000 steps")

    def test_a_replay_within_fewer_steps(self):
        """A replay may take ten times its budget. Where that does not end it, it neither failed nor passed."""
        program = self.built("late", FAILS_LATE)
        self.expect_code(self.explore(program, "-n", 200, "-p", "pct:depth=1"), 1)
        self.expect_text(self.snarl("replay", "-q", self.out), "signal again, 1 of 1")
        replayed = self.snarl("replay", "-q", "--steps", 100, self.out)
        self.expect_code(replayed, 4)
        self.expect_text(replayed, r"no verdict, as it took more than 100 steps \(--steps gives more\), 1 of 1")

    def test_a_spin_over_many_flags(self):
        source, program = self.folder / "flags.cc", self.folder / "flags"
        source.write_text(FLAGS)
        self.expect_code(self.snarl("c++", "-O1", "-g", "-pthread", source, "-o", program), 0)
        result = self.explore(program, "-n", 12, "-p", "pct:depth=1", "--points", "memory", "--races", "off",
                              "--steps", 20000, "--fairness", "off")
        self.expect_code(result, 0, 4)
        self.assertEqual(self.summary(result)["findings"], [], self.describe(result, "a false livelock"))
        self.assertGreater(self.summary(result)["too_long"], 0)


class ExhaustedTest(EndingCase):
    def run_to_the_end(self, jobs, *policies):
        """A program of few schedules; fairness off, as it makes new ones now and then."""
        options = [word for policy in policies for word in ("-p", policy)]
        program = self.built("short", two_threads("(void)0"))
        result = self.explore(program, "-t", "100s", "--fairness", "off", "-j", jobs, *options)
        self.expect_code(result, 0)
        return result, self.summary(result)

    def test_ends_by_itself(self):
        result, one = self.run_to_the_end(1, "preempt-bound:bound=0")
        self.assertTrue(one["exhausted"], self.describe(result, "not exhausted"))
        self.expect_text(result, "exhausted: ")
        self.assertGreaterEqual(one["schedules"], 6908)
        self.assertLess(one["schedules"], 6908 + 1024 + 500)
        _, two = self.run_to_the_end(2, "preempt-bound:bound=0")
        for key in ("schedules", "distinct_schedules", "exhausted"):
            self.assertEqual(one[key], two[key], key)

    def test_a_policy_with_one_schedule(self):
        _, summary = self.run_to_the_end(2, "delay-bound:bound=0")
        self.assertEqual([summary["schedules"], summary["exhausted"]], [1, True])


class CostTest(EndingCase):
    def test_all_processes_count(self):
        """The kernel's own account of snarl and of all that it waited for."""
        process = subprocess.Popen([snarl_case.snarl_binary(), "run", "-p", "random", "-n", "3000", "-j", "2", "-o",
                                    self.out, "--", PROGRAMS / "correct" / "ping_pong.O0"], cwd=self.folder,
                                   env=snarl_case.environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        with snarl_case.limited(process, self.timeout):
            _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        used = usage.ru_utime + usage.ru_stime
        said = self.summary(snarl_case.Result(0, "", "", 0, 0, "run", False))["cpu_seconds"]
        # The start and the self-check at the end are not part of the exploration.
        self.assertLessEqual(said, used)
        self.assertGreaterEqual(said, used * 0.9 - 0.1, f"{said} of {used} s")


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parts = {"killed": KilledTest, "budget": BudgetTest, "exhausted": ExhaustedTest, "cost": CostTest,
             "limits": LimitsTest}
    parser.add_argument("--part", choices=parts)
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of(parts, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
