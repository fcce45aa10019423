#!/usr/bin/env python3
"""Random small concurrent programs, as lanes and natively: generated_test.py SECONDS [seed].

A program's exit code says what its threads read and wrote. Each way to fail that lanes find is run again in the native
twin by the same switches, and must end with the same exit code; so must a schedule of another index. The twin shares
the marking of accesses with the lane, and nothing of what runs it: real threads, glibc, and snarl's conductor.
"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

SNARL = os.environ["SNARL"]


def operations(draw, depth=0):
    """Statements of a thread: what it reads goes into `seen`."""
    lines = []
    for _ in range(draw.randrange(2, 5)):
        kind = draw.randrange(9)
        a, b = draw.randrange(3), draw.randrange(3)
        if kind == 0:
            lines.append(f"seen = seen * 5 + shared[{a}];")
        elif kind == 1:
            lines.append(f"shared[{a}] = seen + {draw.randrange(9)};")
        elif kind == 2:
            lines.append(f"shared[{a}] += shared[{b}] + 1;")
        elif kind == 3:
            lines.append(f"seen += atomic_fetch_add(&counters[{a}], {draw.randrange(1, 4)});")
        elif kind == 4:
            lines.append(f"{{ int old = {draw.randrange(3)}; if (atomic_compare_exchange_strong(&counters[{a}], &old, "
                         f"old + 2)) ++seen; else seen += old; }}")
        elif kind == 5:
            lines.append(f"part[{a}].low = seen & 7; part[{a}].high += part[{b}].low;")
        elif kind == 6 and depth < 2:
            inner = " ".join(operations(draw, depth + 1))
            lines.append(f"pthread_mutex_lock(&locks[{a}]); {inner} pthread_mutex_unlock(&locks[{a}]);"
                         if depth == 0 else f"if (pthread_mutex_trylock(&locks[{a}]) == 0) {{ {inner} "
                                            f"pthread_mutex_unlock(&locks[{a}]); }}")
        elif kind == 7 and depth < 2:
            lines.append(f"for (int i = 0; i < {draw.randrange(1, 4)}; ++i) {{ {' '.join(operations(draw, depth + 1))} }}")
        else:
            lines.append(f"seen = helper(seen, &shared[{a}]);")
    return lines


def program(draw):
    threads = draw.randrange(2, 4)
    bodies = "\n".join(
        f"static void* work{i}(void* argument) {{\n  int seen = *(int*)argument;\n  " + "\n  ".join(operations(draw)) +
        f"\n  results[{i}] = seen;\n  return 0;\n}}" for i in range(threads))
    starts = "\n".join(f"  pthread_create(&threads[{i}], 0, work{i}, &arguments[{i}]);" for i in range(threads))
    return f"""#include <pthread.h>
#include <stdatomic.h>
static int shared[3], results[3], arguments[3] = {{1, 2, 3}};
static struct {{ unsigned low : 3, high : 9; short wide; }} part[3];
static atomic_int counters[3];
static pthread_mutex_t locks[3] = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER}};
static int helper(int x, int* where) {{ return x < 0 ? -x : *where * 3 + x % 11; }}
{bodies}
int main(void) {{
  pthread_t threads[{threads}];
{starts}
  for (int i = 0; i < {threads}; ++i) pthread_join(threads[i], 0);
  unsigned sum = 0;
  for (int i = 0; i < 3; ++i)
    sum = sum * 31 + (unsigned)(shared[i] + results[i] * 7 + counters[i] * 3 + part[i].low + part[i].high);
  return (int)(sum % 251);
}}
"""


def lanes(*words):
    return subprocess.run([SNARL, "lanes", *map(str, words)], capture_output=True, text=True, timeout=120)


def check(source, seed, index):
    """The lane of that index against the twin. Says what differs, or nothing."""
    twin = source.with_suffix(".twin")
    done = lanes("--seed", seed, "-p", "random", "-p", "pct:depth=3", "--replay", index, "--json", "--native-twin", twin,
                 "--", source)
    finding = json.loads(done.stdout)
    schedule = f"{twin}-0000.snarl"
    native = subprocess.run([SNARL, "replay", schedule, "--", twin], capture_output=True, text=True, timeout=60)
    # Alone, the twin shows that the lane's end is not what every schedule has.
    code = finding["exit_code"]
    wanted = 1 if code != 0 else 0
    steps = f"{finding['steps']} steps"
    same = native.returncode == wanted and (code == 0 or f"exit code {code}" in native.stdout.lower()) and steps in native.stdout
    return None if same else f"lane: exit code {code}, {steps}; native {native.returncode}:\n{native.stdout[:400]}{native.stderr[:400]}"


def main():
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1
    end, count, codes, problems = time.monotonic() + seconds, 0, set(), []
    with tempfile.TemporaryDirectory() as folder:
        while time.monotonic() < end or count == 0:
            draw = random.Random(f"{seed}:{count}")
            source = pathlib.Path(folder) / "program.c"
            source.write_text(program(draw))
            for index in (0, draw.randrange(1, 200)):
                problem = check(source, seed + count, index)
                if problem:
                    problems.append(f"program {seed}:{count}, schedule {index}: {problem}\n{source.read_text()}")
            count += 1
    print("\n".join(problems[:3]))
    print(f"{count} programs, {len(problems)} schedules that end otherwise natively")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
