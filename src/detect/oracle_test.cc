// The detector against happens-before as a graph: every event of a random trace is a node, every rule an edge, and two
// accesses are a race if neither reaches the other. It shares no code and no clock with the detector.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/rng.h"
#include "detect/test_detector.h"

namespace snarl::detect {
namespace {

enum class Kind {
  kPlain,
  kAtomicLoad,
  kAtomicStore,
  kUpdate,
  kFailedUpdate,
  kFence,
  kLock,
  kUnlock,
  kReadLock,
  kWriteLock,
  kRwUnlock,
  kPost,
  kTake
};

struct Step {
  ThreadId thread = 0;
  Kind kind = Kind::kPlain;
  uint64_t object = 0;
  uint64_t size = 0;
  bool write = false;
  MemoryOrder order = MemoryOrder::kNone;
};

constexpr ThreadId kThreads = 3;
constexpr size_t kSteps = 40;
constexpr uint64_t kPlace = 64, kCells = 2, kLocks = 1000, kRwLock = 2000, kSemaphore = 3000;

bool is_release(MemoryOrder order) {
  return order == MemoryOrder::kRelease || order == MemoryOrder::kAcquireRelease || order == MemoryOrder::kSequential;
}
bool is_acquire(MemoryOrder order) {
  return order == MemoryOrder::kAcquire || order == MemoryOrder::kConsume || order == MemoryOrder::kAcquireRelease ||
         order == MemoryOrder::kSequential;
}

// Random, but as the primitives allow: a lock is taken when it is free, a unit of a semaphore when there is one.
std::vector<Step> random_trace(Rng& rng) {
  std::vector<Step> trace;
  std::optional<ThreadId> owner, writer;
  std::multiset<ThreadId> readers;
  int units = 0;
  constexpr MemoryOrder kLoads[] = {MemoryOrder::kRelaxed, MemoryOrder::kConsume, MemoryOrder::kAcquire,
                                    MemoryOrder::kSequential};
  constexpr MemoryOrder kStores[] = {MemoryOrder::kRelaxed, MemoryOrder::kRelease, MemoryOrder::kSequential};
  constexpr MemoryOrder kAll[] = {MemoryOrder::kRelaxed, MemoryOrder::kAcquire, MemoryOrder::kRelease,
                                  MemoryOrder::kAcquireRelease, MemoryOrder::kSequential};
  while (trace.size() < kSteps) {
    const auto t = static_cast<ThreadId>(rng.below(kThreads));
    const uint64_t cell = kPlace + 8 * rng.below(kCells);
    switch (rng.below(10)) {
      case 0:
      case 1: {
        const uint64_t size = uint64_t{1} << rng.below(4);
        trace.push_back({t, Kind::kPlain, cell + rng.below(8 / size) * size, size, rng.below(2) == 0});
        break;
      }
      case 2: trace.push_back({t, Kind::kAtomicLoad, cell, 8, false, kLoads[rng.below(4)]}); break;
      case 3: trace.push_back({t, Kind::kAtomicStore, cell, 8, true, kStores[rng.below(3)]}); break;
      case 4: trace.push_back({t, Kind::kUpdate, cell, 8, true, kAll[rng.below(5)]}); break;
      case 5: trace.push_back({t, Kind::kFailedUpdate, cell, 8, false, kLoads[rng.below(4)]}); break;
      case 6: trace.push_back({t, Kind::kFence, 0, 0, false, kAll[1 + rng.below(4)]}); break;
      case 7:
        if (!owner)
          trace.push_back({t, Kind::kLock, kLocks}), owner = t;
        else if (*owner == t)
          trace.push_back({t, Kind::kUnlock, kLocks}), owner.reset();
        break;
      case 8:
        if (readers.contains(t))
          trace.push_back({t, Kind::kRwUnlock, kRwLock}), readers.erase(t);
        else if (writer == t)
          trace.push_back({t, Kind::kRwUnlock, kRwLock}), writer.reset();
        else if (!writer && rng.below(2) == 0)
          trace.push_back({t, Kind::kReadLock, kRwLock}), readers.insert(t);
        else if (!writer && readers.empty())
          trace.push_back({t, Kind::kWriteLock, kRwLock}), writer = t;
        break;
      case 9:
        if (rng.below(2) == 0)
          trace.push_back({t, Kind::kPost, kSemaphore}), ++units;
        else if (units > 0)
          trace.push_back({t, Kind::kTake, kSemaphore}), --units;
        break;
    }
  }
  return trace;
}

bool is_access(const Step& s) { return s.size != 0; }
bool is_atomic(const Step& s) { return s.kind != Kind::kPlain; }
bool reads_atomic(const Step& s) {
  return s.kind == Kind::kAtomicLoad || s.kind == Kind::kUpdate || s.kind == Kind::kFailedUpdate;
}
bool writes_atomic(const Step& s) { return s.kind == Kind::kAtomicStore || s.kind == Kind::kUpdate; }

bool may_race(const Step& a, const Step& b) {
  return is_access(a) && is_access(b) && a.thread != b.thread && (a.write || b.write) &&
         !(is_atomic(a) && is_atomic(b)) && a.object < b.object + b.size && b.object < a.object + a.size;
}

class Graph {
 public:
  // `observed`: every atomic operation counts as sequentially consistent.
  Graph(const std::vector<Step>& trace, bool observed) : trace_(trace), observed_(observed), before_(trace.size()) {
    for (size_t i = 0; i < trace.size(); ++i) add(i);
  }
  bool reaches(size_t a, size_t b) const { return before_[b].contains(a); }

 private:
  void edge(size_t from, size_t to) {
    before_[to].insert(from);
    before_[to].insert(before_[from].begin(), before_[from].end());
  }

  void add(size_t i) {
    const Step& s = trace_[i];
    for (size_t j = i; j-- > 0;)
      if (trace_[j].thread == s.thread) {
        edge(j, i);
        break;
      }
    for (size_t j = 0; j < i; ++j)
      if (orders(trace_[j], s)) edge(j, i);
    if (reads_atomic(s)) synchronise(i);
    if (s.kind == Kind::kFence && !observed_ && is_acquire(s.order))
      for (size_t j = 0; j < i; ++j)
        if (trace_[j].thread == s.thread && reads_atomic(trace_[j]))
          for (size_t from : released_to(j)) edge(from, i);
  }

  static bool orders(const Step& a, const Step& b) {
    if (a.object != b.object) return false;
    if (a.kind == Kind::kUnlock) return b.kind == Kind::kLock;
    if (a.kind == Kind::kPost) return b.kind == Kind::kTake;
    if (a.kind != Kind::kRwUnlock) return false;
    return b.kind == Kind::kWriteLock || (b.kind == Kind::kReadLock && a.write);
  }

  // What a read synchronises with if it acquires: the heads of all release sequences that the value belongs to.
  std::set<size_t> released_to(size_t reader) const {
    std::set<size_t> heads;
    for (size_t j = reader; j-- > 0;) {
      const Step& w = trace_[j];
      if (w.object != trace_[reader].object || !writes_atomic(w)) continue;
      if (is_release(w.order)) heads.insert(j);
      for (size_t f = 0; f < j && !observed_; ++f)
        if (trace_[f].thread == w.thread && trace_[f].kind == Kind::kFence && is_release(trace_[f].order))
          heads.insert(f);
      if (w.kind == Kind::kAtomicStore) break;  // nothing before it is of the sequence
    }
    return heads;
  }

  void synchronise(size_t i) {
    if (!is_acquire(trace_[i].order)) return;
    for (size_t from : released_to(i)) edge(from, i);
  }

  bool is_release(MemoryOrder order) const { return observed_ || detect::is_release(order); }
  bool is_acquire(MemoryOrder order) const { return observed_ || detect::is_acquire(order); }

  const std::vector<Step>& trace_;
  bool observed_;
  std::vector<std::set<size_t>> before_;
};

// A read-write lock that is given back says to the graph what it was held for.
void mark_unlocks(std::vector<Step>& trace) {
  std::map<ThreadId, bool> writing;
  for (Step& s : trace) {
    if (s.kind == Kind::kWriteLock || s.kind == Kind::kReadLock) writing[s.thread] = s.kind == Kind::kWriteLock;
    if (s.kind == Kind::kRwUnlock) s.write = writing[s.thread];
  }
}

bool tell(TestDetector& detector, const Step& s) {
  constexpr std::pair<Kind, OpKind> kCalls[] = {
      {Kind::kLock, OpKind::kLock},         {Kind::kUnlock, OpKind::kUnlock},
      {Kind::kReadLock, OpKind::kReadLock}, {Kind::kWriteLock, OpKind::kWriteLock},
      {Kind::kRwUnlock, OpKind::kRwUnlock}, {Kind::kPost, OpKind::kSemPost},
      {Kind::kTake, OpKind::kSemWait}};
  for (const auto& [kind, call] : kCalls)
    if (s.kind == kind) return detector.call(s.thread, call, s.object), false;
  if (s.kind == Kind::kFence) return detector->fence(s.thread, s.order), false;
  if (reads_atomic(s)) detector->load(s.thread, s.object, s.order);
  const bool races = detector.access(s.thread, s.object, s.size, s.write, is_atomic(s)) != 0;
  if (s.kind == Kind::kAtomicStore) detector->store(s.thread, s.object, s.order);
  if (s.kind == Kind::kUpdate) detector->update(s.thread, s.object, s.order);
  return races;
}

bool has_race(const std::vector<Step>& trace, const Graph& graph, size_t i) {
  for (size_t j = 0; j < i; ++j)
    if (may_race(trace[j], trace[i]) && !graph.reaches(j, i)) return true;
  return false;
}

// Of each race that was told: is it ordered by atomic operations, though too weakly?
bool says_what_is_weak(const TestDetector& detector, const Graph& observed, size_t i) {
  return std::ranges::all_of(detector.told,
                             [&](const Race& race) { return race.weak == observed.reaches(race.earlier.pc, i); });
}

TEST(Oracle, EveryAccessRacesAsTheGraphSays) {
  uint64_t races = 0, ordered = 0, exact = 0, weak = 0;
  for (uint64_t seed = 0; seed < 6000; ++seed) {
    Rng rng(seed);
    std::vector<Step> trace = random_trace(rng);
    mark_unlocks(trace);
    const Graph graph(trace, false), observed(trace, true);
    TestDetector detector;
    for (ThreadId t = 1; t < kThreads; ++t) detector->created(0, t);
    // Nothing in the trace comes before the creation.
    for (size_t i = 0; i < trace.size(); ++i) {
      detector.pc = i;
      const bool found = tell(detector, trace[i]), is_one = has_race(trace, graph, i);
      ASSERT_TRUE(!found || says_what_is_weak(detector, observed, i)) << "seed " << seed << ", event " << i;
      weak += found && std::ranges::any_of(detector.told, &Race::weak);
      const bool may_miss = detector->lost() != 0 && !found;
      ASSERT_TRUE(found == is_one || may_miss) << "seed " << seed << ", event " << i << ": " << found;
      races += is_one;
      ordered += is_access(trace[i]) && !is_one;
    }
    exact += detector->lost() == 0;
  }
  EXPECT_GT(races, 10'000u);
  EXPECT_GT(ordered, 10'000u);
  EXPECT_GT(weak, 1'000u);
  EXPECT_GT(exact, 2'000u) << "traces in which no record was lost, so that a missed race would show";
}

}  // namespace
}  // namespace snarl::detect
