"""The assembler's own word on where instructions are: reads the listing that `as -aln` writes while it assembles, and
the linker's map, which says where each section went."""

import pathlib
import re

LINE = re.compile(r"^ *\d+ (?:([0-9a-f]{4,}) )?([0-9A-F ]*)\t(.*)$")
SECTION = re.compile(r'^\.(?:section|pushsection)\s+([^,\s]+)')
LABEL = re.compile(r"\.L(?:\d+|BB\d+_\d+)\b")
ALIGN = re.compile(r"^\.(?:p2)?align\b")
ATOMIC = re.compile(r"^(?:lock\b|xchg[bwlq]?\b.*\(|mfence|pause|rep;? ?nop|rdrand|rdseed|rdtsc)")


class Listing:
    """Instructions as {(section, offset): (length, text)}; `padding` as {place: length}, which the
    assembler fills with nops of its choice; `targets` are where labels stand that code or tables name. `places` of all
    labels; `words` of data as (section, the label before them, text)."""

    def __init__(self, path):
        self.instructions, self.padding, self.places, self.words = {}, {}, {}, []
        section, stack, labels, named, table = ".text", [], [], set(), ""
        for line in pathlib.Path(path).read_text(encoding="utf-8", errors="replace").splitlines():
            match = LINE.match(line)
            if not match:
                continue
            text = self._text(match[3])
            section = self._section(text, section, stack)
            if text.endswith(":"):
                labels.append(text[:-1])
                continue
            named.update(LABEL.findall(text))
            if not match[1]:
                continue
            place = (section, int(match[1], 16))
            self.places.update((label, place) for label in labels)
            table, labels = (labels or [table])[-1], []
            length = len(match[2].replace(" ", "")) // 2
            if not text.startswith("."):
                self.instructions[place] = (length, text)
            elif ALIGN.match(text):
                self.padding[place] = length
            else:
                self.words.append((section, table, text))
        self.targets = {self.places[label] for label in named if label in self.places}

    @staticmethod
    def _text(text):
        text = text.split("#")[0].strip()
        return re.sub(r"\s+", " ", text)

    @staticmethod
    def _section(text, section, stack):
        match = SECTION.match(text)
        if text.startswith(".pushsection"):
            stack.append(section)
        if match:
            return match[1].strip('"')
        if text.startswith(".popsection"):
            return stack.pop()
        return text.split()[0] if re.match(r"^\.(text|data|bss)\b", text) else section


def addresses(map_path, object_name):
    """Where the linker put each section of an object: {section: address}."""
    text = pathlib.Path(map_path).read_text(encoding="utf-8", errors="replace")
    # What was thrown away is listed first, with address 0.
    text = text[text.index("Linker script and memory map"):]
    found = re.findall(r"^ (\.\S+)\s+0x([0-9a-f]+)\s+0x[0-9a-f]+ \S*" + re.escape(object_name) + "$", text, re.MULTILINE)
    return {section: int(address, 16) for section, address in found if int(address, 16) != 0}
