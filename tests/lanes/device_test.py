#!/usr/bin/env python3
"""Lanes on devices against the host, lane by lane: the same text by OpenCL (PoCL), and by g++ under its sanitizers."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
OWN = HERE / "programs"
WRONG = HERE.parent / "programs/wrong"
BENCH = HERE.parent.parent / "bench/lanes"

# Condition variables and a bug; heap, calls and recursion.
FEW = [WRONG / "sync/wait_under_if.c", BENCH / "trees.c"]
ALL = sorted(BENCH.glob("*.c")) + sorted(WRONG.glob("sync/*.c")) + [
    OWN / "arithmetic.c", OWN / "two_by_two.c", OWN / "heap_after_free.c", OWN / "nested_order.c", WRONG / "memory/stack_aba.cc"]
TIMED = {"barrier_count.c"}  # has timed waits: with --device no deadline comes early (docs/lanes.md)
WHOLE = "--all" in sys.argv


def lanes(*words, timeout=300, env=None):
    with tempfile.TemporaryDirectory() as folder:
        words = ["-o", folder + "/out", *words] if "--" in words else words
        return subprocess.run([os.environ["SNARL"], "lanes", *map(str, words)], capture_output=True, text=True,
                              timeout=timeout, stdin=subprocess.DEVNULL, env=env)


def has_opencl():
    return "opencl   none" not in lanes("--devices").stdout


class Devices(unittest.TestCase):
    def compare(self, device, program, count, *words):
        done = lanes("--seed", 7, "-n", count, "-p", "uact:depth=3", "-p", "pct:depth=2", "--keep-going", "--json",
                     "--device", device, "--compare-host", *words, "--", program)
        if done.returncode == 4 and WHOLE:
            return None  # lanes can't take it at all
        self.assertIn(done.returncode, (0, 1), done.stdout[-2000:] + done.stderr[-2000:])
        ran, on_host = map(int, re.search(r"; (\d+) ran there, (\d+) of them went", done.stderr).groups())
        both = re.search(r"host: (\d+) lanes, (\d+) differ", done.stderr)  # not there if all went to the host
        compared, differ = map(int, both.groups()) if both else (0, 0)
        self.assertEqual((ran, compared + on_host, differ), (count - 64, count - 64, 0), done.stderr)
        self.assertNotIn("ended otherwise", done.stderr)
        return json.loads(done.stdout), on_host

    def same_as_host(self, seen, program, count):
        """One and the same summary, though failures were found elsewhere."""
        host = lanes("--seed", 7, "-n", count, "-p", "uact:depth=3", "-p", "pct:depth=2", "--keep-going", "--json", "--",
                     program)
        expected = json.loads(host.stdout)
        for key in ("schedules", "failing_schedules", "distinct_schedules", "threads", "steps", "profiles", "policies",
                    "bounds", "bound", "policy"):
            self.assertEqual(seen.get(key), expected.get(key), key)
        self.assertEqual([(row["kind"], row["index"], row["schedules"]) for row in seen["findings"]],
                         [(row["kind"], row["index"], row["schedules"]) for row in expected["findings"]])

    def test_opencl_is_the_host_lane_by_lane(self):
        self.assertTrue(has_opencl(), "install pocl-opencl-icd")
        for program in ALL if WHOLE else FEW:
            with self.subTest(program.name):
                result = self.compare("opencl", program, 16384 if WHOLE else 8192 + 64)
                if result is None:
                    continue
                seen, on_host = result
                if program.name not in TIMED:
                    self.same_as_host(seen, program, 16384 if WHOLE else 8192 + 64)
                if program.name not in PRINTS:
                    self.assertLess(on_host, 400, "few lanes go to the host")

    def test_each_step_takes_the_same_steps(self):
        self.assertTrue(has_opencl(), "install pocl-opencl-icd")
        self.compare("opencl", WRONG / "sync/wait_under_if.c", 2112, "--each-step", "yes")

    def test_the_text_is_clean_under_sanitizers(self):
        for program in ALL if WHOLE else FEW[1:]:
            with self.subTest(program.name):
                self.compare("shim", program, 576)

    def test_devices_are_listed(self):
        done = lanes("--devices")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"(?m)^host .*\n(opencl .*\n)+(cuda .*\n)+$")

    def test_what_is_missing_is_said_in_a_sentence(self):
        program = OWN / "two_by_two.c"
        with tempfile.TemporaryDirectory() as nothing:
            done = lanes("-n", 200, "--device", "opencl", "--", program, env={**os.environ, "OCL_ICD_VENDORS": nothing})
        self.assertEqual(done.returncode, 125, done.stdout + done.stderr)
        self.assertIn("no OpenCL: ", done.stderr)
        if "cuda     none" in lanes("--devices").stdout:
            done = lanes("-n", 200, "--device", "cuda", "--", program)
            self.assertEqual(done.returncode, 125)
            self.assertIn("no CUDA: ", done.stderr)
        done = lanes("-n", 200, "--device", "opencl", "--device-memory", 1, "--", BENCH / "word_count.c")
        self.assertEqual(done.returncode, 125)
        self.assertRegex(done.stderr, r"no room for 32 lanes of \d+ KB")
        self.assertEqual(lanes("--device", "opencl", "-p", "random", "--", program).returncode, 2)

    def test_memory_bounds_the_lanes(self):
        self.assertTrue(has_opencl(), "install pocl-opencl-icd")
        done = lanes("-n", 200, "--device", "opencl", "--device-memory", 8, "--json", "--", OWN / "two_by_two.c")
        at_once, each = map(int, re.search(r"Device: (\d+) lanes of (\d+) bytes", done.stderr).groups())
        self.assertLessEqual(at_once * each, 8 << 20)
        self.assertGreater((at_once + 33) * (each + 512), 8 << 20)
        self.assertEqual(at_once % 32, 0)


class Strategies(unittest.TestCase):
    def found(self, policy):
        done = lanes("--seed", 5, "-n", 100_000, "-p", policy, "--keep-going", "--json", "--", OWN / "nested_order.c")
        return json.loads(done.stdout)

    def test_act_never_finds_the_nested_order(self):
        """One in 1,500 schedules of pct fails: that uact finds nothing has a chance below 1e-20."""
        act, uact = self.found("act:depth=3"), self.found("uact:depth=3")
        self.assertEqual(act["failing_schedules"], 0)
        self.assertEqual(act["bound"], [])
        self.assertGreater(uact["failing_schedules"], 0)

    def test_the_model_of_a_gpu_knows_what_a_warp_of_act_does(self):
        done = lanes("--simt", 2, "--seed", 1, "--json", "--", BENCH / "histogram.c")
        rows = {(row["strategy"], row["depth"]): row for row in json.loads(done.stdout)["rows"]}
        self.assertEqual(len(rows), 18)
        one = rows["act", 1]  # all lanes take the same way
        self.assertEqual((one["distinct"], one["efficiency_apart"]), (1, 1))
        for depth in range(2, 7):
            self.assertLess(rows["act", depth]["cost_apart"], rows["pct", depth]["cost_apart"])
            self.assertGreater(rows["act", depth]["efficiency_apart"], rows["pct", depth]["efficiency_apart"])
        for row in rows.values():
            self.assertLessEqual(row["distinct"], 32)
            self.assertLessEqual(row["efficiency_apart"], 1)
            self.assertEqual(row["blocks"], sorted(row["blocks"]))  # no warp waits in a block of one


WITH_CUDA = os.environ["PATH"] + ":/usr/local/cuda/bin"
NVCC, PTXAS = shutil.which("nvcc", path=WITH_CUDA), shutil.which("ptxas", path=WITH_CUDA)
PRINTS = {"arithmetic.c"}  # numbers with a fraction: their digits are the host's


class Cuda(unittest.TestCase):
    def text(self, program, folder):
        lanes("--seed", 7, "-n", 100, "--keep-going", "--device", "cuda", "--emit", folder, "--", program)
        return pathlib.Path(folder) / "device.cl"

    def ptx(self, program, folder, *compiler):
        source = pathlib.Path(folder) / "lane.cu"
        shutil.copy(self.text(program, folder), source)
        ptx = source.with_suffix(".ptx")
        done = subprocess.run([*compiler, "-o", ptx, source], capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertIn(".entry lane_kernel", ptx.read_text())
        return ptx

    def within_limits(self, ptx, ptxas, architecture):
        """Registers and memory of one lane: what decides how many run at once."""
        done = subprocess.run([ptxas, "-v", f"-arch=sm_{architecture}", "-o", "/dev/null", ptx], capture_output=True,
                              text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertRegex(done.stderr, r"0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
        self.assertNotRegex(done.stderr, r"[1-9]\d* bytes (stack frame|spill)")
        self.assertLessEqual(int(re.search(r"Used (\d+) registers", done.stderr)[1]), 128)

    def test_clang_makes_ptx(self):
        clang = ["clang-14", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_75", "-O3",
                 "-ffp-contract=off", "-fno-strict-aliasing", "-fwrapv", "-w", "-S"]
        for program in FEW:
            with self.subTest(program.name), tempfile.TemporaryDirectory() as folder:
                ptx = self.ptx(program, folder, *clang)
                for architecture in (75, 90) if PTXAS else ():
                    self.within_limits(ptx, PTXAS, architecture)

    def the_driver_is_called_as_it_should_be(self):
        """A driver of the test's own, which runs the text on the host: memory, launches and results, not PTX."""
        program = WRONG / "sync/wait_under_if.c"
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "kernel.cc"
            source.write_text("#define LANE_SHIM 1\n" + self.text(program, folder).read_text()
                              + 'extern "C" void run_lane(u32 lane, u8* memory, LanePlan* plans, LaneBatch* batch,'
                              " LaneTotals* totals, LaneOutcome* outcomes) {\n  lane_index = lane;\n"
                              "  lane_kernel(memory, plans, batch, totals, outcomes);\n}\n")
            for words in (["g++", "-std=c++17", "-O1", "-w", "-fno-strict-aliasing", "-fwrapv", "-o", f"{folder}/kernel.so",
                           source], ["gcc", "-O1", "-o", f"{folder}/libcuda.so.1", HERE / "fake_cuda.c", "-ldl"]):
                subprocess.run([*words, "-fPIC", "-shared"], check=True, timeout=100)
            env = {**os.environ, "LD_LIBRARY_PATH": folder, "FAKE_CUDA_KERNEL": f"{folder}/kernel.so"}
            self.assertIn("cuda     a fake, 64 MB", lanes("--devices", env=env).stdout)
            done = lanes("--seed", 7, "-n", 2112, "--keep-going", "--device", "cuda", "--compare-host", "--", program, env=env)
            self.assertIn("Compared with the host: 2048 lanes, 0 differ", done.stdout, done.stderr)
            at_once, each = map(int, re.search(r"Device: (\d+) lanes of (\d+) bytes", done.stdout).groups())
            self.assertLessEqual(at_once * each, 56 << 20)

    def nvcc_keeps_to_the_limits(self):
        """Minutes: of the long tests, where there is nvcc."""
        for program in sorted(BENCH.glob("*.c")):
            for architecture in (75, 90):
                with self.subTest(program.name, architecture=architecture), tempfile.TemporaryDirectory() as folder:
                    ptx = self.ptx(program, folder, NVCC, "-ptx", f"-arch=compute_{architecture}", "-O3", "--fmad=false", "-w")
                    self.within_limits(ptx, PTXAS, architecture)

    if WHOLE:
        test_the_driver_is_called_as_it_should_be = the_driver_is_called_as_it_should_be
    if WHOLE and NVCC:
        test_nvcc_keeps_to_the_limits = nvcc_keeps_to_the_limits


if __name__ == "__main__":
    unittest.main(argv=[word for word in sys.argv if word != "--all"])
