"""Programs that everybody has: nothing is wrong with them, so nothing may be found, and their results are right. Their code
is full of jump tables, which a careless patch would hit."""

import os
import unittest

from real_case import snarl_case

SCHEDULES = 30
LONG = os.environ.get("SNARL_LONG")

PYTHON = """
import threading
total = 0
lock = threading.Lock()
def work(numbers):
    global total
    for number in numbers:
        with lock:
            total += number
threads = [threading.Thread(target=work, args=(range(i, 30, 3),)) for i in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(total)
"""

# Qt's thread pool, declared as the library exports it: its headers are not needed.
QT = """
#include <atomic>
class QRunnable {
 public:
  QRunnable() : ref(0) {}
  virtual void run() = 0;
  virtual ~QRunnable();
 private:
  int ref;
};
class QThreadPool {
 public:
  static QThreadPool* globalInstance();
  void start(QRunnable* runnable, int priority = 0);
  bool waitForDone(int milliseconds = -1);
  void setMaxThreadCount(int count);
};
std::atomic<int> done;
struct Task : QRunnable { void run() override { ++done; } };
int main() {
  QThreadPool* pool = QThreadPool::globalInstance();
  pool->setMaxThreadCount(3);
  for (int i = 0; i < 4; i++) pool->start(new Task);
  pool->waitForDone();
  return done == 4 ? 0 : 3;
}
"""


class Trusted(snarl_case.SnarlCase):
    def expect_nothing(self, command, *options, least_threads=2):
        result = self.snarl("run", "-n", SCHEDULES, "--seed", 1, "--timeout", "60s", "-t", "5m", "-o", self.out, *options, "--",
                            *command, timeout=600)
        self.expect_code(result, 0)
        summary = self.summary(result)
        self.assertEqual((summary["schedules"], summary["findings"], summary["unconfirmed"]), (SCHEDULES, [], 0))
        self.assertNotIn("unpatched", summary, self.describe(result, "patches were taken out"))
        self.assertGreaterEqual(summary["threads"], least_threads)
        print(f"{self._testMethodName[5:]:<10} {SCHEDULES} schedules in {summary['seconds']:.1f} s, {summary['threads']} threads, "
              f"{summary['atomic_sites']['patched']} of {summary['atomic_sites']['found']} sites", flush=True)

    def expect_right(self, command, output, times=3):
        """One that has one thread: patched all the same, so it must do what it does."""
        for seed in range(SCHEDULES if LONG else times):
            result = self.snarl("run", "--once", "--seed", seed, "--timeout", "60s", "--", *command)
            self.expect_code(result, 0)
            self.assertRegex(result.out, output)

    def test_python(self):
        (self.folder / "t.py").write_text(PYTHON)
        self.expect_nothing(["/usr/bin/python3.11", "t.py"], least_threads=4)

    def test_fd(self):
        for name in ("f1", "a/f1", "a/b/f2", "c/f1"):
            (self.folder / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "tree" / name).write_text(name)
        self.expect_nothing(["fdfind", "-j", "3", "f1", "tree"], least_threads=3)

    def test_sysbench(self):
        self.expect_nothing(["sysbench", "threads", "--threads=2", "--events=3", "--time=0", "run"], least_threads=3)

    def test_fio(self):
        self.expect_nothing(["fio", "--name=a", "--thread", "--numjobs=2", "--rw=write", "--size=64k", "--bs=16k",
                             "--ioengine=sync", "--directory=.", "--output=log"])

    def test_php(self):
        (self.folder / "t.php").write_text('<?php $a = []; for ($i = 0; $i < 500; $i++) $a[] = md5("x$i"); sort($a);'
                                           ' echo json_encode([count($a), preg_match("/^0[0-9a-f]+$/", $a[0])]), "\\n";')
        self.expect_right(["php", "-n", "t.php"], r"^\[500,1\]$")

    def test_sqlite(self):
        (self.folder / "t.sql").write_text(
            "PRAGMA threads=3; PRAGMA cache_size=10; CREATE TABLE t(a, b);"
            "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c WHERE x<3000)"
            " INSERT INTO t SELECT (x*7919)%3001, hex(zeroblob(20)) FROM c; CREATE INDEX i ON t(a, b); SELECT count(*) FROM t;")
        self.expect_right(["sqlite3", "-init", "t.sql", ":memory:", ".exit"], r"3000")

    def test_perf(self):
        self.expect_nothing(["perf", "bench", "-f", "simple", "sched", "messaging", "-t", "-g", "1", "-l", "1"], least_threads=3)

    @unittest.skipUnless(LONG, "takes ten seconds")
    def test_gdb(self):
        self.expect_nothing(["gdb", "-nx", "-batch", "-ex", "maint set worker-threads 2", "-ex", "file /usr/bin/gdb",
                             "-ex", "info files"])

    def test_vim(self):
        self.expect_right(["vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "-c", "call setline(1, sort(['b', 'a']))",
                           "-c", "%print", "-c", "qa!"], r"a\r?\nb")

    def test_qt(self):
        (self.folder / "q.cc").write_text(QT)
        self.expect_code(self.command("g++", "-O2", "-pthread", "q.cc", "-o", "q", "-l:libQt5Core.so.5"), 0)
        self.expect_nothing(["./q"], least_threads=3)


if __name__ == "__main__":
    unittest.main(verbosity=1)
