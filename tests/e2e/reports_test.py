#!/usr/bin/env python3
"""The results in the formats of other programs, as a CI job uses them: with and without findings, where a file can't be
written to, and on GitHub; and what a replay prints of its steps.

  SNARL=build/snarl reports_test.py --programs build/programs
"""
import json
import pathlib
import re
import shutil
import sys
import xml.etree.ElementTree as ElementTree

import snarl_case

PROGRAMS = None
FILES = ("snarl.sarif", "junit.xml", "summary.md")
OPTIONS = ("sarif", "junit", "markdown")


class ReportsCase(snarl_case.SnarlCase):
    def explore(self, name, *more, env=None, code=1):
        room = "wrong" if code else "correct"
        result = self.snarl("run", "--seed", 1, "-n", 200, "-o", self.out, *more, "--", PROGRAMS / room / f"{name}.O2",
                            env=env)
        self.expect_code(result, code)
        return result

    def sarif(self, path=None):
        return json.loads(pathlib.Path(path or self.out / "snarl.sarif").read_text(encoding="ascii"))["runs"][0]

    def junit(self, path=None):
        return ElementTree.parse(path or self.out / "junit.xml").getroot()

    def given(self):
        """Files outside of the output folder, as options."""
        files = [self.folder / f"{option}.given" for option in OPTIONS]
        return files, [f"--{option}={path}" for option, path in zip(OPTIONS, files)]


class OutputsTest(ReportsCase):
    def test_a_finding_is_in_all_of_them(self):
        files, options = self.given()
        source = snarl_case.SOURCES / "wrong"
        result = self.explore("lock_inversion", *options, f"--source-root={snarl_case.SOURCES.parent.parent}")
        finding = self.only_finding(result)
        for path, name in zip(files, FILES):
            self.assertEqual(path.read_bytes(), (self.out / name).read_bytes())
        run = self.sarif()
        self.assertTrue(run["invocations"][0]["executionSuccessful"])
        self.assertEqual(run["invocations"][0]["exitCode"], 1)
        (found,) = run["results"]
        self.assertEqual(found["ruleId"], "deadlock")
        place = found["locations"][0]["physicalLocation"]
        path = pathlib.Path(place["artifactLocation"]["uri"])
        self.assertEqual(place["artifactLocation"]["uriBaseId"], "SRCROOT")
        self.assertTrue((source.parent.parent.parent / path).is_file(), path)
        self.assertEqual(f"{path.name}:{place['region']['startLine']}", pathlib.Path(finding["place"]).name)
        self.assertEqual(len(found["codeFlows"][0]["threadFlows"]), 3)
        (case,) = self.junit().iter("testcase")
        (failure,) = case.findall("failure")
        self.assertEqual(failure.get("type"), "deadlock")
        report = (self.finding_folder(finding) / "report.txt").read_text(encoding="utf-8")
        self.assertEqual(failure.text, report)
        self.assertIn(report, (self.out / "summary.md").read_text(encoding="utf-8"))

    def test_the_fingerprint_is_that_of_the_failure(self):
        def print_of(name, *more):
            self.explore(name, *more)
            return self.sarif()["results"][0]["partialFingerprints"]

        self.assertEqual(print_of("lock_inversion"), print_of("lock_inversion", "--seed", 7, "-p", "random"))
        self.assertNotEqual(print_of("lock_inversion"), print_of("philosophers"))

    def test_nothing_found_passes_and_replaces_what_was_found_before(self):
        files, options = self.given()
        self.explore("lock_inversion", *options)
        self.explore("four_locks", *options, code=0)
        for path, name in zip(files, FILES):
            self.assertEqual(path.read_bytes(), (self.out / name).read_bytes())
        self.assertEqual(self.sarif()["results"], [])
        root = self.junit()
        self.assertEqual([root.get(key) for key in ("tests", "failures", "errors")], ["1", "0", "0"])
        self.assertIn("nothing found", (self.out / "summary.md").read_text(encoding="utf-8"))

    def test_one_of_them_can_be_on_stdout(self):
        for option, first in zip(OPTIONS, ("{", "<?xml", "<!-- snarl -->")):
            result = self.explore("lock_inversion", f"--{option}", "-")
            self.assertTrue(result.out.startswith(first), result.out[:200])
            self.assertNotIn("DEADLOCK", result.out.split("\n")[0])
        self.assertEqual(self.snarl("run", "--sarif", "-", "--junit", "-", "--", "true").code, 2)
        self.assertEqual(self.snarl("run", "--sarif", "-", "--json", "--", "true").code, 2)

    def test_the_trace_has_each_row_and_arrows(self):
        finding = self.only_finding(self.explore("lock_inversion"))
        folder = self.finding_folder(finding)
        events = json.loads((folder / "trace.json").read_text(encoding="ascii"))["traceEvents"]
        rows = json.loads((folder / "report.json").read_text(encoding="ascii"))["rows"]
        self.assertEqual([e["name"] for e in events if e["ph"] == "X"], [row["text"] for row in rows])
        starts = {e["tid"] for e in events if e["ph"] == "f"}
        self.assertLessEqual({2, 3}, starts, "both threads were created")


class TroubleTest(ReportsCase):
    def test_a_file_that_cannot_be_written_to_is_known_before_anything_runs(self):
        for path in (self.folder / "nowhere" / "x.sarif", self.folder):
            result = self.snarl("run", "--sarif", path, "-o", self.out, "--", PROGRAMS / "wrong" / "lock_inversion.O2")
            self.expect_code(result, 2)
            self.assertIn(f"--sarif: can't write {path}", result.err)
            self.assertFalse(self.out.exists())

    def test_a_finding_is_not_lost_where_a_file_is(self):
        files, _ = self.given()
        result = self.explore("lock_inversion", "--sarif", "/dev/full", "--junit", files[1])
        self.assertIn("--sarif: can't write /dev/full: No space left on device", result.err)
        self.assertIn("DEADLOCK", result.out)
        self.only_finding(result)
        self.assertEqual(self.junit(files[1]).get("failures"), "1")
        self.assertEqual(len(self.sarif()["results"]), 1)

    def test_a_pass_whose_file_is_lost_is_none(self):
        result = self.snarl("run", "-n", 20, "--junit", "/dev/full", "-o", self.out, "--",
                            PROGRAMS / "correct" / "four_locks.O2")
        self.expect_code(result, 125)

    def test_no_verdict_is_never_a_pass(self):
        files, options = self.given()
        result = self.snarl("run", "-n", 5, *options, "-o", self.out, "--", "true")
        self.assertNotIn(result.code, (0, 1))
        self.assertEqual(self.junit(files[1]).get("errors"), "1")
        self.assertFalse(self.sarif(files[0])["invocations"][0]["executionSuccessful"])

    def test_who_is_killed_leaves_an_error_and_no_old_result(self):
        files, options = self.given()
        self.explore("four_locks", *options, code=0)
        process = snarl_case.start([snarl_case.snarl_binary(), "run", "-t", "60s", *options, "-o", self.out, "--",
                                    PROGRAMS / "correct" / "four_locks.O2"])
        with snarl_case.limited(process, 30):
            process.stderr.readline()  # it has begun
            snarl_case.kill_group(process)
            snarl_case.finish(process, 10)
        self.assertEqual(self.junit(files[1]).get("errors"), "1")
        self.assertIn("did not come to its end", files[2].read_text(encoding="utf-8"))

    def test_a_single_threaded_test_under_the_launcher_is_skipped(self):
        files, options = self.given()
        self.expect_code(self.snarl("run", "--launcher", *options, "-o", self.out, "--", "true"), 0)
        self.assertEqual(self.junit(files[1]).find("testsuite").get("skipped"), "1")
        self.expect_code(self.snarl("run", "--launcher", *options, "-o", self.out, "--", "false"), 1)
        self.assertNotIn(self.junit(files[1]).get("errors"), (None, "0"))


class GithubTest(ReportsCase):
    def test_annotations_are_there_in_a_job_only(self):
        commands = lambda text: [line for line in text.split("\n") if line.startswith("::")]
        (line,) = commands(self.explore("lock_inversion", env={"GITHUB_ACTIONS": "true"}).out)
        self.assertRegex(line, r"\A::error title=snarl%3A deadlock,file=[^:,]*lock_inversion\.c,line=\d+::deadlock ")
        self.assertEqual(commands(self.explore("lock_inversion", env={"GITHUB_ACTIONS": None}).out), [])
        off = self.explore("lock_inversion", "--annotations", "never", env={"GITHUB_ACTIONS": "true"})
        self.assertEqual(commands(off.out), [])
        on_stderr = self.explore("lock_inversion", "--json", "--annotations", "always")
        self.assertEqual(len(commands(on_stderr.err)), 1)
        json.loads(on_stderr.out)


class PrintTest(ReportsCase):
    def test_every_step_of_the_replay(self):
        self.explore("lock_inversion")
        result = self.snarl("replay", self.out, "--print")
        self.expect_code(result, 1)
        rows = json.loads((self.out / "latest" / "report.json").read_text(encoding="ascii"))["rows"]
        for row in rows:
            self.assertIn(row["text"], result.out)
        steps = [int(line.split()[0]) for line in result.out.split("\n") if line[:9].strip().isdigit()]
        self.assertEqual(steps, [row["step"] for row in rows if row["step"]])
        few = self.snarl("replay", self.out, "--print", "--until", 4)
        steps = [int(line.split()[0]) for line in few.out.split("\n") if line[:9].strip().isdigit()]
        self.assertTrue(steps and max(steps) <= 4)
        self.expect_code(self.snarl("replay", self.out, "--until", 4), 2)

    def test_a_lost_wake_up_woke_nobody(self):
        self.explore("c11_lost_wakeup")
        self.assertIn("nobody waits", self.snarl("replay", self.out, "--print").out)

    def test_values_of_an_exchange(self):
        result = self.snarl("run", "--seed", 1, "-n", 3000, "-p", "pct:depth=2", "-o", self.out, "--",
                            PROGRAMS / "wrong" / "stack_aba.O2")
        self.expect_code(result, 1)
        updates = re.findall(r"update owners\[\d\] .* \((.*)\)", self.snarl("replay", self.out, "--print").out)
        self.assertEqual(updates[-1], "1 -> 2", "a second owner is the failure")
        self.assertIn("0 -> 1", updates[:-1])

    def test_gdb_gets_its_commands(self):
        if not shutil.which("gdb"):
            self.skipTest("gdb is not installed")
        self.explore("lock_inversion")
        script = self.folder / "more.gdb"
        script.write_text("echo from-the-file\\n\n", encoding="utf-8")
        result = self.snarl("replay", self.out, "-x", script, "-ex", "snarl threads", "-ex", "kill", "-ex", "quit")
        self.assertIn("from-the-file", result.out)
        self.assertIn("waits, held by T", result.out)


class SearchTest(ReportsCase):
    def test_a_program_that_was_edited_fails_again_near_the_old_schedule(self):
        self.explore("lock_inversion")
        other = PROGRAMS / "wrong" / "lock_inversion.O0"
        plain = self.snarl("replay", self.out, "--", PROGRAMS / "wrong" / "philosophers.O2")
        self.expect_code(plain, 3)
        self.assertRegex(plain.out, r"step \d+: expected .*\n  got ")
        again = self.snarl("replay", self.out, "--on-divergence", "search", "--", PROGRAMS / "wrong" / "philosophers.O2")
        self.expect_code(again, 1)
        self.assertIn("Near it: deadlock again", again.out)
        self.expect_code(self.snarl("replay", self.out, "--on-divergence", "search", "--", other), 1)


    def test_a_replay_goes_on_past_the_divergence_if_it_is_asked_to(self):
        self.explore("lock_inversion")
        for program, code, said in (("philosophers.O2", (1, 3), "deadlock again|the program passed"),
                                    ("wait_under_if.O2", (1, 3), r"another failure \(\w+\)|the program passed")):
            result = self.snarl("replay", self.out, "--on-divergence", "continue", "--", PROGRAMS / "wrong" / program)
            self.assertIn(result.code, code, self.describe(result, "exit code"))
            self.expect_text(result, rf"step \d+: expected (.|\n)*\nContinued past that place: ({said})")
            self.assertEqual(result.code == 1, "passed" not in result.out.split("Continued past that place:")[1])
        other = self.snarl("replay", self.out, "--on-divergence", "continue", "--", PROGRAMS / "wrong" / "lock_inversion.O0")
        self.expect_code(other, 1)


class CorpusTest(ReportsCase):
    def test_an_old_failure_is_found_again_before_anything_else(self):
        old = self.only_finding(self.explore("lock_inversion"))
        corpus = self.folder / "corpus"
        shutil.copytree(self.finding_folder(old), corpus / "one")
        program = PROGRAMS / "wrong" / "lock_inversion.O2"
        again = self.snarl("run", "--corpus", corpus, "-n", 100, "--seed", 9, "-o", self.out, "--", program)
        self.expect_code(again, 1)
        finding = self.only_finding(again)
        for key in ("kind", "signature", "seed", "index", "policy"):
            self.assertEqual(finding[key], old[key])
        self.assertTrue(finding["confirmed"])
        self.assertIn("1 old schedule first: 1 fails again", again.out)
        self.expect_code(self.snarl("replay", self.out, "--times", 5), 1)
        both = self.snarl("run", "--corpus", corpus, "--keep-going", "-n", 50, "-o", self.out, "--", program)
        self.only_finding(both)

    def test_a_fixed_bug_and_another_program_are_passed(self):
        old = self.only_finding(self.explore("lock_inversion"))
        corpus = self.folder / "corpus"
        shutil.copytree(self.finding_folder(old), corpus / "one")
        fixed = self.folder / "lock_inversion.O2"
        shutil.copy2(PROGRAMS / "correct" / "four_locks.O2", fixed)
        result = self.snarl("run", "--corpus", corpus, "-n", 20, "-o", self.out, "--", fixed)
        self.expect_code(result, 0)
        self.assertIn("1 old schedule first: 0 fail again", result.out)
        other = self.snarl("run", "--corpus", corpus, "-n", 20, "-o", self.out, "--", PROGRAMS / "correct" / "four_locks.O2")
        self.expect_code(other, 0)
        self.assertNotIn("old schedule", other.out)

    def test_a_folder_that_is_not_there_or_is_damaged_is_an_error(self):
        program = PROGRAMS / "correct" / "four_locks.O2"
        self.expect_code(self.snarl("run", "--corpus", self.folder / "x", "-o", self.out, "--", program), 2)
        (self.folder / "bad.snarl").write_text("no schedule\n", encoding="utf-8")
        result = self.snarl("run", "--corpus", self.folder, "-o", self.out, "--", program)
        self.expect_code(result, 2)
        self.assertIn("bad.snarl:1", result.err)


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    cases = {"outputs": OutputsTest, "trouble": TroubleTest, "github": GithubTest, "print": PrintTest,
             "search": SearchTest, "corpus": CorpusTest}
    return snarl_case.run_suite(snarl_case.suite_of(cases, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
