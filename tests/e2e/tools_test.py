#!/usr/bin/env python3
"""snarl among other tools: `git bisect run`, and what is generated for man, bash and zsh and installed.

  SNARL=build/bin/snarl tools_test.py --build build [--part bisect|generated]
"""

import fcntl
import os
import pathlib
import pty
import select
import shlex
import shutil
import struct
import subprocess
import sys
import termios
import time

import snarl_case

BUILD = None  # set by main
COMPILER = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc") or "clang"

# Two threads add one each; how they do it is each commit's own.
PROGRAM = """#include <assert.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static int get(void) { pthread_mutex_lock(&mutex); int now = sum; pthread_mutex_unlock(&mutex); return now; }
static void set(int to) { pthread_mutex_lock(&mutex); sum = to; pthread_mutex_unlock(&mutex); }
static void *add(void *arg) { %s return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, add, NULL); pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL); pthread_join(b, NULL);
  assert(get() == 2);
}
"""
RIGHT = PROGRAM % "pthread_mutex_lock(&mutex); ++sum; pthread_mutex_unlock(&mutex);"
RACY = PROGRAM % "set(get() + 1);"
BROKEN = "this does not compile\n"
ONE_THREAD = "int main(void) { return 0; }\n"


class BisectTest(snarl_case.SnarlCase):
    timeout = 120

    def git(self, *words):
        result = self.command("git", "-c", "user.name=t", "-c", "user.email=t@localhost", "-c", "commit.gpgsign=false",
                              "-c", "init.defaultBranch=main", *words, cwd=self.folder / "repository",
                              env={"GIT_CONFIG_GLOBAL": "/dev/null"})
        self.expect_code(result, 0)
        return result.out.strip()

    def commit(self, content, message):
        (self.folder / "repository" / "program.c").write_text(f"// {message}\n{content}")
        self.git("add", "program.c")
        self.git("commit", "-qm", message)
        return self.git("rev-parse", "HEAD")

    def test_finds_the_first_bad_commit(self):
        if not shutil.which("git"):
            self.skipTest("git is missing")
        (self.folder / "repository").mkdir()
        self.git("init", "-q")
        good = self.commit(RIGHT, "right")
        for content, message in ((RIGHT, "still right"), (BROKEN, "does not build"), (ONE_THREAD, "one thread"),
                                 (RIGHT, "right again")):
            self.commit(content, message)
        first_bad = self.commit(RACY, "loses updates")
        for message in ("later", "even later"):
            self.commit(RACY, message)
        self.git("bisect", "start", "HEAD", good)
        # A lost update is hit by half of random's schedules: 100 miss it with a probability of 1e-30.
        script = (f"{shlex.quote(COMPILER)} -g -pthread program.c -o ../program || exit 125; "
                  f"exec {shlex.quote(snarl_case.snarl_binary())} run --bisect -p random -n 100 -o ../out -- ../program")
        said = self.git("bisect", "run", "sh", "-c", script)
        self.assertIn(f"{first_bad} is the first bad commit", said)

    def expect_bisect(self, code, *words, env=None):
        result = self.snarl(*words, env=env)
        self.expect_code(result, code)

    def test_everything_else_is_125(self):
        self.expect_bisect(125, "run", "--bisect", "--bogus", "--", "/bin/true")
        self.expect_bisect(125, "run", "--bisect")
        self.expect_bisect(125, "rnu", "--bisect", "--", "/bin/true")
        self.expect_bisect(125, "run", "--bisect", "--", "/bin/true")               # one thread
        self.expect_bisect(125, "run", "--bisect", "--", self.folder / "missing")   # not found
        self.expect_bisect(125, "run", "--bisect", "--once", "--", "/bin/true")
        self.expect_bisect(125, "run", "--", self.folder / "missing", env={"SNARL_BISECT": "1"})
        self.expect_bisect(2, "replay", self.folder / "missing", env={"SNARL_BISECT": "1"})  # for run only
        (self.folder / "snarl.toml").write_text("bisect = true\n")
        self.expect_bisect(125, "run", "--", self.folder / "missing")


class GeneratedTest(snarl_case.SnarlCase):
    def setUp(self):
        super().setUp()
        self.share = self.folder / "installed" / "share"
        result = self.command("cmake", "--install", BUILD, "--prefix", self.folder / "installed")
        self.expect_code(result, 0)

    def test_man_pages(self):
        verbs = [line.split()[0] for line in self.snarl("help").out.splitlines() if line.startswith("  ")]
        pages = [self.share / "man" / "man1" / name for name in ["snarl.1"] + [f"snarl-{verb}.1" for verb in verbs]]
        self.assertGreater(len(pages), 4)
        for page in pages:
            self.assertTrue(page.is_file(), page)
            if shutil.which("groff"):
                result = self.command("groff", "-man", "-ww", "-Tutf8", "-P-cbou", page)
                self.expect_code(result, 0)
                self.assertEqual(result.err, "", self.describe(result, "groff warns"))
                self.assertIn("NAME", result.out)

    def complete(self, line):
        """What bash offers for a command line whose cursor is at its end."""
        script = ('source "$1"; COMP_LINE=$2; COMP_POINT=${#2}; read -ra COMP_WORDS <<<"$2"; '
                  'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _snarl; printf "%s\\n" "${COMPREPLY[@]}"')
        result = self.command("bash", "--norc", "-c", script, "bash", self.share / "bash-completion/completions/snarl", line)
        self.expect_code(result, 0)
        self.assertEqual(result.err, "", self.describe(result, "bash complains"))
        return result.out.split()

    def test_bash_completes_verbs_and_flags(self):
        self.assertEqual(self.complete("snarl re"), ["replay"])
        self.assertIn("policies", self.complete("snarl "))
        self.assertIn("run", self.complete("snarl help "))
        self.assertEqual(self.complete("snarl run --keep"), ["--keep-going"])
        self.assertEqual(self.complete("snarl run -n 5 --tim"), ["--timeout", "--time"])
        self.assertNotIn("--times", self.complete("snarl run --"))
        self.assertIn("--times", self.complete("snarl replay --"))
        self.assertIn("--json", self.complete("snarl policies -"))

    def test_bash_completes_values(self):
        self.assertEqual(self.complete("snarl run --time v"), ["virtual"])
        self.assertEqual(self.complete("snarl run --time=f"), ["free"])
        self.assertEqual(self.complete("snarl run --color "), ["auto", "always", "never"])
        self.assertLessEqual({"random", "pct"}, set(self.complete("snarl run -p ")))
        self.assertEqual(self.complete("snarl run --policy ra"), ["random", "random-sleep", "random-sleep:one_in=", "random-sleep:sleep="])
        self.assertIn("depth=", self.complete("snarl run -p pct:d"))  # readline replaces what follows the colon
        (self.folder / "mine.so").touch()
        self.assertEqual(self.complete("snarl run -p ./mi"), ["./mine.so"])
        self.assertEqual(self.complete("snarl run -n "), [])
        (self.folder / "a folder").mkdir()
        (self.folder / "options.toml").touch()
        self.assertEqual(self.complete("snarl run -o a"), ["a", "folder"])
        self.assertEqual(self.complete("snarl run --config opt"), ["options.toml"])

    def test_bash_completes_programs_and_findings(self):
        (self.folder / "my_program").touch()
        self.assertIn("my_program", self.complete("snarl run -- my_"))
        self.assertIn("my_program", self.complete("snarl run -n 5 -- prog --flag my_"))
        self.assertIn("./my_program", self.complete("snarl run -- ./my"))
        self.assertIn("true", self.complete("snarl run -- tru"))
        self.assertNotIn("--keep-going", self.complete("snarl run -- prog --keep"))
        (self.folder / "snarl-out" / "findings" / "0001-deadlock-9c41e0").mkdir(parents=True)
        self.assertEqual(self.complete("snarl replay 0"), ["0001"])

    def zsh_lists(self, line):
        """What an interactive zsh writes when TAB is pressed after `line`."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 200, 0, 0))
        environment = snarl_case.environment(TERM="dumb", ZDOTDIR=os.environ.get("ZDOTDIR", str(self.folder)))
        process = subprocess.Popen(["zsh", "-i"], cwd=self.folder, env=environment, stdin=theirs, stdout=theirs,
                                   stderr=theirs, start_new_session=True)
        os.close(theirs)
        self.addCleanup(process.wait, 30)
        self.addCleanup(snarl_case.kill_group, process)
        self.addCleanup(os.close, ours)

        def read_until(mark):
            text, deadline = "", time.monotonic() + 30
            while mark not in text and time.monotonic() < deadline:
                if select.select([ours], [], [], 0.1)[0]:
                    text += os.read(ours, 1 << 16).decode(errors="replace")
            self.assertIn(mark, text)
            return text

        functions = self.share / "zsh" / "site-functions"
        os.write(ours, f"PS1=; fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=999; "
                       "finish() { zle -M EN''D }; zle -N finish; bindkey '^O' finish; print REA''DY\n".encode())
        read_until("READY")
        os.write(ours, line.encode() + b"\t\x0f")
        return read_until("END")

    def test_zsh_completion(self):
        script = self.share / "zsh" / "site-functions" / "_snarl"
        self.assertTrue(script.read_text().startswith("#compdef snarl\n"))
        if not shutil.which("zsh"):
            self.skipTest("zsh is missing")
        self.expect_code(self.command("zsh", "-f", "-n", script), 0)
        self.assertRegex(self.zsh_lists("snarl "), r"policies +-- ")
        self.assertRegex(self.zsh_lists("snarl run --keep"), r"snarl run --keep-going")
        self.assertRegex(self.zsh_lists("snarl run -p "), r"\bpct\b[\s\S]*\brandom\b")


PARTS = {"bisect": BisectTest, "generated": GeneratedTest}


def main():
    global BUILD
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--build", default="build/release", help="the build folder, for cmake --install")
    parser.add_argument("--part", choices=sorted(PARTS), help="all without it")
    arguments = parser.parse_args()
    BUILD = pathlib.Path(arguments.build).resolve()
    return snarl_case.run_suite(snarl_case.suite_of(PARTS, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
