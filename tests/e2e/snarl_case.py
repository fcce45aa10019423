"""Shared by the end-to-end tests: runs snarl in its own session, bounded in time, and reads its files.

The binary comes from the environment variable SNARL. Every subprocess is killed by process group when
its time is over, so that no test can leave anything running.
"""

import argparse
import atexit
import collections
import contextlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "programs"
FINDING_FILES = ("report.txt", "report.json", "schedule.snarl", "stdout.txt", "stderr.txt", "replay.sh")
OWN_VARIABLES = ("SNARL", "SNARL_LONG", "SNARL_PROGRAMS")  # ours; every other SNARL_* is a flag's twin

Result = collections.namedtuple("Result", "code out err seconds max_rss_kb command timed_out")


def snarl_binary():
    path = os.environ.get("SNARL")
    if not path:
        raise SystemExit("set SNARL to the snarl binary under test")
    return os.path.abspath(path)


def state_folder():
    """Where snarl keeps its key: one for all tests of this process, away from the user's."""
    if not state_folder.path:
        state_folder.path = tempfile.mkdtemp(prefix="snarl-state-")
        atexit.register(shutil.rmtree, state_folder.path, True)
    return state_folder.path


state_folder.path = None


def environment(**extra):
    """Ours, with `extra`; a value of None takes a variable away."""
    extra.setdefault("XDG_STATE_HOME", state_folder())
    extra.setdefault("SNARL_NO_EXPLAIN", "1")  # thousands of runs for each finding: only for tests of the cause
    result = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    result.update(extra)
    return {name: value for name, value in result.items() if value is not None}


def start(command, cwd=None, env=None):
    """Starts a command in its own session, with its output in pipes."""
    return subprocess.Popen(
        [str(part) for part in command], cwd=cwd, env=environment(**(env or {})), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def kill_group(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


@contextlib.contextmanager
def limited(process, timeout):
    """Kills the group of a process that was started in a session of its own, if it still runs after so many seconds."""
    timer = threading.Timer(timeout, kill_group, [process])
    timer.start()
    try:
        yield process
    finally:
        timer.cancel()


def run(command, timeout=120, check=False, **options):
    """As subprocess.run, for a tool that a test needs: in a session of its own, whose processes are all killed when the
    time is over."""
    if options.pop("capture_output", False):
        options.update(stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    given = options.pop("input", None)
    options.setdefault("stdin", subprocess.DEVNULL if given is None else subprocess.PIPE)
    command = [str(word) for word in command]
    with subprocess.Popen(command, start_new_session=True, **options) as process:
        try:
            out, err = process.communicate(given, timeout=timeout)
        finally:
            if process.poll() is None:
                kill_group(process)
    if check and process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, command, out, err)
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def finish(process, timeout, keep=1 << 20):
    """Waits for a started command; kills its group after `timeout` seconds. Keeps the first `keep`
    bytes of each output, and reaps with wait4, so that the peak memory is known."""
    outputs = {}

    def drain(name, pipe):
        chunks, size = [], 0
        while True:
            chunk = pipe.read1(1 << 16)
            if not chunk:
                break
            if size < keep:
                chunks.append(chunk)
                size += len(chunk)
        outputs[name] = b"".join(chunks).decode("utf-8", "replace")

    readers = [threading.Thread(target=drain, args=item, daemon=True)
               for item in (("out", process.stdout), ("err", process.stderr))]
    for reader in readers:
        reader.start()
    begin = time.monotonic()
    timed_out = False
    while True:
        try:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        except ChildProcessError:  # Popen.poll or Popen.kill has reaped it already
            code, max_rss_kb = process.returncode, 0
            break
        if pid:
            code, max_rss_kb = os.waitstatus_to_exitcode(status), usage.ru_maxrss
            break
        if time.monotonic() - begin > timeout:
            timed_out = True
            kill_group(process)
            _, status, usage = os.wait4(process.pid, 0)
            code, max_rss_kb = os.waitstatus_to_exitcode(status), usage.ru_maxrss
            break
        time.sleep(0.002)
    process.returncode = code
    for reader in readers:
        reader.join(2)
    if any(reader.is_alive() for reader in readers):  # a descendant holds the pipe: end the session
        kill_group(process)
        for reader in readers:
            reader.join(2)
    for reader, pipe in zip(readers, (process.stdout, process.stderr)):
        if not reader.is_alive():
            pipe.close()
    return Result(code, outputs.get("out", ""), outputs.get("err", ""), time.monotonic() - begin,
                  max_rss_kb, shlex.join(map(str, process.args)), timed_out)


def processes_of(folder):
    """Ids of the processes whose executable is inside `folder`."""
    prefix = os.path.realpath(folder) + os.sep
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit() or int(entry) == os.getpid():
            continue
        try:
            exe = os.readlink(f"/proc/{entry}/exe")
            with open(f"/proc/{entry}/stat", encoding="utf-8", errors="replace") as stat:
                state = stat.read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z" and exe.startswith(prefix):
            found.append(int(entry))
    return found


def whole_number(digits):
    """A number of ours, as a reader sees it that keeps numbers as doubles (jq, node)."""
    assert int(float(digits)) == int(digits), f"jq and node would cut {digits}"
    return int(digits)


def read_json(text):
    return json.loads(text, parse_int=whole_number)


def policies(keep=lambda policy: True):
    """The rows of the catalog that `keep` is true of, as `snarl policies --json` gives them: a test that iterates them
    tests a new policy as well."""
    result = finish(start([snarl_binary(), "policies", "--json"]), 60)
    assert result.code == 0, result
    return [policy for policy in json.loads(result.out) if keep(policy)]


def has_parameter(policy, name):
    return any(parameter["name"] == name for parameter in policy["parameters"])


def makes_noise(policy):
    return has_parameter(policy, "make")


def repeats(policy):
    """It runs serially with the parameters of its trial, and needs no file."""
    return policy["serial"] and "file" not in policy and not (policy["parallel"] and not makes_noise(policy))


OUTCOMES = ("deadlock", "assert", "signal", "exit", "livelock", "hang")
MISUSES = ("unlock_not_owner", "unlock_not_locked", "wait_not_owner", "destroy_locked", "destroy_waited",
           "use_after_destroy", "join_self", "join_twice", "join_detached", "semaphore_overflow",
           "condvar_two_mutexes", "fork_holding", "use_after_free")


def sources(part):
    """The programs of wrong, correct or hostile, in all rooms."""
    return sorted((SOURCES / part).glob("*/*.c*"), key=lambda source: source.name)


def source(part, name):
    """One of them, by its file name."""
    found = [path for path in sources(part) if path.name == name]
    assert len(found) == 1, (part, name, found)
    return found[0]


def read_header(source):
    """The first line of a program: {'kind': .., 'depth': .., 'policies': [(policy, within), ..]}.

    Words without a value: `correct`; `parallel` (a wrong program whose bug parallel runs find), `serial` (a correct one
    that can't work in parallel runs), `libcxx` (also built with libc++), `gates` (can't run on fibers),
    `layers_differ` (gates and fibers need not agree: other processes or addresses have a say). `cause`, `pattern`,
    `pattern-hooks`: see explain_test.py."""
    with open(source, encoding="utf-8") as text:
        words = text.readline().split()
    if words[:2] != ["//", "snarl:"]:
        raise ValueError(f"{source}: the first line is no snarl header")
    header = {"policies": []}
    for word in words[2:]:
        key, _, value = word.partition("=")
        if key == "policy":
            header["policies"].append([value, None])
        elif key == "within":
            header["policies"][-1][1] = int(value)
        else:
            header[key] = value or True
    if not header.get("correct"):
        assert header["kind"] in OUTCOMES + MISUSES, source
        assert header["policies"] and all(within for _, within in header["policies"]), source
        header["depth"] = int(header["depth"])
    return header


def levels(header):
    """The schedule points that the program is to be run with, if its first line says so."""
    options = []
    for name in ("points", "point-at"):
        if name in header:
            options += ("--" + name, header[name])
    if "locks" in header:
        options += ("--locks", SOURCES / header["locks"])
    return options


class SnarlCase(unittest.TestCase):
    """A test with a temporary folder, and with assertions whose messages show command and report."""

    timeout = 180  # seconds; a machine may stand still for a while

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snarl-e2e-"))
        self.out = self.folder / "out"
        self.addCleanup(self.clean)

    def clean(self):
        for pid in processes_of(self.folder):  # children of this test that snarl should have ended
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(self.folder, ignore_errors=True)

    def snarl(self, *arguments, timeout=None, cwd=None, env=None):
        return self.command(snarl_binary(), *arguments, timeout=timeout, cwd=cwd, env=env)

    def command(self, *words, timeout=None, cwd=None, env=None):
        result = finish(start(words, cwd or self.folder, env), timeout or self.timeout)
        self.assertFalse(result.timed_out, self.describe(result, "took too long"))
        return result

    def describe(self, result, problem):
        lines = [problem, f"command: {result.command}", f"exit code: {result.code}",
                 "--- stdout", result.out[-6000:], "--- stderr", result.err[-6000:]]
        for report in sorted(self.out.glob("findings/*/report.txt"))[:2]:
            lines += [f"--- {report}", report.read_text(errors="replace")[:6000]]
        return "\n".join(lines)

    def expect_code(self, result, *codes):
        self.assertIn(result.code, codes, self.describe(result, f"expected exit code {codes}"))

    def expect_text(self, result, pattern):
        self.assertRegex(result.err + result.out, pattern, self.describe(result, "text not found"))

    def summary(self, result, out=None):
        path = (out or self.out) / "summary.json"
        self.assertTrue(path.is_file(), self.describe(result, f"no {path}"))
        return read_json(path.read_text())

    def only_finding(self, result):
        findings = self.summary(result)["findings"]
        self.assertEqual(len(findings), 1, self.describe(result, "expected one finding"))
        return findings[0]

    def finding_folder(self, finding):
        """The folder is given relative to the output folder, or absolute."""
        folder = self.out / finding["folder"]
        return folder if folder.is_dir() else pathlib.Path(finding["folder"])

    def check_findings_whole(self, out, result):
        """Whatever stands under a final name is complete: report.json is there and is valid."""
        for folder in sorted(out.glob("findings/[0-9]*")):
            report = folder / "report.json"
            self.assertTrue(report.is_file(), self.describe(result, f"{folder} without report.json"))
            read_json(report.read_text())

    def copy_program(self, program):
        """A copy in this test's folder, so that its processes can be told from all others."""
        copy = self.folder / pathlib.Path(program).name
        shutil.copy2(program, copy)
        return copy

    def expect_no_process_left(self, result, patience=30.0):
        deadline = time.monotonic() + patience
        while processes_of(self.folder) and time.monotonic() < deadline:
            time.sleep(0.02)
        left = processes_of(self.folder)
        self.assertEqual(left, [], self.describe(result, f"processes left behind: {left}"))


def programs_folder(value=None):
    return pathlib.Path(value or os.environ.get("SNARL_PROGRAMS", "build/programs")).resolve()


def argument_parser(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--programs", help="folder with the built programs (or SNARL_PROGRAMS)")
    parser.add_argument("--only", help="run only tests whose name contains this")
    parser.add_argument("-v", "--verbose", action="store_true")
    return parser


def run_variant(case, add_tests, description):
    """Runs the tests of `case`, to which add_tests(programs, variant) adds some, with the programs of one variant."""
    parser = argument_parser(description)
    parser.add_argument("--variant", default="O2")
    arguments = parser.parse_args()
    case.programs = programs_folder(arguments.programs)
    add_tests(case.programs, arguments.variant)
    return run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(case), arguments)


def suite_of(parts, part):
    """The tests of one part, or of all if `part` is None; `parts` maps names to test cases."""
    return unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case)
                              for name, case in parts.items() if part in (None, name))


def run_suite(suite, arguments):
    """Runs a suite, narrowed by --only; the exit code for the shell. No test at all is a failure."""
    def flatten(tests):
        for test in tests:
            if isinstance(test, unittest.TestSuite):
                yield from flatten(test)
            else:
                yield test

    chosen = [test for test in flatten(suite) if not arguments.only or arguments.only in test.id()]
    if not chosen:
        print("no test chosen")
        return 1
    runner = unittest.TextTestRunner(verbosity=2 if arguments.verbose else 1)
    return 0 if runner.run(unittest.TestSuite(chosen)).wasSuccessful() else 1
