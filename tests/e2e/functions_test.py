#!/usr/bin/env python3
"""Functions by their names: --point-at makes points of them in every kind of file, --locks describes locks of the
program's own; and what is said of names that nothing has."""
import shutil
import sys
import unittest

import snarl_case

WRONG = snarl_case.source("wrong", "point_at.cc")
LIBRARY = """
namespace bank {
int total;
int load() { asm volatile("" ::: "memory"); return total; }
void store(int to) { asm volatile("" ::: "memory"); total = to; }
void add(int n) { store(load() + n); }
}
extern "C" void add(int n) { bank::add(n); }
extern "C" int total() { return bank::total; }
"""
LOADS = """
#include <cassert>
#include <dlfcn.h>
#include <thread>
int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  auto add = reinterpret_cast<void (*)(int)>(dlsym(library, "add"));
  auto total = reinterpret_cast<int (*)()>(dlsym(library, "total"));
  std::thread a(add, 1), b(add, 1);
  a.join(), b.join();
  assert(total() == 2);
}
"""
LINKED = """
#include <cassert>
#include <thread>
extern "C" void add(int);
extern "C" int total();
int main() { std::thread a(add, 1), b(add, 1); a.join(), b.join(); assert(total() == 2); }
"""


THROWS = """
#include <stdexcept>
#include <thread>
#include "own_locks.h"
static spin_lock inner;
static int count, thrown;
__attribute__((noipa)) void checked_lock(spin_lock* lock, bool may) { if (!may) throw std::runtime_error("no"); lock->lock(); }
__attribute__((noipa)) void checked_unlock(spin_lock* lock) { lock->unlock(); asm volatile(""); }
static void work() {
  try { checked_lock(&inner, false); } catch (const std::exception&) { __atomic_fetch_add(&thrown, 1, __ATOMIC_SEQ_CST); }
  if (thrown == 3) return;
  checked_lock(&inner, true);
  ++count;
  checked_unlock(&inner);
}
int main() { std::thread a(work), b(work); a.join(); b.join(); return count == 2 ? 0 : 3; }
"""


class FunctionsCase(snarl_case.SnarlCase):
    def built(self, name, *words, source=WRONG, compiler=("g++",), text=None):
        if text is not None:
            source = self.folder / (name + ".cc")
            source.write_text(text)
        binary = self.folder / name
        made = self.command(*compiler, "-std=c++20", "-UNDEBUG", source, *words, "-pthread", "-o", binary)
        self.expect_code(made, 0)
        return binary

    def locks(self, text):
        path = self.folder / "program.locks"
        path.write_text(text)
        return path

    def run_with(self, names, *command, schedules=300):
        points = [word for name in names for word in ("--point-at", name)]
        return self.snarl("run", "--seed", "1", "--points", "sync,atomic,user", *points, "-n", schedules, "-o", self.out,
                          "--", *command)

    def expect_found(self, name, *command):
        result = self.run_with([name], *command)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["kind"], "assert", self.describe(result, "wrong kind"))
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        return result

    def test_found_only_with_the_point(self):
        binary = self.built("plain", "-O2", "-g")
        self.expect_code(self.run_with([], binary), 0)
        result = self.expect_found("account::store", binary)
        self.expect_text(result, r"enter account::store ")
        self.assertEqual(self.summary(result)["named_functions"], {"found": 1, "patched": 1})
        schedule = next(self.out.glob("findings/*/schedule.snarl")).read_text()
        self.assertIn("\nfunction point:\\x20account::store\n", schedule)
        self.expect_code(self.snarl("replay", self.out, "--times", "20"), 1)

    def test_forms_of_a_name(self):
        binary = self.built("plain", "-O1", "-g")
        for name in ("store", "account::st*", "(anonymous namespace)::account::store(int)", "*account5storeEi", "?tore"):
            self.expect_found(name, binary)

    def test_kinds_of_files(self):
        self.expect_found("account::store", self.built("nopie", "-O0", "-no-pie"))
        self.expect_found("account::*", self.built("o3", "-O3"))
        if shutil.which("clang++-14"):
            self.expect_found("account::store", self.built("clang", "-O2", compiler=("clang++-14",)))

    def test_instrumented(self):
        binary = self.built("instrumented", "-O1", "-g", compiler=(snarl_case.snarl_binary(), "c++"))
        self.expect_code(self.run_with([], binary), 0)
        self.expect_found("account::store", binary)

    def test_stripped_library_that_is_linked(self):
        self.built("libbank.so", "-O2", "-s", "-shared", "-fPIC", text=LIBRARY)
        binary = self.built("linked", "-L", self.folder, "-lbank", f"-Wl,-rpath,{self.folder}", text=LINKED)
        self.expect_found("bank::store", binary)

    def test_library_that_is_loaded_later(self):
        library = self.built("bank.so", "-O2", "-shared", "-fPIC", text=LIBRARY)
        binary = self.built("loads", text=LOADS)
        self.expect_found("bank::store", binary, library)
        self.expect_code(self.run_with(["bank::stroe"], binary, library), 2)

    def test_symbols_in_a_debug_file(self):
        binary = self.built("separate", "-O2", "-g", "-Wl,--build-id")
        for words in (("objcopy", "--only-keep-debug", binary, f"{binary}.debug"), ("strip", binary),
                      ("objcopy", f"--add-gnu-debuglink={binary}.debug", binary)):
            self.expect_code(self.command(*words), 0)
        self.expect_found("account::store", binary)

    def test_twins(self):
        binary = self.built("plain", "-O2")
        words = ("run", "--seed", "1", "-n", "300", "-o", self.out, "--", binary)
        self.expect_code(self.snarl(*words, env={"SNARL_POINT_AT": "account::store"}), 1)
        (self.folder / "snarl.toml").write_text('point-at = ["nothing*::*", "account::store"]\n')
        self.expect_code(self.snarl(*words), 2)
        (self.folder / "snarl.toml").write_text('point-at = ["account::load", "account::store"]\n')
        self.expect_code(self.snarl(*words), 1)

    def test_once(self):
        binary = self.built("plain", "-O2")
        self.expect_code(self.snarl("run", "--once", "--point-at", "withdraw*", "--", binary), 2)
        self.assertIn(self.snarl("run", "--once", "--point-at", "account::load", "--", binary).code, (0, 134))

    def test_unknown_name(self):
        result = self.run_with(["acount::strore"], self.built("plain", "-O2"))
        self.expect_code(result, 2)
        self.expect_text(result, r'named "acount::strore"')
        self.expect_text(result, r"did you mean account::store")

    def test_inlined_everywhere(self):
        inlined = WRONG.read_text().replace("__attribute__((noinline)) void", "__attribute__((always_inline)) void")
        result = self.run_with(["account::store"], self.built("inlined", "-O2", "-g", text=inlined))
        self.expect_code(result, 2)
        self.expect_text(result, "account::store was inlined wherever it is called")

    def test_without_symbols(self):
        result = self.run_with(["account::store"], self.built("bare", "-O2", "-s"))
        self.expect_code(result, 2)
        self.expect_text(result, "has no symbols")

    def test_in_parallel(self):
        result = self.snarl("run", "-p", "ppct:depth=2", "--point-at", "*", "-n", "200", "-o", self.out, "--",
                            self.built("right", "-O1", source=snarl_case.source("correct", "point_at.cc")))
        self.expect_code(result, 0)

    SPIN = "lock: spin_lock::lock(1)\nunlock: spin_lock::unlock(1)\n"

    def run_locks(self, text, binary, *options, schedules=300):
        return self.snarl("run", "--seed", "1", "--locks", self.locks(text), *options, "-n", schedules, "-o", self.out,
                          "--", binary)

    def spin_inversion(self, *words, **more):
        return self.built("spin", "-O1", "-g", *words, source=snarl_case.source("wrong", "own_locks.cc"), **more)

    def expect_deadlock(self, result):
        self.expect_code(result, 1)
        self.assertEqual(self.only_finding(result)["kind"], "deadlock", self.describe(result, "wrong kind"))
        self.expect_text(result, r"holds mutex first")
        self.expect_text(result, r"waits for second")

    def test_own_locks_on_both_layers(self):
        for layer in ("fibers", "gates"):
            self.expect_deadlock(self.run_locks(self.SPIN, self.spin_inversion(), "--switching", layer))

    def test_own_locks_of_instrumented_code(self):
        binary = self.spin_inversion(compiler=(snarl_case.snarl_binary(), "c++"))
        self.expect_deadlock(self.run_locks(self.SPIN, binary, "--points", "memory"))

    def test_own_locks_without_other_points(self):
        self.expect_deadlock(self.run_locks(self.SPIN, self.spin_inversion(), "--points", "sync"))

    def test_own_locks_run_freely_in_parallel(self):
        binary = self.built("right", "-O1", source=snarl_case.source("correct", "own_locks.cc"))
        text = (snarl_case.SOURCES / "own_locks.locks").read_text()
        self.expect_code(self.run_locks(text, binary, "-p", "none"), 0)

    def test_lock_that_is_left_by_an_exception(self):
        binary = self.built("throws", "-O1", f"-I{snarl_case.SOURCES}", text=THROWS)
        result = self.run_locks("lock: checked_lock(1)\nunlock: checked_unlock(1)\n", binary)
        self.expect_code(result, 1)  # to the model who threw has it: the description says that it always locks
        self.assertEqual(self.only_finding(result)["kind"], "deadlock")
        result = self.run_locks(self.SPIN, binary)
        self.expect_code(result, 0)

    def test_bad_files(self):
        binary = self.spin_inversion()
        for text, sentence in (("lock: f(1)\nlok: g(1)\n", r"program.locks:2: .*did you mean 'lock'"),
                               ("lock: spin_lock::lock\n", r"program.locks:1: .*which argument is the lock"),
                               ("\n\nnonsense\n", r"program.locks:3: "),
                               ("lock: spin_lock::lok(1)\n", r"did you mean spin_lock::lock")):
            result = self.run_locks(text, binary)
            self.expect_code(result, 2)
            self.expect_text(result, sentence)
        self.expect_code(self.snarl("run", "--locks", "/no/such/file", "--", binary), 2)
        self.expect_code(self.run_locks("point: f\n" * 65, binary), 2)

    def test_lock_that_is_inlined_is_refused(self):
        result = self.run_locks(self.SPIN, self.spin_inversion("-O2", "-DOWN_LOCK="))
        self.expect_code(result, 2)
        self.expect_text(result, "can't be followed: it was inlined")


if __name__ == "__main__":
    sys.exit(snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(FunctionsCase),
                                  snarl_case.argument_parser(__doc__).parse_args()))
