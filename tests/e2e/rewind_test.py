#!/usr/bin/env python3
"""Reset rewind: the same schedules have the same outcomes, steps, hashes and outputs as with a fork server; what can't
be undone is made by copies; and a leak that is planted is found.

  SNARL=build/snarl rewind_test.py --programs build/programs
"""

import os
import re
import shlex
import sys
import unittest

import snarl_case

LONG = bool(os.environ.get("SNARL_LONG"))
SCHEDULES = 300 if LONG else 40
# Of the short run, each for something of its own; the long one has all of them.
SAMPLE = 9
ROW_SCHEDULES = 20_000 if LONG else 300
# Rows of rewind_rows.c: what is put back after each schedule, what no process could put back, and what fails.
PUT_BACK = ("pages", "scattered", "thread_locals", "mappings", "break", "stack", "signals", "storm", "descriptors",
            "output", "name")
FORKED = {"limit": "prlimit64", "dumpable": "prctl", "umask": "umask", "protect": "mprotect", "unmap": "munmap",
          "map_over": "mmap", "children": "clone", "chdir": "chdir",
          "overwrite": "schedules that end the process"}
FAILING = ("exit", "abort", "fault", "deadlock")
# Rows of rewind_memory.c, which has hooks at its memory accesses: what runs leave in our own tables.
HOOKED = ("guard", "deep", "allocate")
RACING = ("race", "lose", "free")  # most of whose schedules have one that was seen
EXACT = ("schedules", "failing_schedules", "distinct", "points_seen", "threads")


class RewindCase(snarl_case.SnarlCase):
    def explore(self, reset, program, *options, schedules=SCHEDULES, out=None, env=None, argument=None):
        out = out or self.out
        result = self.snarl("run", "--reset", reset, "-j", 1, "-n", schedules, "-t", "100s", "--seed", "7",
                            "--keep-going", "--no-minimize", "--after-finding", "0", *options, "-o", out, "--", program,
                            *([argument] if argument else []), env=env)
        self.expect_code(result, 0, 1)
        return result, self.summary(result, out)

    def check_same(self, program, header):
        """Each schedule that passes is compared with a copy's by snarl itself, and the sums with another campaign's."""
        options = (*snarl_case.levels(header), "-p", "random")
        result, rewound = self.explore("rewind", program, *options, "--rewind-check", "1")
        self.assertNotIn("a difference", rewound["reset"]["why"], self.describe(result, "a difference"))
        _, forked = self.explore("fork", program, *options, out=self.folder / "forked")
        for key in EXACT:
            self.assertEqual(rewound.get(key), forked.get(key), self.describe(result, key))
        self.assertEqual(signatures(rewound), signatures(forked), self.describe(result, "findings"))
        return rewound["reset"]

    def test_leak_is_found(self):
        self.check_leak({})

    def check_leak(self, env, name="rewind_leak"):
        """A page that is not put back shows as another number of steps, and copies make the runs from then on."""
        program = self.programs / name
        _, whole = self.explore("rewind", program, "-p", "random", schedules=3000, env=env)
        self.assertEqual(whole["reset"]["kind"], "rewind", whole["reset"])
        symbols = snarl_case.run(["nm", program], capture_output=True, check=True).stdout.decode()
        page = re.search(r"^(\w+) \w runs$", symbols, re.MULTILINE).group(1)
        result, leaking = self.explore("rewind", program, "-p", "random", schedules=20000, out=self.folder / "leaking",
                                       env={"SNARL_RT_REWIND_SKIPS": page, **env})
        self.assertEqual(leaking["reset"]["kind"], "fork", self.describe(result, "the leak was not seen"))
        self.assertRegex(leaking["reset"]["why"], "a difference", self.describe(result, "another reason"))

    def test_leak_is_found_with_memory_points(self):
        self.check_leak({}, "rewind_leak_hooked")

    def test_call_that_stays(self):
        """What could not be undone is made by copies, and the summary names the call."""
        program = self.programs / "rewind_leak"
        rows = self.folder / "rows"
        result, summary = self.explore("rewind", program, "-p", "random", argument=rows)
        self.assertEqual(summary["reset"]["kind"], "fork", self.describe(result, "was rewound"))
        self.assertIn(f"openat({rows})", summary["reset"]["why"], self.describe(result, "another reason"))

    def check_row(self, name, reason=None, env=None, below=(), out="row", program="rewind_rows",
                  policies=("-p", "random")):
        """A row of rewind_rows.c, or of another program: the sums are a fork server's. `reason`: why the schedules were
        not rewound; None: they were."""
        summaries = []
        for reset in ("rewind", "fork"):
            folder = self.folder / out / f"{name}-{reset}"
            result = self.command(*below, snarl_case.snarl_binary(), "run", "--reset", reset, "-j", 1,
                                  "-n", ROW_SCHEDULES, "-t", "100s", "--seed", "7", *policies, "--keep-going",
                                  "--no-minimize", "--after-finding", "0", "--rewind-check", "50", "-o", folder, "--",
                                  self.programs / program, name, env=env)
            self.expect_code(result, 0, 1)
            summaries.append(self.summary(result, folder))
        rewound, forked = summaries
        for key in EXACT:
            self.assertEqual(rewound.get(key), forked.get(key), self.describe(result, key))
        self.assertEqual(signatures(rewound), signatures(forked), self.describe(result, "findings"))
        if reason is None:
            self.assertEqual(rewound["reset"]["kind"], "rewind", rewound["reset"])
        else:
            self.assertEqual(rewound["reset"]["kind"], "fork", rewound["reset"])
            self.assertIn(reason, rewound["reset"]["why"])
        return rewound

    def test_rows_that_are_put_back(self):
        for name in PUT_BACK:
            with self.subTest(name):
                self.assertEqual(self.check_row(name)["failing_schedules"], 0)

    def test_input_is_read_again(self):
        given = self.folder / "given"
        given.write_text("first\nsecond\n")
        below = ("sh", "-c", f"exec \"$@\" < {shlex.quote(str(given))}", "sh")
        self.assertEqual(self.check_row("input", below=below)["failing_schedules"], 0)

    def test_rows_that_are_forked(self):
        for name, reason in FORKED.items():
            with self.subTest(name):
                self.check_row(name, reason)

    def test_failures_come_from_copies(self):
        for name in FAILING:
            with self.subTest(name):
                summary = self.check_row(name)
                self.assertGreater(summary["failing_schedules"], 0)
                self.assertLess(summary["failing_schedules"], summary["schedules"])

    def test_without_the_kernels_watch(self):
        """Older kernels and containers: pages are compared instead, or copies make all, and the summary says why."""
        for name in ("pages", "scattered", "stack", "mappings"):
            with self.subTest(name):
                self.check_row(name, env={"SNARL_RT_REWIND_WITHOUT": "userfaultfd"})
        for feature, reason in (("pagemap", "/proc/self/pagemap"), ("dispatch", "Syscall User Dispatch")):
            with self.subTest(feature):
                self.check_row("pages", reason, env={"SNARL_RT_REWIND_WITHOUT": feature})

    def test_in_a_container(self):
        """Its filter refuses the calls; the kernel has them."""
        forbid = self.programs / "forbid_calls"
        self.check_row("pages", below=(forbid, "userfaultfd"))
        self.check_row("mappings", "Syscall User Dispatch", below=(forbid, "dispatch"))

    @unittest.skipUnless(os.geteuid() == 0, "to become somebody else takes root")
    def test_as_another_user(self):
        """Without any privilege; in folders that are this user's."""
        os.chmod(self.folder, 0o755)
        out = self.folder / "nobody"
        out.mkdir()
        os.chown(out, 65534, 65534)
        below = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--no-new-privs")
        env = {"XDG_STATE_HOME": str(out), "XDG_CACHE_HOME": str(out), "HOME": str(out)}
        for name in ("pages", "mappings", "output"):
            self.check_row(name, env=env, below=below, out="nobody")

    def test_memory_points(self):
        """What earlier schedules have learned, and what the detector of races remembers, is no later one's."""
        for name in HOOKED:
            with self.subTest(name):
                summary = self.check_row(name, program="rewind_memory_hooked", policies=())
                self.assertEqual(summary["failing_schedules"], 0)
        self.check_row("cells", program="rewind_memory_hooked")

    def test_races(self):
        """One that a copy's record has told of is no reason to make a schedule again. One that was seen is."""
        late = self.check_row("late", program="rewind_memory_hooked", out="racing")
        self.assertRegex(late["reset"]["why"], r"^[\d,]{3,} put back")
        self.check_row("publish", program="rewind_memory_hooked", out="racing", policies=())
        for name in RACING:
            with self.subTest(name):
                self.check_row(name, "failures", program="rewind_memory_hooked", out="racing", policies=())

    def test_hooked_rows(self):
        for name in ("thread_locals", "output", "deadlock"):
            with self.subTest(name):
                self.check_row(name, program="rewind_rows_hooked", out="hooked")

    def test_memory_points_on_older_kernels(self):
        for feature in ("userfaultfd", "scan"):
            for name in ("deep", "allocate"):
                with self.subTest(feature=feature, name=name):
                    self.check_row(name, program="rewind_memory_hooked", out=feature,
                                   env={"SNARL_RT_REWIND_WITHOUT": feature})

    def test_leak_is_found_by_comparing(self):
        self.check_leak({"SNARL_RT_REWIND_WITHOUT": "userfaultfd"})

    def test_default(self):
        """The first schedules are forked, and the others rewound, without being asked for."""
        program = self.programs / "rewind_leak"
        few = self.snarl("run", "-j", 1, "-n", 40, "-o", self.folder / "few", "--", program)
        self.assertEqual(self.summary(few, self.folder / "few")["reset"]["kind"], "fork", self.describe(few, "few"))
        many = self.snarl("run", "-j", 1, "-n", 400, "-o", self.folder / "many", "--", program)
        reset = self.summary(many, self.folder / "many")["reset"]
        self.assertEqual(reset["kind"], "rewind", self.describe(many, "many"))
        self.assertGreater(int(reset["why"].split()[0].replace(",", "")), 200)


def signatures(summary):
    return sorted(finding["signature"] for finding in summary["findings"])


def add_tests(programs, variant):
    sources = [(part, source) for part in ("correct", "wrong") for source in snarl_case.sources(part)]
    step = 1 if LONG else len(sources) // SAMPLE
    for part, source in sources[::step]:
        header = snarl_case.read_header(source)
        program = programs / part / f"{source.stem}.{variant}"
        if "layers_differ" in header or not program.exists():
            continue  # other processes have a say in what it does
        setattr(RewindCase, f"test_same_{part}_{source.stem}",
                lambda self, program=program, header=header: self.check_same(program, header))


if __name__ == "__main__":
    sys.exit(snarl_case.run_variant(RewindCase, add_tests, __doc__))
