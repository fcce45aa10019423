#!/usr/bin/env python3
"""Ways to build: shared libraries, dlopen, a program of which only a part is instrumented, stripped ones, programs built
for the compilers' own ThreadSanitizer; longjmp, exceptions, annotated locks, function points, unknown levels."""
import pathlib
import shutil
import signal
import struct
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))
import snarl_case  # noqa: E402

LIBRARY = """
#include <stdexcept>
int total;
void add(int n) { int seen = total; if (n < 0) throw std::runtime_error("less"); total = seen + n; }
"""
MAIN = """
#include <stdexcept>
#include <cassert>
#include <thread>
extern int total;
void add(int);
static void work() { try { add(-1); } catch (const std::exception&) {} add(1); }
int main() { std::thread a(work), b(work); a.join(); b.join(); assert(total == 2); }
"""
LOADS = """
#include <cassert>
#include <dlfcn.h>
#include <thread>
int main(int, char** argv) {
  void* library = dlopen(argv[1], RTLD_NOW);
  auto add = reinterpret_cast<void (*)(int)>(dlsym(library, "_Z3addi"));
  auto total = static_cast<int*>(dlsym(library, "total"));
  std::thread a(add, 1), b(add, 1);
  a.join(), b.join();
  assert(*total == 2);
}
"""
JUMPS = """
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
static jmp_buf there;
static int depth, x;
__attribute__((noinline)) static void down(int n) { if (n == 0) longjmp(there, 1); down(n - 1); depth += n; }
static void* add(void* unused) { ++x; return unused; }
int main(void) {
  for (volatile int i = 0; i < 2000; i++) if (!setjmp(there)) down(20);
  pthread_t a, b;
  pthread_create(&a, 0, add, 0), pthread_create(&b, 0, add, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  assert(x == 2);
}
"""
# Two locks of the program's own, taken in both orders: with the annotations a deadlock, not a spin loop.
ANNOTATED = """
#include <sanitizer/tsan_interface.h>
#include <atomic>
#include <thread>
struct Lock {
  std::atomic<bool> taken{false};
  void lock() { __tsan_mutex_pre_lock(this, 0); while (taken.exchange(true)) {} __tsan_mutex_post_lock(this, 0, 0); }
  void unlock() { __tsan_mutex_pre_unlock(this, 0); taken = false; __tsan_mutex_post_unlock(this, 0); }
};
static Lock one, two;
static void take(Lock& a, Lock& b) { a.lock(); b.lock(); b.unlock(); a.unlock(); }
int main() { std::thread other([] { take(two, one); }); take(one, two); other.join(); }
"""


class BuildsCase(snarl_case.SnarlCase):
    timeout = 120

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def made(self, *words, verb="c++"):
        self.expect_code(self.snarl(verb, "-O1", "-UNDEBUG", *words), 0)

    def found(self, *command, kind="assert", points="memory", schedules=1000):
        result = self.snarl("run", "--points", points, "--races", "off", "-p", "pct:depth=2", "-n", schedules,
                            "-o", self.out, "--", *command)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["kind"], kind, self.describe(result, "wrong kind"))
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        return result

    def library(self):
        self.made("-shared", "-fPIC", "-Wl,-z,defs", self.write("library.cc", LIBRARY), "-o", self.folder / "libadd.so")
        return self.folder / "libadd.so"

    def test_shared_library_with_exceptions(self):
        self.library()
        binary = self.folder / "main"
        self.made(self.write("main.cc", MAIN), "-L", self.folder, "-ladd", f"-Wl,-rpath,{self.folder}", "-o", binary)
        alone = self.command(binary)
        self.expect_code(alone, 0, -signal.SIGABRT)  # rarely, its race shows without us, too
        self.assertEqual("total == 2" in alone.err, alone.code != 0, self.describe(alone, "not by its assertion"))
        self.expect_text(self.found(binary), r"(read|write) total")

    def test_only_the_library_is_instrumented(self):
        self.library()
        binary = self.folder / "main"
        built = self.command("g++", self.write("main.cc", MAIN), "-L", self.folder, "-ladd", f"-Wl,-rpath,{self.folder}",
                             "-pthread", "-o", binary)
        self.expect_code(built, 0)
        self.found(binary)

    def test_only_one_object_is_instrumented(self):
        objects = [self.folder / "library.o", self.folder / "main.o"]
        self.made("-c", self.write("library.cc", LIBRARY), "-o", objects[0])
        self.expect_code(self.command("g++", "-O1", "-c", self.write("main.cc", MAIN), "-o", objects[1]), 0)
        binary = self.folder / "mixed"
        self.made(*objects, "-pthread", "-o", binary)
        alone = self.command(binary)
        self.expect_code(alone, 0, -signal.SIGABRT)  # rarely, its race shows without us, too
        self.assertEqual("total == 2" in alone.err, alone.code != 0, self.describe(alone, "not by its assertion"))
        self.expect_text(self.found(binary), r"(read|write) total")

    def test_half_written_object(self):
        """The compiler's own message, and its exit code."""
        whole, half = self.folder / "library.o", self.folder / "half.o"
        self.made("-c", self.write("library.cc", LIBRARY), "-o", whole)
        half.write_bytes(whole.read_bytes()[:whole.stat().st_size // 2])
        result = self.snarl("c++", self.write("main.cc", MAIN), half, "-o", self.folder / "main")
        self.expect_code(result, 1)
        self.expect_text(result, r"half\.o")

    def test_half_written_program(self):
        """All that is loaded is there, the rest is cut off: no names, but the bug is found."""
        binary = self.folder / "one"
        self.made(HERE / "wrong" / "lost_update.cc", "-g", "-o", binary)
        image = bytearray(binary.read_bytes())
        header, size, count = struct.unpack_from("<Q", image, 32)[0], *struct.unpack_from("<HH", image, 54)
        ends = [sum(struct.unpack_from("<Q", image, header + i * size + at)[0] for at in (8, 32)) for i in range(count)]
        binary.write_bytes(image[:max(ends)])
        self.expect_code(self.command(binary), 0, -signal.SIGABRT)  # its race may show without us, too
        self.expect_text(self.found(binary), r"one\+0x")
        binary.write_bytes(image[:max(ends) // 2])
        result = self.snarl("run", "-n", 5, "-o", self.out, "--", binary)
        self.expect_code(result, 126)
        self.expect_text(result, "cut off")

    def test_library_that_is_loaded_later(self):
        binary = self.folder / "loads"
        self.made(self.write("loads.cc", LOADS), "-o", binary)
        self.found(binary, self.library())

    def test_stripped(self):
        binary = self.folder / "one"
        self.made(HERE / "wrong" / "lost_update.cc", "-s", "-o", binary)
        self.found(binary)

    def test_longjmp(self):
        binary = self.folder / "jumps"
        self.made(self.write("jumps.c", JUMPS), "-o", binary, verb="cc")
        self.found(binary)

    def test_annotated_locks_block(self):
        binary = self.folder / "annotated"
        self.made(self.write("annotated.cc", ANNOTATED), "-o", binary)
        self.found(binary, kind="deadlock", points="atomic")

    def test_gcc_build_for_its_own_tsan(self):
        binary = self.folder / "tsan"
        built = self.command("g++", "-O1", "-g", "-fsanitize=thread", HERE / "wrong" / "lost_update.cc", "-o", binary)
        self.expect_code(built, 0)
        self.found(binary)

    @unittest.skipUnless(shutil.which("clang++-14"), "no clang")
    def test_clang_build_with_tsan_inside_is_refused(self):
        binary = self.folder / "tsan"
        built = self.command("clang++-14", "-O1", "-fsanitize=thread", HERE / "wrong" / "lost_update.cc", "-o", binary)
        self.expect_code(built, 0)
        for verb in ("run", "doctor"):
            result = self.snarl(verb, "--", binary)
            self.expect_code(result, 4)
            self.expect_text(result, "link it again with snarl cc")

    def test_function_points(self):
        binary = self.folder / "one"
        self.made(HERE / "correct" / "lost_update.cc", "-o", binary)
        result = self.snarl("run", "--points", "function", "-n", "20", "-o", self.out, "--", binary)
        self.expect_code(result, 0)
        self.assertIn("function", self.summary(result)["points"])
        steps = self.summary(result)["steps"]
        plain = self.snarl("run", "--points", "sync", "-n", "20", "-o", self.out, "--", binary)
        self.assertGreater(steps, self.summary(plain)["steps"], self.describe(result, "no point at any function"))

    def test_unknown_level(self):
        result = self.snarl("run", "--points", "memroy", "--", "/bin/true")
        self.expect_code(result, 2)
        self.expect_text(result, "did you mean memory")

    def test_missing_compiler(self):
        self.expect_code(self.snarl("cc", "--with=no-such-compiler", "x.c"), 127)


if __name__ == "__main__":
    sys.exit(snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(BuildsCase),
                                  snarl_case.argument_parser(__doc__).parse_args()))
