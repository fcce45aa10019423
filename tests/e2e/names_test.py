#!/usr/bin/env python3
"""What reports call places and objects, as a user sees it: thread-local locks, stripped programs, separate debug files."""
import shutil
import sys

import snarl_case

PROGRAMS = None


class NamesCase(snarl_case.SnarlCase):
    def report_of(self, program):
        result = self.snarl("run", "--seed", 7, "-n", 2000, "-o", self.out, "--", program)
        self.expect_code(result, 1)
        return (self.finding_folder(self.only_finding(result)) / "report.txt").read_text()

    def stripped(self, name, *options):
        program = self.copy_program(PROGRAMS / "wrong" / name)
        snarl_case.run(["strip", *options, program], check=True)
        return program

    def test_thread_local_locks_are_named_with_their_thread(self):
        text = self.report_of(PROGRAMS / "wrong" / "thread_local_inversion.O2")
        self.assertIn("main's cache.lock", text)
        self.assertIn("T1's cache.lock", text)

    def test_without_debug_information_symbols_are_left(self):
        text = self.report_of(self.stripped("lock_inversion.O2", "--strip-debug"))
        self.assertRegex(text, r"waits for (disk|cache)")
        self.assertRegex(text, r"flush\+0x[0-9a-f]+|flush\(\)")

    def test_stripped_of_everything_places_are_module_and_offset(self):
        text = self.report_of(self.stripped("lock_inversion.O2"))
        self.assertRegex(text, r"lock_inversion\.O2\+0x[0-9a-f]+")
        self.assertRegex(text, r"holds mutex [A-Z]\b")

    def test_a_separate_debug_file_is_found(self):
        program = self.copy_program(PROGRAMS / "wrong" / "lock_inversion.O2")
        debug = self.folder / "lock_inversion.debug"
        snarl_case.run(["objcopy", "--only-keep-debug", program, debug], check=True)
        snarl_case.run(["strip", program], check=True)
        snarl_case.run(["objcopy", f"--add-gnu-debuglink={debug.name}", program.name], check=True, cwd=self.folder)
        text = self.report_of(program)
        self.assertRegex(text, r"lock_inversion\.c:\d+")
        self.assertRegex(text, r"waits for (disk|cache)")


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    assert shutil.which("strip") and shutil.which("objcopy"), "binutils come with the compiler"
    return snarl_case.run_suite(snarl_case.suite_of({"names": NamesCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
