// Proves of a loop that was recorded, an instruction at a time, that it only waits for memory to change, and chooses
// the load in it that becomes a schedule point. Pure.
//
// The recording has registers and flags before each instruction. The proof: it ends with two rounds that are equal in
// all of that, and
//  1. each instruction changes nothing but general registers, flags and memory, and depends on nothing else,
//  2. what it writes to memory comes from registers and constants. An instruction that changes memory in place (a
//  loop's
//     counter, unoptimised) may do so if the round itself has given that memory its value before.
// By 1 and 2 the second round has left the same values in the same memory as the first; by the recording, the same
// registers. So every further round is the same, until somebody else writes. Work that gets on, however slowly, changes
// some register or some memory, and is never taken for such a loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace snarl::scan {

struct SpinStep {
  uint64_t pc = 0;
  uint64_t flags = 0;
  uint64_t registers[16] = {};  // in the order of the instruction set

  friend bool operator==(const SpinStep&, const SpinStep&) = default;
};

struct SpinLoop {
  uint64_t load = 0;  // the address behind the load
  uint64_t loop = 0;  // behind the instruction of the loop's own function that loads it, itself or by a call
};

// Loads that are executed for more addresses in a round are no use as points: the engine compares what a thread reads
// with what it read before for so many (conduct/spinners.h).
constexpr size_t kMostSpinAddresses = 16;

// `code`: the bytes from an address on; empty if there are none. Nothing: it is not proved, or no load is fit.
std::optional<SpinLoop> find_spin_loop(std::span<const SpinStep> steps,
                                       const std::function<std::string_view(uint64_t)>& code);

}  // namespace snarl::scan
