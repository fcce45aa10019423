#!/usr/bin/env python3
"""Small programs with exactly one race each, and correct ones that look like them.

Each is built with snarl c++, and with the compiler's own -fsanitize=thread as a witness that shares nothing with us: its
verdict over a few runs stands beside ours in what the test prints. A wrong program must give a confirmed finding of kind
race that replays 20 of 20; a correct one none at all. The witness runs the machine's own schedules, so it may miss a race
that we find; what it calls a race in a correct program is printed, and not judged. The same programs are the bodies of
tests in library mode.
"""
import json
import os
import pathlib
import re
import shutil
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

LIBRARY = pathlib.Path(os.environ.get("SNARL", "build/release/bin/snarl")).resolve().parent.parent / "lib"
FLAGS = ["-std=c++20", "-O1", "-g"]
SCHEDULES = 60
WITNESS_RUNS = 3
SEEDS = 20
# Wrong programs of the default levels of points, in which accesses are none: the search makes them points.
WITHOUT_POINTS = {"counter", "heap_member", "memcpy_against_write"}
# In each interleaving the one access comes after the other, and only weak memory orders make it a race.
WEAK = {"relaxed_flag", "relaxed_to_acquire", "release_to_relaxed", "missing_fence", "relaxed_lock", "relaxed_unlock",
        "relaxed_ring", "handed_on"}


class RacesCase(snarl_case.SnarlCase):
    timeout = 120
    COMPILER = None  # that snarl c++ is told to use

    def build(self, source, *more):
        binary = self.folder / source.stem
        words = [f"--with={self.COMPILER}"] if self.COMPILER else []
        self.expect_code(self.snarl("c++", *words, *FLAGS, source, *more, "-o", binary), 0)
        return binary

    def witness(self, source):
        """What gcc's TSan says: a race, none, or not to be had."""
        binary = self.folder / (source.stem + ".tsan")
        if self.command("g++", *FLAGS, "-fsanitize=thread", source, "-o", binary).code != 0:
            return "not built"
        ends = [self.command(binary, env={"TSAN_OPTIONS": "exitcode=66"}) for _ in range(WITNESS_RUNS)]
        if any("data race" in end.err for end in ends):
            return "race"
        return "silent" if all(end.code == 0 for end in ends) else "did not run"

    def explore(self, binary, *options):
        return self.snarl("run", *options, "--seed", "7", "-n", SCHEDULES, "--keep-going", "-o", self.out, "--", binary)

    def races(self, result):
        return [finding for finding in self.summary(result)["findings"] if finding["kind"] == "race"]

    def report(self, finding):
        text = (self.finding_folder(finding) / "report.txt").read_text(encoding="utf-8")
        return " ".join(text.split())

    def tell(self, source, result, witness):
        notes = [note for note in self.summary(result).get("notes", []) if note["kind"] == "possible_race"]
        print(f"  {source.parent.name:8} {source.stem:28} snarl: {len(self.races(result))} races, {len(notes)} possible"
              f"   gcc -fsanitize=thread: {witness}", flush=True)

    def check_wrong(self, source):
        binary = self.build(source)
        levels = [["--points", "memory"]] + ([["--races", "report"]] if source.stem in WITHOUT_POINTS else [])
        for points in levels:
            result = self.explore(binary, *points)
            self.tell(source, result, self.witness(source) if "memory" in points else "(without points at accesses)")
            self.expect_code(result, 1)
            races = self.races(result)
            self.assertTrue(races, self.describe(result, "no race was found"))
            self.assertTrue(all(race["confirmed"] for race in races), self.describe(result, "not confirmed"))
            is_weak = "too weak to order them" in self.report(races[0])
            self.assertEqual(is_weak, source.stem in WEAK, self.describe(result, "another kind of race"))
            again = self.snarl("replay", self.finding_folder(races[0]), "--times", 20, "--json")
            self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))

    def check_correct(self, source):
        binary = self.build(source)
        self.expect_code(self.command(binary), 0)  # without snarl
        for points in (["--points", "memory"], ["--races", "report"]):
            result = self.explore(binary, *points)
            self.tell(source, result, self.witness(source) if "memory" in points else "(without points at accesses)")
            self.assertEqual(self.summary(result)["findings"], [], self.describe(result, "a false alarm"))
            self.expect_code(result, 0)


LIBRARY_TEST = """
#define main program
#include "{source}"
#undef main
#include <snarl/snarl.h>

#include <cstdio>

int main() {{
  const snarl::Result result = snarl::explore({{.schedules = 2000, .fork = true}}, [] {{
    if (program() != 0) snarl::fail("the program failed");
  }});
  std::printf("%s %s\\n", result.passed ? "passed" : result.kind.c_str(), result.replay.c_str());
  return result.passed ? 0 : 1;
}}
"""


class LibraryCase(RacesCase):
    """The same programs as bodies of tests."""

    def build_test(self, source):
        test = self.folder / (source.stem + "_test.cc")
        test.write_text(LIBRARY_TEST.format(source=source), encoding="utf-8")
        return self.build(test, f"-I{HERE.parent.parent}/include", f"-L{LIBRARY}", "-lsnarl", f"-Wl,-rpath,{LIBRARY}")

    def check_wrong(self, source):
        test = self.build_test(source)
        result = self.command(test)
        kind, replay = (result.out.split() + [""])[:2]
        print(f"  {source.parent.name:8} {source.stem:28} SNARL_TEST: {kind}", flush=True)
        self.assertEqual(kind, "race", self.describe(result, "no race was found"))
        for _ in range(20):
            again = self.command(test, env={"SNARL_REPLAY": replay})
            self.assertEqual(again.out.split()[0], "race", self.describe(again, "not reproduced"))

    def check_correct(self, source):
        result = self.command(self.build_test(source))
        self.expect_code(result, 0)

    def test_off(self):
        test = self.build_test(HERE / "wrong" / "counter.cc")
        self.expect_code(self.command(test, env={"SNARL_RACES": "off"}), 0)


class ClangCase(RacesCase):
    """The same programs, built by clang."""
    COMPILER = "clang++"


class SeedsCase(RacesCase):
    """Each race is found within 100 schedules, whatever the seed."""

    def check_wrong(self, source):
        binary = self.build(source)
        for seed in range(1, SEEDS + 1):
            result = self.snarl("run", "--points", "memory", "--races", "stop", "--no-minimize", "--seed", seed, "-n", 100,
                                "-o", self.out, "--", binary)
            self.expect_code(result, 1)
            kinds = {finding["kind"] for finding in self.summary(result)["findings"]}
            self.assertLessEqual(kinds, {"race", "use_after_free", "signal"}, self.describe(result, f"seed {seed}"))
            self.assertIn("race", kinds, self.describe(result, f"seed {seed}"))

    def check_correct(self, source):
        """As RacesCase, with one seed."""


class OptionsCase(RacesCase):
    def test_off(self):
        result = self.explore(self.build(HERE / "wrong" / "counter.cc"), "--points", "memory", "--races", "off")
        self.expect_code(result, 0)

    def test_stop(self):
        binary = self.build(HERE / "wrong" / "counter.cc")
        result = self.snarl("run", "--races", "stop", "--points", "memory", "-n", 5000, "-o", self.out, "--", binary)
        self.expect_code(result, 1)
        self.assertLess(self.summary(result)["schedules"], 5000)

    def test_without_hooks(self):
        binary = self.folder / "plain"
        self.expect_code(self.command("g++", *FLAGS, HERE / "wrong" / "counter.cc", "-o", binary), 0)
        result = self.snarl("run", "--races", "report", "-n", 10, "-o", self.out, "--", binary)
        self.expect_code(result, 2)
        self.assertIn("snarl c++", result.err)
        self.expect_code(self.snarl("run", "-n", 10, "-o", self.out, "--", binary), 0)

    def test_default(self):
        """A build with hooks is looked at where accesses are points, and nowhere else."""
        binary = self.build(HERE / "wrong" / "counter.cc")
        self.expect_code(self.explore(binary), 1)
        self.expect_code(self.explore(binary, "--points", "sync,atomic"), 0)

    def test_suppressed(self):
        listed = self.folder / "suppressions"
        listed.write_text("race file=*counter.cc\n", encoding="utf-8")
        result = self.explore(self.build(HERE / "wrong" / "counter.cc"), "--points", "memory", "--suppressions", listed)
        self.expect_code(result, 0)

    def test_schedules_are_the_same(self):
        """What is looked at does not change what is done."""
        binary = self.build(HERE / "correct" / "message_release_acquire.cc")
        seen = set()
        for mode in ("report", "off"):
            summary = self.summary(self.explore(binary, "--points", "memory", "--races", mode))
            seen.add((summary["schedules"], summary["distinct_schedules"], summary["steps"], summary["threads"]))
        self.assertEqual(len(seen), 1, seen)

    def test_handles_repeat(self):
        """What the detector needs moves nothing of the program's: a replay, which needs none, has the same handles."""
        binary = self.build(HERE / "hostile" / "goes_by_handle.cc")
        handles = self.folder / "handles"
        result = self.snarl("run", "--seed", "7", "-n", 500, "-o", self.out, "--", binary, handles)
        self.expect_code(result, 1)
        self.assertEqual(self.only_finding(result)["kind"], "assert")
        explored = set(handles.read_text(encoding="ascii").split())
        handles.unlink()
        again = self.snarl("replay", self.out, "--switching", "fibers", "--times", 20, "--json")
        self.expect_code(again, 1)
        self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))
        replayed = set(handles.read_text(encoding="ascii").split())
        self.assertEqual(len(replayed), 2)
        self.assertLessEqual(replayed, explored)


class HostileCase(RacesCase):
    def check(self, name, *options):
        binary = self.build(HERE / "hostile" / f"{name}.cc")
        result = self.snarl("run", "--points", "memory", *options, "-o", self.out, "--", binary)
        self.expect_code(result, 1)
        self.assertTrue(self.races(result), self.describe(result, "no race"))
        return result

    def test_killed(self):
        self.check("killed", "-n", 20, "--keep-going")

    def test_crowd(self):
        self.check("crowd", "-n", 3, "--no-minimize", "-p", "random")

    def test_reserved(self):
        """Of a run of 100,000 steps the search makes few: the pair is seen, and may stay possible."""
        result = self.snarl("run", "--points", "memory", "-n", 3, "--no-minimize", "-p", "random", "-j", 1,
                            "-o", self.out, "--", self.build(HERE / "hostile" / "reserved.cc"))
        self.expect_code(result, 0, 1)
        kinds = [one["kind"] for part in ("findings", "notes") for one in self.summary(result).get(part, [])]
        self.assertTrue({"race", "possible_race"} & set(kinds), self.describe(result, "no race"))
        self.assertLess(result.max_rss_kb, 2 << 20)

    def test_on_gates(self):
        for source in ("missing_lock", "relaxed_flag"):
            result = self.explore(self.build(HERE / "wrong" / f"{source}.cc"), "--points", "memory", "--switching", "gates")
            self.expect_code(result, 1)
            self.assertTrue(self.races(result), self.describe(result, "no race"))


class MixedCase(RacesCase):
    """A ring buffer without hooks orders threads by plain mov instructions, which nobody sees."""

    def ring(self, *flags, output):
        words = ["g++", *FLAGS, "-fPIC", *flags, HERE / "mixed" / "ring.cc", "-o", output]
        self.expect_code(self.command(*words), 0)
        return output

    def check_silent(self, *ring):
        binary = self.build(HERE / "mixed" / "main.cc", *ring)
        self.expect_code(self.command(binary), 0)
        result = self.explore(binary, "--points", "memory")
        self.assertEqual(self.summary(result)["findings"], [], self.describe(result, "a false alarm"))
        self.expect_code(result, 0)
        return self.summary(result)

    def test_library_without_hooks(self):
        library = self.ring("-shared", "-Wl,-soname,libring.so", output=self.folder / "libring.so")
        summary = self.check_silent(library, f"-Wl,-rpath,{self.folder}")
        blind = [note["text"] for note in summary["notes"] if note["kind"] == "blind_spot"]
        self.assertEqual(len(blind), 1, blind)
        self.assertIn("libring.so", blind[0])

    def test_object_without_hooks(self):
        self.check_silent(self.ring("-c", output=self.folder / "ring.o"))

    def test_all_with_hooks(self):
        """The same ring buffer, with hooks and relaxed indices: nothing else can order the threads."""
        binary = self.build(HERE / "mixed" / "main.cc", "-DRING_ORDER=relaxed", HERE / "mixed" / "ring.cc")
        result = self.explore(binary, "--points", "memory")
        self.expect_code(result, 1)
        self.assertIn("too weak to order them", self.report(self.races(result)[0]))
        strong = self.build(HERE / "mixed" / "main.cc", HERE / "mixed" / "ring.cc")
        self.expect_code(self.explore(strong, "--points", "memory"), 0)


class FreedCase(RacesCase):
    """Memory that is used or freed after it was freed, in builds with hooks."""

    def check(self, source):
        wanted = re.search(r"^// kind: (\w+)$", source.read_text(encoding="utf-8"), re.MULTILINE)[1]
        binary = self.build(source)
        result = self.explore(binary, "--points", "memory")
        kinds = {finding["kind"] for finding in self.summary(result)["findings"]}
        if wanted == "none":
            return self.assertEqual(kinds, set(), self.describe(result, "a false alarm"))
        self.assertIn(wanted, kinds, self.describe(result, "nothing was found"))
        finding = next(f for f in self.summary(result)["findings"] if f["kind"] == wanted)
        self.assertTrue(finding["confirmed"])
        text = self.report(finding)
        self.assertEqual(text.count("freed the memory"), 2 if source.stem == "double_free" else 1, text)
        self.assertIn(source.name, text.split("freed the memory")[-1], "where it was freed")
        again = self.snarl("replay", self.finding_folder(finding), "--times", 20, "--json")
        self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))

    def test_read_after_free(self):
        self.check(HERE / "freed" / "read_after_free.cc")

    def test_double_free(self):
        self.check(HERE / "freed" / "double_free.cc")

    def test_used_again(self):
        self.check(HERE / "freed" / "used_again.cc")


class PredictedCase(RacesCase):
    """Races that happens-before misses in the one schedule that is run, as a lock orders the accesses there by chance."""
    ONE = ["--points", "memory", "--seed", "1", "-n", "1", "-p", "preempt-bound:bound=0"]

    def predict(self, binary, *options):
        result = self.snarl("run", "--predict", *self.ONE, *options, "-o", self.out, "--", binary)
        notes = [note["text"] for note in self.summary(result)["notes"] if note["kind"] == "prediction"]
        self.assertEqual(len(notes), 1, self.describe(result, "no word of the prediction"))
        return result, notes[0]

    def check_missed(self, binary):
        plain = self.snarl("run", "--races", "report", *self.ONE, "-o", self.out, "--", binary)
        self.expect_code(plain, 0)
        summary = self.summary(plain)
        self.assertEqual(summary["schedules"], 1)
        self.assertEqual(summary["findings"] + [n for n in summary.get("notes", []) if "race" in n["kind"]], [])

    def check_found(self, binary):
        result, note = self.predict(binary)
        self.expect_code(result, 1)
        self.assertEqual(self.summary(result)["schedules"], 1)
        self.assertIn("1 race predicted, 1 of which happens-before orders where it was predicted: 1 confirmed, 0 not", note)
        races = self.races(result)
        self.assertEqual([race["confirmed"] for race in races], [True], self.describe(result, "not confirmed"))
        again = self.snarl("replay", self.finding_folder(races[0]), "--times", 20, "--json")
        self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))

    def check_wrong(self, source):
        binary = self.build(source)
        self.check_missed(binary)
        self.check_found(binary)

    def check_correct(self, source):
        result, note = self.predict(self.build(source))
        self.expect_code(result, 0)
        self.assertEqual(self.summary(result)["findings"], [], self.describe(result, "a false alarm"))
        self.assertIn("0 races predicted", note)

    def test_turned_round(self):
        """Critical sections change places."""
        binary = self.build(HERE / "predicted" / "turned_round.cc")
        self.check_missed(binary)
        self.check_found(binary)

    def test_verb(self):
        """From the schedule of another failure."""
        binary = self.build(HERE / "predicted" / "fails_too.cc")
        found = self.snarl("run", "--races", "off", *self.ONE, "--no-minimize", "-o", self.out, "--", binary)
        folder = self.finding_folder(self.summary(found)["findings"][0])
        result = self.snarl("predict", folder, "--json")
        self.expect_code(result, 1)
        races = json.loads(result.out)["races"]
        self.assertEqual([(r["ordered_by_happens_before"], r["confirmed"]) for r in races], [(True, True)], result.out)
        again = self.snarl("replay", races[0]["folder"], "--times", 20, "--json")
        self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))
        text = self.snarl("predict", folder)
        self.assertIn("confirmed, snarl replay", text.out)
        self.assertIn("happens-before orders the two in the recorded schedule", text.out)

    def test_refused(self):
        binary = self.build(HERE / "predicted" / "fails_too.cc")
        for options in (["--once"], ["--races", "off"], ["--points", "sync"]):
            result = self.snarl("run", "--predict", *options, "-o", self.out, "--", binary)
            self.expect_code(result, 2)
        found = self.snarl("run", "--points", "sync", "--seed", "1", "-n", "1", "-o", self.out, "--", binary)
        result = self.snarl("predict", self.finding_folder(self.summary(found)["findings"][0]))
        self.expect_code(result, 2)
        self.assertIn("without memory points", result.err)
        plain = self.folder / "plain"
        self.expect_code(self.command("g++", *FLAGS, HERE / "predicted" / "fails_too.cc", "-o", plain), 0)
        self.expect_code(self.snarl("run", "--predict", "-n", "10", "-o", self.out, "--", plain), 2)


class LocksCase(RacesCase):
    """Locks that are taken in opposite orders: a deadlock is searched for."""

    def check(self, source):
        wanted = re.search(r"^// finds: (\w+)$", source.read_text(encoding="utf-8"), re.MULTILINE)[1]
        binary = self.build(source)
        result = self.snarl("run", "--points", "memory", "-p", "random", "--seed", "7", "-n", 20, "-o", self.out,
                            "--", binary)
        summary = self.summary(result)
        kinds = [finding["kind"] for finding in summary["findings"]]
        notes = [note["kind"] for note in summary.get("notes", [])]
        self.assertEqual(kinds, ["deadlock"] if wanted == "deadlock" else [], self.describe(result, "the findings"))
        self.assertEqual(notes, [wanted] if wanted.startswith("possible") else [], self.describe(result, "the notes"))
        if not kinds:
            return self.expect_code(result, 0)
        folder = self.finding_folder(summary["findings"][0])
        again = self.snarl("replay", folder, "--times", 20, "--json")
        self.assertEqual(json.loads(again.out)["reproduced"], 20, self.describe(again, "not reproduced each time"))
        chance = self.snarl("run", "--points", "memory", "--races", "off", "-p", "random", "--seed", "7", "-n", 20,
                            "-o", self.out, "--", binary)
        self.expect_code(chance, 0)

    def test_opposite(self):
        self.check(HERE / "locks" / "opposite.cc")

    def test_gate(self):
        self.check(HERE / "locks" / "gate.cc")

    def test_handed_over(self):
        self.check(HERE / "locks" / "handed_over.cc")


FEW = {"missing_lock", "relaxed_flag", "heap_member", "message_release_acquire", "spin_lock", "condition"}
PREDICTED = {"hidden_by_lock", "hidden_by_two_locks", "hidden_by_statistics", "hidden_reader", "hidden_in_other_section",
             "handed_over_under_lock", "handed_over_twice", "lock_and_semaphore", "lock_and_condition", "common_inner_lock"}
FEW_PREDICTED = {"hidden_by_two_locks", "hidden_reader", "handed_over_twice", "lock_and_condition"}
FEW_IN_TESTS = {"missing_lock", "relaxed_flag", "message_release_acquire"}


def add_tests(case, only):
    for part in ("wrong", "correct"):
        for source in sorted((HERE / part).glob("*.cc")):
            if only and source.stem not in only:
                continue
            check = getattr(case, "check_" + part)
            setattr(case, f"test_{part}_{source.stem}", lambda self, s=source, c=check: c(self, s))


def main():
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--few", action="store_true", help="only the programs that say most")
    arguments = parser.parse_args()
    loader = unittest.defaultTestLoader
    cases = [OptionsCase, MixedCase, FreedCase, LocksCase, LibraryCase, PredictedCase]
    add_tests(PredictedCase, FEW_PREDICTED if arguments.few else PREDICTED)
    add_tests(LibraryCase, FEW_IN_TESTS if arguments.few else set())
    if not arguments.few:
        cases += [HostileCase, SeedsCase] + ([ClangCase] if shutil.which("clang++") else [])
        add_tests(SeedsCase, set())
        add_tests(ClangCase, set())
    suites = [loader.loadTestsFromTestCase(case) for case in cases]  # before RacesCase has tests that they inherit
    add_tests(RacesCase, FEW if arguments.few else set())
    return snarl_case.run_suite(unittest.TestSuite([*suites, loader.loadTestsFromTestCase(RacesCase)]), arguments)


if __name__ == "__main__":
    sys.exit(main())
