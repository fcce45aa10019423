#!/usr/bin/env python3
"""Misuse as the user meets it: silenced by --no-misuse or a suppression file, notes, several in one run.

  SNARL=build/snarl misuse_test.py --programs build/programs
"""

import json
import re
import sys
import unittest

import snarl_case

PROGRAMS = None


class MisuseCase(snarl_case.SnarlCase):
    def run_on(self, program, *options, schedules=200):
        return self.snarl("run", "-p", "random", "-n", schedules, "-o", self.out, *options, "--", PROGRAMS / program)

    def suppressions(self, text):
        path = self.folder / "known.txt"
        path.write_text(text)
        return path

    def test_no_misuse_silences_it(self):
        result = self.run_on("wrong/unlock_by_other.O0", "--no-misuse")
        self.expect_code(result, 0)
        self.assertEqual(self.summary(result)["findings"], [])

    def test_no_misuse_keeps_other_findings(self):
        result = self.run_on("wrong/lock_inversion.O0", "--no-misuse", schedules=500)
        self.expect_code(result, 1)
        self.assertEqual(self.only_finding(result)["kind"], "deadlock")

    def test_the_report_has_both_places(self):
        result = self.run_on("wrong/unlock_by_other.O0")
        self.expect_code(result, 1)
        report = json.loads((self.finding_folder(self.only_finding(result)) / "report.json").read_text())
        self.assertEqual([deed["place"]["function"] for deed in report["deeds"]], ["helper", "owner"])
        self.assertEqual([deed["text"] for deed in report["deeds"]], ["T2 helper unlocks lock", "T1 owner locked lock"])
        self.expect_text(result, r"T2 helper unlocks mutex lock, which T1 owner holds\.")

    def test_a_suppression_lets_the_run_go_on(self):
        known = self.suppressions("# the old pool\nunlock_* function=helper file=unlock_by_*  # ticket 12\n")
        result = self.run_on("wrong/unlock_by_other.O0", "--suppressions", known)
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertEqual((summary["schedules"], summary["failing_schedules"], summary["findings"]), (200, 0, []))
        [used] = summary["suppressions"]
        self.assertEqual((used["line"], used["findings"], used["schedules"]), (2, 1, 200))
        self.expect_text(result, "1 finding suppressed, in 200 schedules")

    def test_suppressions_apply_to_all_kinds(self):
        known = self.suppressions("deadlock function=*\n")
        result = self.run_on("wrong/self_deadlock.O0", "--suppressions", known)
        self.expect_code(result, 0)
        self.assertGreater(self.summary(result)["suppressions"][0]["schedules"], 0, self.describe(result, "never met"))

    def test_an_unused_suppression_is_named(self):
        known = self.suppressions("\nhang module=libelsewhere.so\n")
        result = self.run_on("wrong/unlock_by_other.O0", "--suppressions", known)
        self.expect_code(result, 1)
        self.expect_text(result, r"unused suppression \S+known\.txt:2:\s+hang\s+module=libelsewhere\.so")

    def test_a_wrong_file_is_named_with_its_line(self):
        result = self.run_on("wrong/unlock_by_other.O0", "--suppressions", self.suppressions("# x\ndeadlok file=a\n"))
        self.expect_code(result, 2)
        self.expect_text(result, r'known\.txt:2: "deadlok" is no kind of finding')
        self.expect_code(self.run_on("wrong/unlock_by_other.O0", "--suppressions", self.folder / "nowhere"), 2)

    def test_locks_held_at_exit_are_a_note(self):
        result = self.run_on("correct/held_at_exit.O0")
        self.expect_code(result, 0)
        notes = self.summary(result)["notes"]
        expected = r"main holds mutex mine \(taken at \S*held_at_exit\.c:27\) when main ends the process\."
        self.assertTrue(any(re.fullmatch(expected, note["text"]) for note in notes), self.describe(result, "no such note"))
        self.assertEqual({note["kind"] for note in notes}, {"exit_holding"})
        result = self.run_on("correct/held_at_exit.O0", "--no-misuse")
        self.assertNotIn("notes", self.summary(result))

    def test_a_copy_that_does_not_lock_is_no_misuse(self):
        for policy in ("random", "pct:depth=3"):
            result = self.snarl("run", "-p", policy, "-n", 200, "-o", self.out, "--", PROGRAMS / "hostile/fork_and_exec")
            self.expect_code(result, 0)

    def test_replay_says_it_again(self):
        self.expect_code(self.run_on("wrong/joined_twice.O0"), 1)
        result = self.snarl("replay", self.out)
        self.expect_code(result, 1)
        self.expect_text(result, "Replay: join_twice again, 1 of 1")
        self.expect_code(self.snarl("replay", self.out, "--no-misuse"), 0)

    def test_a_self_deadlock_is_named(self):
        result = self.run_on("wrong/self_deadlock.O0")
        self.expect_code(result, 1)
        self.expect_text(result, "SUMMARY: snarl: self-deadlock")


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(MisuseCase), arguments)


if __name__ == "__main__":
    sys.exit(main())
