"""For tests of the checkers here: small projects that are made for the purpose, and what a checker says of them."""
import contextlib
import io
import pathlib
import tempfile
import unittest


def check(main, tree, argument=""):
    """Makes the tree {path: text, or None for a folder} and runs main on it, or on the folder `argument` in it; returns
    (exit code, output)."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in tree.items():
            path = pathlib.Path(folder, name)
            (path if text is None else path.parent).mkdir(parents=True, exist_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = main(["checker", str(pathlib.Path(folder, argument))])
        return code, output.getvalue()


class TreeTest(unittest.TestCase):
    """A test case whose check(files) returns (exit code, output)."""

    def accepts(self, path, text):
        code, output = self.check({path: text})
        self.assertEqual(code, 0, output)

    def refuses(self, path, text, words):
        code, output = self.check({path: text})
        self.assertEqual(code, 1, output)
        self.assertIn(words, output)
