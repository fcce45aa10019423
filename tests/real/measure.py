"""Explores one row and says what was measured; what must not be raises AssertionError."""

import dataclasses
import json
import os
import pathlib
import shutil
import tempfile
import time

import client
import leftovers
from row import snarl_case

SCHEDULES = 30
FOR = 180        # seconds, for the schedules
SHORT_FOR = 3    # the limit of the run that has more schedules to do than it has time
SLACK = 1.5      # -t and 2 s, and this: the machine may be busy
HANGS = 60       # after all limits are over
SINGLE = 2       # schedules whose results are looked at


@dataclasses.dataclass
class Measured:
    threads: int
    steps: int
    rate: float
    same: int
    of: int
    switching: dict
    reset: dict
    over: float | None  # what a run with -t took more than that
    found: list         # signatures of its findings


NOTHING = 4  # the exit code if no schedule came to its end


def explore(row, folder, words, port, limit, schedules):
    """Returns the summary and the time that it took. Of more schedules than fit, perhaps none does."""
    options = ["-j", 1, "--seed", 1, "-n", schedules, "-t", limit, "--timeout", "60s", "-o", "snarl-out", "--json", *row.options]
    if row.bug:
        options += ["--keep-going", "--no-minimize", "--no-explain"]
    if row.exit:
        options += ["--expect-exit", row.exit]
    spare = list(leftovers.below(os.getpid()))
    visitor = client.Client(port, row.session) if row.session else None
    begin = time.monotonic()
    process = snarl_case.start([snarl_case.snarl_binary(), "run", *options, "--", *words], folder, dict(row.env))
    if visitor:
        visitor.start()
    try:
        result = snarl_case.finish(process, limit + HANGS)
        seconds = time.monotonic() - begin
    finally:
        if visitor:
            visitor.stopping = True
            visitor.join(30)
    said = f"{result.command}\n{result.out[-3000:]}\n{result.err[-3000:]}"
    assert not result.timed_out, f"snarl hangs: {said}"
    allowed = [0] + [1] * bool(row.bug) + [NOTHING] * (schedules > SCHEDULES)
    assert result.code in allowed, f"exit code {result.code}: {said}"
    remain = leftovers.left(spare)
    assert remain == [], f"left behind: {remain}"
    if result.code == NOTHING:
        return None, seconds
    summary = json.loads(result.out)
    found = {finding["kind"] for finding in summary["findings"]}
    assert found <= {row.bug} and (summary["unconfirmed"] == 0 or row.bug), said
    assert "unpatched" not in summary, f"patches were taken out: {summary['unpatched']}"
    if visitor:
        assert visitor.wrong == [], visitor.wrong
        assert visitor.sessions >= summary["schedules"], f"{visitor.sessions} sessions in {summary['schedules']} schedules"
    return summary, seconds


def single_schedules(row, folder, words):
    """A few schedules whose results are looked at. What one leaves there, the next finds."""
    for seed in range(SINGLE if row.check else 0):
        process = snarl_case.start([snarl_case.snarl_binary(), "run", "--once", "--seed", seed, "--timeout", "60s", *row.options,
                                    "--", *words], folder, dict(row.env))
        result = snarl_case.finish(process, 60 + HANGS)
        assert result.code == row.exit, f"{result.command}: exit code {result.code}\n{result.out[-2000:]}{result.err[-2000:]}"
        row.check(folder, result)
        remain = leftovers.left()
        assert remain == [], f"left behind: {remain}"


def check_patches(summary):
    """The atomic instructions were points, but for a few that may not be code."""
    sites = summary["atomic_sites"]
    assert sites["patched"] > 0 and sites["patched"] >= 0.95 * sites["found"], sites


def measure(row, keeps_time):
    """`keeps_time`: also a run whose time is over before its schedules are."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="snarl-real-"))
    port = client.free_port()
    end = None
    try:
        words = row.prepare(folder, port)
        if row.helper:
            end = row.helper(folder, port)
        summary, _ = explore(row, folder, words, port, FOR, SCHEDULES)
        assert summary["schedules"] == SCHEDULES, f"{summary['schedules']} schedules in {summary['seconds']} s"
        assert summary["threads"] >= row.threads, f"{summary['threads']} threads: the arguments don't make it use {row.threads}"
        if row.patched:
            check_patches(summary)
        if not row.helper:
            single_schedules(row, folder, words)
        over = None
        if keeps_time:
            _, seconds = explore(row, folder, words, port, SHORT_FOR, 10**9)
            over = seconds - SHORT_FOR
            assert over <= 2 + SLACK, f"-t {SHORT_FOR} took {seconds:.1f} s"
        return Measured(summary["threads"], summary["steps"], summary["schedules"] / summary["seconds"],
                        summary["repeatable"]["same"], summary["repeatable"]["of"], summary["switching"], summary["reset"], over,
                        [finding["summary"] for finding in summary["findings"]])
    finally:
        if end:
            end()
        shutil.rmtree(folder, ignore_errors=True)
