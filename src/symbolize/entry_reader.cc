#include "symbolize/entry_reader.h"

#include <dwarf.h>
#include <gelf.h>

#include <cstring>

namespace snarl::symbolize {
namespace {

constexpr unsigned kMostKinds = 1 << 16;  // gcc and clang number them from 1, some hundreds
constexpr int kMaxDepth = 1000;

template <typename T>
T number_at(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// Null if it has no end.
const uint8_t* read_leb(const uint8_t* at, const uint8_t* end, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; at < end && shift < 64; shift += 7) {
    const uint8_t byte = *at++;
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return at;
  }
  return nullptr;
}

// The end of the section that `at` is in; `at` itself if it is in none.
const uint8_t* section_end(Elf* elf, const uint8_t* at) {
  size_t names = 0;
  if (elf_getshdrstrndx(elf, &names) != 0) return at;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    const char* name = gelf_getshdr(section, &header) != nullptr ? elf_strptr(elf, names, header.sh_name) : nullptr;
    if (name == nullptr || std::strstr(name, "debug_info") == nullptr) continue;  // .zdebug_info, .debug_info.dwo
    const Elf_Data* data = elf_getdata(section, nullptr);
    const auto* begin = data != nullptr ? static_cast<const uint8_t*>(data->d_buf) : nullptr;
    if (begin != nullptr && at >= begin && at < begin + data->d_size) return begin + data->d_size;
  }
  return at;
}

}  // namespace

EntryReader::EntryReader(Dwarf_Die unit) : unit_(unit) {
  first_ = static_cast<const uint8_t*>(unit.addr);
  start_ = first_ - dwarf_cuoffset(&unit);
  const uint8_t* content = start_ + sizeof(uint32_t);
  uint64_t length = number_at<uint32_t>(start_);
  if (length == UINT32_MAX) {
    length = number_at<uint64_t>(content);
    content += sizeof length;
  }
  end_ = section_end(dwarf_getelf(dwarf_cu_getdwarf(unit.cu)), first_);  // libdw accepts units that claim to be longer
  if (length < static_cast<uint64_t>(end_ - content)) end_ = content + length;
  Dwarf_Die die;
  if (dwarf_diecu(&unit, &die, &address_size_, &offset_size_) == nullptr) end_ = first_;
  read_kinds();
}

void EntryReader::read_kinds() {
  size_t length = 0;
  for (Dwarf_Off at = 0;; at += length) {
    Dwarf_Abbrev* abbreviation = dwarf_getabbrev(&unit_, at, &length);
    if (abbreviation == nullptr || abbreviation == DWARF_END_ABBREV) return;
    const unsigned code = dwarf_getabbrevcode(abbreviation);
    if (code >= kMostKinds) return;
    if (code >= kinds_.size()) kinds_.resize(code + 64);
    kinds_[code] = kind_of(abbreviation);
  }
}

EntryReader::Kind EntryReader::kind_of(Dwarf_Abbrev* abbreviation) const {
  Kind kind;
  kind.tag = static_cast<int>(dwarf_getabbrevtag(abbreviation));
  kind.children = dwarf_abbrevhaschildren(abbreviation) != 0;
  unsigned name = 0, form = 0;
  // Not up to dwarf_getattrcnt, which is too small if a value stands in the abbreviation itself.
  for (size_t i = 0; dwarf_getabbrevattr_data(abbreviation, i, &name, &form, nullptr, nullptr) == 0; ++i) {
    if (name == DW_AT_declaration) kind.declaration = true;
    if (name == DW_AT_location) kind.placed = form == DW_FORM_exprloc || form == DW_FORM_block1;
    Skip skip = skip_of(form);
    skip.step = step_of(name, form, skip);
    const bool joins = skip.step == Step::kBytes && !kind.skips.empty() && kind.skips.back().step == Step::kBytes &&
                       kind.skips.back().bytes + skip.bytes < 256;
    if (joins)
      kind.skips.back().bytes = static_cast<uint8_t>(kind.skips.back().bytes + skip.bytes);
    else
      kind.skips.push_back(skip);
  }
  return kind;
}

// How to read the attributes that matter here, in the forms that compilers use.
EntryReader::Step EntryReader::step_of(unsigned name, unsigned form, Skip skip) const {
  if (name == DW_AT_sibling && form == DW_FORM_ref4) return Step::kSibling;
  if (name == DW_AT_low_pc && form == DW_FORM_addr && skip.bytes == 8) return Step::kLow;
  const bool is_length = form == DW_FORM_data4 || form == DW_FORM_data8;
  return name == DW_AT_high_pc && is_length ? Step::kLength : skip.step;
}

void EntryReader::note(Skip skip, const uint8_t* value, Entry& entry) const {
  switch (skip.step) {
    case Step::kSibling: entry.sibling = start_ + number_at<uint32_t>(value); return;
    case Step::kLow: entry.low = number_at<uint64_t>(value); return;
    case Step::kLength:
      entry.length = skip.bytes == 4 ? number_at<uint32_t>(value) : number_at<uint64_t>(value);
      return;
    default: return;
  }
}

EntryReader::Skip EntryReader::skip_of(unsigned form) const {
  switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const: return {Step::kBytes, 0};
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_ref1:
    case DW_FORM_strx1:
    case DW_FORM_addrx1: return {Step::kBytes, 1};
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2: return {Step::kBytes, 2};
    case DW_FORM_strx3:
    case DW_FORM_addrx3: return {Step::kBytes, 3};
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_ref_sup4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4: return {Step::kBytes, 4};
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sup8:
    case DW_FORM_ref_sig8: return {Step::kBytes, 8};
    case DW_FORM_data16: return {Step::kBytes, 16};
    case DW_FORM_addr: return {Step::kBytes, address_size_};
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_ref_addr:
    case DW_FORM_GNU_strp_alt:
    case DW_FORM_GNU_ref_alt: return {Step::kBytes, offset_size_};
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index: return {Step::kLeb, 0};
    case DW_FORM_string: return {Step::kString, 0};
    case DW_FORM_block1: return {Step::kBlock1, 0};
    case DW_FORM_block2: return {Step::kBlock2, 0};
    case DW_FORM_block4: return {Step::kBlock4, 0};
    case DW_FORM_block:
    case DW_FORM_exprloc: return {Step::kBlockLeb, 0};
    default: return {Step::kUnknown, 0};
  }
}

// Null if it is not within the unit.
const uint8_t* EntryReader::skip_attribute(const uint8_t* at, Skip skip) const {
  uint64_t length = skip.bytes;
  const auto left = static_cast<uint64_t>(end_ - at);
  switch (skip.step) {
    case Step::kBytes:
    case Step::kSibling:
    case Step::kLow:
    case Step::kLength: break;
    case Step::kLeb: return read_leb(at, end_, length);
    case Step::kString: {
      const void* zero = std::memchr(at, 0, left);
      return zero == nullptr ? nullptr : static_cast<const uint8_t*>(zero) + 1;
    }
    case Step::kBlock1: length = left < 1 ? left + 1 : 1 + uint64_t{*at}; break;
    case Step::kBlock2: length = left < 2 ? left + 1 : 2 + uint64_t{number_at<uint16_t>(at)}; break;
    case Step::kBlock4: length = left < 4 ? left + 1 : 4 + uint64_t{number_at<uint32_t>(at)}; break;
    case Step::kBlockLeb: {
      const uint8_t* block = read_leb(at, end_, length);
      if (block == nullptr || length > static_cast<uint64_t>(end_ - block)) return nullptr;
      return block + length;
    }
    case Step::kUnknown: return nullptr;
  }
  return length > left ? nullptr : at + length;
}

bool EntryReader::read(const uint8_t*& at, Entry& entry) const {
  uint64_t code = 0;
  const uint8_t* next = read_leb(at, end_, code);
  entry = {.at = at};
  at = next != nullptr && code == 0 ? next : end_;
  if (next == nullptr || code == 0 || code >= kinds_.size() || kinds_[code].tag == 0) return false;
  const Kind& kind = kinds_[code];
  for (const Skip skip : kind.skips) {
    const uint8_t* attribute = next;
    if (skip.step == Step::kBytes && static_cast<size_t>(end_ - next) >= skip.bytes) {  // most
      next += skip.bytes;
      continue;
    }
    next = skip_attribute(attribute, skip);
    if (next == nullptr) return false;
    note(skip, attribute, entry);
  }
  if (entry.sibling != nullptr && (entry.sibling < next || entry.sibling > end_)) return false;
  entry.behind = at = next;
  entry.tag = kind.tag;
  entry.children = kind.children;
  entry.declaration = kind.declaration;
  entry.placed = kind.placed;
  return true;
}

const uint8_t* EntryReader::skip(const Entry& entry) const {
  if (!entry.children) return entry.behind;
  if (entry.sibling != nullptr) return entry.sibling;
  const uint8_t* at = entry.behind;
  for (int depth = 1; depth > 0 && at < end_;) {
    Entry child;
    if (!read(at, child))
      --depth;
    else if (child.children && child.sibling == nullptr)
      ++depth;
    else
      at = child.children ? child.sibling : child.behind;
    if (depth > kMaxDepth) return end_;
  }
  return at;
}

Dwarf_Die EntryReader::die(const Entry& entry) const {
  Dwarf_Die die = unit_;
  die.addr = const_cast<uint8_t*>(entry.at);
  die.abbrev = nullptr;
  return die;
}

}  // namespace snarl::symbolize
