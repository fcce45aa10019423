#!/usr/bin/env python3
"""The noise makers as a user calls them: they find the bugs of the paper's kinds, a seed means the same with any number of
workers, and snarl classify tells good from bad places."""
import pathlib
import sys
import unittest

import snarl_case

PROGRAMS = None
NOISE = None

# program, kind, policy, within so many schedules; each misses by luck with less than 1e-9: the rates are above 5 %.
FINDS = [("account", "assert", "noise-best:make=switch", 2000),
         ("account", "assert", "noise-separating:make=switch,family=exact", 2000),
         ("account", "assert", "noise-random:make=switch,group=context", 2000),
         ("max", "assert", "noise-random:make=switch", 2000),
         ("manager", "assert", "noise-contention:make=switch", 3000),
         ("dictionary", "assert", "noise-contention:make=switch,variable=words", 500),
         ("crawler", "assert", "noise-contention:make=switch,variable=current", 500),
         ("raytracer", "assert", "noise-contention:make=switch,variable=checksum", 500),
         ("animator", "deadlock", "noise-contention:make=switch,variable=queue", 500),
         ("piper", "assert", "noise-separating:make=switch", 1000),
         ("shop", "assert", "noise-separating:make=switch", 1000)]
REPLAYS = 5


class NoiseCase(snarl_case.SnarlCase):
    def run_noise(self, program, policy, count, *more, out=None):
        return self.snarl("run", "-p", policy, "--seed", "9", "-n", count, "-o", out or self.out, *more, "--",
                          NOISE / f"noise_{program}")


class FindTest(NoiseCase):
    def check_found(self, program, kind, policy, count):
        more = ("--time", "free") if program == "shop" else ()  # its sleep must be able to end too early
        result = self.run_noise(program, policy, count, *more)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        self.assertIn(finding["kind"], (kind, "signal"))
        again = self.snarl("replay", self.finding_folder(finding), "--times", REPLAYS, "-q")
        self.expect_text(again, f"again, {REPLAYS} of {REPLAYS}")


def add_find(program, kind, policy, count):
    name = "test_" + "".join(c if c.isalnum() else "_" for c in f"{program}_{policy}")
    setattr(FindTest, name, lambda self: self.check_found(program, kind, policy, count))


for item in FINDS:
    add_find(*item)


class CampaignTest(NoiseCase):
    def test_a_seed_means_the_same_with_any_number_of_workers(self):
        every = [policy["trial"] for policy in snarl_case.policies(snarl_case.makes_noise)]
        for policy in every + ["noise-separating:make=switch,family=exact", "noise-random:make=switch,group=variable"]:
            seen = []
            for jobs in ("1", "3"):
                out = self.folder / f"out{jobs}"
                result = self.run_noise("manager", policy, 150, "--keep-going", "-j", jobs, out=out)
                summary = self.summary(result, out)
                self.assertEqual(summary["repeatable"], {"same": 20, "of": 20}, self.describe(result, policy))
                seen.append([summary[key] for key in ("distinct_schedules", "failing_schedules", "steps", "profiles")])
            self.assertEqual(seen[0], seen[1], policy)
            self.assertEqual("white" in policy, "groups" not in seen[0][3][0])

    def test_groups_are_the_same_on_fibers_and_gates(self):
        for group in ("place", "context", "variable"):
            seen = []
            for layer in ("gates", "fibers"):
                result = self.run_noise("account", f"noise-random:make=switch,group={group}", 200, "--keep-going",
                                        "--switching", layer)
                summary = self.summary(result)
                seen.append([summary[key] for key in ("distinct_schedules", "failing_schedules", "profiles")])
            self.assertEqual(seen[0], seen[1], group)

    def test_noise_on_real_threads(self):
        for make in ("yield", "sleep"):
            every = [policy["name"] + ":" for policy in snarl_case.policies(snarl_case.makes_noise)]
            for policy in every + ["noise-random:group=context,"]:
                result = self.snarl("run", "-p", f"{policy}make={make}", "-n", "30", "-o", self.out, "--",
                                    PROGRAMS / "correct/ordered_locks.O2")
                self.expect_code(result, 0)
                self.assertIn("parallel", self.summary(result)["switching"]["kind"])

    def test_an_unknown_variable_is_refused_with_the_nearest(self):
        result = self.run_noise("account", "noise-contention:make=switch,variable=balanse", 10)
        self.expect_code(result, 2)
        self.expect_text(result, r"did you mean balance\?")
        result = self.run_noise("account", "noise-contention:variable=", 10)
        self.expect_code(result, 2)
        result = self.run_noise("account", "noise-best:group=pace", 10)
        self.expect_code(result, 2)
        self.expect_text(result, "place, context, variable")


class ClassifyTest(NoiseCase):
    def classify(self, program, *more):
        return self.snarl("classify", "--seed", "4", *more, "--", NOISE / f"noise_{program}")

    def test_good_and_bad_places(self):
        result = self.classify("account", "-n", "1500", "--json")
        self.expect_code(result, 0)
        report = snarl_case.read_json(result.out)
        self.assertEqual(report["schema"], "snarl.classification/2")
        classes = {}
        for group in report["groups"]:
            classes.setdefault(group["class"], []).append(group["place"])
            half = group["with_noise"]
            self.assertEqual(half["schedules"], 750)
            self.assertLessEqual(half["low"], half["rate"])
            self.assertGreaterEqual(half["high"], half["rate"])
        self.assertTrue(any("withdraw" in place for place in classes["good"]), classes)
        self.assertTrue(any("walk" in place for place in classes["bad"]), classes)

    def test_text_and_variables(self):
        result = self.classify("account", "-n", "600", "-p", "noise-separating:make=switch,group=variable")
        self.expect_code(result, 0)
        self.expect_text(result, "balance")
        self.assertRegex(result.out, r"good +[0-9.]+ % .* balance.lock_\n")

    def test_wrong_usage(self):
        result = self.classify("account", "-p", "noise-best")
        self.expect_code(result, 2)
        self.expect_text(result, "family=random")
        self.expect_code(self.classify("account", "-p", "noise-separating", "-p", "noise-separating"), 2)
        self.expect_code(self.snarl("classify"), 2)


def main():
    global PROGRAMS, NOISE
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--noise", required=True, help="folder with the programs of bench/noise")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    NOISE = pathlib.Path(arguments.noise).resolve()
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case)
                               for case in (FindTest, CampaignTest, ClassifyTest))
    return snarl_case.run_suite(suite, arguments)


if __name__ == "__main__":
    sys.exit(main())
