// An ELF file opened for reading, and the separate debug file that belongs to it.
//
// Sections are read, not mapped: a linker that rewrites the file meanwhile can spoil an answer, but can't raise SIGBUS.
// Not thread-safe.
#pragma once

#include <libelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace snarl::symbolize {

class ElfFile {
 public:
  static Expected<ElfFile> open(const std::string& path);

  ElfFile(ElfFile&& other) noexcept;
  ElfFile& operator=(ElfFile&& other) noexcept;
  ~ElfFile();

  Elf* elf() const { return elf_; }
  const std::string& path() const { return path_; }
  bool has_section(std::string_view name) const { return find_section(name) != nullptr; }
  bool has_debug_info() const;
  std::string build_id() const;  // lower-case hex; empty: it has none

  // The file that holds the debug info stripped from this one: by build id below `debug_root`, otherwise by
  // .gnu_debuglink beside the file, in .debug/ and below `debug_root`. A file of another build is not accepted.
  std::optional<ElfFile> find_debug_file(const std::string& debug_root) const;

 private:
  ElfFile(std::string path, int fd, Elf* elf) : path_(std::move(path)), fd_(fd), elf_(elf) {}
  Elf_Scn* find_section(std::string_view name) const;  // one that has bytes in this file
  bool is_debug_file(const ElfFile& candidate, std::optional<uint32_t> crc) const;

  std::string path_;
  int fd_ = -1;
  Elf* elf_ = nullptr;
};

// The checksum of .gnu_debuglink (CRC-32 as in zlib) over a whole file; 0 if it can't be read.
uint32_t file_crc32(const std::string& path);

}  // namespace snarl::symbolize
