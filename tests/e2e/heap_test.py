#!/usr/bin/env python3
"""Memory after it was freed: what is in it repeats, and a lock in it is a finding that names who freed it.

  SNARL=build/snarl heap_test.py --programs build/programs
"""

import json
import sys

import snarl_case

FAILS_ALWAYS = 5  # without snarl, too
LAYERS = (["--switching", "fibers"], ["--switching", "gates"], ["--reset", "exec"])

# Which of the two signals ends it depends on one bit of what malloc has left in the block.
READS_FREED = """
#include <cstdlib>
#include <thread>
struct S { long a, b; };
int main() { S* s = new S{0,0}; std::thread t([s]{ delete s; }); std::this_thread::yield();
  long v = s->b; if (v & 1) abort(); if (v) __builtin_trap(); t.join(); }
"""

# What a process finds in a freed block, in the kernel's random bytes and as the guard of stack frames.
SHOWS = """
#include <cstdio>
#include <cstdlib>
#include <sys/auxv.h>
#include <thread>
int main() {
  std::thread t([] {
    auto* block = static_cast<unsigned long*>(malloc(40));
    asm volatile("" : "+r"(block));
    free(block);
    asm volatile("" : "+r"(block) : : "memory");
    unsigned long guard;
    asm volatile("movq %%fs:0x28, %0" : "=r"(guard));
    auto* bytes = reinterpret_cast<unsigned long*>(getauxval(AT_RANDOM));
    fprintf(stderr, "key %lx guard %lx bytes %lx %lx\\n", block[1], guard, bytes[0], bytes[1]);
  });
  t.join();
  abort();
}
"""

# Freed before main, when malloc still had the key that it began with, and again in main.
FREED_TWICE = """
#include <cstdlib>
#include <thread>
static void* block;
__attribute__((constructor)) static void early() { block = malloc(40); free(block); }
int main() { std::thread t([] {}); t.join(); free(block); }
"""


# The mutex is at the start of the block, where malloc writes its own marks.
LOCKS_FREED = """
#include <mutex>
#include <thread>
struct E { std::mutex m; long data[4] = {}; };
void use(E* e) { e->m.lock(); e->data[0]++; e->m.unlock(); }
void drop(E* e) { delete e; }
int main() { E* e = new E; std::thread t(use, e);
  std::this_thread::yield(); e->m.lock(); e->m.unlock(); drop(e); t.join(); }
"""


class HeapCase(snarl_case.SnarlCase):
    def build(self, text, *flags):
        source = self.folder / "program.cc"
        source.write_text(text)
        program = self.folder / "program"
        made = self.command("c++", "-std=c++17", "-g", "-O1", "-w", "-pthread", *flags, source, "-o", program)
        self.expect_code(made, 0)
        return program

    def run_program(self, program, *options, schedules=200):
        return self.snarl("run", "-n", schedules, "--seed", 1, "-o", self.out, *options, "--", program)

    def replays(self, finding, times=20):
        return self.snarl("replay", "-o", self.out, finding["id"], "--times", times)

    def test_what_is_in_a_freed_block_repeats(self):
        program = self.build(READS_FREED)
        for layer in LAYERS:
            with self.subTest(layer):
                result = self.run_program(program, *layer)
                self.expect_code(result, 1)
                finding = self.only_finding(result)
                self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
                self.expect_text(self.replays(finding), "signal again, 20 of 20")

    def test_processes_find_the_same(self):
        program = self.build(SHOWS)
        seen = set()
        for layer in LAYERS:
            result = self.run_program(program, *layer, schedules=1)
            self.expect_code(result, FAILS_ALWAYS)
            seen.add((self.finding_folder(self.only_finding(result)) / "stderr.txt").read_text())
        self.assertEqual(len(seen), 1, seen)
        self.assertRegex(seen.pop(), r"^key [1-9a-f]\w+ guard [1-9a-f]\w*00 bytes [1-9a-f]\w+ [1-9a-f]\w+\n$")

    def test_with_the_systems_randomness_they_don_t(self):
        program = self.build(SHOWS)
        seen = set()
        for _ in range(3):
            result = self.run_program(program, "--random", "real", schedules=1)
            seen.add((self.finding_folder(self.only_finding(result)) / "stderr.txt").read_text())
        self.assertEqual(len(seen), 3, seen)

    def test_libc_still_notices_a_second_free(self):
        program = self.build(FREED_TWICE)
        self.assertEqual(self.command(program).code, -6, "libc does not notice it without us")
        for layer in LAYERS:
            with self.subTest(layer):
                result = self.run_program(program, *layer, schedules=1)
                self.expect_code(result, FAILS_ALWAYS)
                said = (self.finding_folder(self.only_finding(result)) / "stderr.txt").read_text()
                self.assertIn("double free detected in tcache", said)

    def test_a_lock_in_freed_memory_names_who_freed_it(self):
        program = self.build(LOCKS_FREED)
        for layer in LAYERS:
            with self.subTest(layer):
                result = self.run_program(program, "--keep-going", *layer)
                self.expect_code(result, 1)
                findings = self.summary(result)["findings"]
                self.assertEqual({finding["kind"] for finding in findings}, {"use_after_free"}, self.describe(result, "others"))
                self.assertTrue(all(finding["confirmed"] for finding in findings), self.describe(result, "not confirmed"))
                report = json.loads((self.finding_folder(findings[0]) / "report.json").read_text())
                self.assertEqual([deed["place"]["function"] for deed in report["deeds"]], ["use", "drop"])
                self.assertRegex(report["message"], r"^T1 use (un)?locks mutex \w+, whose memory main has freed\.$")
                self.expect_text(self.replays(findings[0]), "use_after_free again, 20 of 20")
                self.assertLess(result.seconds, 60, self.describe(result, "it waited for a hang"))


def main():
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    return snarl_case.run_suite(snarl_case.suite_of({"heap": HeapCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
