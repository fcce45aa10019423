#include "runtime/platform/loaded_file.h"

#include <elf.h>
#include <sys/auxv.h>

#include "runtime/platform/text.h"

namespace snarl::runtime {
namespace {

// The words of DT_VERSYM.
constexpr uint16_t kIndexBits = 0x7fff;
constexpr uint16_t kHiddenBit = 0x8000;
constexpr uint16_t kFirstVersion = 2;  // 0 is local, 1 has no version

constexpr unsigned kAllowedTypes =
    1u << STT_NOTYPE | 1u << STT_OBJECT | 1u << STT_FUNC | 1u << STT_COMMON | 1u << STT_TLS | 1u << STT_GNU_IFUNC;

uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) hash = hash * 33 + static_cast<unsigned char>(*name);
  return hash;
}

// The lists of versions: each entry says how far the next one is, 0 if it is the last.
template <typename To, typename From>
const To* behind(const From* entry, uint32_t distance) {
  return distance == 0 ? nullptr : reinterpret_cast<const To*>(reinterpret_cast<const char*>(entry) + distance);
}

}  // namespace

bool is_of_kernel(const dl_phdr_info& info) {
  const auto* vdso = reinterpret_cast<const Elf64_Ehdr*>(getauxval(AT_SYSINFO_EHDR));
  return vdso != nullptr &&
         reinterpret_cast<uint64_t>(info.dlpi_phdr) == reinterpret_cast<uint64_t>(vdso) + vdso->e_phoff;
}

SymbolName::SymbolName(const char* name, const char* wanted_version, bool only)
    : text(name), version(wanted_version), only_that_version(only), hash(gnu_hash(name)) {}

LoadedFile::LoadedFile(const dl_phdr_info& info)
    : bias_(info.dlpi_addr), path_(info.dlpi_name), headers_(info.dlpi_phdr), header_count_(info.dlpi_phnum) {
  for (size_t i = 0; i < header_count_; ++i)
    if (headers_[i].p_type == PT_DYNAMIC) dynamic_ = reinterpret_cast<const Elf64_Dyn*>(bias_ + headers_[i].p_vaddr);
  for (const Elf64_Dyn* entry = dynamic_; entry != nullptr && entry->d_tag != DT_NULL; ++entry) read(*entry);
  if (needed_versions_ == nullptr && defined_versions_ == nullptr) versions_ = nullptr;
}

// The loader has put addresses in the place of the offsets, but for a file that is just being loaded.
template <typename T>
const T* LoadedFile::at(uint64_t value) const {
  return reinterpret_cast<const T*>(value < bias_ ? value + bias_ : value);
}

void LoadedFile::read(const Elf64_Dyn& entry) {
  const uint64_t value = entry.d_un.d_val;
  switch (entry.d_tag) {
    case DT_STRTAB: names_ = at<char>(value); break;
    case DT_SYMTAB: symbols_ = at<Elf64_Sym>(value); break;
    case DT_GNU_HASH: hash_ = at<uint32_t>(value); break;
    case DT_VERSYM: versions_ = at<Elf64_Half>(value); break;
    case DT_VERNEED: needed_versions_ = at<Elf64_Verneed>(value); break;
    case DT_VERDEF: defined_versions_ = at<Elf64_Verdef>(value); break;
    case DT_JMPREL: calls_ = at<Elf64_Rela>(value); break;
    case DT_PLTRELSZ: call_bytes_ = value; break;
    case DT_SONAME: own_name_ = value; break;
    case DT_SYMBOLIC: symbolic_ = true; break;
    case DT_FLAGS: symbolic_ = symbolic_ || (value & DF_SYMBOLIC) != 0; break;
    case DT_GNU_PRELINKED: prelinked_ = true; break;
    case DT_FILTER:
    case DT_AUXILIARY:
    case DT_AUDIT:
    case DT_DEPAUDIT: changes_lookups_ = true; break;
    default: break;
  }
}

LoadedFile::Version LoadedFile::version_at(uint16_t index) const {
  for (const auto* file = needed_versions_; file != nullptr; file = behind<Elf64_Verneed>(file, file->vn_next))
    for (const auto* entry = behind<Elf64_Vernaux>(file, file->vn_aux); entry != nullptr;
         entry = behind<Elf64_Vernaux>(entry, entry->vna_next))
      if ((entry->vna_other & kIndexBits) == index)
        return {names_ + entry->vna_name, (entry->vna_other & kHiddenBit) != 0};
  for (const auto* entry = defined_versions_; entry != nullptr; entry = behind<Elf64_Verdef>(entry, entry->vd_next))
    if ((entry->vd_ndx & kIndexBits) == index && (entry->vd_flags & VER_FLG_BASE) == 0)
      return {names_ + behind<Elf64_Verdaux>(entry, entry->vd_aux)->vda_name, false};
  return {};
}

SymbolName LoadedFile::name_of_called(size_t index) const {
  const auto symbol = ELF64_R_SYM(calls_[index].r_info);
  const Version version = versions_ == nullptr ? Version{} : version_at(versions_[symbol] & kIndexBits);
  return SymbolName(names_ + symbols_[symbol].st_name, version.name, version.hidden);
}

// Undefined symbols with a value stand for a function's address in a program that is not position independent; a call
// must not find them.
bool LoadedFile::is_definition(uint32_t index, const char* name) const {
  const Elf64_Sym& symbol = symbols_[index];
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  if (symbol.st_shndx == SHN_UNDEF || (1u << type & kAllowedTypes) == 0) return false;
  if (symbol.st_value == 0 && symbol.st_shndx != SHN_ABS && type != STT_TLS) return false;
  return same(names_ + symbol.st_name, name);
}

bool LoadedFile::has_version(uint32_t index, const SymbolName& wanted) const {
  if (versions_ == nullptr) return true;
  const Version own = version_at(versions_[index] & kIndexBits);
  if (own.name != nullptr) return same(own.name, wanted.version);
  return !wanted.only_that_version && (versions_[index] & kHiddenBit) == 0;
}

// A Bloom filter with two bits per name.
bool LoadedFile::may_have(uint32_t hash) const {
  const uint64_t word = reinterpret_cast<const uint64_t*>(hash_ + 4)[(hash / 64) & (hash_[2] - 1)];
  return (word >> (hash % 64) & word >> ((hash >> hash_[3]) % 64) & 1) != 0;
}

// Every definition of that name, until `take` says true.
template <typename Take>
void LoadedFile::visit(const SymbolName& wanted, Take take) const {
  if (!has_tables() || hash_[0] == 0 || !may_have(wanted.hash)) return;
  const uint32_t buckets = hash_[0], first = hash_[1];
  const uint32_t* bucket = hash_ + 4 + hash_[2] * 2;
  const uint32_t* chain = bucket + buckets;
  uint32_t i = bucket[wanted.hash % buckets];
  if (i < first) return;
  for (bool last = false; !last; ++i) {
    const uint32_t hash = chain[i - first];
    last = (hash & 1) != 0;
    if ((hash | 1) == (wanted.hash | 1) && is_definition(i, wanted.text) && take(i)) return;
  }
}

uint32_t LoadedFile::find_version(const SymbolName& wanted) const {
  uint32_t found = 0;
  visit(wanted, [&](uint32_t i) {
    if (has_version(i, wanted)) found = i;
    return found != 0;
  });
  return found;
}

// One of the oldest version, or else the only one that is not hidden.
uint32_t LoadedFile::find_any_version(const SymbolName& wanted) const {
  uint32_t found = 0, visible = 0;
  visit(wanted, [&](uint32_t i) {
    const uint16_t version = versions_ == nullptr ? 0 : versions_[i];
    const bool oldest = (version & kIndexBits) <= kFirstVersion;
    const bool shown = (version & kHiddenBit) == 0;
    if (oldest) visible = 1;
    if (!oldest && shown) ++visible;
    if (oldest || (shown && visible == 1)) found = i;
    return oldest;
  });
  return visible == 1 ? found : 0;
}

const Elf64_Sym* LoadedFile::find(const SymbolName& wanted) const {
  const uint32_t index = wanted.version == nullptr ? find_any_version(wanted) : find_version(wanted);
  if (index == 0) return nullptr;
  const unsigned visibility = ELF64_ST_VISIBILITY(symbols_[index].st_other);
  return visibility == STV_HIDDEN || visibility == STV_INTERNAL ? nullptr : &symbols_[index];
}

bool LoadedFile::is_inside(uint64_t address, uint32_t type, uint32_t flag) const {
  for (size_t i = 0; i < header_count_; ++i) {
    const Elf64_Phdr& header = headers_[i];
    if (header.p_type == type && (header.p_flags & flag) == flag && address - bias_ - header.p_vaddr < header.p_memsz)
      return true;
  }
  return false;
}
bool LoadedFile::is_code(uint64_t address) const { return is_inside(address, PT_LOAD, PF_X); }
bool LoadedFile::is_writable(uint64_t address) const {
  return is_inside(address, PT_LOAD, PF_W) && !is_inside(address, PT_GNU_RELRO, 0);
}

bool LoadedFile::needs(const LoadedFile& other) const {
  const char* own_name = other.own_name_ == 0 ? file_name(other.path_) : other.names_ + other.own_name_;
  for (const Elf64_Dyn* entry = dynamic_; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag != DT_NEEDED) continue;
    const char* name = names_ + entry->d_un.d_val;
    if (same(name, own_name) || same(name, other.path_)) return true;
  }
  return false;
}

}  // namespace snarl::runtime
