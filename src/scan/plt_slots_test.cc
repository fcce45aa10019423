// A file of our own making; tests/e2e/speed_test.py counts calls of real ones.
#include "scan/plt_slots.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace snarl::scan {
namespace {

std::string file_with(const char* section, const std::string& code, uint64_t address) {
  const std::string names = std::string("\0", 1) + section + std::string("\0", 1);
  Elf64_Ehdr header{};
  header.e_shoff = sizeof header;
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shnum = 2;
  header.e_shstrndx = 0;
  Elf64_Shdr sections[2] = {};
  sections[0].sh_offset = sizeof header + sizeof sections;
  sections[0].sh_size = names.size();
  sections[1].sh_name = 1;
  sections[1].sh_addr = address;
  sections[1].sh_offset = sections[0].sh_offset + names.size();
  sections[1].sh_size = code.size();
  std::string file(reinterpret_cast<const char*>(&header), sizeof header);
  file.append(reinterpret_cast<const char*>(sections), sizeof sections);
  return file + names + code;
}

const std::string kLazy = std::string("\xff\x35\x01\x00\x00\x00\xff\x25\x02\x00\x00\x00\x0f\x1f\x40\x00", 16) +
                          std::string("\xff\x25\x03\x00\x00\x00\x68\x00\x00\x00\x00\xe9\xe0\xff\xff\xff", 16) +
                          std::string("\xff\x25\x04\x00\x00\x00\x68\x01\x00\x00\x00\xe9\xd0\xff\xff\xff", 16);

TEST(PltSlots, AreThoseThatCallsGoThrough) {
  EXPECT_EQ(plt_slots(file_with(".plt", kLazy, 0x1020)), (std::vector<uint64_t>{0x1030, 0x1040}));
  EXPECT_EQ(plt_slots(file_with(".text", kLazy, 0x1020)), std::vector<uint64_t>());
  const std::string got("\xff\x25\x03\x00\x00\x00\x66\x90", 8);
  EXPECT_EQ(plt_slots(file_with(".plt.got", got, 0x1000)), (std::vector<uint64_t>{0x1000}));
  const std::string secure("\xf3\x0f\x1e\xfa\xf2\xff\x25\x03\x00\x00\x00\x0f\x1f\x44\x00\x00", 16);
  EXPECT_EQ(plt_slots(file_with(".plt.sec", secure, 0x1000)), (std::vector<uint64_t>{0x1000}));
}

TEST(PltSlots, DamagedFilesHaveNone) {
  const std::string whole = file_with(".plt", kLazy, 0x1020);
  for (size_t size = 0; size < whole.size(); ++size) EXPECT_LE(plt_slots(whole.substr(0, size)).size(), 2u);
  EXPECT_TRUE(plt_slots("").empty());
}

}  // namespace
}  // namespace snarl::scan
