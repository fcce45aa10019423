// A loaded file as the dynamic loader sees it: what its dynamic section says, and its symbols.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace snarl::runtime {

// The code that the kernel maps into every process (vdso), which is not a file.
bool is_of_kernel(const dl_phdr_info& info);

// What a reference is looked up by. No version (null): what programs without versions get.
struct SymbolName {
  explicit SymbolName(const char* text, const char* version = nullptr, bool only_that_version = false);

  const char* text;
  const char* version;
  bool only_that_version;  // a definition without version is none
  uint32_t hash;
};

// A view: the file must stay loaded. Takes no lock and no memory, and calls nobody.
class LoadedFile {
 public:
  explicit LoadedFile(const dl_phdr_info& info);

  // The definition that the loader would take if it found none in the files before this one, by the rules of its lazy
  // binding; null: none, and it looks on in the next file.
  const Elf64_Sym* find(const SymbolName& wanted) const;
  uint64_t address_of(const Elf64_Sym& symbol) const { return bias_ + symbol.st_value; }

  // Its calls of other files' functions (DT_JMPREL), and what each is looked up by.
  size_t call_count() const { return calls_ == nullptr ? 0 : call_bytes_ / sizeof *calls_; }
  const Elf64_Rela& call(size_t index) const { return calls_[index]; }
  const Elf64_Sym& called(size_t index) const { return symbols_[ELF64_R_SYM(calls_[index].r_info)]; }
  SymbolName name_of_called(size_t index) const;
  uint64_t slot(size_t index) const { return bias_ + calls_[index].r_offset; }

  // Inside a segment that the loader left writable, or that is code.
  bool is_writable(uint64_t address) const;
  bool is_code(uint64_t address) const;

  // One of its DT_NEEDED means `other`.
  bool needs(const LoadedFile& other) const;

  bool has_tables() const { return names_ != nullptr && symbols_ != nullptr && hash_ != nullptr; }
  bool looks_into_itself_first() const { return symbolic_; }
  bool was_prelinked() const { return prelinked_; }
  bool changes_lookups() const { return changes_lookups_; }  // filters, auditors

 private:
  struct Version {
    const char* name = nullptr;
    bool hidden = false;
  };

  void read(const Elf64_Dyn& entry);
  template <typename T>
  const T* at(uint64_t value) const;
  Version version_at(uint16_t index) const;
  bool is_definition(uint32_t index, const char* name) const;
  bool has_version(uint32_t index, const SymbolName& wanted) const;
  bool may_have(uint32_t hash) const;
  template <typename Take>
  void visit(const SymbolName& wanted, Take take) const;
  uint32_t find_version(const SymbolName& wanted) const;
  uint32_t find_any_version(const SymbolName& wanted) const;
  bool is_inside(uint64_t address, uint32_t type, uint32_t flag) const;

  uint64_t bias_;
  const char* path_;
  const Elf64_Phdr* headers_;
  size_t header_count_;
  const Elf64_Dyn* dynamic_ = nullptr;
  const char* names_ = nullptr;
  const Elf64_Sym* symbols_ = nullptr;
  const uint32_t* hash_ = nullptr;  // DT_GNU_HASH
  const Elf64_Half* versions_ = nullptr;
  const Elf64_Verneed* needed_versions_ = nullptr;
  const Elf64_Verdef* defined_versions_ = nullptr;
  const Elf64_Rela* calls_ = nullptr;
  size_t call_bytes_ = 0;
  uint64_t own_name_ = 0;  // DT_SONAME
  bool symbolic_ = false, prelinked_ = false, changes_lookups_ = false;
};

}  // namespace snarl::runtime
