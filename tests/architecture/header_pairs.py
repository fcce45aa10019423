#!/usr/bin/env python3
"""Can every two headers of the project be included together, in either order?

One file that includes all headers, and one that includes them in reverse order, show what a pair would show: a name
that two folders declare differently in one namespace, or a header that needs another one before it. Headers that
belong to one side alone (JSON is outside, hooks are inside) are still only declarations, so all of them go together.

usage: header_pairs.py PROJECT_FOLDER COMPILER
"""
import pathlib
import subprocess
import sys

# Headers that are no declarations: tables that are included several times, and what only tests have. Those of the
# models are C for the inside of a lane.
NOT_ALONE = {"coseq/models/runtime.h", "coseq/models/intrinsics.h", "coseq/models/words.h"}
# What needs LLVM, which not every machine has, or the words that are written before it in a text for a device.
NEED_MORE = ("coseq/front/", "coseq/emit/", "coseq/device/code/")
# The public C++ header declares snarl::explore, a function; inside it is a namespace. Programs never see both.
PUBLIC_CXX = {"snarl.h", "gtest.h"}


def headers(project):
    found = [path.relative_to(project / "src").as_posix() for path in (project / "src").rglob("*.h")]
    found = [name for name in found if name not in NOT_ALONE and not pathlib.PurePath(name).name.startswith("test_")]
    found = [name for name in found if not name.startswith(NEED_MORE) and name != "coseq/build.h"]
    public = [f"snarl/{path.name}" for path in (project / "include/snarl").glob("*.h") if path.name not in PUBLIC_CXX]
    return sorted(found) + sorted(public)


def compiles(project, compiler, names):
    text = "".join(f'#include "{name}"\n' for name in names)
    command = [compiler, "-std=c++20", "-fsyntax-only", "-x", "c++", "-I", project / "src", "-I", project / "include", "-"]
    return subprocess.run(command, input=text, text=True, timeout=300, check=False).returncode == 0


def main(argv):
    if len(argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    project = pathlib.Path(argv[1])
    names = headers(project)
    bad = [word for word, order in (("forwards", names), ("backwards", names[::-1]))
           if not compiles(project, argv[2], order)]
    print(f"{len(names)} headers together: {'do not compile ' + ' and '.join(bad) if bad else 'compile both ways'}")
    return 1 if bad or len(names) < 100 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
