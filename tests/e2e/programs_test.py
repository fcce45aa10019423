#!/usr/bin/env python3
"""Every wrong program's bug is found within its bound and replays 20 of 20; nothing is found in the
correct ones. What must be found stands in the first line of each program (see tests/programs).

  SNARL=build/snarl programs_test.py --programs build/programs --variant O0 --part wrong
"""

import json
import signal
import sys
import unittest

import snarl_case

CORRECT_RUNS = (("random", 300), ("pct:depth=3", 300))
EXPLAINED = ".O2"  # one of the builds is enough to look for shorter schedules and causes in, which takes a second each


class ProgramCase(snarl_case.SnarlCase):
    def check_wrong(self, program, header, policy, within):
        plain = () if program.suffix == EXPLAINED else ("--no-minimize", "--no-explain")
        command = ("run", *snarl_case.levels(header), *plain, "-p", policy, "-n", within, "-o", self.out, "--", program)
        result = self.snarl(*command)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.check_kind(result, finding, header)
        folder = self.finding_folder(finding)
        for name in snarl_case.FINDING_FILES:
            self.assertTrue((folder / name).is_file(), self.describe(result, f"no {folder}/{name}"))
        for key in ("signature", "place", "seed", "index", "switches"):
            self.assertIn(key, finding, self.describe(result, f"the finding has no {key}"))
        self.assertLessEqual(self.summary(result)["schedules"], within)
        self.check_replay(header)

    def check_kind(self, result, finding, header):
        self.assertEqual(finding["kind"], header["kind"], self.describe(result, "wrong kind"))
        if "signal" in header:
            number = int(getattr(signal, "SIG" + header["signal"]))
            self.assertRegex(finding["signature"], rf"^signal {number}\b", self.describe(result, "wrong signal"))
        if "code" in header:
            self.assertEqual(finding["signature"], "exit " + header["code"], self.describe(result, "wrong exit code"))

    def check_replay(self, header):
        result = self.snarl("replay", self.out, "--times", "20", "--json")
        self.expect_code(result, 1)
        try:
            reproduced = json.loads(result.out)["reproduced"]
        except (ValueError, KeyError):
            self.fail(self.describe(result, "replay --json: no JSON with `reproduced`"))
        self.assertEqual(reproduced, 20, self.describe(result, "not reproduced each time"))

    def check_correct(self, program, header, policy, schedules):
        result = self.snarl("run", *snarl_case.levels(header), "-p", policy, "-n", schedules, "-o", self.out, "--", program)
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertEqual(summary["findings"], [], self.describe(result, "a false alarm"))
        self.assertEqual(summary["schedules"], schedules, self.describe(result, "wrong count"))
        self.check_repeatable(result, summary)

    def check_repeatable(self, result, summary):
        """`repeatable` is x of 20, as a number, a text that starts with it, or an object."""
        value = summary["repeatable"]
        if isinstance(value, dict):
            value = value.get("same", value.get("x"))
        if isinstance(value, str):
            value = int(value.split()[0].split("/")[0])
        self.assertEqual(value, 20, self.describe(result, "not repeatable 20 of 20"))


def add_test(name, check, *arguments):
    setattr(ProgramCase, "test_" + name, lambda self: check(self, *arguments))


def add_tests(programs, part, variant):
    for source in snarl_case.sources(part):
        program = programs / part / f"{source.stem}.{variant}"
        if variant == "libcxx" and not program.exists():
            continue  # only a few of them are built with libc++
        header = snarl_case.read_header(source)
        runs = CORRECT_RUNS if header.get("correct") else header["policies"]
        for policy, count in runs:
            name = f"{part}_{source.stem}_{variant}_{policy.replace(':', '_').replace('=', '')}"
            if header.get("correct"):
                add_test(name, ProgramCase.check_correct, program, header, policy, count)
            else:
                add_test(name, ProgramCase.check_wrong, program, header, policy, count)


def main():
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--variant", default="O0", help="O0, O2, clang or libcxx")
    parser.add_argument("--part", choices=("wrong", "correct"), help="both without it")
    arguments = parser.parse_args()
    programs = snarl_case.programs_folder(arguments.programs)
    for part in (arguments.part,) if arguments.part else ("wrong", "correct"):
        add_tests(programs, part, arguments.variant)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(ProgramCase)
    return snarl_case.run_suite(suite, arguments)


if __name__ == "__main__":
    sys.exit(main())
