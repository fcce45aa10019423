#!/usr/bin/env python3
"""`snarl replay --gdb`: stops at the failing step of each kind of failure, and its commands know every thread, on gates
and on fibers."""
import json
import re
import shutil
import sys
import unittest

import snarl_case

PROGRAMS = None
LAYERS = ("gates", "fibers")


def why_not():
    """Why gdb can't be had here; empty if it can."""
    if shutil.which("gdb") is None:
        return "gdb is not installed"
    probe = snarl_case.run(["gdb", "-batch", "-ex", "run", "/bin/true"], capture_output=True, text=True, timeout=60)
    return "" if "exited normally" in probe.stdout else "gdb can't run programs here: " + probe.stderr.strip()[:200]


class GdbCase(snarl_case.SnarlCase):
    def find(self, program, **env):
        policies = ("-p", "random", "-p", "pct:depth=2", "-p", "pct:depth=3", "-p", "pos")
        result = self.snarl("run", *policies, "--seed", 7, "-n", 3000, "-o", self.out, "--", PROGRAMS / "wrong" / f"{program}.O0",
                            env=env)
        self.expect_code(result, 1)

    def gdb(self, *commands, layer="gates"):
        """What gdb says to the commands, at the failing step."""
        script = self.folder / "commands"
        script.write_text("\n".join(commands + ("kill", "quit")) + "\n")
        result = self.command("sh", "-c", f'exec "$0" "$@" < {script}', snarl_case.snarl_binary(), "replay", self.out, "--gdb",
                              "--switching", layer)
        self.expect_code(result, 0)
        return result

    def test_stops_at_each_kind_of_failure(self):
        failures = {"lost_update": r"SIGABRT(.|\n)*failing step(.|\n)*assert\(hits == 2\)",
                    "publish_after_create": r"SIGSEGV(.|\n)*failing step(.|\n)*config->retries",
                    "wrong_exit_code": "failing step",
                    "destroyed_locked": r"failing step(.|\n)*pthread_mutex_destroy",
                    "self_deadlock": r"failing step(.|\n)*in fill"}
        for program, pattern in failures.items():
            with self.subTest(program):
                shutil.rmtree(self.out, ignore_errors=True)
                self.find(program)
                for layer in LAYERS:
                    self.expect_text(self.gdb(layer=layer), pattern)

    def test_lists_threads_and_says_why(self):
        self.find("lock_inversion")
        for layer in LAYERS:
            result = self.gdb("snarl threads", "snarl why", layer=layer)
            where = "gdb thread" if layer == "gates" else "fiber"
            for pattern in (rf"main +join +waits for T1 to end +lock_inversion.c:36 main\(\)  \[{where}",
                            rf"T1 flush +lock disk +waits, held by T2 +lock_inversion.c:13 flush\(\)  \[{where}",
                            rf"T2 evict +lock cache +waits, held by T1 +lock_inversion.c:24 evict\(\)  \[{where}",
                            r"deadlock after step \d+", r"because T\d could not go on|because main could not go on|preempted"):
                self.expect_text(result, pattern)

    def test_selects_every_thread(self):
        self.find("lock_inversion")
        for layer in LAYERS:
            result = self.gdb("snarl thread 1", "bt", "snarl thread 2", "bt", "snarl thread main", "snarl thread 9", layer=layer)
            self.expect_text(result, r"\[T1 flush\]\n#\d+ .* in flush (.|\n)*in start_thread(.|\n)*"
                                     r"\[T2 evict\]\n#\d+ .* in evict (.|\n)*in start_thread(.|\n)*\[main\]\n#\d+ .* in main ")
            self.expect_text(result, "there is no thread T9 now")

    def test_walks_from_switch_to_switch(self):
        self.find("lock_inversion")
        for layer in LAYERS:
            result = self.gdb("tbreak main", "run", "snarl next", "snarl next 1", "snarl next 1000", layer=layer)
            self.expect_text(result, r"step \d+: main -> T[12], because (.|\n)*step \d+: .* -> .*, because (.|\n)*failing step")

    def test_goes_to_steps_and_back(self):
        self.find("lock_inversion")
        rows = json.loads((self.out / "latest" / "report.json").read_text())["rows"]
        locks = [row for row in rows if row["operation"] == "lock" and row["granted"] and row.get("row") is None]
        first, last = locks[0], locks[-1]
        for layer in LAYERS:
            result = self.gdb(f"snarl goto {last['step']}", "snarl threads", f"snarl goto {first['step']}", "snarl threads",
                              "snarl back", "snarl next", "snarl back", "snarl goto x", layer=layer)
            for row in (last, first):
                self.expect_text(result, rf"snarl: step {row['step']}\n#\d+ (.|\n)*\n\* T{row['thread']} ")
            switches = re.findall(r"step (\d+): \w+ -> \w+, because", result.out)
            self.assertEqual(len(switches), 3, self.describe(result, "switches"))
            self.assertLess(int(switches[2]), int(switches[1]), self.describe(result, "back goes forward"))
            self.expect_text(result, "usage: snarl goto STEP")

    def test_stops_at_each_event_of_the_cause(self):
        self.find("lock_inversion", SNARL_NO_EXPLAIN=None)
        report = json.loads((self.out / "latest" / "report.json").read_text())
        events = sorted({event["step"] for constraint in report["constraints"]
                         for event in constraint["sources"] + [constraint["target"]] if "step" in event})
        self.assertTrue(events)
        for layer in LAYERS:
            result = self.gdb(*["continue"] * len(events), "snarl why", layer=layer)
            told = [int(step) for step in re.findall(r"snarl: step (\d+), of the cause: T\d lock", result.out)]
            self.assertEqual(told, events, self.describe(result, "other steps"))
            self.expect_text(result, r"failing step, after(.|\n)*deadlock after step")

    def test_stops_at_a_given_step(self):
        self.find("lock_inversion", SNARL_NO_EXPLAIN=None)
        result = self.snarl("replay", self.out, "--gdb", "--until", 3, "-ex", "snarl why", "-ex", "kill", "-ex", "quit")
        self.expect_text(result, r"snarl: step 3\n")
        self.assertNotIn("of the cause", result.out)

    def test_without_gdb(self):
        self.find("lock_inversion")
        result = self.snarl("replay", self.out, "--gdb", env={"PATH": str(self.folder)})
        self.expect_code(result, 2)
        self.expect_text(result, "gdb is not installed, or not in PATH")


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    if reason := why_not():
        print(f"SKIPPED: {reason}")
        return 77
    return snarl_case.run_suite(snarl_case.suite_of({"gdb": GdbCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
