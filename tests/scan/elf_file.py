"""What the witness needs of an ELF file: its code, and where its functions are. A reader of its own: it shares nothing
with src/scan, and takes the functions from the search table of .eh_frame_hdr, which that does not read."""

import bisect
import mmap
import struct

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
SECTION = struct.Struct("<IIQQQQIIQQ")
SYMBOL = struct.Struct("<IBBHQQ")
X86_64, EXECUTABLES = 62, (2, 3)
LOAD, UNWIND, CODE = 1, 0x6474E550, 1
SYMBOL_TABLES, FUNCTIONS = (2, 11), (2, 10)
SEARCH_TABLE = b"\x01\x1b\x03\x3b"  # version 1, and the encodings that every linker uses


class ElfFile:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        header = HEADER.unpack_from(self.data)
        self.usable = header[0][:5] == b"\x7fELF\x02" and header[2] == X86_64 and header[1] in EXECUTABLES
        if not self.usable:
            return
        self.segments = [SEGMENT.unpack_from(self.data, header[5] + i * SEGMENT.size) for i in range(header[10])]
        self.functions = self._functions(header)
        self.begins = [begin for begin, _ in self.functions]

    def code(self, begin, end):
        """The bytes between, as far as they are code in the file."""
        for kind, flags, offset, address, _, size, _, _ in self.segments:
            if kind == LOAD and flags & CODE and address <= begin < address + size:
                return self.data[offset + begin - address:offset + min(end, address + size) - address]
        return b""

    def function_at(self, address):
        """Begin and end of the function that has it, or of the last one before it."""
        at = bisect.bisect_right(self.begins, address) - 1
        return self.functions[at] if at >= 0 else None

    def _functions(self, header):
        unwound = sorted(self._unwound())
        begins = [begin for begin, _ in unwound]
        result = dict(unwound)
        for begin, end in self._symbols(header):
            before = bisect.bisect_right(begins, begin) - 1
            if before < 0 or unwound[before][1] <= begin:  # an unwind entry is the better witness
                result.setdefault(begin, end)
        return sorted(result.items())

    def _offset(self, address):
        for kind, _, offset, begin, _, size, _, _ in self.segments:
            if kind == LOAD and begin <= address < begin + size:
                return offset + address - begin
        return None

    def _unwound(self):
        """From the search table, and each one's length from its own entry."""
        for kind, _, offset, address, _, size, _, _ in self.segments:
            if kind != UNWIND or self.data[offset:offset + 4] != SEARCH_TABLE:
                continue
            count = min(struct.unpack_from("<I", self.data, offset + 8)[0], (size - 12) // 8)
            for begin, entry in struct.iter_unpack("<ii", self.data[offset + 12:offset + 12 + 8 * count]):
                at = self._offset(address + entry)
                if at is not None:
                    yield address + begin, address + begin + struct.unpack_from("<I", self.data, at + 12)[0]

    def _symbols(self, header):
        for i in range(header[12]):
            section = SECTION.unpack_from(self.data, header[6] + i * SECTION.size)
            if section[1] not in SYMBOL_TABLES:
                continue
            for _, info, _, where, value, size in SYMBOL.iter_unpack(
                    self.data[section[4]:section[4] + section[5] // SYMBOL.size * SYMBOL.size]):
                if info & 15 in FUNCTIONS and where != 0 and size != 0:
                    yield value, value + size
