#!/usr/bin/env python3
"""Every policy as a user calls it: it finds a fitting wrong program, the finding is replayed, and a seed means the
same with any number of workers. Libraries and directives as well."""
import json
import pathlib
import re
import sys
import unittest

import snarl_case

PROGRAMS = None
PLUGINS = None
REPLAYS = 20

# Every policy that searches finds the lost update within so many schedules, and some find more: policy, program. Each
# misses by luck with less than 1e-9: the rates are above 5 %.
WITHIN = 1000
MORE = [("delay-bound", "lock_inversion"), ("ppct:depth=2", "lost_update"), ("surw", "missed_signal"),
        ("pos", "lock_inversion"), ("urw", "wait_under_if")]


class PolicyCase(snarl_case.SnarlCase):
    def run_policy(self, policy, program, *more, count=WITHIN, out=None):
        return self.snarl("run", "-p", policy, "--seed", "11", "-n", count, "-o", out or self.out, *more, "--",
                          PROGRAMS / program)

    def check_found_and_replayed(self, policy, program):
        result = self.run_policy(policy, program)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        self.assertEqual(finding["policy"].split(":")[0], policy.split(":")[0])
        again = self.snarl("replay", self.finding_folder(finding), "--times", REPLAYS, "-q")
        self.expect_code(again, 1)
        self.expect_text(again, f"again, {REPLAYS} of {REPLAYS}")


class FindTest(PolicyCase):
    pass


def add_finds():
    every = snarl_case.policies(lambda policy: policy["searches"] and "file" not in policy)
    for policy, program in [(policy["trial"], "lost_update") for policy in every] + MORE:
        name = re.sub(r"\W", "_", f"test_{policy}_{program}")
        setattr(FindTest, name, lambda self, q=policy, p=program: self.check_found_and_replayed(q, f"wrong/{p}.O0"))


class SeedTest(PolicyCase):
    def test_a_seed_means_the_same_with_any_number_of_workers(self):
        for policy in (row["trial"] for row in snarl_case.policies(snarl_case.repeats)):
            seen = []
            for jobs in ("1", "3"):
                out = self.folder / f"out{jobs}"
                result = self.run_policy(policy, "wrong/lost_update.O0", "--keep-going", "-j", jobs, count=150, out=out)
                self.expect_code(result, 0, 1)
                summary = self.summary(result, out)
                self.assertEqual(summary["repeatable"], {"same": 20, "of": 20}, self.describe(result, policy))
                seen.append([summary[key] for key in ("distinct_schedules", "orders", "failing_schedules", "steps", "profiles")]
                            + [finding["index"] for finding in summary["findings"]])
            self.assertEqual(seen[0], seen[1], policy)

    def test_without_preemptions_the_bug_is_missed(self):
        result = self.run_policy("preempt-bound:bound=0", "wrong/lost_update.O0", "--fairness", "off", count=200)
        self.expect_code(result, 0)

    def test_fairness_takes_its_part_of_the_bound(self):
        def bound(fairness):
            result = self.run_policy("pct:depth=2", "correct/ordered_locks.O0", "--fairness", fairness, count=50)
            self.expect_code(result, 0)
            return result, self.summary(result)["bound"][0]
        result, always = bound("1")
        self.assertEqual((always["probability"], always["starvation"]), (0, always["counted"]))
        self.expect_text(result, "no bound: with this fairness")
        _, off = bound("off")
        n, k = off["threads"], off["steps"]
        self.assertAlmostEqual(off["probability"], 1 - (1 - 1 / (n * k)) ** off["counted"], places=9)
        _, some = bound("0.01")
        self.assertEqual((some["threads"], some["steps"]), (n, k))
        self.assertAlmostEqual(some["probability"], 1 - (1 - 0.99 ** k / (n * k)) ** some["counted"], places=9)

    def test_wrong_values_are_refused(self):
        for arguments, text in ((("--fairness", "2"), "not a number from 0 to 1"), (("-p", "obey"), "needs a file"),
                                (("-p", "./nowhere.so"), "can't read"), (("-p", "urw:x=1"), "no parameters")):
            result = self.snarl("run", *arguments, "--", PROGRAMS / "wrong/lost_update.O0")
            self.expect_code(result, 2)
            self.expect_text(result, text)


class PluginTest(PolicyCase):
    def test_a_library_finds_and_its_finding_replays_without_it(self):
        library = self.folder / "mine.so"
        library.write_bytes((PLUGINS / "round_robin.so").read_bytes())
        result = self.snarl("run", "-p", "./mine.so:3", "--seed", "3", "-n", WITHIN, "-o", self.out, "--",
                            PROGRAMS / "wrong/lost_update.O0")
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["policy"], f"{library}:3")
        library.unlink()
        again = self.snarl("replay", self.finding_folder(finding), "--times", REPLAYS, "-q")
        self.expect_text(again, f"again, {REPLAYS} of {REPLAYS}")

    def test_a_library_is_repeatable_and_exec_works(self):
        for reset in ("fork", "exec"):
            result = self.run_policy(PLUGINS / "round_robin.so", "correct/bounded_buffer.O0", "--reset", reset, count=40)
            self.expect_code(result, 0)
            self.assertEqual(self.summary(result)["repeatable"], {"same": 20, "of": 20})
            self.assertGreater(self.summary(result)["distinct_schedules"], 10)

    def test_a_library_says_that_it_has_one_schedule(self):
        """Beside another policy, which has all the other turns; and with any number of workers."""
        alone = self.run_policy(f"{PLUGINS / 'round_robin.so'}:3,0", "correct/bounded_buffer.O0", count=5000)
        summary = self.summary(alone)
        self.assertEqual((summary["schedules"], summary["exhausted"]), (1, True), self.describe(alone, "one schedule"))
        for jobs in (1, 3):
            both = self.run_policy("random", "correct/bounded_buffer.O0", "-p", f"{PLUGINS / 'round_robin.so'}:3,0", "-j",
                                   jobs, count=100)
            self.assertEqual([policy["schedules"] for policy in self.summary(both)["policy"]], [50, 1])

    def test_another_version_is_refused(self):
        result = self.run_policy(PLUGINS / "round_robin99.so", "wrong/lost_update.O0")
        self.expect_code(result, 2)
        self.expect_text(result, "is built for version 99 of snarl's policy interface; this snarl has version 2")

    def test_a_program_is_no_policy(self):
        result = self.run_policy(PROGRAMS / "wrong/lost_update.O0", "wrong/lost_update.O0")
        self.expect_code(result, 2)
        self.expect_text(result, "has no snarl_policy_entry")


class ObeyTest(PolicyCase):
    """Figure 3 (C): the places of the four locks are taken from the report of a finding."""

    def locks(self):
        result = self.run_policy("random", "wrong/lock_inversion.O0")
        rows = json.loads((self.finding_folder(self.only_finding(result)) / "report.json").read_text())["rows"]
        places = {1: [], 2: []}
        for row in rows:
            if row["operation"] == "lock" and "place" in row and row["thread"] in places:
                text = "{module}+0x{offset:x}".format(**row["place"])
                if text not in places[row["thread"]]:
                    places[row["thread"]].append(text)
        self.assertEqual([len(p) for p in places.values()], [2, 2], rows)
        return places

    def obey(self, text, count=100):
        (self.folder / "directive").write_text("snarl-directive 1\n" + text)
        out = self.folder / "obeyed"
        result = self.run_policy("obey:directive=directive", "wrong/lock_inversion.O0", "--keep-going", count=count, out=out)
        summary = self.summary(result, out)
        return summary["failing_schedules"], summary["obeyed"][0]

    def test_every_schedule_that_obeys_fails(self):
        (first1, second1), (first2, second2) = self.locks().values()
        one = f"target main/2 {second2} 1\nsource main/1 {first1} 1\n"
        two = f"target main/1 {second1} 1\nsource main/2 {first2} 1\n"
        failing, obeyed = self.obey(one + two)
        self.assertEqual(failing, 100)
        self.assertEqual(obeyed["satisfied"], 100)
        failing, obeyed = self.obey(one)
        self.assertLess(failing, 100, "one constraint is not enough: the depth is 2")
        failing, obeyed = self.obey(f"target main/2 {first2} 1\nsource main/1 {first1} 1\n"
                                    f"target main/1 {first1} 1\nsource main/2 {first2} 1\n")
        self.assertEqual(obeyed["dead_end"], 100)

    def test_a_wrong_file_is_refused(self):
        (self.folder / "directive").write_text("snarl-directive 1\ntarget T1 a+0x1 1\n")
        result = self.run_policy("obey:directive=directive", "wrong/lock_inversion.O0")
        self.expect_code(result, 2)
        self.expect_text(result, "directive:2: 'T1' is no thread")


def main():
    global PROGRAMS, PLUGINS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--plugins", required=True, help="folder with the example policies")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    PLUGINS = pathlib.Path(arguments.plugins).resolve()
    add_finds()
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case)
                               for case in (FindTest, SeedTest, PluginTest, ObeyTest))
    return snarl_case.run_suite(suite, arguments)


if __name__ == "__main__":
    sys.exit(main())
