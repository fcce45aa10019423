#!/usr/bin/env python3
"""Where snarl can't work, it says so in one sentence and starts nothing.

  SNARL=build/snarl surroundings_test.py --programs build/programs
"""

import resource
import shutil
import sys

import snarl_case

PROGRAMS = None  # set by main


class SurroundingsTest(snarl_case.SnarlCase):
    def start(self, *words, change=None):
        return snarl_case.run(words, cwd=self.folder, env=snarl_case.environment(), capture_output=True, text=True,
                              timeout=60, preexec_fn=change)

    def run_words(self):
        return (snarl_case.snarl_binary(), "run", "-n", 20, "-o", self.out, "--", PROGRAMS / "correct/ping_pong.O0")

    def expect_refused(self, result, sentence):
        self.assertEqual(result.returncode, 125, result.stderr)
        lines = result.stderr.strip().splitlines()
        self.assertEqual(len(lines), 2, result.stderr)
        self.assertRegex(lines[0], sentence)
        self.assertRegex(lines[1], "^  hint: ")
        self.assertFalse(self.out.exists())

    def limited(self, what, size):
        return self.start(*self.run_words(), change=lambda: resource.setrlimit(what, (size, size)))

    def test_a_small_stack(self):
        self.expect_refused(self.limited(resource.RLIMIT_STACK, 64 << 10), r"64 KiB only \(ulimit -s\)")

    def test_the_smallest_stack_that_is_enough(self):
        self.assertEqual(self.limited(resource.RLIMIT_STACK, 1 << 20).returncode, 0)

    def test_files_that_may_not_grow(self):
        self.expect_refused(self.limited(resource.RLIMIT_FSIZE, 0), r"0 KiB only \(ulimit -f\)")

    def test_verbs_that_start_nothing_work_anyway(self):
        result = self.start(snarl_case.snarl_binary(), "policies",
                            change=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)))
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_no_proc(self):
        unshare = [shutil.which("unshare") or "unshare", "-rm", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if not shutil.which("unshare") or self.start(*unshare, "true").returncode != 0:
            self.skipTest("no namespace to take /proc away in")
        self.expect_refused(self.start(*unshare, *self.run_words()), "^snarl: /proc is not mounted")


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of({"surroundings": SurroundingsTest}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
