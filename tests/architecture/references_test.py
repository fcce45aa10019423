#!/usr/bin/env python3
"""references.py finds what leads nowhere, and nothing else, shown on small trees made for the purpose."""
import sys
import unittest

sys.dont_write_bytecode = True
import references  # noqa: E402 (those beside this file)
import small_tree  # noqa: E402

CODE = "class Model {\n  void publish();\n  static constexpr int kMost = 3;\n};\nclass Other {};\n"
ALWAYS = {"src/model/model.h": CODE, "src/os/cores.cc": "#include <sched.h>\nint cores() { return 1; }\n",
          "tests/e2e/trust_test.py": "", "docs/rules.md": "", "docs/architecture.md": "\n| `model` |\n| `os` | `room/` |\n"}


class References(small_tree.TreeTest):
    def check(self, files):
        return small_tree.check(references.main, ALWAYS | files)

    def test_what_is_there_is_accepted(self):
        self.accepts("README.md", "See [rules](docs/rules.md#steps), `src/model/model.h`, `model/model`, `model/*`,\n"
                                  "docs/rules.md, `Model::publish`, `model::Model::kMost`, `kMost` and `cores()`.\n")
        self.accepts("src/os/pinned.h", "// As in cores.cc, sched.h, os/cores and docs/rules.md (Model::publish(), kMost).\n")

    def test_links_are_followed_from_their_page(self):
        self.accepts("docs/glossary.md", "[rules](rules.md), [elsewhere](https://example.org/a.md)\n")
        self.refuses("docs/glossary.md", "\n[rules](docs/rules.md)\n", "docs/glossary.md:2: docs/rules.md is nowhere")

    def test_paths_in_docs_and_comments(self):
        self.refuses("README.md", "one `model/objects.h` two\n", "README.md:1: model/objects.h is nowhere")
        self.refuses("docs/gdb.md", "see tests/e2e/gone_test.py.\n", "docs/gdb.md:1: tests/e2e/gone_test.py is nowhere")
        self.refuses("src/os/pinned.h", "int a;\n// see (os/gone)\n", "src/os/pinned.h:2: os/gone is nowhere")
        self.refuses("src/os/pinned.h", "/* a\n gone.cc */\n", "src/os/pinned.h:2: gone.cc is nowhere")

    def test_symbols_in_docs_and_comments(self):
        self.refuses("README.md", "`Model::vanish`\n", "README.md:1: Model::vanish is nowhere")
        self.refuses("README.md", "`kLeast`\n", "kLeast is nowhere")
        self.refuses("README.md", "`vanish()`\n", "vanish is nowhere")
        self.refuses("src/os/pinned.h", "// Not Model::vanish.\n", "src/os/pinned.h:1: Model::vanish is nowhere")

    def test_a_member_must_be_where_its_type_is(self):
        self.refuses("README.md", "`Model::cores`\n", "Model::cores is nowhere")

    def test_a_comment_is_no_witness(self):
        self.refuses("src/os/pinned.h", "// kLeast is small.\n", "kLeast is nowhere")

    def test_examples_are_left_alone(self):
        self.accepts("README.md", "```\nmodel/objects.h kLeast\n```\nWords/with slashes, Vanish::me without backticks.\n")
        self.accepts("src/os/pinned.h", 'const char* text = "// model/objects.h";  // std::vector::data\n')

    def test_every_folder_is_on_the_map(self):
        self.accepts("src/os/room/a.h", "")
        self.accepts("src/scan/data.txt", "")
        self.refuses("src/scan/plan.h", "", "src/scan is not on the map")
        self.refuses("src/os/attic/a.h", "", "src/os/attic is not on the map")

    def test_the_map_stays_small(self):
        page = ALWAYS["docs/architecture.md"]
        self.accepts("docs/architecture.md", page + "\n" * (120 - page.count("\n")))
        self.refuses("docs/architecture.md", page + "\n" * (121 - page.count("\n")), "more than 120 lines")

    def test_an_empty_tree_is_refused(self):
        self.assertEqual(small_tree.check(references.main, {"src": None, "docs/architecture.md": ""})[0], 1)


if __name__ == "__main__":
    unittest.main()
