#!/usr/bin/env python3
"""The command line as a user types it: several policies, options from all sources, exit codes, colours
and progress, the watchdog's options.

  SNARL=build/snarl cli_test.py --programs build/programs [--part policies|config|codes|terminal|watchdog]
"""

import json
import os
import pathlib
import pty
import select
import shutil
import signal
import subprocess
import sys
import time

import snarl_case

PROGRAMS = None  # set by main


class CliCase(snarl_case.SnarlCase):
    def wrong(self, name="lost_update"):
        return PROGRAMS / "wrong" / f"{name}.O0"

    def correct(self, name="ping_pong"):
        return PROGRAMS / "correct" / f"{name}.O0"

    def hostile(self, name):
        return self.copy_program(PROGRAMS / "hostile" / name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class PoliciesTest(CliCase):
    POLICIES = ("random", "pct:depth=1", "pct:depth=3")

    def explore(self, jobs, *options):
        out = self.folder / f"out{jobs}"
        flags = [word for policy in self.POLICIES for word in ("-p", policy)]
        result = self.snarl("run", *flags, "-n", 301, "--keep-going", "--seed", 7, "-j", jobs, "-o", out, *options,
                            "--", self.wrong())
        self.expect_code(result, 1)
        return result, self.summary(result, out)

    def test_share_the_budget_in_turn(self):
        result, summary = self.explore(2)
        rows = summary["policy"]
        self.assertEqual([row["policy"] for row in rows], list(self.POLICIES))
        self.assertEqual([row["schedules"] for row in rows], [101, 100, 100], self.describe(result, "not shared"))
        self.assertEqual(sum(row["failing_schedules"] for row in rows), summary["failing_schedules"])
        for row in rows:
            self.assertAlmostEqual(row["hit_rate"], row["failing_schedules"] / row["schedules"])
            self.assertLessEqual(row["hit_rate_low"], row["hit_rate"])
            self.assertGreaterEqual(row["hit_rate_high"], row["hit_rate"])
            self.assertEqual(row["first_after"] is None, row["failing_schedules"] == 0, row)
        found_by = summary["findings"][0]["found_by"]
        self.assertEqual(sum(row["schedules"] for row in found_by), summary["findings"][0]["schedules"])
        self.assertEqual(summary["bound"], [], "a failing run may have hidden another bug")

    def test_mean_the_same_with_any_number_of_workers(self):
        _, one = self.explore(1)
        result, three = self.explore(3)
        for row in one["policy"] + three["policy"]:
            del row["seconds"]  # how long they took is no part of what they mean
        for key in ("policy", "schedules", "failing_schedules", "distinct_schedules", "bound", "profiles"):
            self.assertEqual(one[key], three[key], self.describe(result, f"{key} depends on -j"))
        self.assertEqual([(f["signature"], f["index"], f["policy"], f["found_by"]) for f in one["findings"]],
                         [(f["signature"], f["index"], f["policy"], f["found_by"]) for f in three["findings"]])

    def test_index_names_the_policy(self):
        _, summary = self.explore(2)
        for finding in summary["findings"]:
            self.assertEqual(finding["policy"], self.POLICIES[finding["index"] % len(self.POLICIES)])
        first = summary["findings"][0]  # the first failure of all, so that of its policy too
        row = next(row for row in summary["policy"] if row["policy"] == first["policy"])
        self.assertEqual(row["first_after"], first["index"] // len(self.POLICIES) + 1)

    def test_table(self):
        result, _ = self.explore(2)
        self.expect_text(result, r"policy +schedules +failing +hit rate +95% interval +first after\n")
        self.expect_text(result, r"random +101 +\d+ +[\d.]+ % +[\d.]+ % to [\d.]+ % +\d+\n")

    def test_replay_needs_the_schedule_only(self):
        _, summary = self.explore(2)
        again = self.snarl("replay", self.folder / "out2", "--times", 3, "--json")
        self.expect_code(again, 1)
        self.assertEqual(json.loads(again.out)["reproduced"], 3)
        self.assertTrue(summary["findings"])

    def test_default_is_a_portfolio(self):
        result = self.snarl("run", "-n", 8, "-o", self.out, "--", self.correct())
        self.expect_code(result, 0)
        names = [row["policy"] for row in self.summary(result)["policy"]]
        self.assertEqual(names, ["hold", "surw", "pct:depth=3"])
        self.expect_text(result, "policies, in turn: hold, surw, pct:depth=3")


class ConfigTest(CliCase):
    def test_file_is_found_above(self):
        self.write("snarl.toml", 'policy = "pct:depth=2"\n[run]\nschedules = 12\noutput = "results"\n')
        inner = self.folder / "a" / "b"
        inner.mkdir(parents=True)
        result = self.snarl("run", "--", self.correct(), cwd=inner)
        self.expect_code(result, 0)
        summary = self.summary(result, inner / "results")
        self.assertEqual(summary["schedules"], 12)
        self.assertEqual([row["policy"] for row in summary["policy"]], ["pct:depth=2"])

    def test_flag_environment_file_default(self):
        self.write("snarl.toml", "schedules = 12\nsteps = 2000\ntimeout = 3\n")
        environment = {"SNARL_SCHEDULES": "9", "SNARL_STEPS": "1000"}
        result = self.snarl("run", "-n", 5, "--print-config", "--json", env=environment)
        self.expect_code(result, 0)
        values = {row["name"]: (row["value"], row["source"]) for row in json.loads(result.out)["options"]}
        self.assertEqual(values["schedules"], ("5", "flag"))
        self.assertEqual(values["steps"], ("1000", "environment"))
        self.assertEqual(values["timeout"], ("3", "file"))
        self.assertEqual(values["reset"], ("auto", "default"))

    def test_print_config(self):
        self.write("snarl.toml", "\ntimeout = 3\n")
        result = self.snarl("run", "-j2", "--print-config", env={"SNARL_KEEP_GOING": "1"})
        self.expect_code(result, 0)
        for pattern in (r"jobs +2 +flag -j", r"timeout +3 +snarl\.toml:2", r"keep-going +true +SNARL_KEEP_GOING",
                        r"output +snarl-out +default"):
            self.expect_text(result, pattern)

    def test_print_config_rejects_what_a_run_rejects(self):
        for words in (("-n", "many"), ("-p", "pctt"), ("--after-finding", "soon"), ("--expect-exit", 300), ("--once", "-n", 5)):
            result = self.snarl("run", "--print-config", *words)
            self.expect_code(result, 2)
            self.assertEqual(result.out, "")
        for verb in ("run", "classify"):
            result = self.snarl(verb, "--print-config", "--", "./nosuch")
            self.expect_code(result, 127)
            self.assertEqual(result.out, "")

    def test_a_run_warns_of_misspelt_variables(self):
        result = self.snarl("run", "-n", 5, "-o", self.out, "--", self.correct(), env={"SNARL_SHEDULES": "7", "SNARL_OF_MINE_ALONE": "1"})
        self.expect_code(result, 0)
        self.expect_text(result, "SNARL_SHEDULES is not the variable of an option; did you mean SNARL_SCHEDULES\\?")
        self.assertNotIn("OF_MINE_ALONE", result.err)

    def test_print_config_names_misspelt_variables(self):
        result = self.snarl("run", "--print-config", env={"SNARL_SHEDULES": "5"})
        self.expect_code(result, 0)
        self.expect_text(result, r"SNARL_SHEDULES .*SNARL_SCHEDULES")

    def test_named_file(self):
        self.write("snarl.toml", "schedules = 12\n")
        other = self.write("other.toml", "schedules = 3\n")
        for words, expected in ((("--config", other), 3), (("--config=", "-n", 4), 4)):
            result = self.snarl("run", *words, "-o", self.out, "--", self.correct())
            self.expect_code(result, 0)
            self.assertEqual(self.summary(result)["schedules"], expected)
        missing = self.snarl("run", "--config", "missing.toml", "--", self.correct())
        self.expect_code(missing, 2)
        self.expect_text(missing, r"missing\.toml")

    def test_errors(self):
        for text, pattern in (("shedules = 5\n", r"snarl\.toml:1: unknown key \"shedules\"\n.*schedules"),
                              ("\n[rnu]\n", r"snarl\.toml:2: unknown section \[rnu\]\n.*run"),
                              ("schedules = soon\n", r"snarl\.toml:1: 'soon' is no value"),
                              ("\n\nschedules = -1\n", r"snarl\.toml:3: schedules: \"-1\""),
                              ('policy = "pctt"\n', r"snarl\.toml:1: policy \"pctt\"[\s\S]*\bpct\b")):
            with self.subTest(text=text):
                self.write("snarl.toml", text)
                result = self.snarl("run", "--", self.correct())
                self.expect_code(result, 2)
                self.expect_text(result, pattern)

    def test_somebody_elses_file_is_ignored(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        os.chown(self.write("snarl.toml", "schedules = 3\n"), 12345, 12345)
        result = self.snarl("run", "-n", 5, "-o", self.out, "--", self.correct())
        self.expect_code(result, 0)
        self.expect_text(result, r"ignoring .*snarl\.toml")
        self.assertEqual(self.summary(result)["schedules"], 5)

    def test_replay_looks_in_the_configured_folder(self):
        self.write("snarl.toml", 'output = "results"\npolicy = "random"\n')
        self.expect_code(self.snarl("run", "-n", 200, "--", self.wrong()), 1)
        self.expect_code(self.snarl("replay"), 1)
        self.expect_code(self.snarl("replay", "1"), 1)
        self.assertFalse((self.folder / "snarl-out").exists())

    def test_every_flag_has_a_twin(self):
        environment = {"SNARL_SCHEDULES": "6", "SNARL_POLICY": "random pct:depth=2", "SNARL_OUTPUT": str(self.out),
                       "SNARL_JOBS": "1", "SNARL_SEED": "0x9", "SNARL_JSON": "1"}
        result = self.snarl("run", "--", self.correct(), env=environment)
        self.expect_code(result, 0)
        summary = json.loads(result.out)
        self.assertEqual((summary["schedules"], summary["seed"], len(summary["policy"])), (6, "0x9", 2))

    def test_jq_and_node_can_read_a_seed_of_64_bits(self):
        seed = "0xfedcba9876543211"
        result = self.snarl("run", "-n", 500, "-p", "random", "-o", self.out, "--seed", seed, "--", self.wrong())
        self.expect_code(result, 1)
        self.check_findings_whole(self.out, result)
        summary = self.summary(result)
        self.assertEqual((summary["seed"], summary["findings"][0]["seed"]), (seed, seed))
        again = self.snarl("run", "-n", 500, "-p", "random", "-o", self.out, "--seed", summary["seed"], "--", self.wrong())
        self.assertEqual(self.summary(again)["findings"][0]["index"], summary["findings"][0]["index"])


class CodesTest(CliCase):
    """0 1 2 3 5 125 128+n here, and 4 for want of time; its other causes, 126 and 127 are in faults_test.py."""

    def run_program(self, program, *options):
        return self.snarl("run", "-p", "random", "-o", self.out, *options, "--", program)

    def test_nothing_found(self):
        self.expect_code(self.run_program(self.correct(), "-n", 5), 0)

    def test_found(self):
        self.expect_code(self.run_program(self.wrong(), "-n", 500), 1)

    def test_usage(self):
        for words in (("run",), ("run", "prog"), ("run", "--bogus", "--", "true"), ("bogus",), ("--bogus",), ()):
            self.expect_code(self.snarl(*words), 2)

    def test_the_dashes_may_be_left_out_if_nothing_follows_the_program(self):
        program = self.correct()
        result = self.snarl("run", "-n", 20, "-o", self.out, program)
        self.expect_code(result, 0)
        self.assertEqual(self.summary(result)["schedules"], 20)
        for words in ((program, "-n", 20), (program, "--", program), ("no_such_program",)):
            result = self.snarl("run", *words)
            self.expect_code(result, 2)
            self.expect_text(result, "the program stands after --: snarl run -- ")

    def test_one_policy_by_name(self):
        result = self.snarl("policies", "pct")
        self.expect_code(result, 0)
        self.assertEqual([line for line in result.out.splitlines() if not line.startswith(" ")], ["pct"])
        both = json.loads(self.snarl("policies", "--json", "pos", "pct:depth=3").out)
        self.assertEqual({row["name"] for row in both}, {"pct", "pos"})
        result = self.snarl("policies", "pctt")
        self.expect_code(result, 2)
        self.expect_text(result, "pct")

    def test_once_has_one_schedule(self):
        result = self.snarl("run", "--once", "-n", 5, "--", self.correct())
        self.expect_code(result, 2)
        self.expect_text(result, "--once and -n exclude each other")

    def test_nothing_to_classify(self):
        result = self.snarl("classify", "-n", 30, "--", self.correct())
        self.expect_code(result, 4)
        self.expect_text(result, "none of 30 schedules failed")

    def test_hints_for_those_who_forget_the_verb(self):
        self.expect_text(self.snarl(self.correct()), r"snarl run -- ")
        self.expect_text(self.snarl("-n", 5, "--", self.correct()), r"snarl run -n")

    def test_hints_for_those_who_misspell_the_program(self):
        self.copy_program(self.correct())
        self.expect_text(self.snarl("run", "--", "./ping_pnog.O0"), r"did you mean \./ping_pong\.O0\?")
        self.expect_text(self.snarl("run", "--", "ping_pong.O0"), r"did you mean \./ping_pong\.O0\?")
        self.expect_text(self.snarl("run", "--", self.write("program.cc", "")), r"compile it")
        result = self.snarl("run", "-n", 5, "./ping_pnog.O0")  # without the dashes it is a program, too
        self.expect_code(result, 127)
        self.expect_text(result, r"program not found[\s\S]*did you mean \./ping_pong\.O0\?")

    def test_diverged(self):
        self.expect_code(self.run_program(self.wrong(), "-n", 500), 1)
        result = self.snarl("replay", self.out, "--", self.correct())
        self.expect_code(result, 3)

    def test_replay_of_an_exit_code(self):
        self.expect_code(self.run_program(self.wrong("wrong_exit_code"), "-n", 500), 1)
        self.expect_code(self.snarl("replay", self.out), 1)

    def test_snarl_failed(self):
        blocked = self.write("file", "in the way")
        self.expect_code(self.run_program(self.correct(), "-n", 5, "-o", blocked / "out"), 125)

    def test_installed_at_a_path_with_a_blank(self):
        """LD_PRELOAD can't name it; the dynamic loader complains of what it does not find."""
        ours, copy = pathlib.Path(snarl_case.snarl_binary()).resolve().parent, self.folder / "a place" / "bin"
        copy.mkdir(parents=True)
        shutil.copy2(ours / "snarl", copy)
        shutil.copytree(ours.parent / "lib", copy.parent / "lib", ignore=lambda _, names: [
            name for name in names if not name.startswith("libsnarl_rt")])
        result = self.command(copy / "snarl", "run", "--once", "--points", "memory", "--", self.correct())
        self.expect_code(result, 2)  # it has no hooks
        self.assertNotIn("preload", result.err, self.describe(result, "not all is loaded"))
        self.expect_code(self.command(copy / "snarl", "run", "-n", 500, "-o", self.out, "--", self.wrong()), 1)

    def test_nothing_tested(self):
        """The watchdog alone takes ten milliseconds of the first run."""
        result = self.run_program(self.hostile("sleeps_outside"), "-t", "1ms")
        self.expect_code(result, 4)
        self.expect_text(result, r"Nothing tested: 0 schedules")
        self.expect_text(result, r"not one schedule came to its end in the time given\n +hint: .*-t")
        summary = self.summary(result)
        self.assertEqual((summary["schedules"], summary["findings"]), (0, []))

    def test_time_limit(self):
        begin = time.monotonic()
        result = self.run_program(self.correct(), "-t", "500ms")
        self.expect_code(result, 0)
        self.assertGreater(time.monotonic() - begin, 0.5)
        self.assertGreater(self.summary(result)["schedules"], 0)

    def test_jobs_and_count(self):
        for jobs in (1, 3):
            result = self.run_program(self.correct(), "-n", 7, "-j", jobs)
            self.expect_code(result, 0)
            self.assertEqual(self.summary(result)["schedules"], 7)
            self.expect_text(result, f"{jobs} at a time")

    def test_timeout_of_one_schedule(self):
        result = self.run_program(self.hostile("spins"), "-n", 50, "--timeout", "500ms")
        self.expect_code(result, 1)
        finding = self.only_finding(result)
        self.assertEqual(finding["kind"], "timeout")
        self.assertRegex(finding["place"], r"spins\.c:\d+$")
        again = self.snarl("replay", self.out, "-q")  # with ten seconds, of which it takes one
        self.expect_code(again, 1)
        self.expect_text(again, r"timeout again, 1 of 1\n  ended 1 s after the last recorded switch")

    def test_a_repeating_timer_lets_others_go_on(self):
        for name in ("repeated_alarm", "repeated_timerfd"):  # about a hundred steps; some thousands while it comes alone
            program = self.copy_program(PROGRAMS / "correct" / (name + ".O2"))
            result = self.snarl("run", "-p", "pct:depth=3", "-n", 500, "--seed", 1, "--steps", 10000, "-o", self.out, "--", program)
            self.expect_code(result, 0)
            self.assertEqual(self.summary(result)["too_long"], 0)

    def test_replay_has_the_input_of_the_run(self):
        self.write("lines", "a\nb\nc\n")
        found = self.command("sh", "-c", f"'{snarl_case.snarl_binary()}' run -n 100 -o '{self.out}' -- "
                             f"'{self.hostile('reads_input')}' < lines")
        self.expect_code(found, 1)
        self.assertEqual((self.finding_folder(self.only_finding(found)) / "stdin.txt").read_text(), "a\nb\nc\n")
        self.expect_text(self.snarl("replay", self.out, "-q", "--times", 3), "exit again, 3 of 3")

    def test_once_passes_everything_through(self):
        script = self.snarl("run", "--once", "--", "/bin/sh", "-c", "echo out; echo err >&2; exit 7")
        self.expect_code(script, 7)
        self.assertEqual(script.out, "out\n")
        self.assertIn("err\n", script.err)
        self.expect_code(self.snarl("run", "--once", "--", "/bin/sh", "-c", "kill -TERM $$"), 128 + signal.SIGTERM)
        self.expect_code(self.snarl("run", "--once", "--", "/bin/true"), 0)
        self.assertFalse((self.folder / "snarl-out").exists(), "--once left files")

    def test_once_and_a_deadlock(self):
        results = [self.snarl("run", "--once", "--seed", seed, "--", self.wrong("self_deadlock")) for seed in range(12)]
        failed = [result for result in results if result.code != 0]
        self.assertTrue(failed, "twelve schedules, and none of them deadlocks")
        for result in failed:
            self.expect_code(result, 1)
            self.expect_text(result, "deadlock")

    def test_ended_by_a_signal(self):
        process = snarl_case.start([snarl_case.snarl_binary(), "run", "-t", "60s", "-o", self.out, "--",
                                    self.copy_program(self.correct())], self.folder)
        process.stderr.readline()  # the first line is written when signals are taken care of
        process.send_signal(signal.SIGTERM)
        result = snarl_case.finish(process, 20)
        self.expect_code(result, 128 + signal.SIGTERM)
        self.expect_no_process_left(result)


class TerminalTest(CliCase):
    def on_terminal(self, *arguments, seconds=60, **environment):
        """What snarl writes to a terminal, and its exit code."""
        ours, theirs = pty.openpty()
        variables = {"TERM": "xterm", "CI": None, "NO_COLOR": None, **environment}
        process = subprocess.Popen([snarl_case.snarl_binary(), *map(str, arguments)], cwd=self.folder,
                                   env=snarl_case.environment(**variables), stdin=subprocess.DEVNULL, stdout=theirs,
                                   stderr=theirs, start_new_session=True)
        os.close(theirs)
        text, deadline = b"", time.monotonic() + seconds
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.1)[0]:
                continue
            try:
                chunk = os.read(ours, 1 << 16)
            except OSError:  # nobody has the other end any more
                break
            if not chunk:
                break
            text += chunk
        else:
            snarl_case.kill_group(process)
            self.fail(f"took too long: {text[-2000:]}")
        os.close(ours)
        return text.decode(errors="replace"), process.wait(10)

    def find(self, *options, **environment):
        text, code = self.on_terminal("run", "-p", "random", "-n", 500, *options, "--", self.wrong(), **environment)
        self.assertEqual(code, 1, text)
        self.assertIn("SUMMARY: snarl:", text)
        return text

    def test_colour(self):
        self.assertIn("\x1b[1;31m", self.find())
        self.assertIn("\x1b[1;31m", self.find("--color", "always", NO_COLOR="1", TERM="dumb"))
        self.assertIn("\x1b[1;31m", self.find(CI="true"))

    def test_no_colour(self):
        for options, environment in (((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"}), (("--color", "never"), {})):
            with self.subTest(options=options, environment=environment):
                self.assertNotRegex(self.find(*options, **environment), "\x1b\\[[0-9;]*m")

    def test_no_colour_in_a_pipe(self):
        result = self.snarl("run", "-p", "random", "-n", 500, "--", self.wrong(), env={"TERM": "xterm"})
        self.assertNotIn("\x1b", result.out + result.err)
        result = self.snarl("run", "-p", "random", "-n", 500, "--color=always", "--", self.wrong())
        self.assertIn("\x1b[1;31m", result.out)

    def test_live_line(self):
        text, code = self.on_terminal("run", "-t", "1s", "-o", self.out, "--", self.correct())
        self.assertEqual(code, 0, text)
        self.assertRegex(text, "\r\x1b\\[K[\\d,]+ schedules  \\d+/s")
        self.assertRegex(text, r"  \d\.\d of 1 s")

    def test_events_in_ci_and_on_dumb_terminals(self):
        for environment in ({"CI": "true"}, {"TERM": "dumb"}):
            with self.subTest(environment=environment):
                text = self.find("--keep-going", **environment)
                self.assertNotIn("\x1b[K", text)
                self.assertRegex(text, r"snarl: found assert (after [\d,]+ schedules?|in the first schedule), ")

    def test_events_every_ten_seconds(self):
        policies = ("-p", "random", "-p", "none")  # the latter is never exhausted
        result = self.snarl("run", *policies, "-t", "12s", "-o", self.out, "--", self.correct())
        self.expect_code(result, 0)
        pattern = r"snarl: [\d,]+ schedules  \d+/s  [\d,]+ distinct  [\d,]+ orders  0 findings  1[01]\.\d of 12 s\n"
        self.assertRegex(result.err, pattern)


class WatchdogTest(CliCase):
    """Patience that is longer than the timeout must not be enough, and the default must be."""

    def check(self, name, *impatient):
        program = self.hostile(name)
        result = self.snarl("run", "-p", "random", "-n", 4, "-o", self.out, "--", program)
        self.expect_code(result, 0)
        result = self.snarl("run", "-p", "random", "-n", 50, "--timeout", "1s", *impatient, "-o", self.out, "--", program)
        self.expect_code(result, 1)
        self.assertEqual(self.only_finding(result)["kind"], "timeout")

    def test_blocked_after(self):
        self.check("sleeps_outside", "--blocked-after", 10000)

    def test_who_writes_to_us_is_not_blocked(self):
        for switching in ("gates", "fibers"):
            result = self.snarl("run", "-p", "pct:depth=2", "-n", 20, "--seed", 1, "--blocked-after", 1, "--switching", switching,
                                "-o", self.out, "--", PROGRAMS / "correct" / "long_output.O2", 100)
            self.expect_code(result, 0)
            summary = self.summary(result)
            self.assertEqual(summary["switching"]["kind"], switching, self.describe(result, "not as asked for"))
            self.assertEqual(summary["bound"][0]["watchdog"], 0, self.describe(result, "the watchdog had a say"))

    def test_slice(self):
        self.check("counts_for_other", "--slice", "60s")

    def test_a_loop_that_changes_nothing_need_not_wait_for_the_slice(self):
        result = self.snarl("run", "-p", "random", "-n", 4, "--slice", "60s", "-o", self.out, "--", self.hostile("spins_for_other"))
        self.expect_code(result, 0)

    def test_a_loop_costs_the_slice_once(self):
        """The spinning thread is the higher one in half of the schedules; all but the first of them are short."""
        result = self.snarl("run", "-p", "pct:depth=1", "-n", 40, "-j", 1, "--slice", "1s", "-o", self.out, "--", self.hostile("counts_for_other"))
        self.expect_code(result, 0)
        bound = self.summary(result)["bound"][0]
        self.assertGreaterEqual(bound["watchdog"], 8, self.describe(result, "nobody spun"))
        self.assertLess(self.summary(result)["cpu_seconds"], bound["watchdog"], self.describe(result, "each time anew"))

    def test_ranges(self):
        for words in (("--blocked-after", "0"), ("--blocked-after", "x"), ("--slice", "0"), ("--slice", "2m")):
            result = self.snarl("run", *words, "--", self.correct())
            self.expect_code(result, 2)
            self.expect_text(result, words[0])


PARTS = {"policies": PoliciesTest, "config": ConfigTest, "codes": CodesTest, "terminal": TerminalTest,
         "watchdog": WatchdogTest}


def main():
    global PROGRAMS
    parser = snarl_case.argument_parser(__doc__)
    parser.add_argument("--part", choices=sorted(PARTS), help="all without it")
    arguments = parser.parse_args()
    PROGRAMS = snarl_case.programs_folder(arguments.programs)
    return snarl_case.run_suite(snarl_case.suite_of(PARTS, arguments.part), arguments)


if __name__ == "__main__":
    sys.exit(main())
