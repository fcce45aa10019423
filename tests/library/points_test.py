#!/usr/bin/env python3
"""Which schedule points SNARL_TEST has, by build, and that it says so: deque.cc as it is, and built with snarl c++.

usage: points_test.py BUILD SOURCE
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import snarl_case  # noqa: E402

BUILD, SOURCE = (pathlib.Path(word).resolve() for word in sys.argv[1:3])


def run(*command, **environment):
    """Both outputs in one text."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SNARL")}
    env["SNARL_RACES"] = "off"  # what a switch at an access leads to, and not that there could be one
    env.update(environment)
    done = snarl_case.run([str(c) for c in command], env=env, timeout=250, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


class Points(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="snarl-points-")
        cls.addClassCleanup(cls.folder.cleanup)
        cls.cache = cls.folder.name + "/cache"
        cls.plain, cls.hooked = (cls.build(name, *by) for name, by in (
            ("plain", ["g++"]), ("hooked", [BUILD / "bin" / "snarl", "c++"])))

    @classmethod
    def build(cls, name, *compiler):
        program = f"{cls.folder.name}/{name}"
        code, out = run(*compiler, "-std=c++17", "-O1", "-g", "-pthread", "-DSNARL_WITH_GTEST", f"-I{SOURCE}/include",
                        SOURCE / "tests" / "library" / "deque.cc", "-o", program, f"-L{BUILD}/lib", "-lsnarl",
                        f"-Wl,-rpath,{BUILD}/lib", "-lgtest_main", "-lgtest")
        assert code == 0, out
        return program

    def outcome(self, program, name, **environment):
        """The exit code, the text, and the seconds that GoogleTest says it took."""
        code, out = run(program, f"--gtest_filter={name}", SNARL_CACHE=self.cache, **environment)
        took = re.search(r"(?:OK|FAILED).*\((\d+) ms\)", out)
        self.assertTrue(took, out)
        return code, out, int(took[1]) / 1000

    def fails_and_replays(self, program, name):
        code, out, _ = self.outcome(program, name)
        self.assertEqual(code, 1, out)
        self.assertNotIn("NOT CONFIRMED", out)
        line = re.search(r"Replay: (SNARL_REPLAY=\S+ .*)", out)
        self.assertTrue(line, out)
        for _ in range(5):
            code, again = run("sh", "-c", line[1], SNARL_POINTS="sync", SNARL_CACHE=self.cache)
            self.assertEqual(code, 1, "the string has its points with it\n" + again)
            self.assertIn("CHECK FAILED", again)
        return out

    def test_the_deque_fails_in_both_builds(self):
        for program, points in ((self.plain, "sync, atomic, user (not atomic loads"), (self.hooked, "sync, atomic, memory, user")):
            out = self.fails_and_replays(program, "Deque.LastItem")
            self.assertIn(f"points: {points}", out)
            used = min(self.usage_of(program, "Deque.LastItem")[0] for _ in range(3))
            self.assertLess(used, 1)
        code, out, _ = self.outcome(self.plain, "Deque.LastItem", SNARL_POINTS="sync", SNARL_SCHEDULES="300")
        self.assertEqual(code, 0, "calls alone show nothing\n" + out)
        self.assertRegex(out, r"\[  SNARL   \] Deque.LastItem: 300 schedules in .* s; points: sync, user \(not atomics")

    def usage_of(self, program, name, **environment):
        """Seconds of CPU and page faults, of all its processes."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.outcome(program, name, **environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, after.ru_minflt - before.ru_minflt

    def test_plain_memory_with_hooks_alone(self):
        code, out, _ = self.outcome(self.plain, "Plain.Counter", SNARL_SCHEDULES="300")
        self.assertEqual(code, 0, out)
        self.assertRegex(out, r"300 schedules in .*not atomic loads, plain stores and memory: build with snarl c\+\+")
        self.fails_and_replays(self.hooked, "Plain.Counter")

    def test_what_few_schedules_come_to(self):
        for seed in range(8):
            code, out, _ = self.outcome(self.hooked, "Plain.RareReader", SNARL_SEED=str(seed))
            self.assertEqual(code, 1, f"seed {seed}\n{out}")
        self.fails_and_replays(self.hooked, "Plain.RareReader")

    def test_what_is_right_stays_right(self):
        for program in (self.plain, self.hooked):
            for switching in ("fibers", "gates"):
                code, out, _ = self.outcome(program, "Right.Counter", SNARL_SWITCHING=switching, SNARL_SCHEDULES="500")
                self.assertEqual(code, 0, out)
                self.assertIn("500 schedules in", out)

    def test_reset_none_is_kept(self):
        code, out = run(self.hooked, "--gtest_filter=Right.Counter", "--gtest_output=json:/dev/stdout", SNARL_CACHE=self.cache)
        self.assertEqual(code, 0, out)
        self.assertIn('"snarl_reset": "none"', out)
        self.assertIn('"snarl_points": "sync,atomic,memory,user"', out)

    def is_granted(self, name):
        """Whether quiet steps were granted in a plain build (runtime/run/quiet.h), as callgrind sees what is called."""
        self.outcome(self.plain, name, SNARL_SCHEDULES="1")  # now its files are scanned, which valgrind would not see to
        calls = pathlib.Path(self.folder.name, "calls")
        calls.mkdir()
        code, out = run("valgrind", "--tool=callgrind", f"--callgrind-out-file={calls}/%p", self.plain, f"--gtest_filter={name}",
                        SNARL_CACHE=self.cache, SNARL_SCHEDULES="50")
        self.assertEqual(code, 0, out)
        text = "".join(file.read_text(errors="replace") for file in calls.iterdir())
        shutil.rmtree(calls)
        self.assertIn("serve_batches", text, "nothing was counted")
        return "quiet::grant" in text

    @unittest.skipUnless(shutil.which("valgrind"), "no valgrind")
    def test_without_atomics_a_schedule_costs_no_more(self):
        """Patches of libraries that the body does not come to are nothing to it, however many schedules there are."""
        self.assertTrue(self.is_granted("Right.Counter"))
        self.assertFalse(self.is_granted("Plain.Counter"))

    def test_files_are_patched_once(self):
        """However many processes a test takes. Each that patched for itself would have some 36 page faults for it, and
        there are 75 of them."""
        self.outcome(self.plain, "Plain.Counter", SNARL_SCHEDULES="1")  # now its files are scanned
        faults = {points: [self.usage_of(self.plain, "Plain.Counter", SNARL_POINTS=points)[1] for _ in range(3)]
                  for points in ("sync", "sync,atomic")}
        self.assertLess(min(faults["sync,atomic"]) - min(faults["sync"]), 1000, faults)

    def test_memory_points_need_hooks(self):
        code, out, _ = self.outcome(self.plain, "Right.Counter", SNARL_POINTS="memory")
        self.assertEqual(code, 1, out)
        self.assertIn("no memory hooks; build with snarl c++", out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
