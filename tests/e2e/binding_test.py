#!/usr/bin/env python3
"""Calls that the fork server binds before it makes copies: each leads where the dynamic loader would lead it (compared with
LD_BIND_NOW, slot by slot), and what the loader would not find yet is left to it.

  SNARL=build/snarl binding_test.py --programs build/programs
"""

import pathlib
import shutil
import sys
import unittest

import snarl_case

PROGRAMS = None
PASSED = (0, 4)  # 4: and it had one thread
DUMP = pathlib.Path(__file__).resolve().parent / "dump_calls.c"

# `twice` is also in the second library, `stepped` has two versions, `picked` is an indirect function.
FIRST = """
int twice(int x) { return 2 * x; }
int stepped_1(void) { return 1; }
int stepped_2(void) { return 2; }
__asm__(".symver stepped_1,stepped@V1\\n.symver stepped_2,stepped@@V2");
static int seven(void) { return 7; }
static int (*pick(void))(void) { return seven; }
int picked(void) __attribute__((ifunc("pick")));
"""
VERSIONS = "V1 { global: twice; picked; stepped; };\nV2 { } V1;\n"
# Built without the first library, so that its reference to `stepped` has no version.
SECOND = """
#include <stdio.h>
int stepped(void);
int twice(int x) { return 100 * x; }
int twice_of_second(int x) { return twice(x); }
int stepped_without_version(void) { return stepped(); }
void* address_of_puts(void) { return (void*)puts; }
"""
CALLER = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
int twice(int), twice_of_second(int), stepped(void), old_stepped(void), stepped_without_version(void), picked(void);
int absent(void) __attribute__((weak));
void* address_of_puts(void);
void* old_memcpy(void*, const void*, size_t);
__asm__(".symver old_stepped,stepped@V1\\n.symver old_memcpy,memcpy@GLIBC_2.2.5");
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(int argc, char** argv) {
  char text[64] = "", copy[64];
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  memcpy(text, argv[0], (size_t)argc);
  old_memcpy(copy, text, sizeof text);
  if (absent) return 10 + absent();
  if (twice(1) != 2 || twice_of_second(1) != 2) return 2;
  if (stepped() != 2 || old_stepped() != 1 || stepped_without_version() != 1) return 3;
  return picked() == 7 && address_of_puts() == (void*)puts && copy[0] == argv[0][0] ? 0 : 4;
}
"""
# `never` is in no file; `late` comes with a library that a constructor loads, or its own call.
UNFINISHED = """
#include <dlfcn.h>
int never(void), late(void);
static int value;
#ifdef EARLY
__attribute__((constructor))
#endif
static void load(void) { value = dlopen("./late.so", RTLD_NOW | RTLD_GLOBAL) != 0; }
int work(int argc) {
  if (value == 0) load();
  return argc > 5 ? never() : late() == 9 ? 0 : 1;
}
"""


class BindingTest(snarl_case.SnarlCase):
    def setUp(self):
        super().setUp()
        self.recorder = self.build("dump.so", DUMP.read_text(), "-shared", "-fPIC")

    def build(self, name, text, *words):
        source = self.folder / (name + ".c")
        source.write_text(text)
        self.expect_code(self.command("gcc", "-O1", "-fno-builtin", "-Wl,-z,lazy", source, *words, "-o", self.folder / name), 0)
        return self.folder / name

    def slots(self, command, words=(), env=None):
        """One line per slot of each loaded file, as they are when the program has ended."""
        folder = self.folder / "slots"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        # A snarl that is built with ASan is started with the recorder as well, and has to bear it.
        result = self.snarl("run", "-p", "random", "-n", 1, "--seed", 1, *words, "-o", self.out, "--", *command,
                            env={"LD_PRELOAD": str(self.recorder), "ASAN_OPTIONS": "verify_asan_link_order=0",
                                 "DUMP_CALLS_TO": str(folder), **(env or {})})
        self.expect_code(result, *PASSED)
        return (folder / pathlib.Path(command[0]).name).read_text().splitlines()

    def expect_same(self, *command, left=()):
        """`left` names what only the loader may bind, besides what it does not find."""
        ours = self.slots(command)
        loaders = self.slots(command, env={"LD_BIND_NOW": "1"})
        lazy = self.slots(command, words=("--reset", "exec"))
        self.assertEqual(len(ours), len(loaders))
        differing = [(a, b) for a, b in zip(ours, loaders) if a != b]
        for our, loaders_line in differing:
            file, _, function, target, _ = our.split()
            self.assertEqual(file, target, f"{our}, but by the loader {loaders_line}")
            self.assertTrue(loaders_line.endswith(" nowhere 0") or function.startswith(tuple(left)), f"{our} was left")
        self.assertGreater(sum(a != b for a, b in zip(lazy, loaders)), len(differing) + 20, "nothing to be bound")

    def test_programs_of_ours(self):
        for name in ("thread_pool", "old_cond_version", "cxx20_sync"):
            with self.subTest(name):
                self.expect_same(PROGRAMS / "correct" / f"{name}.O2")

    def test_programs_of_others(self):
        for words in (("redis-server", "--version"), ("xz", "--version"), ("/usr/bin/python3", "-c", "pass")):
            program = shutil.which(words[0])
            with self.subTest(words[0]):
                if program is None:
                    self.skipTest("not installed")
                self.expect_same(program, *words[1:], left=("__atomic_",))

    def test_tbb(self):
        source = self.folder / "tbb.cc"
        source.write_text("#include <tbb/parallel_for.h>\n"
                          "int main() { tbb::parallel_for(0, 9, [](int) {}); }\n")
        if self.command("g++", source, "-o", self.folder / "tbb", "-ltbb").code != 0:
            self.skipTest("no TBB")
        self.expect_same(self.folder / "tbb")

    def build_caller(self, *words):
        (self.folder / "versions").write_text(VERSIONS)
        self.build("first.so", FIRST, "-shared", "-fPIC", "-Wl,--version-script=versions")
        self.build("second.so", SECOND, "-shared", "-fPIC")
        return self.build("caller", CALLER, *words, "./first.so", "./second.so", "-Wl,-rpath," + str(self.folder))

    def test_versions_and_doubles(self):
        for words in ((), ("-no-pie", "-fno-pie"), ("-Wl,-z,ibtplt",)):
            with self.subTest(words):
                caller = self.build_caller(*words)
                self.expect_code(self.command(caller), 0)
                self.expect_same(caller, left=("picked",))

    def test_what_is_missing_is_left(self):
        self.build("late.so", "int late(void) { return 9; }", "-shared", "-fPIC")
        for words in ((), ("-DEARLY",)):
            with self.subTest(words):
                self.build("unfinished.so", UNFINISHED, *words, "-shared", "-fPIC")
                program = self.build("caller", "int work(int); int main(int argc, char** argv) { return work(argc + (argv == 0)); }",
                                     "./unfinished.so", "-Wl,--allow-shlib-undefined", "-Wl,-rpath," + str(self.folder))
                self.expect_code(self.command(program), 0)
                self.expect_code(self.snarl("run", "-n", 5, "-o", self.out, "--", program), *PASSED)

    def test_the_loader_is_watched(self):
        program = PROGRAMS / "correct" / "old_cond_version.O2"
        lazy = self.slots((program,), words=("--reset", "exec"))
        self.assertEqual(self.slots((program,), env={"LD_DYNAMIC_WEAK": "1"}), lazy)
        self.assertNotEqual(self.slots((program,)), lazy)


def main():
    global PROGRAMS
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(BindingTest), arguments)


if __name__ == "__main__":
    sys.exit(main())
