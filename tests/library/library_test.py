#!/usr/bin/env python3
"""SNARL_TEST, the installed package and the launcher, as a user meets them.

usage: library_test.py --part gtest|installed|launcher|within --build BUILD [--source SOURCE] [--fresh]
"""
import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import snarl_case  # noqa: E402

ARGUMENTS = None


def run(*command, cwd=None, timeout=250, **environment):
    """Runs a command to its end; both outputs in one text."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SNARL")}
    env.update(environment)
    done = snarl_case.run([str(c) for c in command], cwd=cwd, env=env, timeout=timeout, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return done.returncode, done.stdout


class Gtest(unittest.TestCase):
    def setUp(self):
        self.program = ARGUMENTS.build / "library" / "gtest_test"

    def test_failures_are_told_and_the_program_goes_on(self):
        code, out = run(self.program, "--gtest_print_time=0")
        self.assertEqual(code, 1, out)
        for name in ("Good.Passes", "Plain.StillRuns"):
            self.assertIn(f"[       OK ] {name}", out)
        for name in ("Wrong.Expect", "Wrong.ExpectInAThread", "Wrong.Deadlock"):
            self.assertIn(f"[  FAILED  ] {name}", out)
        self.assertIn("overdrawn", out)
        self.assertIn("DEADLOCK", out)
        self.assertEqual(len(re.findall("SNARL_REPLAY=SN2-", out)), 3, out)
        self.assertNotIn("NOT CONFIRMED", out)

    def test_the_replay_line_works(self):
        _, out = run(self.program, "--gtest_filter=Wrong.Expect")
        line = re.search(r"Replay: (SNARL_REPLAY=(\S+) .*)", out)
        self.assertTrue(line, out)
        code, again = run("sh", "-c", line[1])
        self.assertEqual(code, 1, again)
        self.assertIn("CHECK FAILED", again)
        code, other = run(self.program, "--gtest_filter=Wrong.Deadlock", SNARL_REPLAY=line[2])
        self.assertEqual(code, 0, other)

    def test_options_by_environment(self):
        code, out = run(self.program, "--gtest_filter=Good.Passes", "--gtest_output=json:/dev/stdout", SNARL_SCHEDULES="17")
        self.assertEqual(code, 0, out)
        self.assertIn('"snarl_schedules": "17"', out)
        code, out = run(self.program, "--gtest_filter=Good.Passes", SNARL_POLICY="nonsense")
        self.assertEqual(code, 1, out)
        self.assertIn("nonsense", out)

    def test_under_snarl_run_the_body_runs_once(self):
        code, out = run(ARGUMENTS.build / "bin" / "snarl", "run", "-n", "50", "-o", tempfile.mkdtemp() + "/out", "--",
                        self.program, "--gtest_filter=Good.Passes")
        self.assertEqual(code, 0, out)

    def test_under_gdb_and_valgrind(self):
        for tool in (["gdb", "-q", "-batch", "-ex", "run", "--args"], ["valgrind", "-q"]):
            if shutil.which(tool[0]) is None:
                continue
            code, out = run(*tool, self.program, "--gtest_filter=Good.*:Wrong.Expect", SNARL_SCHEDULES="40", SNARL_FOR="200s")
            if "debuginfo reader: " in out:
                continue  # valgrind 3.19 gives up on what clang 14 writes, whatever the program does
            self.assertIn("[       OK ] Good.Passes", out)
            self.assertIn("[  FAILED  ] Wrong.Expect", out)


class Installed(unittest.TestCase):
    """The example, built against an installed prefix with find_package, and with pkg-config."""

    @classmethod
    def setUpClass(cls):
        cls.work = pathlib.Path(tempfile.mkdtemp(prefix="snarl-installed-"))
        cls.prefix = cls.work / "prefix"
        code, out = run("cmake", "--install", ARGUMENTS.build, "--prefix", cls.prefix)
        assert code == 0, out

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.work)

    def test_find_package_and_ctest(self):
        build = self.work / "build"
        code, out = run("cmake", "-S", ARGUMENTS.source / "examples" / "gtest", "-B", build, f"-DCMAKE_PREFIX_PATH={self.prefix}")
        self.assertEqual(code, 0, out)
        code, out = run("cmake", "--build", build)
        self.assertEqual(code, 0, out)
        code, out = run("ctest", "--test-dir", build, "--output-on-failure")
        self.assertNotEqual(code, 0, out)
        self.assertIn("BoundedQueue.LosesNoSignal", out)
        self.assertIn("DEADLOCK", out)
        self.assertIn("bounded_queue.h", out)
        self.assertIn("67% tests passed", out.replace("66% tests", "67% tests"))

    def test_pkg_config(self):
        pc = next(self.prefix.rglob("snarl.pc")).parent
        code, flags = run("pkg-config", "--cflags", "--libs", "snarl", PKG_CONFIG_PATH=str(pc))
        self.assertEqual(code, 0, flags)
        source = self.work / "plain.cc"
        source.write_text("#include <snarl/snarl.h>\n#include <thread>\n"
                          "int main() { return snarl::explore({}, [] { std::thread([] {}).join(); }).passed ? 0 : 1; }\n")
        library = next(self.prefix.rglob("libsnarl.so")).parent
        code, out = run("g++", "-std=c++17", "-Wall", "-Wextra", "-Werror", source, "-o", self.work / "plain", *flags.split(),
                        f"-Wl,-rpath,{library}")
        self.assertEqual(code, 0, out)
        self.assertEqual(run(self.work / "plain")[0], 0)

    def test_the_header_is_plain_c_too(self):
        source = self.work / "plain.c"
        source.write_text("#include <snarl/snarl.h>\nint main(void) { snarl_point(\"here\"); return 0; }\n")
        code, out = run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", f"-I{self.prefix}/include", source, "-o", self.work / "plain_c")
        self.assertEqual(code, 0, out)
        self.assertEqual(run(self.work / "plain_c")[0], 0)


PROJECT = """cmake_minimum_required(VERSION 3.25)
project(consumer C CXX)
{how}
add_subdirectory("{source}/examples/gtest" example)
install(FILES CMakeLists.txt DESTINATION share)
"""
AS_IN_OUR_BUILD = ("CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "CMAKE_C_COMPILER_LAUNCHER", "CMAKE_CXX_COMPILER_LAUNCHER",
                   "CMAKE_C_FLAGS_RELWITHDEBINFO", "CMAKE_CXX_FLAGS_RELWITHDEBINFO", "SNARL_SANITIZE", "SNARL_WERROR")


def as_in_our_build():
    """The flags of cmake that make the same commands of the same sources."""
    cache = (ARGUMENTS.build / "CMakeCache.txt").read_text()
    return [f"-D{name}={value}" for name, value in re.findall(r"^(\w+):\w+=(.+)$", cache, re.M) if name in AS_IN_OUR_BUILD]


def object_files(build):
    """{command without the names of folders and output: object file} of a configured build."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        at = words.index("-o")
        output = pathlib.Path(entry["directory"]) / words.pop(at + 1)
        found[" ".join([output.parent.name, *words])] = output
    return found


def lend_object_files(build):
    """Compiling snarl takes minutes. What our own build has made by the same command need not be made again: with
    Makefiles, a file that is newer than its sources is not."""
    ours = object_files(ARGUMENTS.build)
    for command, output in object_files(build).items():
        if command in ours and ours[command].is_file():
            output.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ours[command], output)


class Within(unittest.TestCase):
    """The same example with snarl as a part of the project."""

    def setUp(self):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="snarl-within-"))
        self.addCleanup(shutil.rmtree, self.work)

    def configure(self, how):
        (self.work / "CMakeLists.txt").write_text(PROJECT.format(how=how, source=ARGUMENTS.source))
        build = self.work / "build"
        flags = () if ARGUMENTS.fresh else as_in_our_build()
        code, out = run("cmake", "-S", self.work, "-B", build, "-G", "Unix Makefiles", *flags)
        self.assertEqual(code, 0, out)
        self.leaves_the_project_alone(build)
        return build

    def build(self, how):
        build = self.configure(how)
        if not ARGUMENTS.fresh:
            lend_object_files(build)
        code, out = run("cmake", "--build", build, "--target", "queue_test", "-j2", timeout=3000)
        self.assertEqual(code, 0, out[-3000:])
        if not ARGUMENTS.fresh:
            self.assertLess(out.count("Building "), 20, "the object files that were lent are not used: " + out)
        code, out = run(next(build.rglob("queue_test")), "--gtest_filter=*LosesNoSignal")
        self.assertEqual(code, 1, out)
        self.assertIn("DEADLOCK", out)

    def leaves_the_project_alone(self, build):
        """Tests, options and installed files are the project's own."""
        cache = (build / "CMakeCache.txt").read_text()
        self.assertIn("\nCMAKE_BUILD_TYPE:STRING=\n", cache)
        self.assertNotIn("BUILD_TESTING:BOOL=OFF", cache)
        code, out = run("cmake", "--install", build, "--prefix", self.work / "prefix")
        self.assertEqual(code, 0, out)
        self.assertEqual([path.name for path in (self.work / "prefix").rglob("*") if path.is_file()], ["CMakeLists.txt"])

    def test_add_subdirectory(self):
        """Linking takes a minute where link-time optimisation is at work: once is enough but for the long test."""
        make = self.build if ARGUMENTS.fresh else self.configure
        make(f"add_subdirectory(\"{ARGUMENTS.source}\" snarl)")

    def test_fetch_content_from_a_folder(self):
        self.build(f"include(FetchContent)\nFetchContent_Declare(snarl SOURCE_DIR \"{ARGUMENTS.source}\")\n"
                   "FetchContent_MakeAvailable(snarl)")


class Launcher(unittest.TestCase):
    def setUp(self):
        self.snarl = ARGUMENTS.build / "bin" / "snarl"
        self.plain = ARGUMENTS.build / "library" / "launched_test"
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="snarl-launcher-"))

    def tearDown(self):
        shutil.rmtree(self.work)

    def launch(self, *words, **environment):
        return run(self.snarl, "run", "--launcher", "-n", "300", "--", self.plain, *words, cwd=self.work, **environment)

    def test_a_list_is_untouched(self):
        self.assertEqual(self.launch("--gtest_list_tests"), run(self.plain, "--gtest_list_tests"))

    def test_a_test_without_threads_is_itself(self):
        for name, expected in (("Single.Passes", 0), ("Single.Fails", 1)):
            code, out = self.launch(f"--gtest_filter={name}", "--gtest_print_time=0")
            self.assertEqual((code, out), run(self.plain, f"--gtest_filter={name}", "--gtest_print_time=0"))
            self.assertEqual(code, expected, out)
        self.assertEqual(list(self.work.iterdir()), [], "nothing is left behind")

    def test_a_test_with_threads(self):
        code, out = self.launch("--gtest_filter=Threads.Good")
        self.assertEqual(code, 0, out)
        self.assertIn("[  PASSED  ] 1 test.", out)
        code, out = self.launch("--gtest_filter=Threads.Overdrawn")
        self.assertEqual(code, 1, out)
        self.assertIn("SUMMARY: snarl:", out)

    def build_with(self, cmake, text, *options):
        (self.work / "CMakeLists.txt").write_text(f"""cmake_minimum_required(VERSION 3.25)
project(launched CXX)
enable_testing()
find_package(GTest REQUIRED)
add_executable(launched "{ARGUMENTS.source}/tests/library/launched_test.cc")
target_compile_features(launched PRIVATE cxx_std_17)
target_link_libraries(launched PRIVATE GTest::gtest_main)
{text}
""")
        code, out = run(cmake, "-B", "build", *options, cwd=self.work)
        self.assertEqual(code, 0, out)
        code, out = run(cmake, "--build", "build", cwd=self.work)
        self.assertEqual(code, 0, out)
        return run(pathlib.Path(cmake).with_name("ctest"), "--test-dir", "build", cwd=self.work)[1]

    def expect_results(self, out, **expected):
        for name, passes in expected.items():
            name = name.replace("__", ".")
            self.assertRegex(out, rf" {re.escape(name)} \.+ *(\*\*\*)?{'Passed' if passes else 'Failed'}")

    def test_a_whole_suite_by_one_variable(self):
        """CMAKE_TEST_LAUNCHER, since 3.29; before, the emulator is put in front of the same commands. SNARL_NEW_CMAKE
        names another cmake than that of the path."""
        cmake = os.environ.get("SNARL_NEW_CMAKE") or shutil.which("cmake")
        version = re.search(r"version (\d+)\.(\d+)", run(cmake, "--version")[1])
        name = "CMAKE_TEST_LAUNCHER" if (int(version[1]), int(version[2])) >= (3, 29) else "CMAKE_CROSSCOMPILING_EMULATOR"
        out = self.build_with(cmake, "include(GoogleTest)\ngtest_discover_tests(launched)\nadd_test(NAME whole COMMAND launched)",
                              f"-D{name}={self.snarl};run;--launcher;-n;300;--")
        self.expect_results(out, Single__Passes=True, Single__Fails=False, Threads__Good=True, Threads__Overdrawn=False, whole=False)

    def test_the_functions_of_cmake(self):
        out = self.build_with(os.environ.get("SNARL_NEW_CMAKE") or shutil.which("cmake"), f"""
set(SNARL_EXECUTABLE "{self.snarl}")
include("{ARGUMENTS.source}/cmake/snarlTest.cmake")
snarl_discover_tests(launched SCHEDULES 300 DISCOVER TEST_PREFIX discovered.)
snarl_add_test(NAME added COMMAND launched --gtest_filter=Threads.Overdrawn SCHEDULES 300 POLICY random pct:depth=2)
snarl_add_test(NAME added.again COMMAND launched --gtest_filter=Threads.Overdrawn SCHEDULES 300)
file(WRITE "${{CMAKE_CURRENT_SOURCE_DIR}}/golden.txt" "another output\\n")
snarl_add_test(NAME output COMMAND launched --gtest_filter=Threads.Good SCHEDULES 20 EXPECT_OUTPUT golden.txt)
snarl_add_test(NAME line COMMAND launched --gtest_filter=Threads.Good SCHEDULES 20 FAIL_ON "no such line" "^.  PASSED")
snarl_add_test(NAME no_line COMMAND launched --gtest_filter=Threads.Good SCHEDULES 20 FAIL_ON "no such line")
snarl_add_test(NAME same COMMAND launched --gtest_filter=Threads.Good --gtest_print_time=0 SCHEDULES 20 EXPECT_SAME_OUTPUT)
snarl_add_test(NAME code COMMAND launched --gtest_filter=Single.Fails EXPECT_EXIT 1)
""")
        self.expect_results(out, discovered__Single__Passes=True, discovered__Single__Fails=False, discovered__Threads__Good=True,
                            discovered__Threads__Overdrawn=False, added=False, added__again=False, output=False, line=False,
                            no_line=True, same=True, code=True)
        folders = {path.parent.name for path in self.work.glob("build/snarl-out-added*/summary.json")}
        self.assertEqual(folders, {"snarl-out-added", "snarl-out-added_again"}, out)


def main():
    global ARGUMENTS
    parser = argparse.ArgumentParser()
    parser.add_argument("--part", choices=("gtest", "installed", "within", "launcher"), required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--source", type=pathlib.Path)
    parser.add_argument("--fresh", action="store_true", help="within: compile everything again")
    ARGUMENTS, rest = parser.parse_known_args()
    ARGUMENTS.build = ARGUMENTS.build.resolve()
    case = {"gtest": Gtest, "installed": Installed, "within": Within, "launcher": Launcher}[ARGUMENTS.part]
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    if rest:
        suite = unittest.TestSuite(t for t in suite if any(word in t.id() for word in rest))
    sys.exit(0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1)


if __name__ == "__main__":
    main()
