// What a system call is about to leave behind: with every schedule again.
//
// Pure, without allocation: usable inside the tested process. What the kinds are called, and what stands at the
// addresses that a call names, is for others to say (explore/doctor/side_effects).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace snarl::census {

struct Call {
  uint64_t number = 0;
  std::array<uint64_t, 6> arguments{};
};

enum class EffectKind : uint8_t {
  kNone = 0,
  kWrites,
  kMakes,
  kDeletes,
  kRenames,
  kChanges,
  kRuns,
  kMounts,
  kUnmounts,
  kConnects,
  kListens,
  kSends,
  kSignals,
  kStarts,
  kUses,
  kSets,
  kCount,
};

// What it is done to.
enum class EffectOn : uint8_t {
  kNothing = 0,
  kPath,     // `argument` points to it
  kAddress,  // of a socket: `argument` points to it, and the argument behind that one is its size
  kProcess,
  kProcessGroup,
  kSystemVMemory,
  kSystemVSemaphores,
  kSystemVMessages,
  kMessageQueue,
  kTimer,  // of real time
  kHostName,
  kClock,
  kIoUring,
  kCount,
};

struct Effect {
  EffectKind kind = EffectKind::kNone;
  EffectOn on = EffectOn::kNothing;
  uint8_t argument = 0;
};

// Some calls have their flags behind a pointer, as the first word there: the argument that is the pointer; -1: this
// call is none of those.
int flags_behind(uint64_t number);

// The effect of a call that is about to be made by the process `self`. `flags` is the word that flags_behind speaks of.
Effect effect_of(const Call& call, uint64_t flags, int self);

// Writing there leaves nothing behind.
bool is_harmless_path(std::string_view path);

}  // namespace snarl::census
