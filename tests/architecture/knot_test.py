#!/usr/bin/env python3
"""knot.py finds what it should, shown on small trees made for the purpose."""
import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import knot  # noqa: E402 (the one beside this file)


def check(files, limit):
    """Runs knot.py on a tree {path below src/runtime: names that it includes}; returns (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        src = pathlib.Path(folder, "src/runtime")
        src.mkdir(parents=True)
        for name, included in files.items():
            path = src / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f'#include "runtime/{other}"\n' for other in included), encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = knot.main(["knot.py", str(src), str(limit)])
        return code, output.getvalue()


class Knot(unittest.TestCase):
    def test_a_chain_is_no_knot(self):
        code, output = check({"a/one.h": [], "a/one.cc": ["a/one.h", "b/two.h"], "b/two.h": ["c/three.h"], "c/three.h": []}, 1)
        self.assertEqual(code, 0, output)
        self.assertIn("3 units, the largest knot has 1 ", output)

    def test_a_body_that_includes_back_ties_its_header(self):
        tree = {"a/one.h": ["b/two.h"], "b/two.h": [], "b/two.cc": ["b/two.h", "c/three.h"], "c/three.h": ["a/one.h"]}
        code, output = check(tree, 2)
        self.assertEqual(code, 1, output)
        self.assertIn("the largest knot has 3 ", output)
        self.assertIn("  runtime/b/two: runtime/c/three\n", output)
        self.assertEqual(check(tree, 3)[0], 0)

    def test_the_largest_of_several_is_shown(self):
        tree = {"a.h": ["b.h"], "b.h": ["a.h"], "c.h": ["d.h"], "d.h": ["e.h"], "e.h": ["c.h"]}
        output = check(tree, 3)[1]
        self.assertIn("runtime/e: runtime/c", output)
        self.assertNotIn("runtime/a", output)

    def test_tests_and_foreign_headers_do_not_count(self):
        tree = {"a.h": [], "b.h": ["a.h"], "a_test.cc": ["b.h"], "a.cc": ["a.h", "gone.h"]}
        code, output = check(tree, 1)
        self.assertEqual(code, 0, output)
        self.assertIn("2 units", output)

    def test_an_empty_tree_is_refused(self):
        self.assertEqual(check({}, 25)[0], 1)


if __name__ == "__main__":
    unittest.main()
