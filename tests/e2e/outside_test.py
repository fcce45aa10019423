#!/usr/bin/env python3
"""What comes from outside the program: children, blocking calls, threads before main.

  SNARL=build/snarl outside_test.py --programs build/programs
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import unittest

import snarl_case

PROGRAMS = None


class OutsideCase(snarl_case.SnarlCase):
    def program(self, name):
        return PROGRAMS / "hostile" / name

    def check_nothing_found(self, name, schedules, *options):
        result = self.snarl("run", "-n", schedules, "-o", self.out, *options, "--", self.program(name))
        self.expect_code(result, 0)
        self.assertEqual(self.summary(result)["findings"], [], self.describe(result, "a false alarm"))

    def test_children_of_every_kind(self):
        self.check_nothing_found("children", 60)

    def test_blocking_calls_do_not_hang(self):
        self.check_nothing_found("blocking_calls", 20)

    def test_a_line_that_comes_in_halves(self):
        self.check_nothing_found("half_lines", 20)

    def test_a_signal_ends_the_wait_of_a_thread_that_takes_it(self):
        """Whichever thread waits for all of them; nobody else's wait is ended by it."""
        told, over = self.folder / "id", threading.Event()

        def send():
            while not over.wait(0.02):
                with contextlib.suppress(OSError, ValueError):
                    os.kill(int(told.read_text()), signal.SIGTERM)

        sender = threading.Thread(target=send)
        sender.start()
        try:
            for switching in ("auto", "gates"):
                result = self.snarl("run", "-p", "random", "-j", 1, "-n", 20, "--switching", switching, "--steps", 0, "-o", self.out, "--",
                                    self.program("served_until_signal"), told)
                self.expect_code(result, 0)
                self.assertEqual(self.summary(result)["schedules"], 20)
        finally:
            over.set()
            sender.join(60)

    def test_fork_with_a_held_lock(self):
        result = self.snarl("run", "-n", "100", "-o", self.out, "--", self.program("fork_with_held_lock"))
        self.expect_code(result, 1)
        kinds = {finding["kind"] for finding in self.summary(result)["findings"]}
        self.assertTrue(kinds and kinds <= {"hang", "fork_holding"}, self.describe(result, "neither the effect nor its cause"))

    def test_handlers_around_fork_may_wait(self):
        self.check_nothing_found("fork_handlers", 100)

    def test_schedule_says_whether_addresses_are_random(self):
        result = self.snarl("run", "-n", "100", "-o", self.out, "--", PROGRAMS / "wrong" / "lost_update.O2")
        self.expect_code(result, 1)
        allowed = snarl_case.run(["setarch", "-R", "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0
        schedule = (self.out / "latest" / "schedule.snarl").read_text()
        self.assertIn("\naslr off\n" if allowed else "\naslr on\n", schedule)

    def test_threads_before_main(self):
        result = self.snarl("run", "-n", "10", "-o", self.out, "--", self.program("threads_before_main"))
        self.expect_code(result, 4)
        self.assertIn("threads before main", result.err, self.describe(result, "no reason"))
        self.check_nothing_found("threads_before_main", 10, "--reset", "exec")

    def test_randomness_of_the_system(self):
        program = PROGRAMS / "correct" / "randomness.O0"
        same = {}
        for mode in ("seed", "real"):
            result = self.snarl("run", "-n", "100", "--random", mode, "-o", self.out, "--", program)
            self.expect_code(result, 0)
            same[mode] = str(self.summary(result)["repeatable"])
        self.assertNotEqual(same["seed"], same["real"], "the seed does not decide")


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(OutsideCase)
    return snarl_case.run_suite(suite, arguments)


if __name__ == "__main__":
    sys.exit(main())
