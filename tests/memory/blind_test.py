#!/usr/bin/env python3
"""Explorations that must not be blind: with `--points memory` each seed finds what `memory:all` finds.

The programs in blind/ have places that few schedules come to. Whichever schedules a seed begins with, the places that
matter must become points, or be found by the schedules that have a point at every access.
"""
import json
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

WITHIN = 10_000  # memory:all needs under 300 schedules for each of them
FIRST_SEED = 101


class BlindCase(snarl_case.SnarlCase):
    seeds = 0

    def build(self, source):
        binary = self.folder / source.stem
        self.expect_code(self.snarl("c++", "-O1", "-g", "-std=c++20", "-pthread", source, "-o", binary), 0)
        return binary

    def explore(self, binary, points, seed, schedules, *more):
        return self.snarl("run", "--points", points, "--races", "off", "--seed", seed, "-n", schedules, "-o", self.out,
                          *more, "--", binary)

    def check(self, source):
        binary = self.build(source)
        self.expect_code(self.explore(binary, "memory:all", 1, 2000), 1)  # there is a bug
        for seed in range(FIRST_SEED, FIRST_SEED + self.seeds):
            with self.subTest(seed=seed):
                result = self.explore(binary, "memory", seed, WITHIN)
                self.expect_code(result, 1)
                self.assertTrue(self.only_finding(result)["confirmed"], self.describe(result, "not confirmed"))

    def test_the_share_says_its_points(self):
        """A finding of a schedule with all points replays, and its schedule says memory:all."""
        binary = self.build(HERE / "blind" / "two_hops.cc")
        result = self.explore(binary, "memory", 3, 800, "-j", 1, "--keep-going", "-p", "random")
        self.expect_code(result, 1)
        summary = self.summary(result)
        self.assertEqual(summary["all_memory"]["schedules"], 100)
        self.assertGreater(summary["all_memory"]["steps"], summary["steps"])
        self.assertEqual(summary["repeatable"]["same"], summary["repeatable"]["of"])
        self.expect_text(result, r"100 of the schedules had points at all memory accesses")

    def test_a_schedule_with_all_points_replays(self):
        """The eighth schedule has them: seeds whose first failure it is are looked for."""
        binary = self.build(HERE / "blind" / "rare_writer.cc")
        found = 0
        for seed in range(1, 60):
            result = self.explore(binary, "memory", seed, 8, "-j", 1, "-p", "random")
            if result.code != 1 or self.only_finding(result)["index"] != 7:
                continue
            found += 1
            schedule = (self.finding_folder(self.only_finding(result)) / "schedule.snarl").read_text()
            self.assertRegex(schedule, r"(?m)^points .*memory:all")
            again = self.snarl("replay", self.out, "--times", 5, "--json")
            self.assertEqual(json.loads(again.out)["reproduced"], 5, self.describe(again, "not each time"))
            if found == 2:
                return
        self.fail("no seed of 59 fails first in its eighth schedule: each has a chance of a tenth at least")

    def test_indices_mean_the_same_with_any_number_of_workers(self):
        """Epochs are short at first, and what they hand on does not depend on who was faster."""
        for name in ("rare_reader", "two_hops"):
            binary = self.build(HERE / "blind" / f"{name}.cc")
            seen = []
            for jobs in (1, 2, 5):
                result = self.explore(binary, "memory", 11, 300, "-j", jobs, "--keep-going")
                summary = self.summary(result)
                seen.append(([(p["failing_schedules"], p["first_after"]) for p in summary["policy"]],
                             summary["distinct_schedules"], summary["profiles"], summary["all_memory"]))
            self.assertEqual(seen[0], seen[1])
            self.assertEqual(seen[0], seen[2])


def main():
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--seeds", type=int, default=2)
    arguments = parser.parse_args()
    BlindCase.seeds = arguments.seeds
    for source in sorted((HERE / "blind").glob("*.cc")):
        setattr(BlindCase, f"test_{source.stem}", lambda self, s=source: self.check(s))
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(BlindCase), arguments)


if __name__ == "__main__":
    sys.exit(main())
