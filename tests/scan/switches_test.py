"""A program without any atomic instruction, whose inner jump tables lie behind the outer ones, is left as it is."""

import pathlib
import shutil
import tempfile
import unittest

import patch_table
import snarl_case

SOURCE = snarl_case.source("correct", "nested_switches.c")


class SwitchesCase(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="snarl-switches-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_nothing_is_patched_and_nothing_found(self):
        for level in ("-O1", "-O2", "-Os"):
            with self.subTest(level=level):
                binary = self.folder / "program"
                snarl_case.run(["gcc", "-g", level, "-pthread", str(SOURCE), "-o", str(binary)], check=True, timeout=60)
                self.assertEqual(patch_table.scan(binary).patches, [])
                run = snarl_case.start([snarl_case.snarl_binary(), "run", "-j", 1, "-n", 30, "--seed", 1, "--", binary],
                                       cwd=self.folder)
                result = snarl_case.finish(run, 60)
                self.assertEqual(result.code, 0, result.out[-2000:] + result.err[-2000:])


if __name__ == "__main__":
    unittest.main()
