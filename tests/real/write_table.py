"""docs/real-programs.md, from what one run measured."""

import textwrap

HEAD = """# Real programs

Programs as Debian 12 has them, and small programs on top of its libraries (`tests/real/rows`), each under {schedules} schedules
with the default policies and points (`-j 1`, seed 1). This page is written by one run of the test on {cores} cores, and not
edited by hand: `./run test long real` installs the packages and leaves it as `build/release/real-programs.md`.

A row has passed if nothing was found, nothing hung, no process was left, the program did its work (its output or files are
looked at under single schedules, or the client got the right answers), and `snarl run -t {seconds}` ended within {seconds} + 2 s
and {slack} s for a busy machine.

- **threads**, **steps**: the most that a schedule had.
- **per second**: schedules, with the time of starting, of profiling runs and of the self-check.
- **repeat**: how many schedules took the same decisions when they were made again. [What does not
  repeat](limitations.md#what-does-not-repeat) says why a program may not.
- **switching**, **reset**: how threads are switched and how a run starts afresh; numbers are reasons below.

"""


def number_of(reasons, text):
    if text not in reasons:
        reasons.append(text)
    return reasons.index(text) + 1


def write(path, measured, not_run, failed, parameters):
    """`measured`: pairs of row and Measured; the others: pairs of row and why."""
    reasons, lines = [], ["| program | package | threads | steps | per second | repeat | switching | reset |",
                          "| --- | --- | --- | --- | --- | --- | --- | --- |"]
    for row, got, version in sorted(measured, key=lambda entry: entry[0].name.lower()):
        switching = f"{got.switching['kind']} {number_of(reasons, got.switching['why'])}"
        reset = f"{got.reset['kind']} {number_of(reasons, got.reset['why'])}"
        rate = f"{got.rate:.0f}" if got.rate >= 10 else f"{got.rate:.1f}"
        lines.append(f"| {row.name} | {row.packages.split()[0]} {version} | {got.threads} | {got.steps:,} | {rate} | "
                     f"{got.same} of {got.of} | {switching} | {reset} |")
    late = max((got.over for _, got, _ in measured if got.over is not None), default=None)
    text = HEAD.format(**parameters) + "\n".join(lines) + "\n\n"
    text += "".join(f"{number}. {why}\n" for number, why in enumerate(reasons, 1))
    text += f"\n{len(measured)} passed, {len(failed)} failed, {len(not_run)} not run."
    if late is not None:
        text += f" The latest end of `-t {parameters['seconds']}` was {late:.1f} s after it."
    text += "\n"
    if any(got.found for _, got, _ in measured):
        text += "\n## Found\n\nMistakes of the programs, as far as was looked into (the row in `tests/real/rows` says what it is):\n\n"
        text += "".join(f"- {row.name}: {found}\n" for row, got, _ in measured for found in got.found)
    for title, entries in (("Failed", failed), ("Not run", not_run)):
        if entries:
            text += f"\n## {title}\n\n" + "".join(
                f"- {row.name}: {textwrap.shorten(why, 300)}\n" for row, why in entries)
    path.write_text(text)
