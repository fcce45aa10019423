#!/usr/bin/env python3
"""wire_page.py sees every way in which a page can differ from the layout, and its --write leaves no difference."""
import sys
import unittest

sys.dont_write_bytecode = True
import wire_page  # noqa: E402 (the one beside this file)

STRUCTS = {"snarl::wire::Layout": (24, [["magic", 0, None], ["state[2]", 8, None]]),
           "snarl::Op": (8, [["kind", 0, None], ["timed", 1, 0]])}
PAGE = ("# The wire, version 7\n\n| part | holds |\n| --- | --- |\n| `magic` | `SNLWIRE1` |\n| `state` | it |\n\n"
        + wire_page.BEGIN + wire_page.table_of(STRUCTS) + wire_page.END + "The end.\n")


class WirePage(unittest.TestCase):
    def complains(self, page, version, structs, words):
        found = "\n".join(wire_page.complaints(page, version, structs))
        self.assertIn(words, found)
        return found

    def with_op(self, *op):
        return STRUCTS | {"snarl::Op": op}

    def test_a_page_that_is_right(self):
        self.assertEqual(wire_page.complaints(PAGE, 7, STRUCTS), [])
        self.assertIn("| `Op` | 8 | `kind` 0, `timed` 1:0 |", PAGE)

    def test_a_version_a_size_and_a_field(self):
        self.complains(PAGE, 8, STRUCTS, "the title says version 7, kWireVersion is 8")
        found = self.complains(PAGE, 7, self.with_op(16, [["kind", 0, None], ["timed", 1, 0]]),
                               "Op: the page says 8; compiled, there is 16")
        self.assertIn("--write", found)
        self.complains(PAGE, 7, self.with_op(8, [["kind", 0, None], ["timed", 2, 0]]),
                       "Op: the page says `timed` 1:0; compiled, there is `timed` 2:0")
        self.complains(PAGE, 7, self.with_op(8, [["timed", 1, 0], ["kind", 0, None]]), "Op: the page says nothing")

    def test_structs_that_come_and_go(self):
        self.complains(PAGE, 7, STRUCTS | {"snarl::New": (4, [["a", 0, None]])}, "New: the page says nothing; compiled")
        self.complains(PAGE, 7, {"snarl::wire::Layout": STRUCTS["snarl::wire::Layout"]}, "Op is no struct of the wire")

    def test_the_table_that_is_written_by_hand(self):
        self.complains(PAGE.replace("| `state` | it |\n", ""), 7, STRUCTS, "`state` of Layout stands in 0 rows")
        self.complains(PAGE.replace("`magic` |", "`magic`, `gone` |"), 7, STRUCTS, "`gone`, which Layout does not have")

    def test_writing_mends_all_but_what_is_written_by_hand(self):
        changed = self.with_op(16, [["kind", 8, None]])
        page = wire_page.rewritten(PAGE, 9, changed)
        self.assertEqual(wire_page.complaints(page, 9, changed), [])
        self.assertTrue(page.startswith("# The wire, version 9\n") and page.endswith("The end.\n"))

    def test_a_page_without_markers_is_refused(self):
        with self.assertRaises(ValueError):
            wire_page.complaints(PAGE.replace(wire_page.END, ""), 7, STRUCTS)


if __name__ == "__main__":
    unittest.main()
