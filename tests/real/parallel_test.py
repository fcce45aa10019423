"""Programs of many threads under ppct, on all cores: right results, no finding, no hang."""

import json
import unittest

from real_case import SCHEDULES, SOURCES, RealCase


class ParallelTest(RealCase):
    def check(self, source, libraries, least_threads):
        self.native("g++", "-std=c++20", "-O1", "-g", SOURCES / source, "-o", "program", *libraries, "-pthread")
        result = self.snarl("run", "-j", 1, "-p", "ppct:depth=1", "-p", "ppct:depth=3", "-n", 2 * SCHEDULES, "--timeout", "30s",
                            "--json", "--", "./program")
        self.assertEqual(result.code, 0, f"{result.command}\n{result.out[-3000:]}\n{result.err[-2000:]}")
        summary = json.loads(result.out)
        self.assertEqual((summary["findings"], summary["unconfirmed"]), ([], 0))
        self.assertEqual(summary["schedules"], 2 * SCHEDULES)
        self.assertGreaterEqual(summary["threads"], least_threads)
        print(f"{self._testMethodName[5:]:<12} ppct {summary['schedules'] / summary['seconds']:8.1f} schedules/s"
              f"  n={summary['threads']} k={summary['steps']}", flush=True)

    def test_tbb(self):
        self.check("tbb_algorithms.cc", ["-ltbb"], 4)

    def test_leveldb(self):
        self.check("leveldb.cc", ["-lleveldb"], 5)

    def test_forty_threads(self):
        self.check("forty_threads.cc", [], 40)


if __name__ == "__main__":
    unittest.main()
