#include "explain/cause/candidates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace snarl::explain {
namespace {

constexpr size_t kMostEvents = 1500;  // beyond that only those at which another thread was switched to, or conflicts

// The smaller the better.
enum Rank : uint32_t {
  kAdjacent = 0,    // they conflict, and nothing that conflicts with both lies between
  kConflict = 2,    // they conflict
  kSwitch = 6,      // the last event before a switch, and one after it
  kUnrelated = 9,   // only their threads' own orders connect them with what conflicts
  kAfterPoint = 1,  // more, for a point after a call
  kHidden = 4,      // more, for an event that is not a call in the program
};

bool is_hidden(const TracedEvent& e) {
  constexpr OpKinds kThose = {OpKind::kStart, OpKind::kExit, OpKind::kEndProcess, OpKind::kHandler};
  return kThose.has(e.kind);
}

class Finder {
 public:
  Finder(const Trace& trace, Scope scope) : trace_(trace), scope_(scope) {}

  std::vector<Candidate> find() {
    const size_t begin = trace_.size() - std::min(trace_.size(), kMostEvents);
    for (size_t t = begin; t < trace_.size(); ++t) add_before(begin, t);
    std::ranges::sort(found_, {}, [](const Candidate& c) { return std::tuple(c.rank, ~c.target, ~c.source); });
    if (found_.size() > kMostCandidates) found_.resize(kMostCandidates);
    return std::move(found_);
  }

 private:
  // What a start waits for, the thread's first call says better.
  bool may_be_target(const TracedEvent& e) const {
    const bool is_rare = e.kind == OpKind::kAfter && !e.performed;
    return e.kind != OpKind::kStart && (scope_ == Scope::kAll || !is_rare);
  }
  bool may_be_source(const TracedEvent& e) const {
    return e.performed && (scope_ == Scope::kAll || e.kind != OpKind::kStart);
  }

  void add_before(size_t begin, size_t t) {
    if (!may_be_target(trace_[t])) return;
    std::map<uint64_t, bool> adjacent;  // by thread: one that conflicts was seen, nearer than this
    for (size_t s = t; s-- > begin;) {
      const TracedEvent& source = trace_[s];
      if (source.thread == trace_[t].thread || !may_be_source(source)) continue;
      found_.push_back({static_cast<uint32_t>(s), static_cast<uint32_t>(t), rank(s, t, adjacent[source.thread])});
    }
  }

  uint32_t rank(size_t s, size_t t, bool& nearer) const {
    uint32_t rank = is_switch(s, t) ? kSwitch : kUnrelated;
    if (conflict(trace_[s], trace_[t])) {
      rank = nearer ? kConflict : kAdjacent;
      nearer = true;
    }
    rank +=
        (trace_[s].kind == OpKind::kAfter ? kAfterPoint : 0u) + (trace_[t].kind == OpKind::kAfter ? kAfterPoint : 0u);
    return rank + (is_hidden(trace_[s]) ? kHidden : 0u) + (is_hidden(trace_[t]) ? kHidden : 0u);
  }

  bool is_switch(size_t s, size_t t) const {
    const bool is_first = trace_[t - 1].kind == OpKind::kStart || trace_[t - 1].thread != trace_[t].thread;
    return is_first && s + 1 < trace_.size() && trace_[s + 1].thread != trace_[s].thread;
  }

  const Trace& trace_;
  Scope scope_;
  std::vector<Candidate> found_;
};

}  // namespace

std::vector<Candidate> candidates_of(const Trace& failed, Scope scope) { return Finder(failed, scope).find(); }

}  // namespace snarl::explain
