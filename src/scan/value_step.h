// What one instruction does with values that may select an entry of a jump table. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace snarl::scan {

// Something that holds a value.
struct Place {
  enum Kind : uint8_t { kNone, kRegister, kMemory, kConstant };
  Kind kind = kNone;
  uint8_t base = 0xff;   // the register; of memory: 0xff for none or rip, whose value is part of `number`
  uint8_t index = 0xff;  // of memory
  uint8_t scale = 0;     // in bytes
  int64_t number = 0;    // constant or displacement

  bool operator==(const Place&) const = default;
};

enum class Action : uint8_t {
  kOther,
  kCopy,         // `to` gets the value of `from`, wider or not
  kAdd,          // `from` is added to `to`
  kMask,         // `to` is and-ed with `from`
  kCompare,      // `to` with `from`
  kSubtract,     // likewise, and `to` gets the difference
  kTakeAddress,  // `to` gets the address of `from`
  kJump,         // to where `to` says
  kCall,
};

enum class Condition : uint8_t { kOther, kAbove, kNotAbove, kBelow, kNotBelow };  // of a branch, unsigned

struct ValueStep {
  Action action = Action::kOther;
  Condition condition = Condition::kOther;
  Place to, from;
  uint8_t bytes = 0;       // of `from`
  uint32_t registers = 0;  // that it writes, a bit each
  bool writes_memory = false;
  bool writes_flags = false;
};

std::optional<ValueStep> value_step(uint64_t address, std::string_view bytes);

}  // namespace snarl::scan
