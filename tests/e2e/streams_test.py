#!/usr/bin/env python3
"""Standard streams that are closed, full, or that nobody reads: nothing is lost but what was written there.

  SNARL=build/snarl streams_test.py --programs build/programs
"""

import os
import signal
import subprocess
import sys

import snarl_case

PROGRAMS = None  # set by main

# Exit code: bit n is set if descriptor n is closed, bit 3 if SIGPIPE is ignored.
OWN_STREAMS = r"""
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
static void *nothing(void *unused) { return unused; }
int main(void) {
  int code = 0;
  for (int fd = 0; fd < 3; ++fd) code |= (fcntl(fd, F_GETFD) < 0) << fd;
  struct sigaction action;
  sigaction(SIGPIPE, 0, &action);
  pthread_t thread;
  pthread_create(&thread, 0, nothing, 0);
  pthread_join(thread, 0);
  return code | (action.sa_handler == SIG_IGN) << 3;
}
"""


def close(number):
    return lambda: os.close(number)


def fill(number):
    return lambda: os.dup2(os.open("/dev/full", os.O_WRONLY), number)


def orphan(number):
    """A pipe whose reader has left."""
    def change():
        ends = os.pipe()
        os.dup2(ends[1], number)
        os.close(ends[0])
        os.close(ends[1])
    return change


def ignore_sigpipe():
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


class StreamsTest(snarl_case.SnarlCase):
    def exit_code(self, *arguments, changes):
        def change_all():
            for change in changes:
                change()
        process = subprocess.Popen([snarl_case.snarl_binary(), *map(str, arguments)], cwd=self.folder,
                                   env=snarl_case.environment(), stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
                                   preexec_fn=change_all)
        try:
            return process.wait(self.timeout)
        except subprocess.TimeoutExpired:
            snarl_case.kill_group(process)
            process.wait(30)
            raise

    def explore(self, program, *changes):
        code = self.exit_code("run", "-p", "random", "-n", 40, "-j", 1, "--seed", 1, "-o", self.out, "--",
                              PROGRAMS / program, changes=changes)
        summary = self.summary(snarl_case.Result(code, "", "", 0, 0, "run " + program, False))
        for path in self.out.rglob("schedule.snarl"):
            self.assertTrue(path.read_bytes().startswith(b"snarl"), path)
        return code, summary

    def test_nothing_is_lost(self):
        wrong, correct = "wrong/lost_update.O0", "correct/ping_pong.O0"
        usual = {program: self.explore(program) for program in (wrong, correct)}
        self.assertEqual([usual[wrong][0], usual[correct][0]], [1, 0])
        ways = {"2>&-": [close(2)], ">&-": [close(1)], "<&- >&- 2>&-": [close(0), close(1), close(2)],
                ">/dev/full": [fill(1)], "2>/dev/full": [fill(2)], "2>&1 | true": [orphan(1), orphan(2)],
                "2>&1 | true, SIGPIPE ignored": [ignore_sigpipe, orphan(1), orphan(2)]}
        for name, changes in ways.items():
            for program in (wrong, correct):
                with self.subTest(name=name, program=program):
                    code, summary = self.explore(program, *changes)
                    self.assertEqual(code, usual[program][0])
                    for key in ("schedules", "failing_schedules", "distinct_schedules"):
                        self.assertEqual(summary[key], usual[program][1][key])
                    self.assertEqual(len(summary["findings"]), len(usual[program][1]["findings"]))

    def test_a_replay_says_what_happened(self):
        self.explore("wrong/lost_update.O0")
        for changes in ([orphan(1), orphan(2)], [fill(1)], [close(1), close(2)]):
            self.assertEqual(self.exit_code("replay", self.out, changes=changes), 1)

    def test_the_program_has_what_it_was_given(self):
        source = self.folder / "own_streams.c"
        source.write_text(OWN_STREAMS)
        program = self.folder / "own_streams"
        snarl_case.run(["cc", "-pthread", "-o", program, source], check=True, timeout=60)
        for changes, code in (([], 0), ([close(2)], 4), ([close(0), close(1)], 3), ([ignore_sigpipe], 8)):
            self.assertEqual(self.exit_code("run", "--once", "--", program, changes=changes), code)
        # Explored, its output is captured, whatever ours is.
        self.assertEqual(self.exit_code("run", "-n", 3, "-o", self.out, "--", program, changes=[close(1), close(2)]), 0)


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of({"streams": StreamsTest}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
