#include "explore/target/plugin_file.h"

#include <elf.h>
#include <fmt/format.h>
#include <snarl/policy.h>

#include <cstring>
#include <optional>

#include "explore/target/elf_image.h"

namespace snarl::explore {
namespace {

constexpr std::string_view kEntry = "snarl_policy_entry";

template <typename T>
std::optional<T> at(std::string_view bytes, uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<Elf64_Shdr> section(std::string_view bytes, const Elf64_Ehdr& header, uint64_t index) {
  if (index >= header.e_shnum) return std::nullopt;
  return at<Elf64_Shdr>(bytes, header.e_shoff + index * sizeof(Elf64_Shdr));
}

bool is_named(std::string_view bytes, uint64_t offset, std::string_view name) {
  if (offset > bytes.size()) return false;
  const std::string_view rest = bytes.substr(offset, name.size() + 1);
  return rest.size() == name.size() + 1 && rest.substr(0, name.size()) == name && rest.back() == '\0';
}

// The address of the symbol that the library exports under that name.
std::optional<uint64_t> exported(std::string_view bytes, const Elf64_Ehdr& header, std::string_view name) {
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    const auto symbols = section(bytes, header, i);
    if (!symbols || symbols->sh_type != SHT_DYNSYM) continue;
    const auto names = section(bytes, header, symbols->sh_link);
    if (!names) return std::nullopt;
    for (uint64_t offset = 0; offset < symbols->sh_size; offset += sizeof(Elf64_Sym)) {
      const auto symbol = at<Elf64_Sym>(bytes, symbols->sh_offset + offset);
      if (!symbol) return std::nullopt;
      if (symbol->st_shndx != SHN_UNDEF && is_named(bytes, names->sh_offset + symbol->st_name, name))
        return symbol->st_value;
    }
  }
  return std::nullopt;
}

std::optional<uint32_t> word_at(std::string_view bytes, const Elf64_Ehdr& header, uint64_t address) {
  for (uint64_t i = 0; i < header.e_phnum; ++i) {
    const auto load = at<Elf64_Phdr>(bytes, header.e_phoff + i * sizeof(Elf64_Phdr));
    if (!load || load->p_type != PT_LOAD || address < load->p_vaddr || address - load->p_vaddr >= load->p_filesz)
      continue;
    return at<uint32_t>(bytes, address - load->p_vaddr + load->p_offset);
  }
  return std::nullopt;
}

}  // namespace

Status check_plugin(const std::string& path, std::string_view bytes) {
  const ElfImage image = parse_elf(bytes);
  if (image.elf_class != ElfImage::Class::k64 || image.machine != EM_X86_64 || image.type != ET_DYN)
    return Error{fmt::format("policy {} is no shared library for x86-64", path),
                 "build it with: cc -shared -fPIC my_policy.c -o my_policy.so", 2};
  const Elf64_Ehdr header = *at<Elf64_Ehdr>(bytes, 0);
  const std::optional<uint64_t> entry = exported(bytes, header, kEntry);
  const std::optional<uint32_t> abi = entry ? word_at(bytes, header, *entry) : std::nullopt;
  if (!abi)
    return Error{fmt::format("policy {} has no {}", path, kEntry), "see include/snarl/policy.h and examples/policy", 2};
  if (*abi == SNARL_POLICY_ABI) return Done{};
  return Error{fmt::format("policy {} is built for version {} of snarl's policy interface; this snarl has version {}",
                           path, *abi, SNARL_POLICY_ABI),
               "build it again with the policy.h of this snarl", 2};
}

}  // namespace snarl::explore
