#include "scan/code_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "scan/unwind_table.h"

namespace snarl::scan {
namespace {

constexpr std::string_view kHookSection = "snarl_tsan";  // src/instrument/hooks.h

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, name) != list.end();
}

// Stubs of the linker, and gcc's crt*.o.
bool is_start_section(std::string_view name) {
  return is_one_of(name, {".init", ".fini", ".plt", ".plt.got", ".plt.sec"});
}
bool is_start_function(std::string_view name) {
  return is_one_of(name, {"_start", "_dl_relocate_static_pie", "deregister_tm_clones", "register_tm_clones",
                          "__do_global_dtors_aux", "frame_dummy"});
}

class Reader {
 public:
  explicit Reader(std::string_view file) : file_(file) {}

  CodeImage read() {
    const auto header = at<Elf64_Ehdr>(0);
    const bool usable =
        header && file_.starts_with(ELFMAG) && file_[EI_CLASS] == ELFCLASS64 && header->e_machine == EM_X86_64;
    if (!usable) return image_;
    image_.entry = header->e_entry;
    image_.pie = header->e_type == ET_DYN;
    read_segments(*header);
    read_relocations();
    read_symbols(*header);
    read_words();
    if (unwind_) read_unwind_table(*unwind_, image_);
    arrange();
    return image_;
  }

 private:
  template <typename T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, file_.data() + offset, sizeof value);
    return value;
  }

  std::string_view part(uint64_t offset, uint64_t size) const {
    if (offset > file_.size()) return {};
    return file_.substr(offset, std::min<uint64_t>(size, file_.size() - offset));
  }

  void read_segments(const Elf64_Ehdr& header) {
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
      const auto one = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (!one) return;
      const std::string_view bytes = part(one->p_offset, one->p_filesz);
      if (one->p_type == PT_LOAD)
        image_.segments.push_back({one->p_vaddr, bytes, (one->p_flags & PF_X) != 0, (one->p_flags & PF_W) != 0});
      if (one->p_type == PT_GNU_RELRO) image_.constants.push_back({one->p_vaddr, one->p_vaddr + one->p_memsz});
      if (one->p_type == PT_DYNAMIC) dynamic_ = bytes;
      if (one->p_type == PT_GNU_EH_FRAME) unwind_ = one->p_vaddr;
      if (one->p_type == PT_NOTE) read_notes(bytes);
    }
  }

  void read_notes(std::string_view notes) {
    const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
    while (notes.size() >= sizeof(Elf64_Nhdr)) {
      Elf64_Nhdr note;
      std::memcpy(&note, notes.data(), sizeof note);
      const uint64_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
      if (whole > notes.size()) return;
      if (note.n_type == NT_GNU_BUILD_ID)
        image_.build_id = notes.substr(sizeof note + padded(note.n_namesz), note.n_descsz);
      notes.remove_prefix(whole);
    }
  }

  // Every address of code that the loader writes into data.
  void read_relocations() {
    uint64_t table = 0, size = 0;
    for (size_t i = 0; i + sizeof(Elf64_Dyn) <= dynamic_.size(); i += sizeof(Elf64_Dyn)) {
      Elf64_Dyn entry;
      std::memcpy(&entry, dynamic_.data() + i, sizeof entry);
      if (entry.d_tag == DT_RELA) table = entry.d_un.d_ptr;
      if (entry.d_tag == DT_RELASZ) size = entry.d_un.d_val;
    }
    const std::string_view bytes = image_.at(table).substr(0, size);
    for (size_t i = 0; i + sizeof(Elf64_Rela) <= bytes.size(); i += sizeof(Elf64_Rela)) {
      Elf64_Rela entry;
      std::memcpy(&entry, bytes.data() + i, sizeof entry);
      add_pointer(static_cast<uint64_t>(entry.r_addend));
    }
  }

  // Words of data that could be code addresses: all of them, in a file that is loaded at a fixed address.
  void read_words() {
    for (const Segment& segment : image_.segments) {
      if (segment.executable) continue;
      for (size_t i = (8 - segment.begin % 8) % 8; i + 8 <= segment.bytes.size(); i += 8) {
        uint64_t word;
        std::memcpy(&word, segment.bytes.data() + i, sizeof word);
        add_pointer(word);
      }
    }
  }

  void add_pointer(uint64_t address) {
    if (address != 0 && image_.is_code(address)) image_.pointers.push_back(address);
  }

  void read_symbols(const Elf64_Ehdr& header) {
    if (header.e_shoff == 0) return;
    const auto names = at<Elf64_Shdr>(header.e_shoff + header.e_shstrndx * sizeof(Elf64_Shdr));
    for (uint64_t i = 0; i < header.e_shnum; ++i) {
      const auto section = at<Elf64_Shdr>(header.e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return;
      if (names) note_section(*section, text_at(names->sh_offset + section->sh_name));
      if (section->sh_type != SHT_SYMTAB && section->sh_type != SHT_DYNSYM) continue;
      const auto texts = at<Elf64_Shdr>(header.e_shoff + section->sh_link * sizeof(Elf64_Shdr));
      read_table(part(section->sh_offset, section->sh_size), texts ? texts->sh_offset : file_.size());
    }
  }

  // Up to its end, or that of the file.
  std::string_view text_at(uint64_t offset) const {
    const std::string_view rest = part(offset, file_.size());
    return rest.substr(0, rest.find('\0'));
  }

  void note_section(const Elf64_Shdr& section, std::string_view name) {
    const Function area{section.sh_addr, section.sh_addr + section.sh_size};
    if (name == kHookSection) image_.hooks.push_back(area);
    if (is_start_section(name)) image_.start_code.push_back(area);
  }

  void read_table(std::string_view symbols, uint64_t texts) {
    for (size_t i = 0; i + sizeof(Elf64_Sym) <= symbols.size(); i += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + i, sizeof symbol);
      const int type = ELF64_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || !image_.is_code(symbol.st_value)) continue;
      if (type == STT_FUNC && is_start_function(text_at(texts + symbol.st_name)))
        image_.start_code.push_back({symbol.st_value, symbol.st_value + std::max<uint64_t>(symbol.st_size, 1)});
      if (type == STT_FUNC || type == STT_GNU_IFUNC)
        image_.functions.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
      else if (type == STT_NOTYPE)  // a label of an assembler
        add_pointer(symbol.st_value);
    }
  }

  // One function for each begin. A function without a size ends where the next begins.
  void arrange() {
    auto& functions = image_.functions;
    std::ranges::sort(functions, [](const Function& a, const Function& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<Function> result;
    for (const Function& one : functions) {
      if (!result.empty() && result.back().begin == one.begin)
        result.back().sure &= one.sure;
      else
        result.push_back(one);
    }
    for (size_t i = 0; i < result.size(); ++i) {
      Function& one = result[i];
      const uint64_t rest = one.begin + image_.at(one.begin).size();
      const uint64_t next = i + 1 < result.size() ? std::min(result[i + 1].begin, rest) : rest;
      one.claimed = one.end;
      if (one.end <= one.begin || one.end > next) one.end = next;
    }
    functions = std::move(result);
  }

  std::string_view file_;
  CodeImage image_;
  std::string_view dynamic_;
  std::optional<uint64_t> unwind_;
};

}  // namespace

std::string_view CodeImage::at(uint64_t address) const {
  for (const Segment& segment : segments)
    if (segment.contains(address)) return segment.bytes.substr(address - segment.begin);
  return {};
}

bool CodeImage::is_code(uint64_t address) const {
  return std::ranges::any_of(segments, [=](const Segment& s) { return s.executable && s.contains(address); });
}

bool CodeImage::is_hook(uint64_t address) const {
  return std::ranges::any_of(hooks, [=](const Function& one) { return one.begin <= address && address < one.end; });
}

const Function* CodeImage::function_of(uint64_t address) const {
  auto after = std::ranges::upper_bound(functions, address, {}, &Function::begin);
  if (after == functions.begin()) return nullptr;
  const Function& one = *--after;
  return address < one.end ? &one : nullptr;
}

CodeImage read_code(std::string_view file) { return Reader(file).read(); }

}  // namespace snarl::scan
