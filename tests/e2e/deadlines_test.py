"""Deadlines: those at most a second ahead are choices, further ones are no false alarms, and a finding that let time
pass says so in its first line."""

import json
import shutil
import sys

import snarl_case

SOURCE = snarl_case.source("hostile", "give_up.c")
COMPILER = shutil.which("gcc") or shutil.which("cc") or "clang"
TIMERS = ("alarm", "itimer", "posix", "timerfd")
WAITS = ("condvar", "semaphore", "lock", "rwlock", "poll", "select", "epoll", "futex")
FIRST_LINE = r"^SIGABRT, only if %s pass between give_up\.c:\d+ and (give_up\.c:\d+|the start of T1)$"


class Deadlines(snarl_case.SnarlCase):
    def setUp(self):
        super().setUp()
        self.program = self.folder / "give_up"
        self.expect_code(self.command(COMPILER, "-g", "-O1", "-pthread", SOURCE, "-o", self.program), 0)

    def explore(self, kind, milliseconds, *options):
        return self.snarl("run", "-j1", "--seed", "1", "-n", "150", "-o", self.out, *options, "--", self.program, kind,
                          str(milliseconds))

    def report(self):
        return json.loads((self.out / "latest" / "report.json").read_text())

    def test_far_ones_are_no_false_alarms(self):
        # Not "again": there choices can add up before the far deadline is first set (docs/limitations.md).
        for kind in TIMERS + WAITS + ("chain",):
            result = self.explore(kind, 30000)
            self.expect_code(result, 0)
            self.assertEqual(self.summary(result)["schedules"], 150, self.describe(result, kind))

    def test_far_ones_are_no_false_alarms_in_parallel_runs(self):
        for kind in ("condvar", "semaphore"):
            self.expect_code(self.explore(kind, 30000, "-p", "ppct:depth=2"), 0)

    def test_near_ones_are_choices(self):
        for kind in TIMERS + WAITS:
            milliseconds = 1000 if kind == "alarm" else 500
            result = self.explore(kind, milliseconds)
            self.expect_code(result, 1)
            self.assertRegex(result.out.splitlines()[0], FIRST_LINE % ("1 s" if kind == "alarm" else r"0\.5 s"),
                             self.describe(result, kind))
            summary = self.summary(result)["chosen_deadlines"]
            self.assertGreaterEqual(summary["deadlines"], summary["schedules"])
            self.assertGreaterEqual(summary["schedules"], 1)
            self.expect_text(result, r"deadlines? came by choice while a thread could run, in \d+ schedules?")
            deadline = self.report()["deadline"]
            self.assertAlmostEqual(deadline["seconds"], milliseconds / 1000, delta=0.001)
            self.assertEqual(deadline["who"], "an alarm" if kind in TIMERS else "main")
            self.assertIn(deadline["other"], ("main", "T1") if kind in TIMERS else ("T1",))
            self.expect_code(self.snarl("replay", "-q", "--times", "3", self.out), 1)

    def test_the_places_are_where_the_wait_began_and_where_the_other_stood(self):
        lines = SOURCE.read_text().splitlines()
        self.expect_code(self.explore("semaphore", 500), 1)
        deadline = self.report()["deadline"]
        self.assertIn("sem_timedwait", lines[deadline["set_at"]["line"] - 1])
        if "other_at" in deadline:
            self.assertRegex(lines[deadline["other_at"]["line"] - 1], r"pthread_(mutex|cond)_|sem_post")

    def test_a_failure_that_needs_none_says_nothing(self):
        """Nearly every schedule lets one of the short waits run out, but the bug has nothing to do with them."""
        source, program = self.folder / "race.c", self.folder / "race"
        source.write_text("""
            #include <pthread.h>
            #include <semaphore.h>
            #include <stdlib.h>
            #include <time.h>
            static sem_t never;
            static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
            static int set;
            static void* poll(void* p) {
              for (int i = 0; i < 20; ++i) {
                struct timespec until;
                clock_gettime(CLOCK_REALTIME, &until);
                until.tv_sec += (until.tv_nsec += 10000000) / 1000000000;
                until.tv_nsec %= 1000000000;
                sem_timedwait(&never, &until);
              }
              return p;
            }
            static void* setter(void* p) {
              for (int i = 0; i < 10; ++i) pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
              pthread_mutex_lock(&lock);
              set = 1;
              pthread_mutex_unlock(&lock);
              return p;
            }
            static void* reader(void* p) {
              for (int i = 0; i < 10; ++i) pthread_mutex_lock(&lock), pthread_mutex_unlock(&lock);
              pthread_mutex_lock(&lock);
              if (set) abort();
              pthread_mutex_unlock(&lock);
              return p;
            }
            int main(void) {
              pthread_t t[3];
              sem_init(&never, 0, 0);
              pthread_create(&t[0], 0, poll, 0);
              pthread_create(&t[1], 0, setter, 0);
              pthread_create(&t[2], 0, reader, 0);
              for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
            }""")
        self.expect_code(self.command(COMPILER, "-g", "-pthread", source, "-o", program), 0)
        result = self.snarl("run", "-j1", "--seed", "1", "-p", "random", "-n", "50", "-o", self.out, "--", program)
        self.expect_code(result, 1)
        self.assertGreater(self.summary(result)["chosen_deadlines"]["deadlines"], 0, self.describe(result, "no choice"))
        self.assertNotIn("only if", result.out)
        self.assertNotIn("deadline", self.report())

    def test_all_are_choices_in_free_time(self):
        for kind in ("alarm", "condvar"):
            result = self.explore(kind, 30000, "--time", "free")
            self.expect_code(result, 1)
            self.assertRegex(result.out.splitlines()[0], FIRST_LINE % "30 s")

    def test_a_second_is_the_limit(self):
        self.expect_code(self.explore("semaphore", 999), 1)
        self.expect_code(self.explore("semaphore", 1001), 0)

    def test_what_nobody_else_can_prevent_is_no_choice(self):
        source = self.folder / "alone.c"
        source.write_text("""
            #include <pthread.h>
            #include <semaphore.h>
            #include <stdlib.h>
            #include <time.h>
            static sem_t never;
            static void* wait(void* p) {
              struct timespec until;
              clock_gettime(CLOCK_REALTIME, &until);
              until.tv_sec += 60;
              if (sem_timedwait(&never, &until) != 0) abort();
              return p;
            }
            int main(void) {
              pthread_t t;
              sem_init(&never, 0, 0);
              pthread_create(&t, 0, wait, 0);
              pthread_join(t, 0);
            }""")
        program = self.folder / "alone"
        self.expect_code(self.command(COMPILER, "-g", "-pthread", source, "-o", program), 0)
        result = self.snarl("run", "-j1", "-n", "5", "-o", self.out, "--", program)
        self.expect_code(result, 1, 5)
        self.assertNotIn("only if", result.out)
        self.assertNotIn("by choice", result.out)


def main():
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    return snarl_case.run_suite(snarl_case.suite_of({"deadlines": Deadlines}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
