#include "runtime/patch/room.h"

#include <sys/mman.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "runtime/patch/memory.h"
#include "runtime/patch/points.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::patch {
namespace {

constexpr uint32_t kMostBlocks = 512;  // as many as there are modules

// By address.
struct Block {
  uint64_t begin, end;
  const Moved* moved;
  uint32_t count;
};
SNARL_LARGE Block blocks[kMostBlocks];
SNARL_PROCESS_STATE uint32_t block_count = 0;

Moved* room_for_moved(uint32_t count) {
  const long at =
      raw::call(SYS_mmap, 0, sizeof(Moved) * count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at < 0 ? nullptr : reinterpret_cast<Moved*>(at);
}

}  // namespace

// An instruction is moved once, or has a stub before it and one after.
Room::Room(const wire::Module& module, const wire::Patch* patches, uint32_t count)
    : most_moved_(2 * count * wire::kMaxPatchInstructions), bytes_(Trampolines::bytes_for(patches, count)) {
  if (block_count == kMostBlocks || !reserve_points(Trampolines::kMostPoints * count * wire::kMaxPatchInstructions))
    return;
  moved_ = room_for_moved(most_moved_);
  block_ = map_near(module.begin, module.end, bytes_);
}

void Room::close(uint32_t moved) const {
  const auto begin = reinterpret_cast<uint64_t>(block_);
  blocks[block_count++] = {begin, begin + bytes_, moved_, moved};
  protect(begin, begin + bytes_, PROT_READ | PROT_EXEC);
}

uint64_t original(uint64_t pc) {
  for (uint32_t i = 0; i < block_count; ++i) {
    const Block& block = blocks[i];
    if (pc < block.begin || pc >= block.end) continue;
    uint32_t low = 0, high = block.count;  // the last that begins at or before pc
    while (low < high) {
      const uint32_t middle = (low + high) / 2;
      block.moved[middle].at <= pc ? low = middle + 1 : high = middle;
    }
    return block.moved[low == 0 ? 0 : low - 1].from;
  }
  return pc;
}

}  // namespace snarl::runtime::patch
