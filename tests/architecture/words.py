#!/usr/bin/env python3
"""Are words that the glossary has dropped still in the code?

A step is taken in one family of words (docs/glossary.md: arrive, take, step at once, quiet step, consult). The names
below meant the same and are not to come back.

usage: words.py PROJECT_FOLDER     prints file:line and the word; exit 1 if there is any
"""
import pathlib
import re
import sys

DROPPED = {
    "go_on": "step_at_once", "try_to_go_on": "try_step_at_once", "may_go_on": "may_step_at_once",
    "goes_on": "step_if_performed", "mutex_goes_on": "step_mutex_at_once", "go_on_quietly": "step_quietly",
    "ask_policy": "consult_policy", "ask_plan": "consult_plan",
}
FOLDERS = ("src", "bench", "tests/virtual")
SUFFIXES = {".h", ".cc", ".c", ".S"}
WORD = re.compile(r"\b(" + "|".join(DROPPED) + r")\b")
COMMENT = re.compile(r"//.*")


def dropped_words(project):
    """Yields (file, line number, word)."""
    for folder in FOLDERS:
        for path in sorted((project / folder).rglob("*")):
            if path.suffix not in SUFFIXES:
                continue
            short = path.relative_to(project).as_posix()
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for word in WORD.findall(COMMENT.sub("", line)):
                    yield short, number, word


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found = list(dropped_words(pathlib.Path(argv[1])))
    for file, number, word in found:
        print(f"{file}:{number}: {word} is {DROPPED[word]} now")
    print(f"{len(found)} dropped words")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
