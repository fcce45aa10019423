// Follows values along one path of instructions up to a jump, to learn which table the jump uses and, from the
// comparison before it, how large the index may be. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scan/jump_table.h"
#include "scan/value_step.h"

namespace snarl::scan {

class ValueTrack {
 public:
  ValueTrack();

  // The next instruction; of a branch, whether it was taken.
  void step(const ValueStep& step, bool taken);
  // That register holds the address of a table, set by an instruction that is not on the path.
  void assume_address(uint8_t reg, uint64_t address) { values_[registers_[reg]].address = address; }

  // After a jump through a register: the table whose entry it used. If there is none, and the register that would have
  // to hold its address was set before the path, that register is `missing()`.
  std::optional<JumpTable> table() const;
  std::optional<uint8_t> missing() const;
  // As far as the path shows, the jump may use a table of offsets.
  bool may_be_table() const;

 private:
  using Id = uint32_t;
  static constexpr uint64_t kUnlimited = ~uint64_t{0};
  struct Value {
    uint64_t limit = kUnlimited;  // it is at most this
    uint64_t address = 0;         // it is this address; 0: not known
    Id times_four = 0;            // it is four times that value; 0: unknown
    Id table = 0, index = 0;      // it is an entry loaded from there; 0: it is not
    int64_t displacement = 0;     // of that load
    bool target = false;          // the table's address was added to it
    uint8_t initial = 0xff;       // the register that had it when the path began
  };

  Id fresh() { return fresh(Value()); }
  Id fresh(const Value& value);
  Id value_in(const Place& place);
  Id loaded(const ValueStep& step);
  bool is_table_of(Id entry, Id other) const;
  void take_address(const ValueStep& step);
  void put(const Place& place, Id id);
  void copy(const ValueStep& step);
  void add(const ValueStep& step);
  void forget(const ValueStep& step);
  void branch(Condition condition, bool taken);

  std::vector<Value> values_;
  Id registers_[16];
  std::vector<std::pair<Place, Id>> memory_;
  Id compared_ = 0;  // what the flags are about; 0: something else
  uint64_t compared_with_ = 0;
  Id jumped_ = 0;
};

}  // namespace snarl::scan
