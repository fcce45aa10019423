#!/usr/bin/env python3
"""What snarl does when things go wrong: wrong usage, programs that it must refuse, full disks,
interrupts, kills, and programs that do their worst.

  SNARL=build/snarl faults_test.py --programs build/programs [--part usage|refusal|files|interrupt|hostile]
"""

import json
import os
import random
import re
import shutil
import signal
import stat
import struct
import subprocess
import sys
import time

import snarl_case

PROGRAMS = None  # set by main
ROUNDS = 50 if os.environ.get("SNARL_LONG") == "1" else 12
COMPILER = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc") or "clang"
PATIENCE = 100  # seconds: on a busy machine one look at all processes may take several
RAW_ESCAPES = set(range(32)) - {9, 10} | {127}


class FaultCase(snarl_case.SnarlCase):
    def wrong(self, name="lost_update"):
        return PROGRAMS / "wrong" / f"{name}.O0"

    def correct(self, name="ping_pong"):
        return PROGRAMS / "correct" / f"{name}.O0"

    def hostile(self, name):
        return self.copy_program(PROGRAMS / "hostile" / name)

    def run_program(self, program, *options, schedules=20, timeout=None):
        return self.snarl("run", "-p", "random", "-n", schedules, "-o", self.out, *options, "--", program,
                          timeout=timeout)

    def write(self, name, content, mode=0o755):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        path.chmod(mode)
        return path

    def compile(self, source, name, *flags):
        path = self.folder / name
        snarl_case.run([COMPILER, "-g", "-O0", "-pthread", "-Wl,--build-id", str(source), "-o", str(path),
                        *flags], check=True, timeout=60, capture_output=True)
        return path

    def refuse(self, program, code, pattern):
        result = self.run_program(program)
        self.expect_code(result, code)
        self.expect_text(result, pattern)


class UsageTest(FaultCase):
    def usage(self, pattern, *arguments):
        result = self.snarl("run", "-n", 5, "-o", self.out, *arguments, "--", self.correct())
        self.expect_code(result, 2)
        self.expect_text(result, pattern)

    def test_unknown_policy(self):
        self.usage(r"pctt[\s\S]*\bpct\b", "-p", "pctt")

    def test_unknown_parameter(self):
        self.usage(r"\bdept\b[\s\S]*\bdepth\b", "-p", "pct:dept=2")

    def test_bad_values(self):
        for policy in ("pct:depth=two", "pct:depth=", "pct:depth=-1", "pct:depth=99999999999999999999"):
            with self.subTest(policy=policy):
                self.usage(r"depth", "-p", policy)

    def test_bad_numbers(self):
        for option, value in (("--timeout", "soon"), ("-n", "many"), ("-t", "1parsec"), ("--seed", "x")):
            with self.subTest(option=option):
                self.usage(value, option, value)

    def test_unknown_option(self):
        self.usage(r"--timeot[\s\S]*--timeout", "--timeot", "1s")

    def test_unknown_verb(self):
        result = self.snarl("rnu", "--", self.correct())
        self.expect_code(result, 2)
        self.expect_text(result, r"rnu[\s\S]*\brun\b")

    def test_no_program(self):
        self.expect_code(self.snarl("run", "-n", 5), 2)


class RefusalTest(FaultCase):
    def test_not_found(self):
        self.refuse(self.folder / "missing", 127, "missing")

    def test_not_executable(self):
        self.refuse(self.write("plain", b"\x7fELF", 0o644), 126, "plain")

    def test_directory(self):
        (self.folder / "directory").mkdir()
        self.refuse(self.folder / "directory", 126, "directory")

    def test_script_without_interpreter(self):
        self.refuse(self.write("script", "echo hello\n"), 126, "script")

    def test_static(self):
        try:
            program = self.compile(snarl_case.source("wrong", "lost_update.c"), "static", "-static")
        except subprocess.CalledProcessError as error:
            self.skipTest(f"no static libc: {error.stderr[-200:]}")
        self.refuse(program, 4, r"static")

    def test_elf32(self):
        ident = b"\x7fELF\x01\x01\x01" + bytes(9)
        header = struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0x8048054, 52, 0, 0, 52, 32, 1, 0, 0, 0)
        segment = struct.pack("<IIIIIIII", 1, 0, 0x8048000, 0x8048000, 84, 84, 5, 4096)
        self.refuse(self.write("elf32", ident + header + segment), 4, r"32.?bit")

    def test_go(self):
        if not shutil.which("objcopy"):
            self.skipTest("objcopy is missing")
        note = self.write("note", b"\xff Go buildinf:\x08\x02" + bytes(16), 0o644)
        snarl_case.run(["objcopy", "--add-section", f".go.buildinfo={note}", str(self.correct()),
                        str(self.folder / "gopher")], check=True, timeout=60)
        self.refuse(self.folder / "gopher", 4, r"\bGo\b")

    def test_setuid(self):
        program = self.copy_program(self.correct())
        program.chmod(0o4755)
        if not program.stat().st_mode & stat.S_ISUID:
            self.skipTest("this file system keeps no setuid bit")
        self.refuse(program, 4, r"set.?uid")

    def test_single_thread(self):
        self.refuse(self.hostile("single_thread"), 4, r"thread")

    def test_always_fails(self):
        self.expect_code(self.run_program(self.hostile("always_fails")), 5)

    def test_always_deadlocks(self):
        """Nobody waits for the end of a run's time, which is longer than this test's."""
        self.expect_code(self.run_program(self.hostile("always_deadlocks"), "--timeout", "600s", timeout=240), 5)

    def test_always_loops(self):
        """The same for who spins."""
        self.expect_code(self.run_program(self.hostile("always_loops"), "--timeout", "600s", timeout=240), 5)


class FilesTest(FaultCase):
    def find(self, program):
        result = self.run_program(program, schedules=500)
        self.expect_code(result, 1)
        return self.finding_folder(self.only_finding(result)) / "schedule.snarl"

    def replay_broken(self, content, line):
        broken = self.write("broken.snarl", content, 0o644)
        result = self.snarl("replay", broken)
        self.expect_code(result, 2)
        self.expect_text(result, r"broken\.snarl")
        if line:
            self.expect_text(result, rf"(broken\.snarl:|line ){line}\b")

    def test_broken_schedules(self):
        good = self.find(self.wrong()).read_bytes()
        lines = good.split(b"\n")
        count = len(lines) - 1 if lines[-1] == b"" else len(lines)
        self.replay_broken(b"\n".join(lines[:count - 1]) + b"\n!! no such line\n", count)
        self.replay_broken(b"no schedule at all\n" + good, 1)
        self.replay_broken(b"", None)
        self.replay_broken(bytes(range(256)) * 40, None)

    def test_another_build(self):
        text = snarl_case.source("wrong", "lost_update.c").read_text()
        source = self.write("changing.c", text, 0o644)
        program = self.compile(source, "changing")
        schedule = self.find(program)
        source.write_text(text.replace("set_hits(get_hits() + 1);",
                                       "pthread_mutex_lock(&mutex);\n  pthread_mutex_unlock(&mutex);\n"
                                       "  set_hits(get_hits() + 1);"))
        self.compile(source, "changing")
        result = self.snarl("replay", schedule)
        self.expect_code(result, 2, 3)
        self.expect_text(result, r"(?i)(another|different|other) build")

    def test_unwritable_output(self):
        blocked = self.write("file", "in the way", 0o644)  # root may write to any folder, but not here
        for out in (blocked, blocked / "out"):
            with self.subTest(out=out):
                result = self.snarl("run", "-n", 5, "-o", out, "--", self.correct())
                self.expect_code(result, 2 if out == blocked else 125)  # a file is no folder: the user's mistake
                self.expect_text(result, "file")
                self.assertEqual(blocked.read_text(), "in the way")

    def test_full_disk(self):
        if os.geteuid() != 0:
            self.skipTest("mounting a small file system needs root")
        disk = self.folder / "disk"
        disk.mkdir()
        mounted = snarl_case.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)],
                                 capture_output=True, timeout=30, check=False)
        if mounted.returncode:
            self.skipTest(f"mount refused: {mounted.stderr.decode(errors='replace').strip()}")
        # Registered after setUp's clean, so it is unmounted first.
        self.addCleanup(snarl_case.run, ["umount", "-l", str(disk)], timeout=30, check=False)
        # Full before the start, nearly full, and full somewhere within the writing of findings.
        for free in (0, 4096, 8192, 16384, 32768, 65536):
            with self.subTest(free=free):
                self.fill(disk, free)
                out = disk / f"out{free}"
                result = self.snarl("run", "-p", "random", "-n", 2000, "--keep-going", "-o", out, "--",
                                    self.wrong(), timeout=120)
                self.expect_code(result, 125, 1) if free == 65536 else self.expect_code(result, 125)
                self.check_findings_whole(out, result)
                if (out / "findings").exists():
                    self.check_found(result, out)
                shutil.rmtree(out, ignore_errors=True)

    def check_found(self, result, out):
        """What is not in the folder is on the terminal, in full."""
        self.expect_text(result, r"SUMMARY: snarl: assertion failed")
        if list(out.glob("findings/[0-9]*")):
            return
        _, _, rest = result.out.partition("This finding could not be stored.")
        end = re.search(r"^end .*\n", rest, re.MULTILINE)
        self.assertIsNotNone(end, self.describe(result, "no schedule"))
        self.expect_text(result, r"not stored\n +--seed 0x[0-9a-f]+ -n \d+ --keep-going finds it again")
        schedule = self.write("printed.snarl", rest[rest.index("snarl-schedule"):end.end()], 0o644)
        self.expect_code(self.snarl("replay", schedule, "--", self.wrong()), 1)

    def fill(self, disk, free):
        """Fills the disk up, and then gives `free` bytes back."""
        filler = disk / "filler"
        with open(filler, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(4096))
            except OSError:
                pass
            file.truncate(max(0, file.tell() - free))


class InterruptTest(FaultCase):
    def start_long_run(self, *command):
        """Of runs that nobody can compare, too, so that it is never exhausted."""
        return snarl_case.start([snarl_case.snarl_binary(), "run", "-p", "random", "-p", "none", "-t", "1h",
                                 "-n", 100000000, "--keep-going", "-o", self.out, "--", *command], self.folder)

    def start_counting(self):
        return self.start_long_run(self.hostile("counts_runs"), self.folder / "runs")

    def runs(self):
        return (self.folder / "runs").stat().st_size if (self.folder / "runs").exists() else 0

    def await_runs(self, process, count):
        """Returns when so many more runs have ended."""
        enough, deadline = self.runs() + count, time.monotonic() + PATIENCE
        while self.runs() < enough and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.01)
        if self.runs() < enough:
            self.fail(self.describe(snarl_case.finish(process, 1), "too few runs, or snarl ended too early"))

    def interrupt(self, send):
        process = self.start_counting()
        self.await_runs(process, 100)  # the first few are for profiling
        send(process)
        result = snarl_case.finish(process, PATIENCE)
        self.expect_code(result, 130)
        summary = self.summary(result)
        self.assertEqual(summary["findings"], [], self.describe(result, "the interrupt became a finding"))
        self.assertGreater(summary["schedules"], 0, self.describe(result, "nothing was run"))
        self.expect_no_process_left(result)

    def test_interrupt_to_snarl(self):
        self.interrupt(lambda process: process.send_signal(signal.SIGINT))

    def test_interrupt_from_the_terminal(self):
        self.interrupt(lambda process: os.killpg(process.pid, signal.SIGINT))  # ^C goes to the group

    def test_targets_killed(self):
        process = self.start_counting()
        generator = random.Random(1)
        killed, deadline = 0, time.monotonic() + PATIENCE
        while killed < ROUNDS and time.monotonic() < deadline and process.poll() is None:
            time.sleep(generator.uniform(0.01, 0.2))
            victims = snarl_case.processes_of(self.folder)
            try:
                os.kill(generator.choice(victims), signal.SIGKILL)
                killed += 1
            except (IndexError, ProcessLookupError):  # none there, or gone by now
                pass
        self.await_runs(process, 100)
        process.send_signal(signal.SIGINT)
        result = snarl_case.finish(process, PATIENCE)
        self.assertEqual(killed, ROUNDS, self.describe(result, "too few targets were seen"))
        self.expect_code(result, 130)
        self.assertGreater(self.summary(result)["schedules"], ROUNDS, self.describe(result, "did not go on"))
        self.expect_no_process_left(result)

    def test_snarl_killed(self):
        program = self.copy_program(self.wrong())
        generator = random.Random(2)
        for round_number in range(ROUNDS):
            self.out = self.folder / f"out{round_number}"
            process = self.start_long_run(program)
            time.sleep(generator.uniform(0.02, 1.0))
            process.kill()  # snarl alone, not its group: its targets must end by themselves
            result = snarl_case.finish(process, PATIENCE)
            with self.subTest(round=round_number):
                self.expect_code(result, -signal.SIGKILL)
                self.expect_no_process_left(result)
                self.check_findings_whole(self.out, result)
                summary = self.out / "summary.json"
                if summary.exists():
                    json.loads(summary.read_text())


class HostileTest(FaultCase):
    timeout = 120

    def expect_finding(self, name, kind, *options):
        result = self.run_program(self.hostile(name), *options, schedules=200)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["kind"], kind, self.describe(result, "wrong kind"))
        self.expect_no_process_left(result)
        return result, self.finding_folder(finding)

    def expect_nothing(self, name):
        result = self.run_program(self.hostile(name), schedules=50)
        self.expect_code(result, 0)
        self.assertEqual(self.summary(result)["findings"], [])
        self.expect_no_process_left(result)

    def test_closes_fds(self):
        self.expect_finding("closes_fds", "assert")

    def test_prints_much(self):
        result, folder = self.expect_finding("prints_much", "assert")
        self.assertLess((folder / "stdout.txt").stat().st_size, 16 << 20, "the output is not capped")
        self.assertLess(result.max_rss_kb, 256 << 10, "memory grows with the program's output")

    def test_leaves_children(self):
        self.expect_nothing("leaves_children")

    def test_exits_with_threads(self):
        self.expect_nothing("exits_with_threads")

    def test_stops_itself(self):
        self.expect_finding("stops_itself", "timeout", "--timeout", "1s")

    def test_spins(self):
        self.expect_finding("spins", "timeout", "--timeout", "1s")

    def test_loops(self):
        self.expect_finding("loops", "livelock", "--timeout", "600s")

    def test_counts_in_memory(self):
        self.expect_code(self.run_program(self.hostile("counts_in_memory"), schedules=1), 0)

    def test_counts_in_registers(self):
        self.expect_code(self.run_program(self.hostile("counts_in_registers"), schedules=1), 0)

    def test_becomes_another(self):
        self.expect_code(self.run_program(self.hostile("becomes_another"), schedules=2), 0)

    def test_many_threads_in_turn(self):
        result = self.run_program(self.hostile("many_in_turn"), schedules=2)
        self.expect_code(result, 0)

    def test_too_many_threads_at_once(self):
        result = self.run_program(self.hostile("too_many_threads"), schedules=2)
        self.expect_code(result, 4)
        self.assertIn("more than 1024 threads at once", result.err)

    def test_jumps_out_of_handler(self):
        self.expect_finding("jumps_out_of_handler", "assert")

    def test_overflows_stack(self):
        result, folder = self.expect_finding("overflows_stack", "signal")
        self.assertIn("SIGSEGV", (folder / "report.txt").read_text(errors="replace"),
                      self.describe(result, "wrong signal"))

    def test_corrupts_heap(self):
        self.expect_finding("corrupts_heap", "signal")

    def test_escapes(self):
        result, folder = self.expect_finding("prints_escapes", "assert")
        shown = {"report.txt": (folder / "report.txt").read_bytes(),
                 "report.json": (folder / "report.json").read_bytes(),
                 "summary.json": (self.out / "summary.json").read_bytes(),
                 "the terminal": (result.out + result.err).encode()}
        for name, content in shown.items():
            raw = sorted(set(content) & RAW_ESCAPES)
            self.assertEqual(raw, [], self.describe(result, f"raw control bytes in {name}"))


PARTS = {"usage": UsageTest, "refusal": RefusalTest, "files": FilesTest, "interrupt": InterruptTest,
         "hostile": HostileTest}


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", choices=sorted(PARTS), help="all without it")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of(PARTS, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
