#!/usr/bin/env python3
"""What a run must write, and with which exit code it must end: --expect-output, --expect-same-output, --expect-exit,
--fail-on; in a finding, its schedule and its replays.

  SNARL=build/snarl expectations_test.py --programs build/programs
"""

import sys

import snarl_case

# Two threads add to a sum without holding the lock in between: now and then one addition is lost. The program ends
# with exit code 0 all the same.
LOSES = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int load(void) {
  pthread_mutex_lock(&mutex);
  int seen = sum;
  pthread_mutex_unlock(&mutex);
  return seen;
}
static void *add(void *amount) {
  int seen = load();
  pthread_mutex_lock(&mutex);
  sum = seen + (int)(long)amount;
  pthread_mutex_unlock(&mutex);
  return 0;
}
__attribute__((constructor)) static void early(void) { BEFORE_MAIN; }
int main(void) {
  pthread_t a, b;
  printf("two threads\n");
  pthread_create(&a, 0, add, (void *)1);
  SLEEP;
  pthread_create(&b, 0, add, (void *)2);
  pthread_join(a, 0);
  pthread_join(b, 0);
  WRITE;
  END;
}
"""
PRINT = 'printf("sum %d\\n", sum)'
RIGHT = "two threads\nsum 3\n"


class ExpectationsTest(snarl_case.SnarlCase):
    def built(self, name="loses", write=PRINT, end="return 0", before_main="", sleep="usleep(20000)"):
        source, program = self.folder / f"{name}.c", self.folder / name
        text = LOSES.replace("BEFORE_MAIN", before_main).replace("SLEEP", sleep)
        source.write_text(text.replace("WRITE", write).replace("END", end))
        snarl_case.run(["cc", "-g", "-O1", "-pthread", "-o", program, source], check=True, timeout=60)
        return program

    def expected(self, text=RIGHT):
        path = self.folder / "expected.txt"
        path.write_text(text)
        return path

    def explore(self, program, *options):
        """Without snarl the sleep orders the threads; with --time free it does not."""
        return self.snarl("run", "--seed", 1, "-n", 200, "-p", "random", "--time", "free", "-o", self.out, *options, "--", program)

    def expect_wrong_output(self, result, signature):
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["kind"], "wrong_output", self.describe(result, "another kind"))
        self.assertEqual(finding["signature"], signature)
        self.assertTrue(finding["confirmed"], self.describe(result, "not confirmed"))
        replayed = self.snarl("replay", "-q", "--times", 20, self.out)
        self.expect_code(replayed, 1)
        self.expect_text(replayed, "wrong_output again, 20 of 20")
        return finding

    def test_without_an_expectation_it_passes(self):
        result = self.explore(self.built())
        self.expect_code(result, 0)

    def test_another_output_than_that_of_a_file(self):
        program = self.built()
        for reset in ("fork", "exec"):
            with self.subTest(reset=reset):
                result = self.explore(program, "--expect-output", self.expected(), "--reset", reset)
                finding = self.expect_wrong_output(result, "wrong_output line 2")
                self.expect_text(result, r"Line 2 of the standard output is not as expected:\n +expected +sum 3\n +got +sum [12]\n")
                self.expect_text(result, r"SUMMARY: snarl: wrong output: Line 2 of the standard output")
                schedule = (self.finding_folder(finding) / "schedule.snarl").read_text()
                self.assertIn("\nexpect-output two\\x20threads\\x0a\nexpect-output sum\\x203\\x0a\nfailure wrong_output\n", schedule)

    def test_the_right_output_passes(self):
        """Under any schedule: one thread has ended before the other begins."""
        program = self.built(sleep="pthread_join(a, 0); add((void *)2); puts(\"sum 3\"); exit(0)")
        self.expect_code(self.explore(program, "--expect-output", self.expected()), 0)

    def test_what_is_written_before_main_counts(self):
        """By a constructor, without a buffer: in the fork server that is long ago."""
        program = self.built(before_main='write(1, "early\\n", 6)', write="", sleep="pthread_join(a, 0); exit(0)")
        for text, code in (("early\ntwo threads\n", 0), ("two threads\n", 1)):
            for reset in ("fork", "exec"):
                with self.subTest(text=text, reset=reset):
                    result = self.explore(program, "--expect-output", self.expected(text), "--reset", reset)
                    self.expect_code(result, *((0,) if code == 0 else (1, 5)))

    def test_another_output_than_without_snarl(self):
        result = self.explore(self.built(), "--expect-same-output")
        self.expect_wrong_output(result, "wrong_output line 2")

    def test_nothing_to_compare_with(self):
        """An output that is another one in each run is no measure, and neither is that of a run that fails."""
        pid = self.built("pid", write='printf("pid %d\\n", (int)getpid())')
        result = self.explore(pid, "--expect-same-output")
        self.expect_code(result, 4)
        self.expect_text(result, r'two runs without snarl write different output: line 2 is "pid \d+" and then "pid \d+"')
        result = self.explore(self.built("three", end="return 3"), "--expect-same-output")
        self.expect_code(result, 5)
        self.expect_text(result, "without snarl the program ends with exit code 3")

    def test_time_and_randomness_come_from_the_schedule(self):
        """A line with a time and a random number in it is another one in each schedule, and the same whenever that
        schedule is run."""
        write = ("struct timespec t; unsigned r; clock_gettime(CLOCK_MONOTONIC, &t); getentropy(&r, sizeof r);"
                 "usleep(r % 1000); struct timespec u; clock_gettime(CLOCK_MONOTONIC, &u);"
                 'printf("sum %d %ld %u\\n", sum, (u.tv_sec - t.tv_sec) * 1000000000 + u.tv_nsec - t.tv_nsec, r)')
        program = self.built("clock", write=write)
        first = self.expect_wrong_output(self.explore(program, "--fail-on", "^sum [12] "), "wrong_output matches ^sum [12] ")
        line = (self.finding_folder(first) / "stdout.txt").read_text().splitlines()[1]
        self.assertRegex(line, r"^sum [12] \d+ \d+$")
        again = self.expect_wrong_output(self.explore(program, "--fail-on", f"^{line}$"), f"wrong_output matches ^{line}$")
        self.assertEqual(again["index"], first["index"])

    def test_a_line_that_is_forbidden(self):
        result = self.explore(self.built(), "--fail-on", "no such line", "--fail-on", "^sum (1|2)$")
        self.expect_wrong_output(result, "wrong_output matches ^sum (1|2)$")
        self.expect_text(result, r"Line 2 of its stdout matches \^sum \(1\|2\)\$:\n +sum [12]\n")
        result = self.explore(self.built("err", write='fprintf(stderr, "sum %d", sum)'), "--fail-on", "sum [12]")
        self.expect_wrong_output(result, "wrong_output matches sum [12]")
        self.expect_text(result, r"Line 1 of its stderr matches")

    def test_a_healthy_exit_code(self):
        program = self.built("six", end="return sum == 3 ? 6 : 0")
        self.expect_code(self.explore(program), 1, 5)
        result = self.explore(program, "--expect-exit", 6)
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual((finding["kind"], finding["signature"]), ("exit", "exit 0"))
        self.expect_text(result, "EXIT CODE 0")
        self.expect_text(result, "The exit code should be 6")
        self.assertIn("\nexpect-exit 6\nfailure exit\n", (self.finding_folder(finding) / "schedule.snarl").read_text())
        replayed = self.snarl("replay", "-q", "--times", 20, self.out)
        self.expect_text(replayed, "exit again, 20 of 20")
        result = self.explore(self.built("always", end="return 6"), "--expect-exit", 6)
        self.expect_code(result, 0)

    def test_wrong_usage(self):
        program = self.built()
        for options, text in ((("--fail-on", "(open"), r'--fail-on: "\(open" is not a regular expression'),
                              (("--expect-exit", 256), "--expect-exit"), (("--expect-exit", 125), "snarl failed"),
                              (("--expect-output", "/no/such/file"), "/no/such/file"),
                              (("--expect-output", program, "--expect-same-output"), "exclude each other"),
                              (("--once", "--expect-exit", 6), "exclude each other")):
            with self.subTest(options=options):
                result = self.explore(program, *options)
                self.expect_code(result, 2)
                self.expect_text(result, text)

    def test_behind_a_launcher(self):
        """As snarl_add_test has it: the test passes if the program ends as it should."""
        six, one_thread = self.built("six", end="return 6"), self.folder / "one"
        launch = lambda program, *options: self.snarl("run", "--launcher", "-n", 50, "-o", self.out, *options, "--", program)
        self.expect_code(launch(six), 1, 5, 6)
        self.expect_code(launch(six, "--expect-exit", 6), 0)
        source = self.folder / "one.c"
        source.write_text("int main(void) { return 0; }")
        snarl_case.run(["cc", "-o", one_thread, source], check=True, timeout=60)
        self.expect_code(launch(one_thread), 0)
        self.expect_code(launch(one_thread, "--expect-exit", 6), 1)
        self.expect_code(launch(one_thread, "--expect-output", self.expected()), 4)

    def test_an_output_of_any_length(self):
        """It is compared while it comes; records keep its ends only."""
        write = 'for (int i = 0; i < 200000; ++i) printf("%d\\n", i == 150000 ? sum : 3)'
        program = self.built("long", write=write)
        result = self.explore(program, "--expect-same-output")
        self.expect_wrong_output(result, "wrong_output line 150002")


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    suite = snarl_case.suite_of({"": ExpectationsTest}, None)
    return snarl_case.run_suite(suite, arguments)


if __name__ == "__main__":
    sys.exit(main())
