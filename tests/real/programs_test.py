"""Real programs, unmodified, as Debian has them: under every schedule they must do their work.

Each is run by `snarl run` under random and pct (nothing may be found), and a few times by
`snarl run --once` with its results compared. Prints one line per program: schedules per second.
"""

import random
import unittest

from real_case import RealCase, snarl_case

PYTHON = """
import threading, queue
todo, done, lock = queue.Queue(4), [], threading.Lock()
def produce(n):
    for i in range(20): todo.put((n, i))
def consume():
    while (item := todo.get()) is not None:
        with lock: done.append(item)
producers = [threading.Thread(target=produce, args=(n,)) for n in range(3)]
consumers = [threading.Thread(target=consume) for _ in range(3)]
for t in producers + consumers: t.start()
for t in producers: t.join()
for _ in consumers: todo.put(None)
for t in consumers: t.join()
assert len(done) == 60 and len(set(done)) == 60
print("all", len(done))
"""

SQL = """
.output result.txt
pragma threads=4;
pragma cache_size=100;
create table t(a, b);
with recursive c(x) as (select 1 union all select x + 1 from c where x < 60000) insert into t select x, (x * 7919) % 30011 from c;
create index i on t(b);
select count(*), sum(b) from t indexed by i where b > 100;
"""


class RealPrograms(RealCase):
    """All have the same inputs."""

    @classmethod
    def setUpClass(cls):
        data = random.Random(1).randbytes(20_000)
        cls.data = b"".join(data[i % 15_000:i % 15_000 + 300] for i in range(0, 1_200_000, 300))
        lines = list(range(140_000))
        random.Random(2).shuffle(lines)
        cls.lines = "".join(f"{n}\n" for n in lines).encode()

    def setUp(self):
        super().setUp()
        (self.folder / "in").write_bytes(self.data)
        (self.folder / "lines").write_bytes(self.lines)

    def round_trip(self, command, unpack, packed):
        original = (self.folder / "in").read_bytes()

        def check(_):
            self.assertEqual(snarl_case.run([*unpack, packed], cwd=self.folder, check=True,
                                                       stdout=snarl_case.subprocess.PIPE).stdout, original)
        self.explore(command)
        self.once(command, check)

    def test_pigz(self):
        self.round_trip(["pigz", "-p4", "-b", "128", "-kf", "in"], ["gzip", "-dc"], "in.gz")

    def test_pbzip2(self):
        (self.folder / "in").write_bytes(self.data[:500_000])  # it takes a second of its own for each 4 MB
        self.round_trip(["pbzip2", "-p4", "-b1", "-kf", "in"], ["pbzip2", "-dc"], "in.bz2")

    def test_zstd(self):
        self.round_trip(["zstd", "-q", "-T4", "-B524288", "-3", "-f", "in"], ["zstd", "-qdc"], "in.zst")

    def test_xz(self):
        self.round_trip(["xz", "-T4", "-1", "--block-size=262144", "-kf", "in"], ["xz", "-dc"], "in.xz")

    def test_sort(self):
        command = ["sort", "--parallel=4", "-n", "lines", "-o", "sorted"]
        expected = "".join(f"{n}\n" for n in range(140_000))
        self.explore(command)
        self.once(command, lambda _: self.assertEqual((self.folder / "sorted").read_text(), expected))

    def test_python(self):
        (self.folder / "threads.py").write_text(PYTHON)
        command = ["/usr/bin/python3", "threads.py"]
        self.explore(command, least_threads=7)
        self.once(command, lambda result: self.assertEqual(result.out, "all 60\n"))

    def test_sqlite(self):
        (self.folder / "work.sql").write_text(SQL)
        command = ["sqlite3", ":memory:", ".read work.sql"]
        self.native(*command)
        expected = (self.folder / "result.txt").read_text()
        self.explore(command)
        self.once(command, lambda _: self.assertEqual((self.folder / "result.txt").read_text(), expected))

    def test_lld(self):
        (self.folder / "h.c").write_text("int main(void) { return 42; }\n")
        self.native("gcc", "-c", "h.c")
        command = ["ld.lld-14", "--threads=4", "h.o", "-e", "main", "-o", "h"]
        self.explore(command)
        self.once(command, lambda _: self.assertGreater((self.folder / "h").stat().st_size, 0))

    def test_ripgrep(self):
        (self.folder / "texts").mkdir()
        for n in range(40):
            (self.folder / "texts" / f"text{n}").write_text("needle\n" * n + "hay\n")
        command = ["rg", "-j4", "--no-ignore", "-c", "needle", "texts"]
        self.explore(command)
        self.once(command, lambda result: self.assertEqual(
            sum(int(line.rpartition(":")[2]) for line in result.out.splitlines()), sum(range(40))))


if __name__ == "__main__":
    unittest.main(verbosity=1)
