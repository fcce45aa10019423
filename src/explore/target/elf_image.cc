#include "explore/target/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace snarl::explore {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view bytes) : bytes_(bytes) {}

  ElfImage parse() {
    if (!bytes_.starts_with(ELFMAG) || bytes_.size() < EI_NIDENT) return image_;
    const auto elf_class = static_cast<unsigned char>(bytes_[EI_CLASS]);
    image_.elf_class = elf_class == ELFCLASS32 ? ElfImage::Class::k32 : ElfImage::Class::kBroken;
    if (elf_class != ELFCLASS64) return image_;
    const auto header = at<Elf64_Ehdr>(0);
    if (!header || bytes_[EI_DATA] != ELFDATA2LSB) return image_;
    image_.elf_class = ElfImage::Class::k64;
    image_.machine = header->e_machine;
    image_.type = header->e_type;
    read_segments(*header);
    read_dynamic();
    read_sections(*header);
    return image_;
  }

 private:
  template <typename T>
  std::optional<T> at(uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }

  std::string_view part(uint64_t offset, uint64_t size) const {
    if (offset > bytes_.size()) return {};
    return bytes_.substr(offset, std::min<uint64_t>(size, bytes_.size() - offset));
  }

  std::string text(uint64_t offset) const {
    const std::string_view rest = part(offset, 4096);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  void read_segments(const Elf64_Ehdr& header) {
    for (uint64_t i = 0; i < header.e_phnum; ++i) {
      const auto segment = at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment) return;
      if (segment->p_type == PT_LOAD) loads_.push_back(*segment);
      if (segment->p_type == PT_LOAD && part(segment->p_offset, segment->p_filesz).size() < segment->p_filesz)
        image_.cut_off = true;
      if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) != 0)
        image_.code.push_back(part(segment->p_offset, segment->p_filesz));
      if (segment->p_type == PT_DYNAMIC) dynamic_ = *segment;
      if (segment->p_type == PT_INTERP) image_.interpreter = text(segment->p_offset);
      if (segment->p_type == PT_NOTE) read_notes(part(segment->p_offset, segment->p_filesz));
    }
  }

  void read_notes(std::string_view notes) {
    const auto padded = [](uint64_t size) { return (size + 3) & ~uint64_t{3}; };
    while (notes.size() >= sizeof(Elf64_Nhdr)) {
      Elf64_Nhdr note;
      std::memcpy(&note, notes.data(), sizeof note);
      notes.remove_prefix(sizeof note);
      const uint64_t name_size = padded(note.n_namesz), value_size = padded(note.n_descsz);
      if (name_size > notes.size() || note.n_descsz > notes.size() - name_size) return;
      const std::string_view name = notes.substr(0, note.n_namesz);
      read_note(note.n_type, name, notes.substr(name_size, note.n_descsz));
      notes.remove_prefix(std::min<uint64_t>(name_size + value_size, notes.size()));
    }
  }

  void read_note(uint32_t type, std::string_view name, std::string_view value) {
    if (name.starts_with("Go")) image_.go = true;
    if (name == std::string_view("snarl\0", 6)) image_.hooks = true;
    if (type != NT_GNU_BUILD_ID || !name.starts_with("GNU") || value.size() > 64) return;
    static constexpr char kHex[] = "0123456789abcdef";
    image_.build_id.clear();
    for (char c : value) {
      image_.build_id += kHex[static_cast<unsigned char>(c) >> 4];
      image_.build_id += kHex[c & 15];
    }
  }

  // Dynamic entries speak of addresses; the loads say where those are in the file.
  std::optional<uint64_t> offset_of(uint64_t address) const {
    for (const Elf64_Phdr& load : loads_)
      if (address >= load.p_vaddr && address - load.p_vaddr < load.p_filesz)
        return address - load.p_vaddr + load.p_offset;
    return std::nullopt;
  }

  void read_dynamic() {
    if (!dynamic_) return;
    std::vector<uint64_t> names;
    std::optional<uint64_t> strings;
    for (uint64_t at_byte = 0; at_byte < dynamic_->p_filesz; at_byte += sizeof(Elf64_Dyn)) {
      const auto entry = at<Elf64_Dyn>(dynamic_->p_offset + at_byte);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) strings = offset_of(entry->d_un.d_ptr);
    }
    if (!strings) return;
    for (uint64_t name : names)
      if (name < bytes_.size()) image_.needed.push_back(text(*strings + name));
  }

  std::optional<Elf64_Shdr> section(const Elf64_Ehdr& header, uint64_t index) const {
    if (header.e_shoff == 0) return std::nullopt;
    return at<Elf64_Shdr>(header.e_shoff + index * sizeof(Elf64_Shdr));
  }

  void read_sections(const Elf64_Ehdr& header) {
    const auto names = section(header, header.e_shstrndx);
    if (!names) return;
    for (uint64_t i = 0; i < header.e_shnum; ++i) {
      const auto one = section(header, i);
      if (!one) return;
      const std::string name = text(names->sh_offset + one->sh_name);
      if (name == ".go.buildinfo") image_.go = true;
      if (name == ".debug_info" || name == ".zdebug_info") image_.debug_info = true;
      if (one->sh_type == SHT_SYMTAB) image_.symbols = true;
      if (one->sh_type != SHT_DYNSYM) continue;
      if (const auto strings = section(header, one->sh_link)) read_symbols(*one, *strings);
    }
  }

  void read_symbols(const Elf64_Shdr& table, const Elf64_Shdr& strings) {
    const std::string_view symbols = part(table.sh_offset, table.sh_size);
    for (uint64_t offset = 0; offset + sizeof(Elf64_Sym) <= symbols.size(); offset += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, symbols.data() + offset, sizeof symbol);
      if (symbol.st_name == 0) continue;
      std::vector<std::string>& list = symbol.st_shndx == SHN_UNDEF ? image_.imports : image_.exports;
      list.push_back(text(strings.sh_offset + symbol.st_name));
    }
  }

  std::string_view bytes_;
  ElfImage image_;
  std::vector<Elf64_Phdr> loads_;
  std::optional<Elf64_Phdr> dynamic_;
};

}  // namespace

ElfImage parse_elf(std::string_view bytes) { return Parser(bytes).parse(); }

}  // namespace snarl::explore
