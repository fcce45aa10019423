#include "coseq/host/races.h"

#include <algorithm>

#include "base/state_marks.h"
#include "coseq/host/lane.h"
#include "schedule/misuse.h"

namespace snarl::coseq {
namespace {

// As in models/intrinsics.h.
constexpr uint32_t kTellOnceDone = 200, kTellAllocated = 201, kTellNewThread = 202;
constexpr size_t kMostCells = 1 << 16, kMostSyncs = 1 << 12;

// Tables are emptied for each schedule, so they are as small as they may be.
template <typename Entry>
void grow(std::vector<Entry>& table, bool to_most, bool more, size_t most) {
  const size_t size = to_most ? most : more ? std::min(most, table.size() * 2) : table.size();
  table.assign(size, Entry());
}

Races* the_races = nullptr;  // process-wide: emitted code finds it here

}  // namespace

Races::Races(Lane& lane) : lane_(lane) { the_races = this; }
Races::~Races() { the_races = nullptr; }

void Races::begin(bool thorough) {
  grow(cells_, thorough, detector_.lost() > 0, kMostCells);
  grow(syncs_, thorough, detector_.is_full(), kMostSyncs);
  detector_.restart({clocks_, cells_, syncs_});
  used_slots_ = 1;
}

void Races::end(const detect::Race& race, const detect::Access& access) {
  const detect::Record& earlier = race.earlier;
  lane_.header().line = static_cast<uint32_t>(earlier.pc);  // the place of the other access
  const uint32_t how = (earlier.write ? 1u : 0) | (earlier.atomic ? 2u : 0);
  lane_.end(kLaneMisuse, static_cast<uint32_t>(std::max(access.address, race.granule << 3)),
            static_cast<uint32_t>(MisuseKind::kRace) | (earlier.slot + 1u) << 8 | how << 16,
            static_cast<uint32_t>(access.pc));
}

inline void Races::access(ThreadId thread, const detect::Access& access) {
  detector_.access(
      thread, access,
      [&](const detect::Race& race) {
        if (!race.freed) end(race, access);
        return false;
      },
      [](const detect::Record&) {});
}

// Was it done, so that it orders threads? A try may have failed, and a deadline may have come.
bool Races::succeeds(ThreadId thread, OpKind kind, uint32_t object) {
  const auto value = [&] { return static_cast<int32_t>(lane_.word(object)); };
  switch (kind) {
    case OpKind::kTryLock: return value() == 0 || value() == thread + 1;
    case OpKind::kTryWriteLock: return value() == 0;
    case OpKind::kTryReadLock: return value() >= 0;
    case OpKind::kSemTryWait: return value() > 0;
    case OpKind::kReacquire: return true;
    default: return lane_.thread(thread).woken != kWokenByDeadline;
  }
}

// What was on the stack and in the variables of an earlier thread there is not the new one's.
void Races::begin_thread(ThreadId creator, ThreadId child) {
  detector_.created(creator, child);
  const uint64_t bit = uint64_t{1} << child;
  if ((used_slots_ & bit) != 0) detector_.forget(kLaneStacks + child * uint64_t{kLaneStackStride}, kLaneStackSize);
  used_slots_ |= bit;
}

void Races::perform(ThreadId thread, OpKind kind, uint32_t object) {
  if (!succeeds(thread, kind, object)) return;
  Op op;
  op.kind = kind;
  op.object = object;
  if (kind == OpKind::kWait || kind == OpKind::kReacquire) op.second = lane_.thread(thread).word2;
  if (kind == OpKind::kJoin && object != 0)
    op.thread = static_cast<ThreadId>((object - kLaneHeader - offsetof(LaneHeader, threads)) / sizeof(LaneThread));
  detector_.performed(thread, op, 0);
}

void Races::step(ThreadId thread, uint32_t kind, uint32_t object, uint64_t size, uint32_t place) {
  const auto order = static_cast<MemoryOrder>(kind >> 8);
  switch (kind & 0xff) {
    case kTellOnceDone: return detector_.once_done(thread, object);
    case kTellAllocated: return detector_.forget(object, size);
    case kTellNewThread: return begin_thread(thread, static_cast<ThreadId>(object));
    default: break;
  }
  switch (static_cast<OpKind>(kind & 0xff)) {
    case OpKind::kAtomicLoad:
      detector_.load(thread, object, order, place);
      return access(thread, {object, size, place, false, true});
    case OpKind::kAtomicStore:
      access(thread, {object, size, place, true, true});
      return detector_.store(thread, object, order, place);
    case OpKind::kAtomicRmw:
      detector_.load(thread, object, order, place);
      access(thread, {object, size, place, true, true});
      return detector_.update(thread, object, order, place);
    case OpKind::kFence: return detector_.fence(thread, order);
    case OpKind::kExit: return detector_.ended(thread);
    default: return perform(thread, static_cast<OpKind>(kind & 0xff), object);
  }
}

void Races::tell(uint32_t thread, uint32_t kind, uint32_t object, uint64_t size, uint32_t place) {
  const auto of = static_cast<ThreadId>(thread);
  if (kind == static_cast<uint32_t>(OpKind::kRead) || kind == static_cast<uint32_t>(OpKind::kWrite))
    return the_races->access(of, {object, size, place, kind == static_cast<uint32_t>(OpKind::kWrite), false});
  the_races->step(of, kind, object, size, place);
}

}  // namespace snarl::coseq
