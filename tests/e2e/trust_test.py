"""Whose command `snarl replay` runs: what this user recorded, and nothing else unless it is asked for."""

import os
import re
import shutil
import stat
import sys

import snarl_case

PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static void* other(void* p) { pthread_mutex_lock(&lock); turn = 1; pthread_mutex_unlock(&lock); return p; }
int main(int argc, char** argv) {
  char word[16] = "";
  pthread_t t;
  if (scanf("%15s", word) == 1) printf("read %s\n", word);
  FILE* here = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (argc > 1 && here == NULL) return 0;
  pthread_create(&t, NULL, other, NULL);
  pthread_mutex_lock(&lock);
  if (turn == 1) abort();
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
}
"""
COMPILER = shutil.which("gcc") or shutil.which("cc") or "clang"
REFUSED = r"not recorded by you"


class Trust(snarl_case.SnarlCase):
    def setUp(self):
        super().setUp()
        self.work = self.folder / "work"
        self.work.mkdir()
        (self.work / "data").write_text("x")
        (self.folder / "p.c").write_text(PROGRAM)
        self.program = self.work / "p"
        self.expect_code(self.command(COMPILER, "-g", "-pthread", self.folder / "p.c", "-o", self.program), 0)
        self.state = {"XDG_STATE_HOME": str(self.folder / "state")}
        self.key = self.folder / "state/snarl/key"

    def record(self, *words, stdin=None):
        shell = " ".join([f"'{snarl_case.snarl_binary()}'", "run -j1 --seed 1 -n 300 -o", f"'{self.out}'", "--",
                          f"'{self.program}'", *words, f"< {stdin}" if stdin else ""])
        result = self.command("sh", "-c", shell, cwd=self.work, env=self.state)
        self.expect_code(result, 1)
        return self.finding_folder(self.only_finding(result))

    def replay(self, *words, cwd=None, env=None):
        return self.snarl("replay", "-q", *words, cwd=cwd or self.work, env={**self.state, **(env or {})})

    def refused(self, result, what=""):
        self.expect_code(result, 2)
        self.expect_text(result, REFUSED)
        self.assertNotIn("Replay:", result.out, self.describe(result, what))

    def change(self, path, old, new):
        """Edits a schedule and makes its last line right again, as the message of a replay says."""
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        result = self.replay(path)
        hint = re.search(r"last line: (end \d+ [0-9a-f]+)", result.err)
        self.assertTrue(hint, self.describe(result, "no hint for the last line"))
        lines = path.read_text().splitlines()
        path.write_text("\n".join(lines[:-1] + [hint[1]]) + "\n")

    def test_what_was_recorded_here_is_replayed(self):
        finding = self.record()
        self.expect_code(self.replay(finding), 1)
        self.assertEqual(stat.S_IMODE(self.key.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(self.key.parent.stat().st_mode), 0o700)
        for place in ("moved", "moved/again"):  # the mark does not say where the folder lies
            copy = self.folder / place
            shutil.copytree(finding, copy)
            self.expect_code(self.replay(copy), 1)
            self.expect_code(self.replay(copy / "schedule.snarl", cwd="/"), 1)
        os.symlink(copy, self.folder / "link")
        self.expect_code(self.replay(self.folder / "link"), 1)

    def test_a_strangers_folder_is_shown_and_not_run(self):
        finding = self.record()
        self.key.unlink()
        self.assertFalse((self.folder / "state/snarl/key").exists())
        result = self.replay(finding)
        self.refused(result)
        self.expect_text(result, str(self.program))
        self.refused(self.replay(finding / "schedule.snarl"))
        self.refused(self.replay("--gdb", finding))
        self.refused(self.replay(self.out))
        self.refused(self.replay("-o", self.out))
        self.refused(self.replay("1", "-o", self.out))
        self.assertFalse(self.key.exists(), "a replay makes no key")
        self.expect_code(self.replay("--trust", finding), 1)
        self.expect_code(self.replay(finding, "--", self.program), 1)
        self.expect_code(self.command(finding / "replay.sh", "-q", env={"SNARL": snarl_case.snarl_binary(), **self.state}), 1)

    def test_bash_of_a_stranger(self):
        """The build id of bash is public: it proves nothing."""
        finding = self.record()
        bash, trace = shutil.which("bash"), self.folder / "it-ran"
        notes = self.command("readelf", "-n", os.path.realpath(bash)).out
        schedule = finding / "schedule.snarl"
        text = schedule.read_text()
        line = {word.split()[0]: word for word in text.splitlines()[:5]}
        build_id = notes.split("Build ID: ")[1].split()[0]
        self.change(schedule, line["program"], f"program {os.path.realpath(bash)}")
        self.change(schedule, line["build-id"], f"build-id {build_id}")
        self.change(schedule, line["argv"], rf"argv bash -c touch\x20{trace}\x1b[2J")
        result = self.replay(finding)
        self.refused(result)
        self.assertFalse(trace.exists())
        self.expect_text(result, "touch")
        self.assertNotIn("\x1b", result.err)
        os.remove(finding / "mark")
        self.refused(self.replay(finding))
        self.assertFalse(trace.exists())

    def test_what_was_changed_is_refused(self):
        finding, other = self.record("data"), self.folder / "other"
        shutil.copytree(finding, other)
        schedule = finding / "schedule.snarl"
        self.expect_code(self.replay(finding), 1)
        for old, new in (("argv ", "argv x"), ("policy random", "policy plugin:./evil.so"), ("\nclock 1", "\nclock 2")):
            if old in schedule.read_text():
                self.change(schedule, old, new)
                self.refused(self.replay(finding), new)
                shutil.copy(other / "schedule.snarl", schedule)
        self.expect_code(self.replay(finding), 1)
        (finding / "stdin.txt").write_text("echo evil\n")
        self.refused(self.replay(finding), "an input was added")
        os.remove(finding / "stdin.txt")
        (finding / "mark").write_text((other / "mark").read_text().replace("work", "elsewhere"))
        self.refused(self.replay(finding), "another working folder")
        (finding / "mark").write_text("x" * 100000)
        self.expect_code(self.replay(finding), 2)
        os.remove(finding / "mark")
        os.mkfifo(finding / "mark")
        self.expect_code(self.replay(finding), 2)

    def test_the_mark_of_another_finding(self):
        first = self.folder / "first"
        shutil.copytree(self.record("data"), first)
        second = self.record()
        shutil.copy(first / "mark", second / "mark")
        self.refused(self.replay(second))

    def test_input(self):
        (self.work / "in").write_text("word\n")
        finding = self.record(stdin="in")
        self.assertEqual((finding / "stdin.txt").read_text(), "word\n")
        self.expect_code(self.replay(finding), 1)
        (finding / "stdin.txt").write_text("other\n")
        self.refused(self.replay(finding))
        os.remove(finding / "stdin.txt")
        self.refused(self.replay(finding))

    def test_a_key_that_others_may_read_is_none(self):
        finding = self.record()
        self.key.chmod(0o644)
        result = self.replay(finding)
        self.refused(result)
        self.expect_text(result, "0600")
        self.key.chmod(0o600)
        self.expect_code(self.replay(finding), 1)
        self.key.rename(self.key.with_name("elsewhere"))
        os.symlink("elsewhere", self.key)
        self.refused(self.replay(finding))

    def test_without_a_state_folder_there_is_no_mark(self):
        (self.folder / "state").write_text("in the way")
        finding = self.record()
        self.assertFalse((finding / "mark").exists())
        self.refused(self.replay(finding))
        self.expect_code(self.replay("--trust", finding), 1)

    def test_the_command_runs_where_it_was_recorded(self):
        """A finding of ours names files of the working folder; another folder may have a stranger's."""
        finding, elsewhere = self.record("data"), self.folder / "elsewhere"
        elsewhere.mkdir()
        self.expect_code(self.replay(finding, cwd=elsewhere), 1)
        self.expect_code(self.replay("--trust", finding, cwd=elsewhere), 0, 3)  # there is no such file there
        shutil.move(self.work, self.folder / "gone")
        self.expect_code(self.replay(finding, cwd=elsewhere), 2, 126, 127)

    def test_options_of_a_stranger(self):
        finding, evil = self.record(), self.folder / "evil"
        (self.out / "snarl.toml").write_text('[replay]\ntimes = 7\n')
        self.expect_text(self.replay(finding, cwd=self.out), "7 of 7")
        self.key.unlink()
        result = self.replay(finding, "--", self.program, cwd=self.out)
        self.expect_text(result, "1 of 1")
        self.expect_text(result, "ignoring snarl.toml")
        self.expect_text(self.replay(finding, "--config", "snarl.toml", "--", self.program, cwd=self.out), "7 of 7")
        self.expect_text(self.replay("--trust", finding, cwd=self.out), "7 of 7")
        (self.out / "snarl.toml").write_text('trust = true\n')
        result = self.replay(finding, cwd=self.out)
        self.expect_code(result, 2)
        self.assertFalse(evil.exists())


def main():
    arguments = snarl_case.argument_parser(__doc__).parse_args()
    return snarl_case.run_suite(snarl_case.suite_of({"trust": Trust}, None), arguments)


if __name__ == "__main__":
    sys.exit(main())
