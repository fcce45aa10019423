#!/usr/bin/env python3
"""Fibers: which programs can't be on them, and that the summary says so; the switch without FSGSBASE; and
programs built with a sanitizer.

  SNARL=build/snarl fibers_test.py --programs build/programs --part fallbacks
"""

import pathlib
import shutil
import subprocess
import sys
import unittest

import snarl_case

PROGRAMS = None
COMPILERS = [name for name in ("g++", "clang++-14") if shutil.which(name)]


class FibersCase(snarl_case.SnarlCase):
    def run_program(self, *command, schedules=50, words=(), env=None):
        return self.snarl("run", "-p", "random", "-n", schedules, "--seed", 1, *words, "-o", self.out, "--", *command, env=env)

    def expect_layer(self, result, kind, why=""):
        switching = self.summary(result)["switching"]
        self.assertEqual(switching["kind"], kind, self.describe(result, "on the other layer"))
        self.assertIn(why, switching["why"], self.describe(result, "another reason"))


class FallbacksTest(FibersCase):
    def expect_gates(self, why, *command, env=None):
        result = self.run_program(*command, schedules=20, env=env)
        self.expect_code(result, 0)
        self.expect_layer(result, "gates", why)
        self.expect_text(result, r"switching gates \(")

    def test_what_needs_gates(self):
        hostile = PROGRAMS / "hostile"
        for why, *command in (("user or group", hostile / "changes_user"), ("SIGEV_THREAD", hostile / "timer_in_thread"),
                              ("slept in a call", hostile / "sleeps_outside"), ("by clone", hostile / "clones", "clone"),
                              ("not made by pthread_create", hostile / "clones", "inline"),
                              ("not made by pthread_create", hostile / "clones", "aio"),
                              ("priority ceiling", PROGRAMS / "correct" / "mutex_protocols.O2")):
            with self.subTest(str(command)):
                self.expect_gates(why, *command)

    def test_copies_of_the_process_may_be_made(self):
        for how in ("copy", "clone3"):
            with self.subTest(how):
                result = self.run_program(PROGRAMS / "hostile" / "clones", how)
                self.expect_code(result, 0)
                self.expect_layer(result, "fibers")

    def test_who_computes_is_made_to_give_way(self):
        result = self.run_program(PROGRAMS / "hostile" / "spins_for_other", schedules=4)
        self.expect_code(result, 0)
        self.expect_layer(result, "fibers")

    def library_of_gcc(self):
        found = subprocess.run(["gcc", "-print-file-name=libtsan.so"], stdout=subprocess.PIPE, text=True, check=True)
        path = pathlib.Path(found.stdout.strip())
        if not path.is_absolute():
            self.skipTest("no ThreadSanitizer")
        return path.resolve()

    def test_the_runtime_of_tsan_itself(self):
        library = self.library_of_gcc()
        self.expect_gates("ThreadSanitizer", PROGRAMS / "correct" / "ordered_locks.O2", env={"LD_PRELOAD": str(library)})

    def test_builds_for_tsan_are_on_fibers(self):
        self.library_of_gcc()
        program = self.folder / "built_for_tsan"
        source = snarl_case.SOURCES / "correct" / "ordered_locks.c"
        self.expect_code(self.command("gcc", "-g", "-O1", "-fsanitize=thread", source, "-o", program), 0)
        result = self.run_program(program)
        self.expect_code(result, 0)
        self.expect_layer(result, "fibers")


class KernelTest(FibersCase):
    """Without FSGSBASE the kernel is asked at every switch. Nothing else differs."""

    def steps(self, program, env=None):
        result = self.run_program(program, schedules=200, env=env)
        self.expect_code(result, 0)
        self.expect_layer(result, "fibers")
        summary = self.summary(result)
        self.assertEqual(summary["repeatable"]["same"], 20, self.describe(result, "does not repeat"))
        return summary["steps"], summary["distinct_schedules"]

    def test_correct_programs(self):
        for name in ("thread_locals", "exceptions_travel", "thread_specific", "cancel_unwinds", "signals", "thread_identity"):
            with self.subTest(name):
                program = PROGRAMS / "correct" / f"{name}.O2"
                self.assertEqual(self.steps(program, {"SNARL_RT_ASK_KERNEL": "1"}), self.steps(program))

    def test_a_wrong_one(self):
        self.expect_code(self.run_program(PROGRAMS / "wrong" / "thread_local_inversion.O2", schedules=500,
                                          env={"SNARL_RT_ASK_KERNEL": "1"}), 1)


PARTS = {"fallbacks": FallbacksTest, "kernel": KernelTest}


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", choices=sorted(PARTS), help="all without it")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of(PARTS, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
