#!/usr/bin/env python3
"""snarl lanes as a user types it: what it finds, what it refuses, and that its schedules are all of them."""
import functools
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
OWN = HERE / "programs"
WRONG = HERE.parent / "programs/wrong"

# Wrong programs: what is found, by random, in C++ by pct (where main makes long steps between its threads). The chance to miss one is below 1e-9 for all, as each
# has a hit rate above 1 in 500, and is given 20,000 schedules.
FOUND = {
    "memory/publish_after_create.c": "signal",
    "memory/stack_aba.cc": "assert",
    "misuse/freed_while_waited.c": "check",
    "misuse/unlock_by_other.c": "unlock_not_owner",
    "process/wrong_exit_code.c": "exit",
    "sync/inversion_of_three.c": "deadlock",
    "sync/lock_inversion.c": "deadlock",
    "sync/lost_update.c": "assert",
    "sync/missed_signal.c": "deadlock",
    "sync/overdraft.cc": "assert",
    "sync/rwlock_upgrade.c": "deadlock",
    "sync/self_deadlock.c": "deadlock",
    "sync/trylock_unchecked.c": "assert",
    "sync/wait_under_if.c": "assert",
}
REFUSED = {
    "process/lost_eventfd_wakeup.c": "eventfd",
    "signals/cancel_leaks_unit.c": "pthread_cancel",
}


def binomial_at_most(hits, count, rate):
    """The chance of at most `hits` in `count` draws."""
    def log_term(i):
        return (math.lgamma(count + 1) - math.lgamma(i + 1) - math.lgamma(count - i + 1) + i * math.log(rate)
                + (count - i) * math.log1p(-rate))
    return min(1.0, math.fsum(math.exp(log_term(i)) for i in range(hits + 1)))


def lanes(*words, timeout=100, env=None, output=None, given=None):
    """Results go to a folder that is thrown away, unless there is another. `given`: the standard input."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["-o", output or folder + "/out", *words] if "--" in words else words
        done = subprocess.run([os.environ["SNARL"], "lanes", *map(str, words)], capture_output=True, text=True,
                              timeout=timeout, env=env, **({"input": given} if given else {"stdin": subprocess.DEVNULL}))
    return done


def native(source, folder, *words, given=""):
    """What the machine's own program prints."""
    program = pathlib.Path(folder) / "native"
    compiler = ["g++", "-std=c++20"] if source.suffix == ".cc" else ["gcc"]
    subprocess.run([*compiler, "-O1", "-w", source, "-o", program, "-lm", "-pthread"], check=True, timeout=60)
    env = {**os.environ, "COLOUR": "red"}
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=20, check=True, input=given, env=env).stdout


def brute_force(bound):
    """The schedules of two_by_two.c with at most `bound` preemptions, counted from its steps alone."""
    main = ["after", "create", "after", "read", "join a", "read", "join b", "end"]
    steps = 4  # of each thread: start, two writes, exit

    @functools.lru_cache(None)
    def count(m, a, b, running, left):
        enabled = []
        if m < len(main) and not (main[m] == "join a" and a < steps) and not (main[m] == "join b" and b < steps):
            enabled.append("m")
        enabled += ["a"] if a < steps else []
        enabled += ["b"] if 0 <= b < steps else []
        total = 0
        for thread in enabled:
            rest = left - (running in enabled and thread != running)
            if rest >= 0:
                made = 0 if thread == "m" and main[m] == "create" else b + (thread == "b")
                total += count(m + (thread == "m"), a + (thread == "a"), made, thread, rest)
        return total if enabled else 1

    return count(0, 0, -1, "m", bound)


class Lanes(unittest.TestCase):
    def test_wrong_programs_are_found(self):
        for name, kind in FOUND.items():
            with self.subTest(name):
                policy = "pct:depth=3" if name.endswith(".cc") else "random"
                done = lanes("--seed", 5, "-n", 20000, "-p", policy, "--json", "--", WRONG / name)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertEqual(json.loads(done.stdout)["findings"][0]["kind"], kind)

    def test_refusals_name_the_reason(self):
        for name, what in REFUSED.items():
            with self.subTest(name):
                done = lanes("--", WRONG / name)
                self.assertEqual(done.returncode, 4, done.stderr)
                self.assertIn(what, done.stderr)

    def test_all_refusals_come_at_once(self):
        done = lanes("--", OWN / "refused.c")
        self.assertEqual(done.returncode, 4)
        for what in ("refused.c:7: work: inline assembly", "refused.c:14: main", "setjmp", "fork"):
            self.assertIn(what, done.stderr)

    def test_exhaustive_counts_every_schedule(self):
        for bound in (0, 1, 2, 100):
            done = lanes("--preemptions", bound, "--json", "--", OWN / "two_by_two.c")
            self.assertEqual(done.returncode, 0, done.stderr)
            seen = json.loads(done.stdout)
            self.assertTrue(seen["complete"])
            self.assertEqual(seen["schedules"], brute_force(bound))

    def test_exhaustive_finds_with_as_many_preemptions_as_it_takes(self):
        program = OWN / "heap_after_free.c"
        self.assertEqual(lanes("--preemptions", 0, "--", program).returncode, 0)
        self.assertEqual(lanes("--preemptions", 1, "--", program).returncode, 1)

    def same_output(self, source, *words, indices=(0, 7, 33), given=None, arguments=()):
        with tempfile.TemporaryDirectory() as folder:
            expected = native(source, folder, *arguments, given=given or "")
        self.assertTrue(expected)
        for index in indices:
            done = lanes("--seed", 3, "--replay", index, "-p", "random", "--json", *words, "--", source, given=given)
            self.assertEqual(done.stderr, "")
            self.assertEqual(json.loads(done.stdout)["out_tail"], expected)

    def test_output_is_that_of_the_machine(self):
        for name in ("arithmetic.c", "arrays.c", "hashes.cc"):
            with self.subTest(name):
                self.same_output(OWN / name)

    def test_inputs_are_read_as_on_the_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "words.txt"
            path.write_text("first line\nsecond, longer than eight\n\nlast without an end")
            given = "word -12 , 0x1f ff 123456789012 2.5e3 1.1 q abcabd 77 last\n"
            self.same_output(OWN / "reads_inputs.c", "--args", path, "--env", "COLOUR=red", given=given, arguments=[path])

    def test_an_array_of_variable_length_has_bounds(self):
        done = lanes("--seed", 1, "-n", 2000, "-p", "random", "--json", "--", OWN / "array_overrun.c")
        self.assertEqual([row["kind"] for row in json.loads(done.stdout)["findings"]], ["check"], done.stderr)

    def test_a_deadline_comes_though_others_can_run(self):
        for policy in ("random", "pct:depth=2", "ppct:depth=2", "pos", "hold"):
            with self.subTest(policy):
                done = lanes("--seed", 1, "-n", 5000, "-p", policy, "--json", "--", OWN / "times_out.c")
                self.assertEqual([row["kind"] for row in json.loads(done.stdout)["findings"]], ["assert"], done.stderr)
        self.assertEqual(lanes("--preemptions", 1, "--", OWN / "times_out.c").returncode, 1)

    def test_races(self):
        """By the memory orders: one variable is handed over, the other one is not."""
        done = lanes("--seed", 1, "-n", 3000, "--keep-going", "--races", "report", "--json", "--", OWN / "two_races.c")
        seen = json.loads(done.stdout)
        self.assertEqual({row["kind"] for row in seen["findings"]}, {"race"}, done.stderr)
        lines = {int(row["place"].rsplit(":", 1)[1]) for row in seen["findings"]}
        self.assertTrue(lines <= {11, 19}, lines)
        self.assertEqual(lanes("--seed", 1, "-n", 3000, "--", OWN / "two_races.c").returncode, 0)

    def test_every_serial_policy_of_the_catalog(self):
        """All that searches finds a lost update; others go through 2,000 schedules; parallel ones are refused."""
        done = subprocess.run([os.environ["SNARL"], "policies", "--json"], capture_output=True, text=True, timeout=20)
        names = [row["name"] for row in json.loads(done.stdout)]
        self.assertGreater(len(names), 15)
        found = set()
        for name in names:
            policy = name + ":make=switch" if name.startswith("noise") else name
            with self.subTest(policy):
                done = lanes("--seed", 1, "-n", 3000, "-p", policy, "--json", "--", WRONG / "sync/lost_update.c")
                if name in ("none", "random-sleep", "obey"):
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    continue
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                found.add(name)
        self.assertGreater(len(found), 14)

    def test_results_are_those_of_run(self):
        """A folder for each finding, which `snarl replay` replays; SARIF, JUnit and Markdown; exit codes."""
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "out"
            junit = pathlib.Path(folder) / "own.xml"
            done = lanes("--seed", 5, "-n", 20000, "-p", "hold", "-p", "pct:depth=2", "--junit", junit, "--", WRONG / "sync/lost_update.c",
                         output=out)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("found assert", done.stderr)
            finding = next((out / "findings").iterdir())
            for name in ("report.txt", "report.json", "schedule.snarl", "stdout.txt", "replay.sh", "trace.json"):
                self.assertTrue((finding / name).read_text() or name == "stdout.txt", name)
            for name in ("summary.json", "snarl.sarif", "junit.xml", "summary.md"):
                self.assertTrue((out / name).exists(), name)
            self.assertIn("<failure", junit.read_text())
            self.assertEqual(json.loads((out / "summary.json").read_text())["findings"][0]["folder"], str(finding))
            again = subprocess.run([os.environ["SNARL"], "replay", finding, "--json"], capture_output=True, text=True, timeout=60)
            self.assertEqual(again.returncode, 1, again.stderr)
            first, second = (json.loads(text) for text in ((finding / "report.json").read_text(), again.stdout))
            for key in ("signature", "steps", "switches"):
                self.assertEqual(first[key], second[key])
            self.assertEqual(subprocess.run([os.environ["SNARL"], "minimize", finding], capture_output=True, timeout=60).returncode, 2)

    def test_as_many_workers_as_you_like(self):
        """The first finding is the same; so is every count of a whole exploration."""
        seen = []
        for jobs in (1, 3):
            done = lanes("-j", jobs, "--seed", 7, "-n", 100000, "-p", "pct:depth=3", "-p", "uact:depth=3", "--keep-going", "--json", "--",
                         WRONG / "sync/wait_under_if.c")
            summary = json.loads(done.stdout)
            seen.append([summary[key] for key in ("schedules", "failing_schedules", "distinct_schedules", "steps", "threads", "profiles")]
                        + [(row["index"], row["schedules"]) for row in summary["findings"]])
            rare = json.loads(lanes("-j", jobs, "--seed", 3, "-n", 3000000, "-p", "pct:depth=3,steps=1000", "--json", "--",
                                    WRONG / "sync/wait_under_if.c").stdout)
            seen[-1].append([row["index"] for row in rare["findings"]])
        self.assertEqual(seen[0], seen[1])
        self.assertGreater(seen[0][-1][0], 16384, "found before there were workers")

    def test_database_and_bitcode(self):
        source = WRONG / "sync/lost_update.c"
        with tempfile.TemporaryDirectory() as folder:
            database = pathlib.Path(folder) / "compile_commands.json"
            database.write_text(json.dumps([{"directory": str(source.parent), "file": source.name,
                                             "command": f"cc -O2 -DNAME=\\\"x\\\" -c {source.name} -o {source.name}.o"}]))
            for words in (["--database", database, "--"], ["--database", database, "--", source]):
                done = lanes("--seed", 5, "-n", 20000, "-p", "random", *words)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            for suffix, option in ((".bc", "-c"), (".ll", "-S")):
                made = pathlib.Path(folder) / ("program" + suffix)
                subprocess.run(["clang-14", "-O1", "-Xclang", "-disable-llvm-passes", "-g", "-emit-llvm", option, source, "-o", made],
                               check=True, timeout=60)
                self.assertEqual(lanes("--seed", 5, "-n", 20000, "-p", "random", "--", made).returncode, 1)

    def test_pct_hits_as_often_as_its_bound_says(self):
        """1/(n k^(d-1)). The error is below 1e-9 for each program, as the binomial tail is exact."""
        for name in ("sync/lost_update.c", "sync/lock_inversion.c", "sync/missed_signal.c", "sync/wait_under_if.c"):
            with self.subTest(name):
                depth = int(re.search(r"depth=(\d)", (WRONG / name).read_text())[1])
                done = lanes("--seed", 11, "-n", 20000 if depth == 2 else 400000, "-p", f"pct:depth={depth}",
                             "--keep-going", "--json", "--", WRONG / name)
                seen = json.loads(done.stdout)
                early = seen["profiles"][-1]["first_index"]  # planned before n and k were known
                count, hits = seen["schedules"] - early, max(0, seen["failing_schedules"] - early)
                bound = 1 / (seen["threads"] * seen["steps"] ** (depth - 1))
                self.assertGreater(count * bound, 21, "too few schedules to tell a policy that never hits")
                self.assertGreaterEqual(binomial_at_most(hits, count, bound), 1e-9, f"{hits} of {count}, bound {bound}")

    def test_livelock_is_confirmed(self):
        for policy in ("random", "pct:depth=2"):
            done = lanes("--seed", 1, "-n", 3000, "--steps", 20000, "-p", policy, "--json", "--", OWN / "spins_for_ever.c")
            seen = json.loads(done.stdout)
            self.assertEqual((done.returncode, seen["unconfirmed"]), (1, 0), done.stdout + done.stderr)
            self.assertEqual(seen["findings"][0]["kind"], "livelock")

    def test_shared_beginnings_change_nothing(self):
        """What the lanes of a group have in common runs once, or each lane runs alone: the same schedules."""
        seen = []
        for when in ("yes", "no"):
            done = lanes("--seed", 9, "-n", 6400, "-p", "uact:depth=4", "--keep-going", "--shared-prefix", when, "--json",
                         "--", WRONG / "sync/wait_under_if.c")
            summary = json.loads(done.stdout)
            seen.append([summary[key] for key in ("schedules", "failing_schedules", "distinct_schedules", "steps", "threads",
                                                  "profiles")] + [row["index"] for row in summary["findings"]])
        self.assertEqual(seen[0], seen[1])
        self.assertGreater(seen[0][1], 0)

    def test_a_group_of_uact_is_one_run_of_the_bound(self):
        done = lanes("--seed", 9, "-n", 3200, "-p", "uact:depth=2,lanes=32", "--json", "--", OWN / "two_by_two.c")
        bound = json.loads(done.stdout)["bound"][0]
        self.assertLessEqual(bound["counted"], 100)
        self.assertGreater(bound["counted"], 50)

    def test_failures_come_again_in_the_native_twin(self):
        """By real threads and glibc. The twin shares only the marking of accesses with the lane."""
        for name in ("memory/stack_aba.cc", "sync/lock_inversion.c", "sync/missed_signal.c", "sync/lost_update.c"):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                twin = pathlib.Path(folder) / "twin"
                done = lanes("--seed", 3, "-n", 20000, "--native-twin", twin, "--", WRONG / name)
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("# the same failure", done.stdout)
                replay = [os.environ["SNARL"], "replay", f"{twin}-0001.snarl", "--", twin]
                again = subprocess.run(replay, capture_output=True, text=True, timeout=60)
                self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_what_is_missing_is_named(self):
        done = lanes("--", OWN / "refused.c", env={"PATH": "/nonexistent"})
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn("install the package clang-14", done.stderr)
        snarl = pathlib.Path(os.environ["SNARL"])
        with tempfile.TemporaryDirectory(dir=snarl.parent) as folder:  # as built without LLVM: no snarl-lanes beside it
            alone = pathlib.Path(folder) / "snarl"
            os.link(snarl, alone)
            done = subprocess.run([alone, "lanes", "--", OWN / "refused.c"], capture_output=True, text=True, timeout=20)
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn("llvm-14-dev", done.stderr)

    def test_usage(self):
        self.assertEqual(lanes("--", "missing.c").returncode, 2)
        self.assertEqual(lanes("--").returncode, 2)
        self.assertEqual(lanes("-p", "held", "--", OWN / "refused.c").returncode, 2)
        with tempfile.NamedTemporaryFile("w", suffix=".c") as file:
            file.write("int main( {")
            file.flush()
            done = lanes("--", file.name)
            self.assertEqual(done.returncode, 2)
            self.assertIn("error: expected", done.stderr)


if __name__ == "__main__":
    unittest.main()
