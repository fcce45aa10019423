#include "runtime/parallel/member.h"

#include <algorithm>

#include "base/hash.h"
#include "base/large.h"
#include "runtime/parallel/noise.h"
#include "runtime/parallel/pace.h"
#include "runtime/parallel/run.h"
#include "runtime/parallel/waiting.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime::parallel {
namespace {

// Where threads write whose steps the wire has no room for.
constexpr size_t kScratch = 64;
SNARL_LARGE Storage<Event[kScratch], kMaxThreads> scratch;

// Random sleep: each point is a chance.
void pause_perhaps(Thread& self) {
  Member& member = member_of(self);
  const Pauses& pauses = run().pauses;
  if (member.rng.next() >= pauses.below) return;
  const timespec span{static_cast<time_t>(pauses.nanoseconds / 1'000'000'000),
                      static_cast<long>(pauses.nanoseconds % 1'000'000'000)};
  const Inside inside(self);
  raw::call(SYS_nanosleep, &span, nullptr);
}

void take_block(Thread& self, Member& member) {
  const Step block = run().block;
  member.next = __atomic_fetch_add(&engine::shared->state.steps, block, __ATOMIC_RELAXED) + 1;
  member.end = member.next + block;
  const Step budget = engine::shared->command.settings.step_budget;
  if (budget != 0 && member.next > budget) end(self, OutcomeKind::kStepBudget);
}

// Within the planned steps the bound of ppct is for those who are left alone; whoever goes beyond may be waiting for
// one that starves.
constexpr double kBeyond = 0.001;

uint64_t points_until_fair(const Member& member) {
  const Step next = member.fairness.next();
  return next > member.passed ? next - member.passed : 1;
}

// Is it the turn of somebody who starves?
bool is_fair_point(Member& member) {
  if (!member.counted) return false;
  member.passed += member.planned;
  if (!member.fairness.is_due(member.passed)) return false;
  member.fairness.made_at(member.passed);
  return true;
}

// Takes the next number; how many points may then pass without a look.
uint64_t take_number(Thread& self, Member& member) {
  if (member.next >= member.end) take_block(self, member);
  const Step number = member.next++;
  if (number > run().steps && !member.is_beyond && run().fairness > 0) {
    member.is_beyond = true;
    draw_fairness(member, std::max(run().fairness, kBeyond));
  }
  uint64_t points = member.end - number;
  for (const policy::Change& change : changes()) {
    if (change.step == number) {
      member.lowers = true;
      member.lower_to = change.rank;  // of several, the last and lowest
    } else if (change.step > number && change.step - number < points) {
      points = change.step - number;
    }
  }
  points = std::min(points, points_until_fair(member));
  if (is_paced()) points = std::min(points, points_until_pause(self));
  const bool looks_at_each = (member.low && !member.undisturbed) || member.lowers || run().pauses.below != 0 ||
                             run().checks_order || run().noise;
  return looks_at_each ? 1 : points;
}

}  // namespace

SNARL_LARGE Storage<Member, kMaxThreads> members;

void arrive_slowly(Thread& self) {
  Member& member = member_of(self);
  member.next += member.planned - 1;
  if (run().checks_order) Desk(self).check_order();
  const bool fair = is_fair_point(member);
  if (fair || member.low || member.lowers || __atomic_load_n(&member.away, __ATOMIC_RELAXED)) rest(self, fair);
  if (is_paced()) keep_pace(self, member.planned);
  if (run().noise && !is_alone()) make_noise(self);
  begin_step(self);
}

void begin_step(Thread& self) {
  Member& member = member_of(self);
  if (run().pauses.below != 0) pause_perhaps(self);
  member.counted = !is_alone();
  member.left = member.planned = member.counted ? take_number(self, member) : 1;
}

void draw_fairness(Member& member, double chance) {
  const wire::Command& command = engine::shared->command;
  member.fairness.begin(chance, combine(Rng::seed_of(command.key.seed, command.key.index, Stream::kFairness),
                                        combine(member.name, member.is_beyond)));
  member.passed = 0;
}

// Only where numbers come one at a time: of a long run's many, one more or less does not matter.
void give_number_back(Thread& self) {
  Member& member = member_of(self);
  if (member.counted && run().block == 1) __atomic_fetch_sub(&engine::shared->state.steps, 1, __ATOMIC_RELAXED);
  member.counted = false;
}

static_assert(sizeof(Event) * wire::kChunk % 4096 == 0);

// A thread's first chunk may be all that it needs; the pages of a further one are asked for at once.
//
// Once there is no room left, the counter is left alone: all threads share it.
void take_chunk(Member& member) {
  wire::Layout& wire = *engine::shared;
  const bool room = __atomic_load_n(&wire.state.chunks, __ATOMIC_RELAXED) <= wire::kMaxChunks;
  const uint32_t chunk = room ? __atomic_fetch_add(&wire.state.chunks, 1, __ATOMIC_RELAXED) : wire::kMaxChunks;
  const bool fits = chunk < wire::kMaxChunks && member.thread->ordinal < kMaxThreads;
  if (!fits && room) wire.state.chunks = wire::kMaxChunks + 1;
  member.at = fits ? wire.events + size_t{chunk} * wire::kChunk : scratch[member.thread->id];
  member.full = member.at + (fits ? wire::kChunk : kScratch);
  if (!fits) return;
  wire.chunk_owner[chunk] = member.thread->ordinal;
  const auto begin = reinterpret_cast<uint64_t>(member.at);
  if (member.entry->steps != 0) raw::make_ready_to_write(begin, begin + sizeof(Event) * wire::kChunk);
}

}  // namespace snarl::runtime::parallel
