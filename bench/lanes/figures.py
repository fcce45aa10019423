#!/usr/bin/env python3
"""Draws the figures 1, 4, 5 and 6 of the paper of SINECOSEQ with our own numbers: `./run papers 003 [FOLDER]`.

Figure 1 is measured: lanes on one core of this host over native ppct. The others are what `snarl lanes --simt` models.
"""
import argparse
import csv
import json
import math
import pathlib
import re
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# As printed: at depth 1, and at its best depth.
PAPER = {"black_scholes": (4.3, 132.3), "histogram": (3.7, 127.1), "kmeans": (1.8, 52.1), "linear_regression": (11.2, 365.3),
         "matrix_product": (7.8, 351.2), "pca": (7.6, 45.5), "string_match": (2.1, 37.6), "word_count": (1.2, 23.6)}
DEPTHS = range(1, 7)
BLOCKS = (32, 64, 128, 256, 512)
COLOURS = ("#1b4965", "#2f8f9d", "#5fb49c", "#e0a458", "#c8553d", "#7d4f7f")


def seen(words, timeout=600):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=timeout, stdin=subprocess.DEVNULL)
    start = done.stdout.find("{")
    if done.returncode not in (0, 1) or start < 0:
        raise SystemExit(f"{' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr[-1000:]}")
    return json.loads(done.stdout[start:])


def measured(tools, runs, seconds):
    """Schedules per CPU second: of lanes that differ, and of native ppct with a process per run, on all cores."""
    rows = []
    for program in PAPER:
        for depth in DEPTHS:
            policy = f"{'pct' if depth == 1 else 'uact'}:depth={depth}"
            ours = seen([tools / "snarl", "lanes", "-t", f"{seconds}s", "-p", policy, "--keep-going", "--seed", 1, "--json",
                         "--", HERE / f"{program}.c"])
            native = seen([tools / "snarl", "run", "-p", f"ppct:depth={depth}", "--reset", "exec", "--points", "memory", "-n",
                           runs, "--seed", 1, "-j", 1, "--json", "-o", SCRATCH / "out", "--",
                           tools / f"bench_lanes_{program}"])
            distinct = min(ours["schedules"], ours["distinct_schedules"]) / ours["cpu_seconds"]
            rate = native["schedules"] / native["cpu_seconds"]
            rows.append({"program": program, "depth": depth, "lanes_per_second": ours["schedules"] / ours["cpu_seconds"],
                         "distinct_per_second": distinct, "native_per_second_of_a_core": rate,
                         "speedup_over_two_cores": distinct / (2 * rate), "paper_depth_1": PAPER[program][0],
                         "paper_best": PAPER[program][1]})
    return rows


def modelled(tools, warps):
    return {program: seen([tools / "snarl", "lanes", "--simt", warps, "--seed", 1, "--json", "--", HERE / f"{program}.c"])
            for program in PAPER}


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: f"{value:.6g}" if isinstance(value, float) else value for key, value in row.items()})


def bars(path, title, axis, groups, names, logarithmic):
    """groups: [(label, [values])], one bar for each of `names`; below zero they hang down."""
    values = [value for _, row in groups for value in row]
    width, height, left, top = max(720, 60 + len(groups) * (len(names) * 9 + 14)), 360, 60, 50
    low, high = min(values + [0]), max(values + [0])
    if logarithmic:
        low, high = math.floor(math.log10(min(min(values), 1))), math.ceil(math.log10(max(values)))

    def y(value):
        at = math.log10(value) if logarithmic else value
        return top + (height - 110) * (1 - (at - low) / (high - low or 1))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" '
           f'font-size="11"><rect width="100%" height="100%" fill="white"/>'
           f'<text x="{left}" y="18" font-size="13">{title}</text>']
    steps = range(low, high + 1) if logarithmic else [low + (high - low) * i / 5 for i in range(6)]
    for step in steps:
        value = 10.0 ** step if logarithmic else step
        out.append(f'<line x1="{left}" x2="{width - 8}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 4}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
                   if logarithmic else
                   f'<line x1="{left}" x2="{width - 8}" y1="{y(value):.1f}" y2="{y(value):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 4}" y="{y(value) + 4:.1f}" text-anchor="end">{value:.3g}</text>')
    zero = y(10.0 ** low) if logarithmic else y(0)
    room = (width - left - 16) / len(groups)
    bar = (room - 10) / len(names)
    for number, (label, row) in enumerate(groups):
        for i, value in enumerate(row):
            begin, end = sorted((y(value), zero))
            out.append(f'<rect x="{left + number * room + 5 + i * bar:.1f}" y="{begin:.1f}" width="{bar - 1:.1f}" '
                       f'height="{max(end - begin, 0.5):.1f}" fill="{COLOURS[i % len(COLOURS)]}"/>')
        out.append(f'<text x="{left + (number + 0.5) * room:.1f}" y="{height - 44}" text-anchor="middle">{label}</text>')
    for i, name in enumerate(names):
        out.append(f'<rect x="{left + i * 100}" y="{height - 26}" width="10" height="10" fill="{COLOURS[i % len(COLOURS)]}"/>'
                   f'<text x="{left + 14 + i * 100}" y="{height - 17}">{name}</text>')
    out.append(f'<text x="{left}" y="{top - 12}" fill="#555">{axis}</text></svg>')
    path.write_text("\n".join(out) + "\n", encoding="utf-8")


def warp_picture(path):
    """Figure 4: which of 32 lanes are together, from the top (the first step) down; drawn from the tuples' sizes."""
    out, width = [], 4 * 180 + 20
    for number, depth in enumerate((1, 2, 3, 6)):
        x0, sizes = 20 + number * 180, [32]
        for split in range(1, depth):
            sizes.append(32 >> split if split < depth - 1 else 1)
        out.append(f'<text x="{x0}" y="36">depth {depth}: {32 // sizes[-1]} schedules of a warp</text>')
        for level, size in enumerate(sizes):
            for group in range(32 // size):
                out.append(f'<rect x="{x0 + group * size * 5}" y="{48 + level * 28}" width="{size * 5 - 1}" height="24" '
                           f'fill="{COLOURS[group % len(COLOURS)]}"/>')
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="230" font-family="sans-serif" font-size="11">'
                    '<rect width="100%%" height="100%%" fill="white"/><text x="20" y="18" font-size="13">Modelled: how a warp of '
                    'act parts, from top to bottom; lanes of one box run as one</text>%s</svg>\n' % (width, "\n".join(out)),
                    encoding="utf-8")


def row_of(model, strategy, depth):
    return next(row for row in model["rows"] if (row["strategy"], row["depth"]) == (strategy, depth))


def draw(folder, rows, models, what):
    names = [f"d={depth}" for depth in DEPTHS]
    write_csv(folder / "003-figure1.csv", rows)
    speed = {(row["program"], row["depth"]): row["speedup_over_two_cores"] for row in rows}
    bars(folder / "003-figure1.svg", "Figure 1, measured: lanes on one core over native ppct on two",
         "times as many different schedules per second (logarithmic)",
         [(program, [speed[program, depth] for depth in DEPTHS]) for program in PAPER], names, True)
    warp_picture(folder / "003-figure4.svg")
    table = [{"program": program, "strategy": row["strategy"], "depth": row["depth"], "cost_apart": row["cost_apart"],
              "cost_meeting": row["cost_meeting"], "distinct_of_32": row["distinct"],
              "efficiency_apart": row["efficiency_apart"], "efficiency_meeting": row["efficiency_meeting"],
              **{f"block_{size}": time for size, time in zip(BLOCKS, row["blocks"])}}
             for program, model in models.items() for row in model["rows"]]
    write_csv(folder / "003-model.csv", table)
    bars(folder / "003-figure5.svg", "Figure 5, modelled: time of 65,536 lanes of act by the size of a block",
         "time over that of blocks of 32, geometric mean of the eight programs",
         [(f"d={depth}", [geometric_mean([row_of(model, "act", depth)["blocks"][i] / row_of(model, "act", depth)["blocks"][0]
                                          for model in models.values()]) for i in range(5)]) for depth in DEPTHS],
         [f"{size} lanes" for size in BLOCKS], False)
    saved = {program: [100 * (1 - row_of(model, "act", depth)["cost_apart"] / row_of(model, "pct", depth)["cost_apart"])
                       for depth in DEPTHS] for program, model in models.items()}
    bars(folder / "003-figure6.svg", "Figure 6, modelled: what delayed divergence saves over pct on the same GPU",
         "percent of the instructions of a different schedule; lanes that parted never meet again", list(saved.items()), names, False)
    page(folder, rows, models, saved, what)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def page(folder, rows, models, saved, what):
    speed = {(row["program"], row["depth"]): row["speedup_over_two_cores"] for row in rows}
    depth_one = (geometric_mean([speed[program, 1] for program in PAPER])
                 / geometric_mean([speed[program, depth] for program in PAPER for depth in DEPTHS if depth > 1]))
    rates = {program: [row["native_per_second_of_a_core"] for row in rows if row["program"] == program] for program in PAPER}
    noise = max(max(row) / min(row) for row in rates.values())
    lines = ["# Schedules on a GPU: the figures of SINECOSEQ with our own numbers", "",
             f"Written by `./run papers 003 docs/results`{what}.",
             "The paper: Banga, Pai, Roy, Chaudhuri: *Accelerating schedule space exploration of multi-threaded programs with",
             "GPUs*. Of its figures only the first and the best cell of each program are printed as numbers. The eight programs are",
             "our own of the same kinds (`bench/lanes`), with 15 threads each. **No number here comes from a GPU**: figure 1 is",
             "measured on a processor, the others are modelled.",
             "", "## Figure 1: speed", "",
             "Different schedules per CPU second of lanes on **one core** (`pct` at depth 1, `uact` in groups of 32 else), over",
             "native `ppct` with a process per run, times two cores. The paper has a GPU over twelve cores.", "",
             "| program | " + " | ".join(f"d={depth}" for depth in DEPTHS) + " | paper: d=1, best |",
             "|" + " --- |" * 8]
    for program, (first, best) in PAPER.items():
        lines.append(f"| {program} | " + " | ".join(f"{speed[program, depth]:.0f}x" for depth in DEPTHS)
                     + f" | {first:g}x, {best:g}x |")
    lines += ["", f"Geometric mean of {len(rows)} cells: {geometric_mean(list(speed.values())):.0f}x. Numbers: "
              "[003-figure1.csv](003-figure1.csv).", "", "![figure 1](003-figure1.svg)", "",
              "- What agrees: a compiled schedule is far cheaper than a process with real threads.",
              "- What differs: in the paper depth 1 is far below all others, because there all lanes of a warp run one schedule.",
              f"  Ours is {depth_one:.2f} of the mean of the others, as each lane of depth 1 has priorities of its own.",
              f"- Each cell is one run. The native rate of one program differs up to {noise:.1f} times between depths, which tells how",
              "  far a cell can be off at least.",
              "", "## Figure 4: how a warp parts", "",
              "Drawn from the sizes of the tuples. Groups of act halve at each pair and part fully at the last tuple; at depth 1",
              "nothing parts. That is the printed figure by construction; the unit tests hold the strategy to it.", "",
              "![figure 4](003-figure4.svg)", "", "## Figure 5: sizes of blocks", "",
              "65,536 lanes of `act` in blocks of 32 to 512, on 13 multiprocessors with room for 512 lanes each. A block keeps its",
              "room until its slowest warp is done. Time over that of blocks of 32:", "",
              "| depth | " + " | ".join(f"{size}" for size in BLOCKS) + " |", "|" + " --- |" * 6]
    for depth in DEPTHS:
        mean = [geometric_mean([row_of(model, "act", depth)["blocks"][i] / row_of(model, "act", depth)["blocks"][0]
                                for model in models.values()]) for i in range(5)]
        lines.append(f"| {depth} | " + " | ".join(f"{value:.2f}" for value in mean) + " |")
    lines += ["", "![figure 5](003-figure5.svg)", "",
              "- What agrees: smaller blocks are faster, as the paper says in general, since no warp waits for a slower one of its",
              "  block. At depth 1 and with programs whose schedules are all as long it hardly matters.",
              "- What differs: printed, blocks of 64 or 512 are sometimes best. Caches, and how warps of one multiprocessor take",
              "  turns, are not modelled.",
              "", "## Figure 6: what delayed divergence saves", "",
              "Instructions per different schedule of `act` against `pct` on the same modelled GPU, where lanes that parted never meet:", "",
              "| program | " + " | ".join(f"d={depth}" for depth in DEPTHS) + " |", "|" + " --- |" * 7]
    for program, row in saved.items():
        lines.append(f"| {program} | " + " | ".join(f"{value:.0f} %" for value in row) + " |")
    distinct = [row_of(model, "act", depth)["distinct"] for model in models.values() for depth in DEPTHS if depth > 1]
    meeting = [row_of(model, "pct", 3)["cost_apart"] / row_of(model, "pct", 3)["cost_meeting"] for model in models.values()]
    delayed = [100 / (100 - row[2]) for row in saved.values()]
    lines += ["", "![figure 6](003-figure6.svg)", "",
              "- What agrees: a loss at depth 1, where one schedule fills a warp, a jump at depth 2, and a gain that grows with depth.",
              "- What differs: the loss at depth 1 is printed as at most 4 %. It is 0 if 32 lanes of `pct` have nothing in common, and",
              "  more where they begin alike.",
              f"- Not in the paper: of 32 lanes of `act` {min(distinct):.1f} to {max(distinct):.1f} are different schedules at depth 2 to 6.",
              "- Not in the paper: if all lanes come back to the scheduler after each step, plain `pct` at depth 3 costs",
              f"  {min(meeting):.1f} to {max(meeting):.1f} times less. Delayed divergence alone saves {min(delayed):.1f} to {max(delayed):.1f} times there.",
              "", "All modelled numbers, with `uact` and both models: [003-model.csv](003-model.csv).", ""]
    (folder / "003.md").write_text("\n".join(lines), encoding="utf-8")


def main():
    global SCRATCH
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path, required=True, help="where snarl and the benches' programs are")
    parser.add_argument("--runs", type=int, default=150, help="native runs of each cell")
    parser.add_argument("--seconds", type=float, default=1, help="of lanes in each cell")
    parser.add_argument("--warps", type=int, default=16, help="that are modelled of each strategy and depth")
    parser.add_argument("--note", default="", help="a sentence for the page: what was special about this run")
    arguments = parser.parse_args()
    standard = (arguments.runs, arguments.seconds, arguments.warps) == (150, 1, 16)
    what = "" if standard else (f" with fewer schedules than it takes otherwise (--runs {arguments.runs} --seconds "
                                f"{arguments.seconds:g} --warps {arguments.warps})")
    what += f". {arguments.note}" if arguments.note else ""
    arguments.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        SCRATCH = pathlib.Path(scratch)
        models = modelled(arguments.tools, arguments.warps)
        draw(arguments.folder, measured(arguments.tools, arguments.runs, arguments.seconds), models, what)


if __name__ == "__main__":
    main()
