#!/usr/bin/env python3
"""What a run leaves behind, and what runs at the same time do to each other: daemons, signals, folders, cores.

  SNARL=build/snarl left_behind_test.py --programs build/programs [--part daemons|signals|folders|cores]
"""

import os
import pathlib
import signal
import sys
import time

import snarl_case

PROGRAMS = None  # set by main
PATIENCE = 100  # seconds: a busy machine may stand still for a while
ROUNDS = 4


def children_of(pid):
    try:
        return [int(word) for word in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def cores_of(pid):
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""
    return next((line.split()[1] for line in status.splitlines() if line.startswith("Cpus_allowed_list:")), "")


class LeftCase(snarl_case.SnarlCase):
    def hostile(self, name):
        return self.copy_program(PROGRAMS / "hostile" / name)

    def wrong(self):
        return PROGRAMS / "wrong" / "lost_update.O0"

    def correct(self):
        return PROGRAMS / "correct" / "ping_pong.O0"

    def start_long_run(self, *command, options=()):
        """Of runs that nobody can compare, too, so that it is never exhausted."""
        process = snarl_case.start([snarl_case.snarl_binary(), "run", "-p", "random", "-p", "none", "-t", "1h",
                                    "--keep-going", *options, "-o", self.out, "--", *command], self.folder)
        self.addCleanup(snarl_case.kill_group, process)
        return process

    def wait_until(self, condition, what):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def start_counting(self, options=()):
        """Returns a run that has begun to explore."""
        runs = self.folder / "runs"
        runs.unlink(missing_ok=True)
        process = self.start_long_run(self.hostile("counts_runs"), runs, options=options)
        self.wait_until(lambda: runs.exists() and runs.stat().st_size > 20, "no runs")
        return process


class DaemonTest(LeftCase):
    def test_after_a_normal_end(self):
        result = self.snarl("run", "-p", "random", "-n", 12, "-o", self.out, "--", self.hostile("leaves_daemons"))
        self.expect_code(result, 0)
        self.expect_no_process_left(result, patience=5)

    def test_of_one_schedule(self):
        result = self.snarl("run", "--once", "--", self.hostile("leaves_daemons"))
        self.expect_code(result, 0)
        self.expect_no_process_left(result, patience=5)

    def kill(self, send):
        program = self.hostile("leaves_daemons")
        for round_number in range(ROUNDS):
            self.out = self.folder / f"out{round_number}"
            process = self.start_long_run(program)
            self.wait_until(lambda: len(snarl_case.processes_of(self.folder)) > 3, "no daemons")
            send(process)
            result = snarl_case.finish(process, PATIENCE)
            with self.subTest(round=round_number):
                self.expect_code(result, -signal.SIGKILL)
                self.expect_no_process_left(result)

    def test_after_a_kill(self):
        self.kill(lambda process: process.kill())

    def test_after_a_kill_of_its_group(self):
        self.kill(lambda process: os.killpg(process.pid, signal.SIGKILL))


class SignalTest(LeftCase):
    def test_each_of_them_ends_it(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGQUIT, signal.SIGHUP):
            with self.subTest(signal=number):
                process = self.start_counting()
                process.send_signal(number)
                result = snarl_case.finish(process, PATIENCE)
                self.expect_code(result, 128 + number)
                self.assertTrue(self.summary(result)["interrupted"])
                self.expect_no_process_left(result)

    def test_however_busy_it_is(self):
        """Nothing takes longer than a process that stands still."""
        process = self.start_counting()
        worker = children_of(children_of(process.pid)[0])[0]
        os.kill(worker, signal.SIGSTOP)
        begin = time.monotonic()
        process.terminate()
        result = snarl_case.finish(process, PATIENCE)
        self.expect_code(result, 128 + signal.SIGTERM)
        self.assertGreater(time.monotonic() - begin, 1.9, self.describe(result, "it had no time to end by itself"))
        self.assertLess(time.monotonic() - begin, 10, self.describe(result, "far more than 2 s"))
        self.expect_no_process_left(result)


class FoldersTest(LeftCase):
    def find(self, program, *codes):
        result = self.snarl("run", "-p", "random", "-n", 500, "-o", self.out, "--", program)
        self.expect_code(result, *codes)
        return result

    def test_findings_of_the_run_before_are_kept(self):
        self.find(self.wrong(), 1)
        found = sorted(path.name for path in (self.out / "findings").iterdir())
        for _ in range(2):  # the second time, the run before found nothing
            self.expect_text(self.find(self.correct(), 0), "findings of an earlier run are in .*/out/previous")
            self.assertEqual(sorted(path.name for path in (self.out / "previous" / "findings").iterdir()), found)
            self.assertEqual(list((self.out / "findings").iterdir()), [])
        self.expect_text(self.snarl("replay", self.out), r"no finding to replay[\s\S]*snarl replay .*/out/previous")
        self.expect_code(self.snarl("replay", self.out / "previous"), 1)

    def test_runs_at_the_same_time(self):
        process = self.start_counting()
        result = self.find(self.wrong(), 1)
        self.expect_text(result, r"results in .*/out\.2\b[\s\S]*another run writes to .*/out\b")
        second = self.out.with_name("out.2")
        self.assertEqual(len(self.summary(result, second)["findings"]), 1)
        process.send_signal(signal.SIGINT)
        first = snarl_case.finish(process, PATIENCE)
        self.expect_code(first, 130)
        self.assertEqual(self.summary(first)["findings"], [])

    def test_launched_tests_have_folders_of_their_own(self):
        """Wherever the folder is configured, if not on their command line."""
        for word in ("one", "two"):
            result = self.snarl("run", "--launcher", "-n", 20, "--", self.correct(), word,
                                env={"SNARL_OUTPUT": str(self.out)})
            self.expect_code(result, 0)
        self.assertEqual(len(list(self.folder.glob("out-ping_pong.O0-*/summary.json"))), 2)


class CoresTest(LeftCase):
    def test_runs_at_the_same_time_have_different_ones(self):
        """In a network namespace of their own, where no other snarl has claims."""
        if len(os.sched_getaffinity(0)) < 2:
            self.skipTest("one core")
        if snarl_case.run(["unshare", "-n", "true"]).returncode != 0:
            self.skipTest("no network namespace can be had")
        programs = [self.folder / name / "counts_runs" for name in ("a", "b")]
        script = ""
        for program in programs:
            program.parent.mkdir()
            program.write_bytes((PROGRAMS / "hostile" / "counts_runs").read_bytes())
            program.chmod(0o755)
            script += f"{snarl_case.snarl_binary()} run -j 1 -p random -p none -t 1h -o {program.parent}/out -- " \
                      f"{program} {program.parent}/runs & "
        process = snarl_case.start(["unshare", "-n", "sh", "-c", script + "wait"], self.folder)
        self.addCleanup(snarl_case.kill_group, process)

        def cores(program):
            return {cores_of(pid) for pid in snarl_case.processes_of(program.parent)} - {""}

        self.wait_until(lambda: all(len(cores(program)) == 1 for program in programs), "their processes are not pinned")
        self.assertNotEqual(cores(programs[0]), cores(programs[1]))


PARTS = {"daemons": DaemonTest, "signals": SignalTest, "folders": FoldersTest, "cores": CoresTest}


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", choices=sorted(PARTS), help="all without it")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of(PARTS, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
