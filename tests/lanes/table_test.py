#!/usr/bin/env python3
"""Every plain C program of tests/programs through lanes: table_test.py correct|wrong|cxx schedules.

A program of tests/programs/correct may never be found failing. What lanes refuse stands here by name and reason: a new
refusal, or one that is gone, is a failure, as is a program whose schedules give no verdict.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "programs"

# Not taken: what the refusal must name.
REFUSED = {
    "correct": {
        "ignored_signal.c": "the function signal",
        "memory/made_code.c": "the function mprotect",
        "memory/trapped_atomic.c": "the function sigprocmask",
        "misuse/robust_mutexes.c": "the function pthread_mutexattr_setrobust",
        "process/join_forms.c": "the function pthread_tryjoin_np",
        "process/own_output.c": "the function pipe",
        "process/own_stacks.c": "the function pthread_attr_setstack",
        "process/shared_before_main.c": "the function fork",
        "process/shared_semaphore.c": "the function fork",
        "process/stack_sizes.c": "the function pthread_attr_getstacksize",
        "process/stream_locks.c": "the function flockfile",
        "process/thread_identity.c": "the function pthread_sigmask",
        "process/thread_locales.c": "the function newlocale",
        "signals/cancel_corners.c": "the function pthread_cancel",
        "signals/cancel_states.c": "the function pthread_cancel",
        "signals/cancelled_waits.c": "the function pthread_cancel",
        "signals/cleanup_handlers.c": "the function __sigsetjmp",
        "signals/pause_until_sent.c": "the function signal",
        "signals/signal_stacks.c": "the function sigaltstack",
        "signals/signals.c": "the function sigaction",
        "sync/mutex_protocols.c": "the function pthread_mutexattr_setprotocol",
        "sync/named_semaphores.c": "the function sem_open",
        "time/repeated_alarm.c": "the function setitimer",
        "time/timers.c": "the function alarm",
        "time/timers_beside_sigwait.c": "the function sigwait",
        "time/virtual_sleep.c": "the function clock_nanosleep",
    },
    "wrong": {
        "memory/noise_figure_2a.c": "the function snarl_point",
        "memory/noise_figure_2b.c": "the function snarl_point",
        "memory/noise_figure_2c.c": "the function snarl_point",
        "memory/user_point.c": "the function snarl_point",
        "misuse/fork_with_lock.c": "the function fork",
        "process/exec_leaves_others.c": "the function execl",
        "process/lost_epoll_wakeup.c": "the function epoll_create1",
        "process/lost_eventfd_wakeup.c": "the function eventfd",
        "process/outside_order.c": "the function pipe",
        "process/pipe_full.c": "the function pipe",
        "process/stdio_inversion.c": "the function flockfile",
        "signals/cancel_leaks_unit.c": "the function pthread_cancel",
        "signals/cancelled_with_lock.c": "the function pthread_cancel",
        "signals/handler_takes_lock.c": "the function signal",
        "signals/interrupted_wait.c": "the function sigaction",
        "signals/pause_after_look.c": "the function signal",
        "signals/suspend_too_late.c": "the function signal",
        "signals/timer_interrupts_update.c": "the function signal",
        "sync/not_recovered.c": "the function pthread_mutexattr_setrobust",
        "sync/owner_dead_unchecked.c": "the function pthread_mutexattr_setrobust",
        "time/timed_join_unchecked.c": "the function pthread_timedjoin_np",
    },
}

# Refused only when it comes to it: what is asked for is known at run time.
REFUSED_LATE = {"sync/futex_forms.c": "the futex operations"}

# In C++ without exceptions: those that lanes take.
CXX = {
    "correct": ["memory/flag_lock.cc", "memory/memory_again.cc", "memory/own_locks.cc", "memory/stack_tagged.cc",
                "process/nested_threads.cc", "process/polling.cc", "process/thread_locals.cc", "sync/barrier.cc",
                "sync/call_once.cc", "sync/scoped_lock.cc"],
    "wrong": ["memory/count_looked_at_later.cc", "memory/double_checked_init.cc", "memory/flag_lock.cc",
              "memory/peterson_turn_first.cc", "memory/point_at.cc", "memory/stack_aba.cc", "misuse/freed_mutex.cc",
              "process/terminate_unjoined.cc", "sync/bounded_buffer.cc", "sync/call_once_inversion.cc",
              "sync/early_unlock.cc", "sync/overdraft.cc", "sync/philosophers.cc", "sync/pool_lost_wakeup.cc",
              "sync/shared_mutex_inversion.cc"],
}

# Long ones, which get more steps and fewer schedules than the others.
LONG = {"memory/heap_across_threads.c": (1_000_000, 40)}

# The kind that lanes tell where it is not the one in the program's first line.
OTHER_KIND = {
    "misuse/freed_mutex.cc": "check",  # likewise
    "misuse/freed_while_waited.c": "check",  # memory is checked, not only objects
}

# Wrong, and not found (docs/lanes.md).
NOT_MODELLED = {
    "memory/stack_overflows.c": "what the optimiser removes takes no stack",
    "time/polite_spin.c": "threads that spin together: no verdict",
}


def programs(group):
    root = PROGRAMS / group
    return sorted(str(path.relative_to(root)) for path in root.rglob("*.c"))


def run(group, name, schedules):
    steps, schedules = LONG.get(name, (20_000, schedules))
    with tempfile.TemporaryDirectory() as folder:
        words = [os.environ["SNARL"], "lanes", "-j", "1", "-o", folder + "/out", "--seed", "5", "-n", str(schedules), "--steps",
                 str(steps), "-p", "random", "-p", "pct:depth=3", "--json", "--", str(PROGRAMS / group / name)]
        return subprocess.run(words, capture_output=True, text=True, timeout=200, stdin=subprocess.DEVNULL)


def expected_kind(name):
    first = (PROGRAMS / "wrong" / name).read_text().split("\n", 1)[0]
    return next(word[5:] for word in first.split() if word.startswith("kind="))


def is_refused_well(name, done, reason):
    """All refusals but that of the variables' sizes have a file and line, and one of them names the reason."""
    told = [line for line in done.stderr.splitlines() if line.startswith("  ")
            and "hint:" not in line and not line.startswith("  global variables: need")]
    placed = told and all(line.split(": ")[0].rsplit(":", 1)[-1].isdigit() for line in told)
    return done.returncode == 4 and bool(placed) and reason in done.stderr


def verdict(group, name, schedules):
    """None, or what is not as it should be."""
    done = run(group, name, schedules)
    said = f"{name}: exit code {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
    if name in REFUSED[group]:
        return None if is_refused_well(name, done, REFUSED[group][name]) else "not refused as it should be: " + said
    if name in REFUSED_LATE:
        return None if done.returncode == 4 and REFUSED_LATE[name] in done.stderr else "not refused late: " + said
    if group == "correct" or name in NOT_MODELLED:
        if done.returncode != 0:
            return "not without a finding: " + said
        seen = json.loads(done.stdout)
        schedules = LONG.get(name, (0, schedules))[1]
        enough = seen["schedules"] == schedules and seen["too_long"] * 2 <= schedules and seen["unconfirmed"] == 0
        return None if enough else "no verdict: " + said
    if done.returncode != 1:
        return "not found: " + said
    kinds = {finding["kind"] for finding in json.loads(done.stdout)["findings"]}
    wanted = OTHER_KIND.get(name) or expected_kind(name)
    return None if kinds == {wanted} else f"found as {kinds}, not {wanted}: " + said


def main():
    group, schedules = sys.argv[1], int(sys.argv[2])
    if group == "cxx":
        work = [(kind, name) for kind, names in CXX.items() for name in names]
    else:
        work = [(group, name) for name in programs(group)]
        gone = set(REFUSED[group]) - {name for _, name in work}
        assert not gone, f"no such programs: {gone}"
    assert work
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        problems = [problem for problem in pool.map(lambda one: verdict(*one, schedules), work) if problem]
    print("\n".join(problems))
    print(f"{len(work)} programs, {len(problems)} not as they should be")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
