"""One real program: where it comes from, what it works on, how it is started, and what must be true of it."""

import dataclasses
import pathlib
import random
import re
import shlex
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "e2e"))
import snarl_case  # noqa: E402

SOURCES = pathlib.Path(__file__).resolve().parent / "sources"


@dataclasses.dataclass(frozen=True)
class Row:
    """`command` is split like a shell's words; PORT stands for a free port of the loopback device.

    `inputs` makes the files that it needs, in the row's folder. `check` looks at what a single schedule left there and at
    its output, and raises AssertionError. `session` is one client's visit of a server (client.py), which ends the server;
    `helper` starts something on the loopback device that the program talks to, and returns what ends it."""

    name: str
    packages: str
    command: str
    inputs: object = None
    check: object = None
    session: object = None
    helper: object = None
    options: tuple = ()
    env: tuple = ()  # pairs
    threads: int = 2  # at least so many
    exit: int = 0     # documented, of a run that went well
    patched: bool = False  # most of its atomic instructions must be points
    bug: str = ""          # kind of a finding that is a mistake of the program: what it is stands beside the row
    short: bool = False    # a part of ./run test: its packages stand in debian/control

    def prepare(self, folder, port):
        """Makes the inputs; returns the words of the command."""
        if self.inputs:
            self.inputs(folder)
        for conf in folder.glob("*.conf"):
            conf.write_text(conf.read_text().replace("PORT", str(port)))
        return [word.replace("PORT", str(port)) for word in shlex.split(self.command)]


def native(folder, command):
    """What a tool writes when snarl is not there."""
    done = snarl_case.run(shlex.split(command), cwd=folder, timeout=300, capture_output=True)
    assert done.returncode == 0, f"{command}: exit code {done.returncode}\n{done.stderr.decode(errors='replace')[-2000:]}"
    return done.stdout


def all_of(*makers):
    def make(folder):
        for maker in makers:
            maker(folder)
    return make


def compiled(source, options="", compiler="g++ -std=c++20"):
    """Builds a program of tests/real/sources as `program`."""
    def make(folder):
        native(folder, f"{compiler} -O1 -g {SOURCES / source} -o program -pthread {options}")
    return make


def text(name, content, mode=0o644):
    def make(folder):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
        (folder / name).chmod(mode)
    return make


def prepared(command):
    """Another tool makes the input."""
    return lambda folder: native(folder, command)


def data(size):
    """Bytes that can be compressed, but not to nothing."""
    def make(folder):
        noise = random.Random(1).randbytes(20_000)
        (folder / "in").write_bytes(b"".join(noise[i % 15_000:i % 15_000 + 300] for i in range(0, size, 300)))
    return make


def shuffled(count):
    def make(folder):
        lines = list(range(count))
        random.Random(2).shuffle(lines)
        (folder / "lines").write_text("".join(f"{n}\n" for n in lines))
    return make


def needles(files):
    def make(folder):
        for n in range(files):
            text(f"texts/d{n % 3}/text{n}", "needle\n" * n + "hay\n")(folder)
    return make


def picture(width, height):
    def make(folder):
        pixels = bytes((x * y + 40 * c) % 251 for y in range(height) for x in range(width) for c in range(3))
        (folder / "in.ppm").write_bytes(b"P6\n%d %d\n255\n" % (width, height) + pixels)
    return make


def film(width, height, frames):
    def make(folder):
        def plane(w, h, t):
            return bytes((x + y * t) % 251 for y in range(h) for x in range(w))
        with open(folder / "in.y4m", "wb") as out:
            out.write(b"YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420jpeg\n" % (width, height))
            for t in range(frames):
                out.write(b"FRAME\n" + plane(width, height, t) + 2 * plane(width // 2, height // 2, t))
    return make


def sound(samples):
    def make(folder):
        values = b"".join(struct.pack("<h", (i * 37) % 2000) for i in range(samples))
        head = b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 8000, 16000, 2, 16) + b"data" + struct.pack("<I", len(values))
        (folder / "in.wav").write_bytes(b"RIFF" + struct.pack("<I", len(head) + len(values)) + head + values)
    return make


def genome(length, reads):
    """A sequence, and pieces of it as a sequencer would give them."""
    def make(folder):
        bases = "".join(random.Random(3).choices("ACGT", k=length))
        (folder / "ref.fa").write_text(f">ref\n{bases}\n")
        with open(folder / "reads.fq", "w") as out:
            for n in range(reads):
                at = n * 37 % (length - 100)
                out.write(f"@r{n}\n{bases[at:at + 100]}\n+\n{'I' * 100}\n")
    return make


def repository(files):
    def make(folder):
        needles(files)(folder)
        git = "git -c user.name=a -c user.email=a@b -c gc.auto=0 -c maintenance.auto=false"
        native(folder, "git init -q .")
        native(folder, f"{git} add texts")
        native(folder, f"{git} commit -q -m all")
    return make


def unpacks(command, original="in"):
    """What the command writes is what was packed."""
    def check(folder, _):
        assert native(folder, command) == (folder / original).read_bytes(), f"{command}: not what was packed"
    return check


def prints(pattern):
    def check(_, result):
        assert re.search(pattern, result.out + result.err), f"no {pattern} in {result.out[-1500:]}{result.err[-1500:]}"
    return check


def writes(name, least=1):
    def check(folder, _):
        assert (folder / name).stat().st_size >= least, f"{name} is too short"
    return check
