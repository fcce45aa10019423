#include "runtime/memory/sharing.h"

#include <sys/mman.h>

#include <utility>

#include "base/large.h"
#include "base/state_marks.h"
#include "instrument/place_table.h"
#include "instrument/touch_log.h"
#include "runtime/platform/own_memory.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::sharing {
namespace {

using instrument::Granule;
using instrument::kGranuleBits;
using instrument::kNobody;
using instrument::kSeveral;
using instrument::PlaceTable;
using instrument::TouchLog;

constexpr uint64_t kAddressBits = 47;
constexpr uint64_t kWhole = uint64_t{1} << (kAddressBits - kGranuleBits), kSmall = uint64_t{1} << 22;
constexpr uint64_t kMostGranules = 1 << 12;        // of one access: whoever copies more says nothing new
constexpr size_t kLearnedSlots = size_t{1} << 17;  // twice what the wire holds
constexpr size_t kHeads = size_t{1} << 18, kTouches = size_t{1} << 20;
constexpr uint64_t kThreadBlock = 4096;  // what lies above a thread's handle, at the top of its stack

SNARL_PROCESS_STATE Granule* shadow;
SNARL_PROCESS_STATE uint64_t mask;
SNARL_PROCESS_STATE bool used;  // by a run of this process
SNARL_PROCESS_STATE uint32_t* heads;
SNARL_PROCESS_STATE TouchLog::Entry* entries;
SNARL_RUN_STATE Learning learning;
SNARL_PROCESS_STATE PlaceTable learned;
SNARL_RUN_STATE TouchLog touches;
SNARL_LARGE uint64_t gone[(kSeveral + 1) / 64];  // marks of threads that have ended

// Zeroed memory that costs nothing until it is touched.
void* map(uint64_t size) {
  void* const at = map_own_memory(size);
  if (at != nullptr) raw::call(SYS_madvise, at, size, MADV_NOHUGEPAGE);
  return at;
}

void learn(uint64_t pc) {
  wire::Layout& wire = *engine::shared;
  SharedPlace place;
  if (wire.state.learned == wire::kMaxPlaces || !learned.insert(pc) || !find_place(pc, place)) return;
  wire.learned[wire.state.learned++] = place;
}

// What was there before a second thread came, too.
bool learns_all() { return learning >= Learning::kAll; }

void learn_granule(uint64_t granule, uint64_t pc) {
  learn(pc);
  if (learns_all()) touches.for_each_place(granule, learn);
}

bool has_gone(Granule mark) { return (gone[mark / 64] >> mark % 64 & 1) != 0; }

void touch_one(const Thread& self, uint64_t pc, uint64_t address) {
  const uint64_t granule = address >> kGranuleBits;
  Granule& owner = shadow[granule & mask];
  const Granule me = mark_of(self);
  if (owner == kSeveral) return learn_granule(granule, pc);
  if (learns_all()) touches.touch(granule, pc);
  if (owner == me) return;
  if (owner == kNobody || (has_gone(owner) && is_on_own_stack(address))) {
    owner = me;
    return;
  }
  owner = kSeveral;
  learn_granule(granule, pc);
}

void empty(const void* memory, uint64_t size) { raw::call(SYS_madvise, memory, size, MADV_DONTNEED); }

void begin_learning() {
  if (!std::exchange(used, true)) return;
  empty(shadow, (mask + 1) * sizeof(Granule));
  raw::fill(gone, 0, sizeof gone);
}

void begin_touches() {
  SNARL_PROCESS_STATE static bool touched = false;
  if (std::exchange(touched, true)) empty(heads, kHeads * sizeof(uint32_t));
  touches = TouchLog({heads, kHeads}, {entries, kTouches});
}

// A run maps nothing of its own: reset rewind would have to undo that.
void reserve_tables() {
  auto* slots = static_cast<uint64_t*>(map(kLearnedSlots * sizeof(uint64_t)));
  if (slots != nullptr) learned = PlaceTable({slots, kLearnedSlots});
  heads = static_cast<uint32_t*>(map(kHeads * sizeof(uint32_t)));
  entries = static_cast<TouchLog::Entry*>(map(kTouches * sizeof(TouchLog::Entry)));
}

}  // namespace

bool is_on_own_stack(uint64_t address) {
  const auto here = reinterpret_cast<uint64_t>(__builtin_frame_address(0));
  const auto top = reinterpret_cast<uint64_t>(pthread_self()) + kThreadBlock;
  return here <= address && address < top;
}

bool reserve() {
  if (shadow != nullptr) return mask == kWhole - 1;
  reserve_tables();
  mask = kWhole - 1;
  shadow = static_cast<Granule*>(map(kWhole * sizeof(Granule)));
  if (shadow != nullptr) return true;
  mask = kSmall - 1;
  shadow = static_cast<Granule*>(map(kSmall * sizeof(Granule)));
  return false;
}

// Most runs are a fresh copy of the process, where the shadow is as it was reserved. In library mode it holds what the
// last run left.
void begin(Learning ordered) {
  if (!used) engine::shared->state.learned = 0;
  learning = shadow == nullptr || learned.data() == nullptr ? Learning::kNothing : ordered;
  if (learns_all() && (heads == nullptr || entries == nullptr)) learning = Learning::kOwners;
  if (learning != Learning::kNothing) begin_learning();
  if (learns_all()) begin_touches();
}

const Granule* owners() { return shadow; }
uint64_t shadow_size() { return shadow == nullptr ? 0 : (mask + 1) * sizeof(Granule); }
uint64_t granule_mask() { return mask; }
Granule mark_of(const Thread& thread) { return static_cast<Granule>(thread.ordinal % (kSeveral - 1) + 1); }

void touch(const Thread& self, uint64_t pc, uint64_t address, uint64_t size) {
  if (learning == Learning::kNothing) return;
  const uint64_t first = address >> kGranuleBits, last = (address + (size == 0 ? 1 : size) - 1) >> kGranuleBits;
  const uint64_t end = last - first < kMostGranules ? last : first + kMostGranules;
  touch_one(self, pc, address);
  for (uint64_t granule = first + 1; granule <= end; ++granule) touch_one(self, pc, granule << kGranuleBits);
}

void forget(uint64_t address, uint64_t size) {
  if (learning == Learning::kNothing || size == 0) return;
  const uint64_t first = address >> kGranuleBits, last = (address + size - 1) >> kGranuleBits;
  if (last - first > mask) return;
  for (uint64_t granule = first; granule <= last; ++granule)
    if (shadow[granule & mask] != kNobody)
      shadow[granule & mask] = kNobody;  // a page that nobody wrote stays unwritten
}

void ended(const Thread& thread) {
  const Granule mark = mark_of(thread);
  gone[mark / 64] |= uint64_t{1} << mark % 64;
}

}  // namespace snarl::runtime::sharing
