"""`snarl doctor`: what it says of programs that can and can't be tested."""

import json
import pathlib
import sys
import unittest

import snarl_case

PROGRAM = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* work(void* unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(int count, char** words) {
  if (count > 1 && strcmp(words[1], "--alone") == 0) return 0;
  if (count > 1 && strcmp(words[1], "--forever") == 0) for (;;) pause();
  FILE* file = fopen("written.txt", "w");
  if (file == NULL) return 1;
  fclose(file);
  unlink("written.txt");
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
"""


class DoctorTest(snarl_case.SnarlCase):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.built = pathlib.Path(snarl_case.tempfile.mkdtemp(prefix="snarl-doctor-"))
        cls.addClassCleanup(snarl_case.shutil.rmtree, cls.built, ignore_errors=True)
        (cls.built / "p.c").write_text(PROGRAM)
        for name, options in (("p", ["-g"]), ("static", ["-static"]), ("stripped", ["-s"])):
            snarl_case.run(["cc", "p.c", "-pthread", *options, "-o", name], cwd=cls.built, check=True)

    def doctor(self, *arguments, code=0):
        process = snarl_case.start([snarl_case.snarl_binary(), "doctor", *arguments], cwd=self.built)
        result = snarl_case.finish(process, 60)
        self.assertEqual(result.code, code, f"{result.command}\n{result.out}\n{result.err}")
        return result

    def test_a_program_that_can_be_tested(self):
        out = self.doctor("./p").out
        self.assertTrue(out.startswith("snarl can run this program: 3 threads"), out)
        for part in ("dynamically linked", "with debug info", "fibers (", "fork (", "p: threads"):
            self.assertIn(part, out)

    def test_json_has_the_facts_and_the_effects(self):
        checkup = json.loads(self.doctor("--json", "--", "./p", "-x").out)
        self.assertEqual(checkup["schema"], "snarl.doctor/1")
        self.assertTrue(checkup["testable"])
        self.assertEqual(checkup["command"], ["./p", "-x"])
        self.assertTrue(checkup["program"]["symbols"] and checkup["program"]["debug_info"])
        self.assertEqual(checkup["controlled"]["outcome"], "ok")
        self.assertEqual(checkup["controlled"]["threads"], 3)
        if checkup["observed"].get("could_not"):
            self.skipTest(checkup["observed"]["could_not"])
        effects = [(one["kind"], one["what"]) for one in checkup["observed"]["effects"]]
        self.assertEqual(effects, [("writes", "written.txt"), ("deletes", "written.txt")])
        self.assertEqual(checkup["observed"]["threads"], 3)
        self.assertEqual(checkup["observed"]["inline_calls"], [])

    def test_the_programs_own_options_are_its_own(self):
        self.assertIn("it used one thread", self.doctor("./p", "--alone", code=4).out)
        self.assertIn("it used one thread", self.doctor("--timeout", "3s", "./p", "--alone", code=4).out)

    def test_what_can_not_be_tested(self):
        out = self.doctor("./static", code=4).out
        self.assertTrue(out.startswith("snarl can't test this program: ./static is statically linked"), out)
        self.assertIn("hint: relink it without -static", out)
        self.assertFalse(json.loads(self.doctor("--json", "./static", code=4).out)["testable"])

    def test_a_program_that_does_not_end(self):
        result = self.doctor("--timeout", "1s", "./p", "--forever", code=4)
        self.assertLess(result.seconds, 30)
        self.assertIn("snarl can't test this program", result.out)

    def test_a_stripped_program(self):
        self.assertIn("without symbols a report shows addresses", self.doctor("./stripped").out)

    def test_errors(self):
        self.assertIn("not found", self.doctor("./no-such-program", code=127).err)
        self.assertIn("not executable", self.doctor("./p.c", code=126).err)
        self.doctor(code=2)
        self.assertIn("unknown option", self.doctor("--jason", "./p", code=2).err)
        self.assertIn("usage: snarl doctor", self.doctor("--help").out)


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(unittest.defaultTestLoader.loadTestsFromTestCase(DoctorTest), arguments)


if __name__ == "__main__":
    sys.exit(main())
