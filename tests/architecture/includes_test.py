#!/usr/bin/env python3
"""includes.py finds what it should, shown on small trees made for the purpose."""
import sys
import unittest

sys.dont_write_bytecode = True
import includes  # noqa: E402 (those beside this file)
import small_tree  # noqa: E402


EXCEPTIONS = "tests/architecture/exceptions.txt"


def check(files, others=()):
    """Checks a tree {path below src: text}, with others {path: text}; returns (exit code, output) of includes.py."""
    tree = {"src": None} | {f"src/{name}": text for name, text in files.items()} | dict(others)
    return small_tree.check(includes.main, tree, "src")


class Includes(small_tree.TreeTest):
    def check(self, files):
        return check(files)

    def test_downwards_is_accepted(self):
        self.accepts("policy/pct.cc", '#include "policy/pct.h"\n#include "schedule/operation.h"\n#include <array>\n')
        self.accepts("runtime/hooks.cc", '#include "wire/wire.h"\n#include <sys/mman.h>\n')
        self.accepts("record/wire_reader.cc", '#include "wire/wire.h"\n#include <unistd.h>\n')

    def test_upwards_is_refused(self):
        self.refuses("base/ids.h", '#include "schedule/step.h"\n', "base may not include schedule")
        self.refuses("schedule/step.h", '\n#include "policy/pct.h"\n', "schedule/step.h:2:")
        self.refuses("explore/run.cc", '#include "cli/main.h"\n', "explore may not include cli")

    def test_siblings_are_refused(self):
        self.refuses("policy/pct.cc", '#include "model/mutex.h"\n', "policy may not include model")
        self.refuses("model/mutex.cc", '#include "policy/pct.h"\n', "model may not include policy")
        self.refuses("report/text/finding.cc", '#include "detect/race.h"\n', "report may not include detect")

    def test_the_two_sides_meet_in_the_wire_only(self):
        self.refuses("explore/run.cc", '#include "runtime/hooks.h"\n', "explore may not include runtime")
        self.refuses("runtime/hooks.cc", '#include "explore/run.h"\n', "runtime may not include explore")
        self.refuses("cli/main.cc", '#include "wire/wire.h"\n', "cli may not include wire")
        self.refuses("conduct/serial.cc", '#include "wire/wire.h"\n', "conduct may not include wire")

    def test_angle_brackets_do_not_hide_an_include(self):
        self.refuses("base/ids.h", "#include <schedule/step.h>\n", "base may not include schedule")
        self.refuses("base/ids.h", '  #  include "schedule/step.h"\n', "base may not include schedule")

    def test_virtual_programs_are_for_tests(self):
        self.accepts("policy/pct_test.cc", '#include "virtual/program.h"\n#include <gtest/gtest.h>\n')
        self.refuses("policy/pct.cc", '#include "virtual/program.h"\n', "policy may not include virtual")
        self.refuses("policy/pct_test.cc", '#include "explore/run.h"\n', "policy may not include explore")

    def test_pure_folders_make_no_os_call(self):
        for header in ("sys/mman.h", "unistd.h", "pthread.h", "linux/futex.h", "dlfcn.h", "fcntl.h", "signal.h"):
            for folder in ("base", "schedule", "policy", "model", "conduct"):
                self.refuses(f"{folder}/a.cc", f"#include <{header}>\n", f"{folder} makes no call to the OS")
        self.accepts("base/check.cc", "#include <unistd.h>\n")

    def test_quotes_are_written_from_src(self):
        self.refuses("base/ids.cc", '#include "ids.h"\n', "written from src/")

    def test_rooms_have_a_law_of_their_own(self):
        self.accepts("explore/campaign/explorer.cc", '#include "explore/execute/worker.h"\n')
        self.refuses("explore/execute/worker.cc", '#include "explore/campaign/campaign.h"\n',
                     "explore/execute may not include explore/campaign")
        self.refuses("runtime/platform/raw.cc", '#include "runtime/run/engine.h"\n',
                     "runtime/platform may not include runtime/run")
        self.refuses("report/finding.cc", '#include "report/text/table.h"\n', "report/ may not include report/text")
        self.refuses("explore/attic/old.cc", '#include "explore/target/setup.h"\n', "'attic' of explore is not in the table")

    def test_exceptions_may_only_shrink(self):
        tree = {"explore/execute/worker.cc": '#include "explore/campaign/campaign.h"\n'}
        line = "explore/execute/worker.cc includes explore/campaign/campaign.h\n"
        self.assertEqual(check(tree, {EXCEPTIONS: f"# a comment\n{line}"})[0], 0)
        code, output = check({"explore/execute/worker.cc": ""}, {EXCEPTIONS: line})
        self.assertEqual(code, 1)
        self.assertIn("take the line out", output)

    def test_witnesses_share_nothing(self):
        witnesses = {name: "" for name in includes.WITNESSES}
        self.assertEqual(check({"base/ids.h": ""}, witnesses)[0], 0)
        witnesses[includes.WITNESSES[1]] = '#include "conduct/conductor.h"\n'
        self.assertIn("a witness shares nothing", check({"base/ids.h": ""}, witnesses)[1])
        del witnesses[includes.WITNESSES[1]]
        self.assertIn("is not there", check({"base/ids.h": ""}, witnesses)[1])

    def test_an_unknown_folder_and_an_empty_tree_are_refused(self):
        self.refuses("misc/a.h", "", "misc is not in the table")
        self.assertEqual(check({})[0], 1)


if __name__ == "__main__":
    unittest.main()
