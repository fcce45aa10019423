// How long it takes to read races of other schedules out of a long trace, without a solver.
#include <fmt/format.h>

#include <ctime>
#include <vector>

#include "base/rng.h"
#include "detect/sync_preserving.h"
#include "measure.h"
#include "tables.h"

namespace snarl::bench {
namespace {

constexpr size_t kEvents = 1'000'000;
constexpr double kMostSeconds = 10;
constexpr uint32_t kThreads = 8;
constexpr uint64_t kLocks = 16, kCells = 1000, kArray = 50'000;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

Event event_of(uint32_t thread, OpKind kind, uint64_t object, uint64_t pc, uint64_t value = 0) {
  Event event;
  event.object = object;
  event.value = value;
  event.pc = pc;
  event.thread = thread & Event::kMostThreads;
  event.kind = kind;
  if (is_memory_access(kind)) event.size = 8;
  return event;
}

// Threads that read and write what their locks protect, count in atomics, hand each other pieces of an array, and now
// and then write without a lock before they take one: some of that races, and most of it does not.
std::vector<Event> long_trace() {
  std::vector<Event> events;
  Rng rng(1);
  for (uint32_t t = 1; t < kThreads; ++t) events.push_back(event_of(0, OpKind::kCreate, 0, 1, t));
  for (uint32_t t = 1; t < kThreads; ++t) events.push_back(event_of(t, OpKind::kStart, 0, 2));
  const auto word = [](uint64_t area, uint64_t nth) { return area << 32 | nth * 8; };
  while (events.size() < kEvents) {
    const auto t = static_cast<uint32_t>(rng.below(kThreads));
    const uint64_t lock = rng.below(kLocks), cell = lock + kLocks * rng.below(kCells / kLocks);
    if (rng.below(50) == 0) events.push_back(event_of(t, OpKind::kWrite, word(3, lock), 10 + rng.below(4)));
    events.push_back(event_of(t, OpKind::kLock, word(1, lock), 20));
    for (uint64_t i = 0, most = 1 + rng.below(8); i < most; ++i) {
      events.push_back(event_of(t, OpKind::kRead, word(2, cell), 30 + i));
      events.push_back(event_of(t, OpKind::kWrite, word(2, cell), 40 + i));
    }
    events.push_back(event_of(t, OpKind::kUnlock, word(1, lock), 50));
    events.push_back(event_of(t, OpKind::kAtomicRmw, word(4, rng.below(4)), 60));
    const uint64_t piece = rng.below(kArray);
    events.push_back(event_of(t, OpKind::kLock, word(5, piece % 4), 70));
    events.push_back(event_of(t, OpKind::kWrite, word(6, piece / 4 * 4 + piece % 4), 71));
    events.push_back(event_of(t, OpKind::kUnlock, word(5, piece % 4), 72));
  }
  events.resize(kEvents);
  return events;
}

}  // namespace

void measure_prediction() {
  const std::vector<Event> events = long_trace();
  const double began = cpu_seconds();
  const detect::PredictTrace trace(events);
  const detect::PredictedRaces found = detect::sync_preserving_races(trace);
  const double seconds = cpu_seconds() - began;
  const char* what = "predicting races from a million events";
  if (found.cut || found.races.empty()) return failed(what);
  row(what, fmt::format("{:.2f} s of CPU, {} races", seconds, found.races.size()),
      fmt::format("< {:.0f} s", kMostSeconds), seconds / kMostSeconds);
}

}  // namespace snarl::bench
