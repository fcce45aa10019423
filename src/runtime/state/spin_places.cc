#include "runtime/state/spin_places.h"

#include <algorithm>
#include <iterator>

#include "runtime/state/state.h"

namespace snarl::runtime::spin_places {
namespace {

constexpr uint64_t kLoop = 64;  // bytes around a place that belong to the same loop

uint32_t count() { return __atomic_load_n(&engine::shared->spins.count, __ATOMIC_ACQUIRE); }

}  // namespace

bool any() { return count() != 0; }

bool is_known(uint64_t pc) {
  const uint64_t* places = engine::shared->spins.pc;
  const size_t known = std::min<size_t>(count(), std::size(engine::shared->spins.pc));
  return std::any_of(places, places + known, [pc](uint64_t place) { return pc - place + kLoop <= 2 * kLoop; });
}

void learn(uint64_t pc) {
  wire::SpinPlaces& spins = engine::shared->spins;
  if (spins.count >= std::size(spins.pc) || is_known(pc)) return;
  spins.pc[spins.count] = pc;
  __atomic_store_n(&spins.count, spins.count + 1, __ATOMIC_RELEASE);
}

}  // namespace snarl::runtime::spin_places
