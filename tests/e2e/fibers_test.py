#!/usr/bin/env python3
"""Fibers: which programs can't be on them, and that the summary says so; the switch without FSGSBASE; and
programs built with a sanitizer.

  SNARL=build/snarl fibers_test.py --programs build/programs --part fallbacks
"""

import pathlib
import shutil
import subprocess
import sys
import unittest

import snarl_case

PROGRAMS = None
COMPILERS = [name for name in ("g++", "clang++-14") if shutil.which(name)]


class FibersCase(snarl_case.SnarlCase):
    def run_program(self, *command, schedules=50, words=(), env=None):
        return self.snarl("run", "-p", "random", "-n", schedules, "--seed", 1, *words, "-o", self.out, "--", *command, env=env)

    def expect_layer(self, result, kind, why=""):
        switching = self.summary(result)["switching"]
        self.assertEqual(switching["kind"], kind, self.describe(result, "on the other layer"))
        self.assertIn(why, switching["why"], self.describe(result, "another reason"))


class FallbacksTest(FibersCase):
    def expect_gates(self, why, *command, env=None):
        result = self.run_program(*command, schedules=20, env=env)
        self.expect_code(result, 0)
        self.expect_layer(result, "gates", why)
        self.expect_text(result, r"switching gates \(")

    def test_what_needs_gates(self):
        hostile = PROGRAMS / "hostile"
        for why, *command in (("user or group", hostile / "changes_user"), ("SIGEV_THREAD", hostile / "timer_in_thread"),
                              ("slept in a call", hostile / "sleeps_outside"), ("by clone", hostile / "clones", "clone"),
                              ("not made by pthread_create", hostile / "clones", "inline"),
                              ("not made by pthread_create", hostile / "clones", "aio"),
                              ("priority ceiling", PROGRAMS / "correct" / "mutex_protocols.O2")):
            with self.subTest(str(command)):
                self.expect_gates(why, *command)

    def test_copies_of_the_process_may_be_made(self):
        for how in ("copy", "clone3"):
            with self.subTest(how):
                result = self.run_program(PROGRAMS / "hostile" / "clones", how)
                self.expect_code(result, 0)
                self.expect_layer(result, "fibers")

    def test_who_computes_is_made_to_give_way(self):
        result = self.run_program(PROGRAMS / "hostile" / "spins_for_other", schedules=4)
        self.expect_code(result, 0)
        self.expect_layer(result, "fibers")

    def library_of_gcc(self):
        found = snarl_case.run(["gcc", "-print-file-name=libtsan.so"], stdout=subprocess.PIPE, text=True, check=True)
        path = pathlib.Path(found.stdout.strip())
        if not path.is_absolute():
            self.skipTest("no ThreadSanitizer")
        return path.resolve()

    def test_the_runtime_of_tsan_itself(self):
        library = self.library_of_gcc()
        if "libasan" in self.command("ldd", snarl_case.snarl_binary()).out:
            self.skipTest("snarl itself is started with the preloaded library, and ASan bears no TSan beside it")
        self.expect_gates("ThreadSanitizer", PROGRAMS / "correct" / "ordered_locks.O2", env={"LD_PRELOAD": str(library)})

    def test_builds_for_tsan_are_on_fibers(self):
        self.library_of_gcc()
        program = self.folder / "built_for_tsan"
        source = snarl_case.source("correct", "ordered_locks.c")
        self.expect_code(self.command("gcc", "-g", "-O1", "-fsanitize=thread", source, "-o", program), 0)
        result = self.run_program(program)
        self.expect_code(result, 0)
        self.expect_layer(result, "fibers")


class KernelTest(FibersCase):
    """Without FSGSBASE the kernel is asked at every switch. Nothing else differs."""

    def steps(self, program, env=None):
        result = self.run_program(program, schedules=200, env=env)
        self.expect_code(result, 0)
        self.expect_layer(result, "fibers")
        summary = self.summary(result)
        self.assertEqual(summary["repeatable"]["same"], 20, self.describe(result, "does not repeat"))
        return summary["steps"], summary["distinct_schedules"]

    def test_correct_programs(self):
        for name in ("thread_locals", "exceptions_travel", "thread_specific", "cancel_unwinds", "signals", "thread_identity"):
            with self.subTest(name):
                program = PROGRAMS / "correct" / f"{name}.O2"
                self.assertEqual(self.steps(program, {"SNARL_RT_ASK_KERNEL": "1"}), self.steps(program))

    def test_a_wrong_one(self):
        self.expect_code(self.run_program(PROGRAMS / "wrong" / "thread_local_inversion.O2", schedules=500,
                                          env={"SNARL_RT_ASK_KERNEL": "1"}), 1)


# Exceptions that travel through switches, thread_local objects, a thread that lives on at the end and alone knows a block.
GOOD = """#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
std::mutex mutex;
std::condition_variable& changed = *new std::condition_variable;
std::deque<std::string> names;
thread_local std::string name;
bool waits = false;
static void fall(int depth) {
  const std::string text(50, 'x');
  { std::lock_guard<std::mutex> lock(mutex); }
  if (depth == 0) throw std::runtime_error(text);
  fall(depth - 1);
}
static void work(int number) {
  name = std::to_string(number) + std::string(40, '.');
  try {
    fall(3);
  } catch (const std::runtime_error&) {
    std::lock_guard<std::mutex> lock(mutex);
    names.push_back(name);
    changed.notify_all();
  }
}
static void stay() {
  const auto block = std::make_unique<int[]>(1000);
  std::unique_lock<std::mutex> lock(mutex);
  waits = true;
  changed.notify_all();
  changed.wait(lock, [&] { return block[0] != 0; });
}
int main() {
  std::thread(stay).detach();
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [] { return waits; });
  return names.size() == 2 ? 0 : 1;
}
"""
# In one of two orders: a block is used after it was freed, a number overflows, a stack overflows.
FREED = """#include <mutex>
#include <thread>
std::mutex mutex;
int* block = new int(3);
static int look() {
  mutex.lock();
  int* seen = block;
  mutex.unlock();
  std::lock_guard<std::mutex> lock(mutex);
  return seen == nullptr ? 0 : *seen;
}
int main() {
  int value = 0;
  std::thread thread([&] { value = look(); });
  mutex.lock();
  delete block;
  block = nullptr;
  mutex.unlock();
  thread.join();
  return value == 7 ? 2 : 0;
}
"""
OVERFLOWN = """#include <mutex>
#include <thread>
std::mutex mutex;
int number = 0x7fffffff;
volatile int sum;
int main() {
  std::thread thread([] { std::lock_guard<std::mutex> lock(mutex); number = 1; });
  mutex.lock();
  sum = number + 1;
  mutex.unlock();
  thread.join();
}
"""
DEEP = """#include <mutex>
#include <thread>
std::mutex mutex;
int phase = 0;
__attribute__((noinline)) int fall(int depth) {
  volatile char room[4096];
  room[0] = static_cast<char>(depth);
  const int below = fall(depth + 1);
  return below + room[0];
}
int main() {
  std::thread thread([] {
    mutex.lock();
    const int seen = phase;
    mutex.unlock();
    if (seen == 1) fall(0);
  });
  for (int i = 0; i < 2; ++i) {
    std::lock_guard<std::mutex> lock(mutex);
    ++phase;
  }
  thread.join();
}
"""


@unittest.skipUnless(COMPILERS, "no compiler")
class SanitizersTest(FibersCase):
    def build(self, compiler, sanitizer, text):
        source = self.folder / "program.cc"
        source.write_text(text)
        program = self.folder / f"{sanitizer}.{compiler}"
        self.expect_code(self.command(compiler, "-std=c++17", "-g", "-O1", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all",
                                      "-pthread", source, "-o", program), 0)
        return program

    def expect_report(self, sanitizer, text, says):
        for compiler in COMPILERS:
            with self.subTest(compiler):
                program = self.build(compiler, sanitizer, text)
                result = self.run_program(program, schedules=200)
                self.expect_code(result, 1)
                finding = self.only_finding(result)
                self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
                said = (self.finding_folder(finding) / "stderr.txt").read_text(errors="replace")
                self.assertRegex(said, says, self.describe(result, "another report"))

    def test_correct_programs_stay_silent(self):
        for compiler in COMPILERS:
            for sanitizer in ("address", "address,undefined"):
                with self.subTest(compiler + " " + sanitizer):
                    result = self.run_program(self.build(compiler, sanitizer, GOOD), schedules=30)
                    self.expect_code(result, 0)
                    self.expect_layer(result, "fibers")
                    self.assertEqual(self.summary(result)["repeatable"]["same"], 20, self.describe(result, "does not repeat"))

    def test_use_after_free(self):
        self.expect_report("address", FREED, "heap-use-after-free")

    def test_undefined_behaviour(self):
        self.expect_report("undefined", OVERFLOWN, "signed integer overflow")

    def test_stack_overflow(self):
        self.expect_report("address", DEEP, "stack-overflow")


PARTS = {"fallbacks": FallbacksTest, "kernel": KernelTest, "sanitizers": SanitizersTest}


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", choices=sorted(PARTS), help="all without it")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of(PARTS, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
