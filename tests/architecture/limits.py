#!/usr/bin/env python3
"""Every wait of the Python tests has a limit, and every process that they start is in a session of its own, so that it
can be killed with all that it started (tests/e2e/snarl_case.py: start, finish, run, limited).

usage: limits.py TESTS
"""
import ast
import pathlib
import sys

FOLDERS = ("e2e", "library", "memory", "real", "scan")
HELPER = "snarl_case.py"  # has the limits in it
STARTS = {("subprocess", "run"), ("subprocess", "call"), ("subprocess", "check_call"), ("subprocess", "check_output"),
          ("os", "system"), ("os", "popen")}
WAITS = ("wait", "communicate", "join")


def problem_of(call):
    """What is wrong with a call; empty if nothing is."""
    if not isinstance(call.func, ast.Attribute):
        return ""
    owner, name = call.func.value, call.func.attr
    module = getattr(owner, "id", getattr(owner, "attr", ""))
    keywords = {keyword.arg for keyword in call.keywords}
    if (module, name) in STARTS:
        return f"{module}.{name} kills no group at its time-out: use snarl_case.run"
    if (module, name) == ("subprocess", "Popen") and "start_new_session" not in keywords:
        return "Popen without start_new_session"
    if name in WAITS and not call.args and not keywords:
        return f"{name}() without a limit"
    return ""


def problems_in(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        problem = problem_of(node) if isinstance(node, ast.Call) else ""
        if problem:
            yield f"{path}:{node.lineno}: {problem}"


def main(argv):
    if len(argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    files = [path for folder in FOLDERS for path in sorted((pathlib.Path(argv[1]) / folder).glob("*.py"))
             if path.name != HELPER]
    problems = [problem for path in files for problem in problems_in(path)]
    for problem in problems:
        print(problem)
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or len(files) < 20 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
