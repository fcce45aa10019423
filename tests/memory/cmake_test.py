#!/usr/bin/env python3
"""A small CMake project that becomes instrumented, as a whole (toolchain file) or one target of it (snarl::instrument):
it builds, runs without snarl, and its bug, which needs points at memory accesses, is found."""
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

INSTRUMENT = HERE.parent.parent / "cmake" / "SnarlInstrument.cmake"
PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(small C CXX)
find_package(Threads REQUIRED)
%s
add_library(counter SHARED counter.c)
add_executable(main main.cc)
target_link_libraries(main PRIVATE counter Threads::Threads)
%s
"""
COUNTER = """
int total;
void add(int n) { total += n; }
"""
MAIN = """
#include <cstdlib>
#include <thread>
extern "C" int total;
extern "C" void add(int);
int main() {
  std::thread other(add, 1);
  add(1);
  other.join();
  if (total != 2) std::abort();
}
"""


class CMakeCase(snarl_case.SnarlCase):
    timeout = 120

    def build(self, before, after, *options):
        self.write("CMakeLists.txt", PROJECT % (before, after))
        self.write("counter.c", COUNTER)
        self.write("main.cc", MAIN)
        build = self.folder / "build"
        for command in (["cmake", "-S", self.folder, "-B", build, "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                         f"-DSNARL_EXECUTABLE={snarl_case.snarl_binary()}", *options],
                        ["cmake", "--build", build]):
            result = self.command(*command)
            self.expect_code(result, 0)
        return build / "main"

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def check(self, program):
        self.expect_code(self.command(program), 0)
        result = self.snarl("run", "--points", "memory", "--races", "off", "-p", "pct:depth=2", "-n", 1000,
                            "-o", self.out, "--", program)
        self.expect_code(result, 1)
        self.assertEqual(self.only_finding(result)["kind"], "signal", self.describe(result, "wrong kind"))
        self.expect_text(result, r"(read|write) total")

    def test_toolchain_file(self):
        self.check(self.build("", "", f"-DCMAKE_TOOLCHAIN_FILE={INSTRUMENT}"))

    def test_imported_target(self):
        self.check(self.build(f'include("{INSTRUMENT}")', "target_link_libraries(counter PRIVATE snarl::instrument)"))


if __name__ == "__main__":
    sys.exit(snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(CMakeCase),
                                  snarl_case.argument_parser(__doc__).parse_args()))
