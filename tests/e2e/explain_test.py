#!/usr/bin/env python3
"""The cause of a failure: depth and places are those that the programs' headers state, every schedule that obeys the
directive fails, and the sentence names the pattern that the header states.

  SNARL=build/snarl explain_test.py --programs build/programs

Header words: `cause=21<22,21<22` are the constraints, each with the lines of its sources (a+b: two; start: a thread's) and
of its target; their number is `measured`. `pattern=abba` is the pattern that the trace shows, `pattern-hooks` that of a
program built with snarl cc or snarl c++.
"""
import json
import sys

import snarl_case

PROGRAMS = None
DIRECTED = 200  # schedules that obey, all of which must fail
PATIENCE = 150  # seconds for shortening and explaining: much more than it takes, as others may be at work


def with_word(word):
    """Wrong programs whose header has the word, with their headers."""
    headers = {source: snarl_case.read_header(source) for source in snarl_case.sources("wrong")}
    return {source: header for source, header in headers.items() if word in header}


def lines_of(constraint):
    sources = "+".join(sorted(str(source["place"]["line"]) if "place" in source else source["operation"]
                              for source in constraint["sources"]))
    return f"{sources}<{constraint['target']['place']['line']}"


class CauseCase(snarl_case.SnarlCase):
    def snarl(self, *arguments, **options):
        options.setdefault("env", {})["SNARL_NO_EXPLAIN"] = None
        return super().snarl(*arguments, **options)

    def explore(self, program, *more):
        result = self.snarl("run", "--seed", 1, "-n", 5000, "--after-finding", PATIENCE, *more, "-o", self.out, "--", program)
        self.expect_code(result, 1)
        findings = self.summary(result)["findings"]
        folder = self.finding_folder(next((f for f in findings if f["kind"] != "race"), findings[0]))
        return result, folder, json.loads((folder / "report.json").read_text(encoding="utf-8"))


class ExplainCase(CauseCase):
    def check_proof(self, result, report):
        cause = report["cause"]
        self.assertTrue(cause.get("enough"), self.describe(result, "not explained"))
        self.assertEqual((cause["failing"], cause["schedules"]), (500, 500))
        self.assertEqual(cause["priority_failing"], cause["priority_schedules"])
        self.assertNotIn("dead_ends", cause)
        for constraint in report["constraints"]:
            self.assertGreaterEqual(constraint.get("passing_without", 0), 5, self.describe(result, "not needed"))

    def check_directed(self, program, folder):
        out = self.folder / "directed"
        result = self.snarl("run", "-p", f"obey:directive={folder / 'cause.directive'}", "--keep-going", "--no-explain",
                            "--no-minimize", "--seed", 77, "-n", DIRECTED, "-o", out, "--", program)
        self.expect_code(result, 1)
        self.assertEqual(self.summary(result, out)["failing_schedules"], DIRECTED, self.describe(result, "some pass"))

    def test_depth_and_places_are_the_known_ones(self):
        known = with_word("cause")
        self.assertGreaterEqual(len(known), 12)
        self.assertEqual({int(header["measured"]) for header in known.values()}, {1, 2, 3})
        for source, header in known.items():
            with self.subTest(source=source.name):
                program = PROGRAMS / f"{source.stem}.O0"
                result, folder, report = self.explore(program)
                self.check_proof(result, report)
                self.assertEqual(report["depth"], int(header["measured"]), self.describe(result, "another depth"))
                self.assertEqual(",".join(lines_of(c) for c in report["constraints"]), header["cause"],
                                 self.describe(result, "other places"))
                self.check_directed(program, folder)

    def test_the_same_with_any_number_of_workers_and_by_hand(self):
        program = PROGRAMS / "lost_update.O0"
        explained = []
        for jobs in (1, 2):
            _, folder, report = self.explore(program, "-j", jobs)
            explained.append((report["constraints"], report["cause"]))
        self.assertEqual(explained[0], explained[1])
        again = self.snarl("explain", folder, "--json")
        self.expect_code(again, 0)
        report = json.loads(again.out)
        self.assertEqual((report["depth"], report["constraints"]), (2, explained[0][0]))

    def test_no_time_no_cause(self):
        for more in (("--no-explain",), ("--after-finding", "0")):
            _, folder, report = self.explore(PROGRAMS / "lost_update.O0", *more)
            self.assertNotIn("cause", report)
            self.assertFalse((folder / "cause.directive").exists())

    def test_minimize_by_hand(self):
        program = PROGRAMS / "philosophers.O0"
        _, folder, found = self.explore(program, "--no-minimize", "--no-explain")
        result = self.snarl("minimize", folder, "--json")
        self.expect_code(result, 0)
        told = json.loads(result.out)
        self.assertEqual((told["switches_before"], told["switches"]), (found["switches"], 3))
        replayed = self.snarl("replay", folder / "shortest", "--times", 20, "--json")
        self.expect_code(replayed, 1)
        self.assertEqual(json.loads(replayed.out)["reproduced"], 20)

    def test_what_passes_now_is_not_explained(self):
        _, folder, _ = self.explore(PROGRAMS / "lost_update.O0", "--no-explain")
        for verb in ("explain", "minimize"):
            result = self.snarl(verb, folder, "--", "/bin/true")
            self.assertIn(result.code, (3, 4), self.describe(result, "nothing failed"))


class PatternCase(CauseCase):
    """The sentence names the right kind of bug; what shows only in the calls, and only with hooks."""

    def test_of_unmodified_programs(self):
        known = with_word("pattern")
        self.assertGreaterEqual(len(known), 20)
        for source, header in known.items():
            with self.subTest(source=source.name):
                result, _, report = self.explore(PROGRAMS / f"{source.stem}.O0")
                self.assertEqual(report.get("pattern", "none"), header["pattern"], self.describe(result, "pattern"))


class HooksCase(CauseCase):
    def test_of_programs_with_hooks(self):
        known = with_word("pattern-hooks")
        self.assertGreaterEqual(len(known), 5)
        for source, header in known.items():
            with self.subTest(source=source.name):
                verb, standard = ("cc", []) if source.suffix == ".c" else ("c++", ["-std=c++20"])
                program = self.folder / source.stem
                self.expect_code(self.snarl(verb, *standard, "-O1", "-g", "-w", source, "-o", program, "-pthread"), 0)
                result, _, report = self.explore(program, "--races", "off")
                self.assertEqual(report.get("pattern", "none"), header["pattern-hooks"], self.describe(result, "pattern"))


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", required=True)
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs) / "wrong"
    suites = {"cause": ExplainCase, "patterns": PatternCase, "hooks": HooksCase}
    return snarl_case.run_suite(snarl_case.suite_of(suites, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
