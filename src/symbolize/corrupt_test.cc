// Damaged files may cost knowledge, never the process: each damaged copy gets
// every kind of lookup. Run under -fsanitize=address,undefined to mean it.
#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "symbolize/symbolizer.h"
#include "symbolize/test_program.h"

namespace snarl::symbolize {
namespace {

constexpr std::string_view kSource = R"(#include <mutex>
struct Bank { int accounts[4]; std::mutex lock; struct { long a, b; } rest; } bank;
namespace { int hidden; }
template <typename T> inline __attribute__((always_inline)) T add(T a, T b) { MARK(add); return a + b; }
int main(int argc, char**) {
  static int calls;
  auto work = [&] { std::lock_guard guard(bank.lock); return add(argc, ++calls) + ++hidden; };
  return work() + bank.accounts[1];
}
)";

class Corrupt : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::ifstream in(program_.program(), std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    for (const char* name : {"mark_add", "main", "_start"}) code_.push_back(program_.symbol(name));
    for (const char* name : {"bank", "_ZN12_GLOBAL__N_16hiddenE"}) data_.push_back(program_.symbol(name));
  }

  void look_at(const std::string& bytes) {
    const std::string path = scratch_.path("damaged");
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    Symbolizer symbolizer(scratch_.path("debug_root"));
    for (uint64_t pc : code_) {
      for (uint64_t i = 0; i < 64; i += 3) {
        const Place place = symbolizer.place({path}, pc + i, PcKind::kReturnAddress);
        ASSERT_FALSE(place.frames.empty());
        ASSERT_FALSE(place.frames[0].function.empty());
      }
    }
    for (uint64_t address : data_) {
      for (uint64_t i = 0; i < 80; i += 4) symbolizer.variable({path}, address + i);
    }
  }

  // Where a section's bytes begin and how many they are, by readelf.
  std::pair<size_t, size_t> section(const std::string& name) const {
    const std::string row = run_command("readelf -SW " + program_.program() +
                                        " | sed 's/^ *\\[ *[0-9]*\\]//' | awk '$1==\"" + name + "\" {print $4, $5}'");
    size_t used = 0;
    if (row.empty()) return {0, 0};
    const size_t offset = std::stoul(row, &used, 16);
    return {offset, std::stoul(row.substr(used), nullptr, 16)};
  }

  // The bytes with a section header that says that `name` is `cut` bytes shorter than it is.
  std::string cut_short(const std::string& name, uint64_t cut) const {
    std::string damaged = bytes_;
    const auto [offset, size] = section(name);
    const auto* header = reinterpret_cast<const Elf64_Ehdr*>(bytes_.data());
    auto* rows = reinterpret_cast<Elf64_Shdr*>(damaged.data() + header->e_shoff);
    for (auto* row = rows; row != rows + header->e_shnum; ++row) {
      if (row->sh_offset == offset && row->sh_size == size) row->sh_size -= cut;
    }
    return damaged;
  }

  void flip_in(const std::string& name, int rounds) {
    const auto [offset, size] = section(name);
    if (size == 0) return;
    std::mt19937 random(12345);
    for (int round = 0; round < rounds; ++round) {
      std::string damaged = bytes_;
      for (int n = 1 + round % 4; n > 0; --n) damaged[offset + random() % size] = static_cast<char>(random());
      look_at(damaged);
    }
  }

  const TestProgram& program_ = compiled_once(GetParam(), kSource);
  TestProgram scratch_;
  std::string bytes_;
  std::vector<uint64_t> code_;
  std::vector<uint64_t> data_;
};

TEST_P(Corrupt, NothingHappensToAnIntactFile) { look_at(bytes_); }

TEST_P(Corrupt, TruncatedAnywhere) {
  for (size_t size : {0U, 1U, 4U, 16U, 63U, 64U, 65U, 200U}) look_at(bytes_.substr(0, size));
  for (size_t i = 1; i < 100; ++i) look_at(bytes_.substr(0, bytes_.size() * i / 100));
  for (size_t i = 1; i < 40; ++i) look_at(bytes_.substr(0, bytes_.size() - i));
}

TEST_P(Corrupt, EachByteOfTheHeader) {
  for (size_t i = 4; i < 64; ++i) {
    for (char value : {'\x00', '\x01', '\x7f', '\xff'}) {
      std::string damaged = bytes_;
      damaged[i] = value;
      look_at(damaged);
    }
  }
}

TEST_P(Corrupt, SectionHeaders) {
  uint64_t table = 0;
  std::memcpy(&table, bytes_.data() + 40, sizeof table);  // e_shoff
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = bytes_;
    damaged[table + random() % (bytes_.size() - table)] = static_cast<char>(random());
    look_at(damaged);
  }
}

// The last unit says that it is longer than what is left of the section.
TEST_P(Corrupt, LastUnitCutShort) {
  for (uint64_t cut = 1; cut < 80; cut += 3) look_at(cut_short(".debug_info", cut));
}

TEST_P(Corrupt, DebugSections) {
  for (const char* name : {".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists", ".debug_ranges",
                           ".debug_addr", ".debug_str_offsets", ".debug_line_str", ".debug_loclists", ".symtab",
                           ".strtab", ".shstrtab", ".note.gnu.build-id"}) {
    flip_in(name, 120);
  }
}

TEST_P(Corrupt, AnywhereAtOnce) {
  std::mt19937 random(77);
  for (int round = 0; round < 100; ++round) {
    std::string damaged = bytes_;
    for (int n = 0; n < 200; ++n) damaged[64 + random() % (damaged.size() - 64)] = static_cast<char>(random());
    look_at(damaged);
  }
}

std::vector<std::string> variants() {
  std::vector<std::string> all;
  for (const std::string& compiler : test_compilers()) {
    for (const char* flags : {"-g -O2", "-gdwarf-4 -O0 -no-pie -fno-pie", "-g -O1 -gz"})
      all.push_back(compiler + " " + flags);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Symbolizer, Corrupt, testing::ValuesIn(variants()));

}  // namespace
}  // namespace snarl::symbolize
