#!/usr/bin/env python3
"""Failures of patched programs are made once more with the program's bytes untouched. Wrong patches, which a test plants in
the cache of scanned files, are exposed and taken out; a crash that needs a switch at an atomic instruction stays."""
import re
import struct
import sys
import unittest

import snarl_case

# How a table of patches begins, and one of its patches (src/wire/patch_table.h).
HEAD = struct.Struct("<QIII20sIIIIQQ")
PATCH = struct.Struct("<QQBBB20s")
INSTRUCTION = struct.Struct("<BBBBBBBBBBBBi5s3x")
MOST_INSTRUCTIONS = 5
FOLLOWING, TRAP = 2, 4  # ways
RMW = 1                 # a point

# `taken` is the address of a variable; the last byte of its distance is overwritten by the test.
STRADDLED = """
#include <pthread.h>
#include <stdlib.h>
int cell;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) int* place(void) {
  int* at;
  __asm__ volatile("wrong: lea cell(%%rip), %0\\n lock orl $0, (%%rsp)" : "=a"(at) : : "memory", "cc");
  return at;
}
static int count(int by) {
  pthread_mutex_lock(&mutex);
  const int now = *place() += by;
  pthread_mutex_unlock(&mutex);
  return now;
}
static void* work(void* unused) {
  const int seen = count(0);
  MAYBE
  count(1);
  (void)seen;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return cell == 2 ? 0 : 3;
}
"""
LOST_UPDATE = "pthread_mutex_lock(&mutex); cell = seen; pthread_mutex_unlock(&mutex);"

# Who comes by the jump finds the second instruction of what the test takes to be one piece.
JUMPED_INTO = """
#include <pthread.h>
int cell;
__attribute__((noinline)) int add(int* to, int skip) {
  int result = 0;
  __asm__ volatile("test %1, %1\\n jne 1f\\n wrong: lock incl (%2)\\n 1: add $1, %0\\n .rept 70\\n add $1, %0\\n .endr"
                   : "+a"(result) : "d"(skip), "D"(to) : "memory", "cc");
  return result;
}
static void* work(void* unused) { return add(&cell, 0) + add(&cell, 1) == 142 ? unused : (void*)1; }
int main(void) {
  pthread_t a, b;
  void *x, *y;
  pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
  pthread_join(a, &x), pthread_join(b, &y);
  return x || y || cell != 2;
}
"""

# The value of a constant; the test overwrites its lowest byte.
WRONG_CONSTANT = """
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
__attribute__((noinline)) int one(void) {
  int value;
  __asm__ volatile("wrong: mov $1, %0\\n lock orl $0, (%%rsp)" : "=a"(value) : : "memory", "cc");
  return value;
}
static void* work(void* unused) {
  CHECK;
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0), pthread_create(&b, 0, work, 0);
  pthread_join(a, 0), pthread_join(b, 0);
  return 0;
}
"""

# A program that sees that it is stepped, by the trap flag, goes another way.
SEES_THE_TRAP_FLAG = """
#include <thread>
#include <atomic>
#include <mutex>
std::atomic<int> a{0}; int* volatile p; int x; std::mutex m;
static bool is_stepped() { unsigned long f; __asm__ volatile("pushfq; pop %0" : "=r"(f)); return f & 0x100; }
int main(){ p=&x;
 std::thread t([]{ if(is_stepped()) { m.lock(); m.unlock(); }
                   if(a.fetch_add(1)==0){ p=nullptr; a.fetch_add(1); p=&x; a.fetch_add(1);} });
 std::thread u([]{ a.fetch_add(4); x=*p; a.fetch_add(4); });
 t.join(); u.join(); }
"""

TRUE_CRASH = """
#include <thread>
#include <atomic>
std::atomic<int> a{0}; int* volatile p; int x;
int main(){ p=&x;
 std::thread t([]{ if(a.fetch_add(1)==0){ p=nullptr; a.fetch_add(1); p=&x; a.fetch_add(1);} });
 std::thread u([]{ a.fetch_add(4); x=*p; a.fetch_add(4); });
 t.join(); u.join(); }
"""


def patch_sum(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = ((total ^ byte) * 0x100000001b3) & 0xffffffffffffffff
    return total


def patch_bytes(address, way, parts, data):
    """A patch over instructions of these lengths, the first of which is said to be an update of memory at (%rdi)."""
    instructions = b""
    for i in range(MOST_INSTRUCTIONS):
        length = parts[i] if i < len(parts) else 0
        site = i == 0
        instructions += INSTRUCTION.pack(length, 0, 0, RMW if site else 0, 4 if site else 0, site, site, site,
                                         7 if site else 255, 255, 0, 0, 0, bytes(5))
    whole = PATCH.pack(address, 0, way, sum(parts), len(parts), data.ljust(20, b"\0"))
    return whole.ljust(40, b"\0") + instructions


class CrossExamination(snarl_case.SnarlCase):
    def setUp(self):
        super().setUp()
        self.cache = self.folder / "cache"
        self.cache.mkdir(mode=0o700)

    def built(self, text, compiler="gcc", suffix=".c"):
        source = self.folder / ("program" + suffix)
        source.write_text(text)
        self.expect_code(self.command(compiler, "-O1", "-g", "-no-pie", "-pthread", source, "-o", "program"), 0)
        return self.folder / "program"

    def run_snarl(self, program, *options):
        return self.snarl("run", "-j1", "--seed", 1, "--cache", self.cache, "-o", self.out, *options, "--", program)

    def address_of(self, program, name):
        table = self.command("nm", program).out
        return int(re.search(rf"^([0-9a-f]+) \w {name}$", table, re.MULTILINE).group(1), 16)

    def loaded(self, program, address, size):
        """What the file has there: a program without position independence begins at 0x400000."""
        return program.read_bytes()[address - 0x400000:][:size]

    def plant(self, program, address, way, parts):
        """Puts a patch into the table that a first run has left in the cache, in the place of what it overlaps."""
        self.expect_code(self.run_snarl(program, "-n", 1), 0, 1)
        build_id = re.search(r"Build ID: ([0-9a-f]+)", self.command("readelf", "-n", program).out).group(1)
        file, = self.cache.glob(build_id + ".*.patches")
        data = file.read_bytes()
        head = list(HEAD.unpack_from(data))
        size = head[2]
        self.assertEqual(size, 40 + MOST_INSTRUCTIONS * INSTRUCTION.size, "the format has changed")
        patches = [data[i:i + size] for i in range(HEAD.size, len(data), size)]
        span = sum(parts)
        far = [p for p in patches if not address - 16 < PATCH.unpack_from(p)[0] < address + span]
        far.append(patch_bytes(address, way, parts, self.loaded(program, address, span)))
        rows = b"".join(sorted(far, key=lambda p: PATCH.unpack_from(p)[0]))
        head[7], head[-1] = len(far), patch_sum(rows)
        file.write_bytes(HEAD.pack(*head) + rows)

    def expect_taken_out(self, result, why):
        unpatched, = self.summary(result)["unpatched"]
        self.assertEqual(unpatched["file"], "program")
        self.assertRegex(unpatched["why"], why)
        self.expect_text(result, "program has no atomic points: snarl's patches made it fail")

    def test_inside_an_instruction(self):
        program = self.built(STRADDLED.replace("MAYBE", ""))
        self.plant(program, self.address_of(program, "wrong") + 6, TRAP, [1])
        result = self.run_snarl(program, "-n", 50)
        self.expect_code(result, 0)
        self.expect_taken_out(result, r"program\+0x\w+ is in the middle of an instruction")
        self.assertEqual(self.summary(result)["findings"], [])
        self.assertEqual(self.summary(result)["schedules"], 50)
        self.assertEqual(self.summary(result)["atomic_sites"]["patched"], 0)

    def test_jumped_into(self):
        """No instruction is cut, but the crash is absent without the patch."""
        program = self.built(JUMPED_INTO)
        self.plant(program, self.address_of(program, "wrong"), FOLLOWING, [3, 3])
        result = self.run_snarl(program, "-n", 50)
        self.expect_code(result, 0)
        self.expect_taken_out(result, "with its bytes untouched the failure does not happen")

    def test_no_crash_but_a_failure(self):
        """A wrong patch need not crash: an assertion fails, or the exit code is wrong."""
        for check in ("assert(one() == 1)", "if (one() != 1) exit(3)"):
            with self.subTest(check):
                program = self.built(WRONG_CONSTANT.replace("CHECK", check))
                self.plant(program, self.address_of(program, "wrong") + 1, TRAP, [1])
                result = self.run_snarl(program, "-n", 50)
                self.expect_code(result, 0)
                self.expect_taken_out(result, r"program\+0x\w+ is in the middle of an instruction")
                self.assertEqual(self.summary(result)["findings"], [])

    def test_decisions_that_cannot_be_followed(self):
        """The crash repeats with patches; without them the program goes another way, so nobody knows whose it is."""
        program = self.built(SEES_THE_TRAP_FLAG, "g++", ".cc")
        result = self.run_snarl(program, "-n", 2000)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual((finding["kind"], finding["confirmed"]), ("signal", False))
        self.assertNotIn("unpatched", self.summary(result))
        self.expect_text(result, r"NOT CONFIRMED")
        self.expect_text(result, r"whether it does without\s+them is open, as\s+its decisions could be\s+followed to step \d+ only")

    def test_goes_on_to_a_finding(self):
        program = self.built(STRADDLED.replace("MAYBE", LOST_UPDATE))
        self.plant(program, self.address_of(program, "wrong") + 6, TRAP, [1])
        result = self.run_snarl(program, "-n", 500)
        self.expect_code(result, 1)
        self.expect_taken_out(result, "in the middle")
        finding = self.only_finding(result)
        self.assertEqual((finding["kind"], finding["confirmed"]), ("exit", True))
        schedule = self.finding_folder(finding) / "schedule.snarl"
        self.assertIn("\nunpatched program\n", schedule.read_text())
        self.expect_text(self.snarl("replay", self.out, "--times", 5, "-q", "--cache", self.cache), "5 of 5")

    def test_no_time_left(self):
        """Nothing else could be tested: that is a failure of ours."""
        program = self.built(STRADDLED.replace("MAYBE", ""))
        self.plant(program, self.address_of(program, "wrong") + 6, TRAP, [1])
        result = self.run_snarl(program, "-t", "1ms")
        self.expect_code(result, 125, 4)
        if result.code == 125:
            self.expect_text(result, "nothing was tested: snarl's patches of program made it fail")

    def test_a_crash_of_the_program_stays(self):
        for layer in ("fibers", "gates"):
            with self.subTest(layer):
                program = self.built(TRUE_CRASH, "g++", ".cc")
                result = self.run_snarl(program, "-n", 2000, "--switching", layer)
                self.expect_code(result, 1)
                finding = self.only_finding(result)
                self.assertEqual((finding["kind"], finding["confirmed"]), ("signal", True), self.describe(result, "not confirmed"))
                self.assertGreater(self.summary(result)["atomic_sites"]["patched"], 0)
                self.assertNotIn("unpatched", self.summary(result))
                self.expect_text(self.snarl("replay", self.out, "--times", 20, "-q"), "20 of 20")


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(CrossExamination), arguments)


if __name__ == "__main__":
    sys.exit(main())
