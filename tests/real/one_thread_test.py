"""Programs of one thread that everybody has: patched all the same, so they must do what they do. Their code is full of jump
tables, which a careless patch would hit."""

import os
import unittest

from real_case import snarl_case

SCHEDULES = 30 if os.environ.get("SNARL_LONG") else 3


class OneThread(snarl_case.SnarlCase):
    def expect_right(self, command, output):
        for seed in range(SCHEDULES):
            result = self.snarl("run", "--once", "--seed", seed, "--timeout", "60s", "--", *command)
            self.expect_code(result, 0)
            self.assertRegex(result.out, output)

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

    def test_vim(self):
        self.expect_right(["vim", "-N", "-u", "NONE", "-i", "NONE", "-es", "-c", "call setline(1, sort(['b', 'a']))",
                           "-c", "%print", "-c", "qa!"], r"a\r?\nb")


if __name__ == "__main__":
    unittest.main(verbosity=1)
