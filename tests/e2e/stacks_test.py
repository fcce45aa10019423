#!/usr/bin/env python3
"""Whose stack a report shows: the caller of what is no code, and the thread that is stuck, not those that have no work.

  SNARL=build/snarl stacks_test.py
"""

import json
import sys

import snarl_case

JUMPS = """
#include <sys/mman.h>
#include <mutex>
#include <thread>
std::mutex m; void (*volatile f)();
void fine() {}
__attribute__((noinline)) void call() { m.lock(); m.unlock(); f(); asm volatile(""); }
__attribute__((noinline)) void set(void (*to)()) { std::lock_guard<std::mutex> held(m); f = to; }
int main() {
  auto* data = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  f = fine;
  std::thread t(call);
  set(reinterpret_cast<void (*)()>(NOWHERE));
  set(fine);
  t.join();
}
"""

# Two workers wait for work; main has missed the only signal that it will get.
POOL = """
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m; std::condition_variable work, done; bool stop, finished;
void serve() { std::unique_lock<std::mutex> held(m); while (!stop) { done.notify_one(); work.wait(held); } }
__attribute__((noinline)) void await_end() { std::unique_lock<std::mutex> held(m); done.wait(held); }
int main() { std::thread a(serve), b(serve); a.detach(); b.detach(); await_end(); _Exit(0); }
"""

# The worker that main joins has no work, like the others, but it is the one that does not end.
JOINED = """
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m; std::condition_variable work; bool stop;
void serve() { std::unique_lock<std::mutex> held(m); work.wait(held); }
void serve_last() { std::unique_lock<std::mutex> held(m); if (!stop) work.wait(held); }
void end() { std::lock_guard<std::mutex> held(m); stop = true; }
int main() { std::thread a(serve), b(serve), c(serve_last); a.detach(); b.detach(); end(); c.join(); _Exit(0); }
"""


class StacksCase(snarl_case.SnarlCase):
    def report(self, text, *flags):
        source = self.folder / "program.cc"
        source.write_text(text)
        program = self.folder / "program"
        self.expect_code(self.command("c++", "-std=c++17", "-g", "-O1", "-w", "-pthread", *flags, source, "-o", program), 0)
        result = self.snarl("run", "-n", 500, "--seed", 1, "-o", self.out, "--", program)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        return json.loads((self.finding_folder(finding) / "report.json").read_text())

    def test_a_call_of_what_is_no_code(self):
        for nowhere in ("0L", "data", "16"):
            with self.subTest(nowhere):
                report = self.report(JUMPS, f"-DNOWHERE={nowhere}")
                self.assertEqual((report["kind"], report["place"]["function"]), ("signal", "call"))
                [failed] = [thread for thread in report["threads"] if thread["state"] == "failed"]
                functions = [frame["function"] for frame in failed["stack"]]
                self.assertEqual(functions[0], "call")
                self.assertGreater(len(functions), 1, "its callers are missing")

    def test_main_is_stuck_and_the_workers_are_idle(self):
        report = self.report(POOL)
        self.assertEqual((report["kind"], report["place"]["function"]), ("deadlock", "await_end"))

    def test_who_is_joined_is_stuck(self):
        report = self.report(JOINED)
        self.assertEqual((report["kind"], report["place"]["function"]), ("deadlock", "serve_last"))


def main():
    parser = snarl_case.argument_parser(__doc__)
    arguments = parser.parse_args()
    return snarl_case.run_suite(snarl_case.suite_of({"stacks": StacksCase}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
