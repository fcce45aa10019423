#!/usr/bin/env python3
"""marks.py finds what it should, shown on libraries compiled for the purpose."""
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import marks  # noqa: E402 (the one beside this file)

MARKED = """
#include "base/large.h"
#include "base/state_marks.h"
namespace snarl::runtime {
SNARL_RUN_STATE int of_the_run;
SNARL_RUN_STATE int begins_at_one = 1;
SNARL_PROCESS_STATE bool of_the_process;
SNARL_LARGE char table[4096];
const int kConstant = 3;
const char* const kName = "name";
int* use(int n) {
  of_the_run += n + begins_at_one + kConstant;
  of_the_process = kName[n] != 0;
  table[n] = 1;
  return &of_the_run;
}
}
"""


def check(text):
    """(exit code, output) of marks.py for a library made of that text."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder, "a.cc"), pathlib.Path(folder, "a.so")
        source.write_text(text, encoding="utf-8")
        src = pathlib.Path(__file__).parents[2] / "src"
        subprocess.run(["g++", "-std=c++20", "-O1", "-fPIC", "-shared", f"-I{src}", source, "-o", library], check=True)
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = marks.main(["marks.py", str(library)])
        return code, output.getvalue()


class Marks(unittest.TestCase):
    def refuses(self, text, name):
        code, output = check(MARKED + text)
        self.assertEqual(code, 1, output)
        self.assertIn(f"{name} in .", output)

    def test_marked_variables_are_accepted(self):
        code, output = check(MARKED)
        self.assertEqual(code, 0, output)
        self.assertIn("0 unmarked", output)

    def test_unmarked_variables_are_named(self):
        self.refuses("namespace snarl::runtime { int forgotten; }", "snarl::runtime::forgotten")
        self.refuses("namespace snarl::runtime { int forgotten = 2; }", "snarl::runtime::forgotten")
        self.refuses("namespace snarl { namespace { int hidden; } int* at() { return &hidden; } }",
                     "snarl::(anonymous namespace)::hidden")
        self.refuses("namespace snarl { int next() { static int count = 7; return ++count; } }", "snarl::next()::count")
        self.refuses("namespace snarl { thread_local int own; int* at() { return &own; } }", "snarl::own")

    def test_a_static_that_is_made_at_first_use_has_a_guard(self):
        self.refuses("namespace snarl { int f(); int g() { SNARL_PROCESS_STATE static int x = f(); return x; } int f() { return *runtime::use(1); } }",
                     "guard variable for snarl::g()::x")

    def test_a_library_without_marks_is_no_proof(self):
        code, output = check("int f() { return 1; }")
        self.assertEqual(code, 1)
        self.assertIn("not used at all", output)


if __name__ == "__main__":
    unittest.main()
