// Reads the entries of a compilation unit one after the other, straight from the bytes: only what kind each entry is
// and where the next one begins. libdw does the same, but takes a lock and reads the attributes several times per
// entry, and a large program has millions. For the content of an entry, ask libdw (die()).
//
// Bytes are not trusted: anything that is not understood ends the unit.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <vector>

namespace snarl::symbolize {

class EntryReader {
 public:
  explicit EntryReader(Dwarf_Die unit);

  struct Entry {
    const uint8_t* at = nullptr;
    const uint8_t* behind = nullptr;   // its attributes: its first child, or the next entry
    const uint8_t* sibling = nullptr;  // the next entry of its level, if it says where that is
    uint64_t low = 0, length = 0;      // of its code, if it is in one piece and says so in the usual way
    int tag = 0;
    bool children = false;
    bool declaration = false;
    bool placed = false;  // it has a location that is one expression
  };

  const uint8_t* first() const { return first_; }
  const uint8_t* end() const { return end_; }

  // False at the end of a level or of the unit; `at` is then behind that end.
  bool read(const uint8_t*& at, Entry& entry) const;
  // Behind the entry and all that it holds.
  const uint8_t* skip(const Entry& entry) const;

  Dwarf_Die die(const Entry& entry) const;

 private:
  enum class Step : uint8_t {
    kBytes,
    kLeb,
    kString,
    kBlock1,
    kBlock2,
    kBlock4,
    kBlockLeb,
    kSibling,
    kLow,
    kLength,
    kUnknown
  };
  struct Skip {
    Step step;
    uint8_t bytes;  // kBytes, kLength
  };
  struct Kind {
    int tag = 0;  // 0: no such kind
    bool children = false, declaration = false, placed = false;
    std::vector<Skip> skips;
  };

  void read_kinds();
  Kind kind_of(Dwarf_Abbrev* abbreviation) const;
  Skip skip_of(unsigned form) const;
  Step step_of(unsigned name, unsigned form, Skip skip) const;
  void note(Skip skip, const uint8_t* value, Entry& entry) const;
  const uint8_t* skip_attribute(const uint8_t* at, Skip skip) const;

  Dwarf_Die unit_;
  const uint8_t* start_ = nullptr;  // of the unit: siblings are counted from here
  const uint8_t* first_ = nullptr;
  const uint8_t* end_ = nullptr;
  uint8_t address_size_ = 8, offset_size_ = 4;
  std::vector<Kind> kinds_;  // by code
};

}  // namespace snarl::symbolize
