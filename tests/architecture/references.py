#!/usr/bin/env python3
"""Do the files and symbols that docs and comments speak of exist?

usage: references.py PROJECT_FOLDER     prints file:line and the word that leads nowhere; exit 1 if there is any

Looked at are the Markdown files of the project (but for the code blocks in them) and the comments of src/ and include/.
A reference is
- a link of Markdown to a file of the project,
- a path: a word with a slash that begins with a folder of the project or of src/ (`explore/campaign/confirm`; the suffix
  may be missing, and `*` stands for anything),
- a file's name in a comment (wait_queue.h),
- a symbol: `Type::member`, kConstant or `function()`. In Markdown only those between backticks.
A symbol must be an identifier somewhere in src/, include/ or tests/, outside of comments; of `Type::member`, both in one
file.

The other way round, every folder of src/ and every room in it must be on the map, docs/architecture.md, which must stay a
page that is read in three minutes.
"""
import collections
import pathlib
import re
import sys

SUFFIXES = {".h", ".c", ".cc", ".S"}
CODE_SUFFIXES = SUFFIXES | {".py", ".cmake", ".sh"}
CODE_FOLDERS = ("src", "include", "tests", "bench", "examples", "tools")
FILE_ENDINGS = ("", ".h", ".cc", ".c", ".S", ".py")

# Files and functions of programs that only serve as examples.
EXAMPLES = {"Account::withdraw", "f.cc", "src/bank.cc"}

MAP, MOST_LINES = "docs/architecture.md", 120

LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(r"(?<![\w./~$<{-])[a-z]\w*(?:/[\w.*-]+)+")
FILE_NAME = re.compile(r"(?<![\w./-])[a-z]\w*\.(?:h|cc|py)\b")
MEMBER = re.compile(r"(?<![\w:])((?:[a-z]\w*::)*[A-Z]\w*::~?\w+)")
CONSTANT = re.compile(r"(?<![\w:])k[A-Z]\w+")
FUNCTION = re.compile(r"(?<![\w:.])([a-z]\w*(?:::\w+)*)\(\)")
SYSTEM_HEADER = re.compile(r"#\s*include\s*<([^>]+)>")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', re.S)


def without_comments(text):
    return COMMENT.sub(lambda match: match[0] if match[0][0] in "\"'" else " ", text)


class Project:
    """What there is: files, and identifiers with the files that they are in."""

    def __init__(self, folder):
        self.folder = folder
        self.roots = {path.name for path in folder.iterdir() if path.is_dir() and not path.name.startswith(".")} - {"build"}
        self.rooms = {path.name for path in (folder / "src").iterdir() if path.is_dir()}
        self.names = set()
        self.files_of = collections.defaultdict(set)
        for root in CODE_FOLDERS:
            for path in (folder / root).rglob("*"):
                if path.is_file():
                    self.names.add(path.name)
                if path.suffix in CODE_SUFFIXES and path.is_file():
                    self.read(path)

    def read(self, path):
        text = path.read_text(encoding="utf-8")
        if path.suffix in SUFFIXES:
            text = without_comments(text)
            self.names.update(SYSTEM_HEADER.findall(text))
        for word in set(IDENTIFIER.findall(text)):
            self.files_of[word].add(path)

    def has_path(self, name, near):
        """A path from the project's folder, from src/ or from the folder of the file that speaks of it."""
        for base in (self.folder, self.folder / "src", near):
            for ending in FILE_ENDINGS:
                if "*" in name:
                    if any(base.glob(name + ending)):
                        return True
                elif (base / (name + ending)).exists():
                    return True
        return False

    def is_ours(self, path):
        first = path.split("/")[0]
        return first in self.roots or first in self.rooms

    def has_symbol(self, name):
        parts = [part.lstrip("~") for part in name.split("::")]
        if parts[0] == "std" or name in EXAMPLES:
            return True
        return bool(set.intersection(*(self.files_of.get(part, set()) for part in parts[-2:])))


def symbols_in(text):
    for pattern in (MEMBER, CONSTANT, FUNCTION):
        for match in pattern.finditer(text):
            yield match[1] if pattern.groups else match[0]


def dangling_paths(project, text, near):
    for match in PATH.finditer(text):
        name = match[0].rstrip(".-")
        if project.is_ours(name) and name not in EXAMPLES and not project.has_path(name, near):
            yield name


def dangling_in_markdown(project, path):
    fenced = False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        if fenced:
            continue
        for match in LINK.finditer(line):
            target = match[1].split("#")[0]
            if target and "://" not in target and not (path.parent / target).exists():
                yield number, target
        for name in dangling_paths(project, LINK.sub("]", line), path.parent):
            yield number, name
        for quoted in re.findall(r"`([^`]+)`", line):
            for name in symbols_in(quoted):
                if not project.has_symbol(name):
                    yield number, name


def comments_of(text):
    """Pairs of line number and the text of a line of a comment."""
    for match in COMMENT.finditer(text):
        if match[0][0] in "\"'":
            continue
        first = text.count("\n", 0, match.start()) + 1
        for offset, line in enumerate(match[0].splitlines()):
            yield first + offset, line


def dangling_in_comments(project, path):
    for number, line in comments_of(path.read_text(encoding="utf-8")):
        for name in dangling_paths(project, line, path.parent):
            yield number, name
        for match in FILE_NAME.finditer(line):
            if match[0] not in project.names | EXAMPLES:
                yield number, match[0]
        for name in symbols_in(line):
            if not project.has_symbol(name):
                yield number, name


def folders_with_code(folder):
    """Folders of src/ and their rooms, as paths below src/."""
    for path in sorted((folder / "src").rglob("*")):
        short = path.relative_to(folder / "src")
        if path.is_dir() and len(short.parts) <= 2 and any(file.suffix in SUFFIXES for file in path.glob("*")):
            yield short


def missing_on_map(folder):
    """Lines about the map. A folder has a row; a room has one too, or stands in its folder's as `room/`."""
    page = (folder / MAP).read_text(encoding="utf-8")
    if len(page.splitlines()) > MOST_LINES:
        yield f"{MAP}: more than {MOST_LINES} lines: decisions belong to docs/design"
    for short in folders_with_code(folder):
        name = short.name
        if f"\n| `{name}` |" not in page and (len(short.parts) == 1 or f"`{name}/`" not in page):
            yield f"{MAP}: src/{short} is not on the map: it needs a row that begins with | `{name}` |"


def dangling(folder):
    """All references that lead nowhere, as lines; and the numbers of pages and of source files that were read."""
    project = Project(folder)
    found = []
    pages = [path for path in folder.rglob("*.md") if path.relative_to(folder).parts[0] != "build"]
    sources = [path for root in ("src", "include") for path in (folder / root).rglob("*") if path.suffix in SUFFIXES]
    for path in sorted(pages) + sorted(sources):
        look = dangling_in_markdown if path.suffix == ".md" else dangling_in_comments
        for number, name in look(project, path):
            found.append(f"{path.relative_to(folder)}:{number}: {name} is nowhere")
    return found + list(missing_on_map(folder)), len(pages), len(sources)


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    found, pages, sources = dangling(pathlib.Path(argv[1]))
    for line in found:
        print(line)
    print(f"{pages} pages, {sources} source files, {len(found)} complaints")
    return 1 if found or not pages or not sources else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
