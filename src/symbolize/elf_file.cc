#include "symbolize/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

namespace snarl::symbolize {
namespace {

std::string to_hex(const unsigned char* bytes, size_t size) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::array<uint32_t, 256> make_crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t c = i;
    for (int bit = 0; bit < 8; ++bit) c = (c & 1) ? 0xedb88320U ^ (c >> 1) : c >> 1;  // the reversed CRC-32 polynomial
    table[i] = c;
  }
  return table;
}

// Uncompresses the section first, as libdw does.
bool ends_with_zero(Elf_Scn* section) {
  GElf_Shdr header;
  if (!gelf_getshdr(section, &header)) return false;
  if ((header.sh_flags & SHF_COMPRESSED) != 0 && elf_compress(section, 0, 0) < 0) return false;
  const Elf_Data* data = elf_getdata(section, nullptr);
  return data && (data->d_size == 0 || (data->d_buf && static_cast<const char*>(data->d_buf)[data->d_size - 1] == 0));
}

bool is_regular_file(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);  // a FIFO or a device might block, or have no end
}

}  // namespace

Expected<ElfFile> ElfFile::open(const std::string& path) {
  elf_version(EV_CURRENT);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Error{"can't open " + path + ": " + std::strerror(errno)};
  Elf* elf = is_regular_file(fd) ? elf_begin(fd, ELF_C_READ, nullptr) : nullptr;
  if (!elf) {
    ::close(fd);
    return Error{"can't read " + path};
  }
  ElfFile file(path, fd, elf);
  if (elf_kind(elf) != ELF_K_ELF) return Error{path + " is not an ELF file"};
  return file;
}

ElfFile::ElfFile(ElfFile&& other) noexcept
    : path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)), elf_(std::exchange(other.elf_, nullptr)) {}

ElfFile& ElfFile::operator=(ElfFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(fd_, other.fd_);
  std::swap(elf_, other.elf_);
  return *this;
}

ElfFile::~ElfFile() {
  if (elf_) elf_end(elf_);
  if (fd_ >= 0) ::close(fd_);
}

// libdw 0.188 calls strlen on strings of .debug_line_str. Without a zero at the end of a damaged section it would read
// past the section.
bool ElfFile::has_debug_info() const {
  if (!has_section(".debug_info") && !has_section(".zdebug_info")) return false;
  for (std::string_view name : {".debug_str", ".debug_line_str"}) {
    Elf_Scn* section = find_section(name);
    if (section && !ends_with_zero(section)) return false;
  }
  return true;
}

Elf_Scn* ElfFile::find_section(std::string_view name) const {
  size_t names = 0;
  if (elf_getshdrstrndx(elf_, &names) != 0) return nullptr;
  for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section)) != nullptr;) {
    GElf_Shdr header;
    if (!gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) continue;
    const char* found = elf_strptr(elf_, names, header.sh_name);
    if (found && name == found) return section;
  }
  return nullptr;
}

std::string ElfFile::build_id() const {
  const void* bytes = nullptr;
  const ssize_t size = dwelf_elf_gnu_build_id(elf_, &bytes);
  return size > 0 ? to_hex(static_cast<const unsigned char*>(bytes), static_cast<size_t>(size)) : std::string();
}

std::optional<ElfFile> ElfFile::find_debug_file(const std::string& debug_root) const {
  std::vector<std::pair<std::string, std::optional<uint32_t>>> candidates;
  const std::string id = build_id();
  if (id.size() > 2)
    candidates.push_back({debug_root + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2) + ".debug", {}});
  GElf_Word crc = 0;
  if (const char* link = dwelf_elf_gnu_debuglink(elf_, &crc)) {
    const std::string folder = std::filesystem::path(path_).parent_path().string();
    for (const std::string& place : {folder, folder + "/.debug", debug_root + folder}) {
      candidates.push_back({(std::filesystem::path(place) / link).string(), crc});
    }
  }
  for (const auto& [path, expected_crc] : candidates) {
    Expected<ElfFile> file = open(path);
    if (file && is_debug_file(*file, expected_crc)) return std::move(*file);
  }
  return std::nullopt;
}

bool ElfFile::is_debug_file(const ElfFile& candidate, std::optional<uint32_t> crc) const {
  if (!candidate.has_debug_info()) return false;
  const std::string id = candidate.build_id();
  if (!id.empty() && id == build_id()) return true;
  return crc && file_crc32(candidate.path()) == *crc;
}

uint32_t file_crc32(const std::string& path) {
  static const std::array<uint32_t, 256> kTable = make_crc_table();
  std::ifstream in(path, std::ios::binary);
  std::vector<char> buffer(1 << 16);
  uint32_t crc = ~0U;
  if (!in) return 0;
  while (in.read(buffer.data(), static_cast<std::streamsize>(buffer.size())) || in.gcount() > 0) {
    for (std::streamsize i = 0; i < in.gcount(); ++i) {
      crc = kTable[(crc ^ static_cast<unsigned char>(buffer[static_cast<size_t>(i)])) & 255] ^ (crc >> 8);
    }
  }
  return ~crc;
}

}  // namespace snarl::symbolize
