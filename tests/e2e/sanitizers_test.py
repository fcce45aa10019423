#!/usr/bin/env python3
"""Builds with the compiler's sanitizers: what they report is a finding with their name for it, its place and its thread.

  SNARL=build/snarl sanitizers_test.py
"""

import json
import shutil
import sys
import unittest

import snarl_case

COMPILERS = [name for name in ("g++", "clang++-14") if shutil.which(name)]

FREED = """
#include <mutex>
#include <thread>
std::mutex m;
struct S { long a, b; };
__attribute__((noinline)) void use(S* s) { m.lock(); m.unlock(); s->a = 1; }
__attribute__((noinline)) void drop(S* s) { delete s; }
int main() { S* s = new S{0,0}; std::thread t(use, s); std::this_thread::yield(); m.lock(); m.unlock(); drop(s); t.join(); }
"""

# Two errors of one kind: at most one of them in a run.
OVERFLOWS = """
#include <mutex>
#include <thread>
std::mutex m; int n = 4;
int now() { std::lock_guard<std::mutex> held(m); return n; }
void set(int to) { std::lock_guard<std::mutex> held(m); n = to; }
__attribute__((noinline)) void put(int* s) { s[now()] = 1; }
__attribute__((noinline)) void put_other(int* s) { s[now() + 1] = 1; }
int main() { int* s = new int[8]; std::thread t(put, s), u(put_other, s); set(8); set(4); t.join(); u.join(); delete[] s; }
"""

ADDS = """
#include <mutex>
#include <thread>
std::mutex m; int n = 4, out;
__attribute__((noinline)) void add(int by) { m.lock(); int at = n; m.unlock(); out = at + by; }
int main() { std::thread t(add, 2147483640); m.lock(); n = 100; m.unlock(); m.lock(); n = 4; m.unlock(); t.join(); }
"""


@unittest.skipUnless(COMPILERS, "no compiler")
class SanitizersCase(snarl_case.SnarlCase):
    def build(self, compiler, sanitizer, text, *flags):
        source = self.folder / "program.cc"
        source.write_text(text)
        program = self.folder / f"{sanitizer}.{compiler}"
        made = self.command(compiler, "-std=c++17", "-g", "-O1", f"-fsanitize={sanitizer}", *flags, "-pthread", source, "-o", program)
        self.expect_code(made, 0)
        return program

    def run_program(self, program, *options, schedules=50):
        return self.snarl("run", "-p", "random", "-n", schedules, "--seed", 1, "--keep-going", "-o", self.out, *options, "--", program)

    def findings(self, result):
        self.expect_code(result, 1)
        findings = self.summary(result)["findings"]
        self.assertTrue(all(finding["confirmed"] for finding in findings), self.describe(result, "not confirmed"))
        return [json.loads((self.finding_folder(finding) / "report.json").read_text()) for finding in findings]

    def expect_replay(self, report, times):
        again = self.snarl("replay", "-o", self.out, report["id"], "--times", times)
        self.expect_text(again, f"check again, {times} of {times}")

    def test_use_after_free(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                [report] = self.findings(self.run_program(self.build(compiler, "address", FREED)))
                self.assertEqual((report["headline"], report["place"]["function"]), ("heap-use-after-free", "use"))
                self.assertEqual((report["kind"], report["failing_thread"]), ("check", 1))
                self.assertIn("write of 8 bytes", report["message"])
                places = [(deed["text"], deed["place"]["function"]) for deed in report["deeds"]]
                self.assertEqual(places[1:], [("main freed the memory", "drop"), ("main allocated it", "main")])
                self.assertNotIn("Shadow byte", report.get("err_tail", ""))
                self.expect_replay(report, 20 if compiler == "g++" else 5)

    def test_different_errors_are_different_findings(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                reports = self.findings(self.run_program(self.build(compiler, "address", OVERFLOWS)))
                self.assertEqual({report["headline"] for report in reports}, {"heap-buffer-overflow"})
                self.assertEqual(sorted(report["place"]["function"] for report in reports), ["put", "put_other"])

    def test_undefined_behaviour_ends_the_run_if_the_build_says_so(self):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                [report] = self.findings(self.run_program(self.build(compiler, "undefined", ADDS, "-fno-sanitize-recover=all")))
                self.assertEqual((report["headline"], report["place"]["function"]), ("signed-integer-overflow", "add"))
                self.assertEqual(report["failing_thread"], 1)
                self.expect_replay(report, 5)

    def test_undefined_behaviour_that_is_only_told_is_none(self):
        result = self.run_program(self.build(COMPILERS[0], "undefined", ADDS), schedules=30)
        self.expect_code(result, 0)

    def test_snarl_cc_says_that_they_exclude_each_other(self):
        source = self.folder / "program.cc"
        source.write_text(ADDS)
        result = self.snarl("c++", "-fsanitize=address", source, "-o", self.folder / "program")
        self.expect_code(result, 2)
        self.expect_text(result, r"-fsanitize=address and the hooks .* exclude each other\n.*build with the compiler itself")


def main():
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    return snarl_case.run_suite(snarl_case.suite_of({"sanitizers": SanitizersCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
