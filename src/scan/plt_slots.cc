#include "scan/plt_slots.h"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "scan/end_branch.h"

namespace snarl::scan {
namespace {

constexpr std::string_view kJump("\xff\x25", 2);  // jmp *offset(%rip), the first instruction of a slot
constexpr std::string_view kBoundJump("\xf2\xff\x25", 3);
constexpr uint64_t kAlign = 8;  // .plt.got has slots of eight bytes, the others of sixteen
// The first slot of .plt calls the loader; it begins with a push.

template <typename T>
std::optional<T> at(std::string_view file, uint64_t offset) {
  if (offset > file.size() || file.size() - offset < sizeof(T)) return {};
  T value;
  std::memcpy(&value, file.data() + offset, sizeof value);
  return value;
}

std::string_view part(std::string_view file, uint64_t offset, uint64_t size) {
  if (offset > file.size()) return {};
  return file.substr(offset, size);
}

bool is_plt(std::string_view name) { return name == ".plt" || name == ".plt.got" || name == ".plt.sec"; }

void read_section(std::string_view bytes, uint64_t address, std::vector<uint64_t>& slots) {
  for (uint64_t i = 0; i < bytes.size(); i += kAlign) {
    const std::string_view slot = bytes.substr(i);
    const uint64_t first = slot.starts_with(kEndBranch) ? kEndBranch.size() : 0;
    const std::string_view jump = slot.substr(first);
    if (jump.starts_with(kJump) || jump.starts_with(kBoundJump)) slots.push_back(address + i);
  }
}

}  // namespace

std::vector<uint64_t> plt_slots(std::string_view file) {
  std::vector<uint64_t> slots;
  const auto header = at<Elf64_Ehdr>(file, 0);
  if (!header || header->e_shoff == 0 || header->e_shentsize != sizeof(Elf64_Shdr)) return slots;
  const auto names = at<Elf64_Shdr>(file, header->e_shoff + header->e_shstrndx * sizeof(Elf64_Shdr));
  if (!names) return slots;
  for (uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto section = at<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    if (!section) break;
    std::string_view name = part(part(file, names->sh_offset, names->sh_size), section->sh_name, 16);
    name = name.substr(0, name.find('\0'));
    if (is_plt(name)) read_section(part(file, section->sh_offset, section->sh_size), section->sh_addr, slots);
  }
  std::sort(slots.begin(), slots.end());
  return slots;
}

}  // namespace snarl::scan
