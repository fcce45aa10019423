// The directed scheduler: random, but never against a directive.
#pragma once

#include "policy/policy.h"

namespace snarl::policy {

// A thread that has arrived at a target is held back until the target's turn: all its sources were
// performed, and the targets before it were performed or stand blocked. Of the enabled threads
// that are not held, each is equally likely: so every schedule that obeys may come. With the parameter `priorities`,
// the one of the highest random priority goes first, as in figure 5 of PLDI'12, so that some thread is far ahead of the
// others.
// When all enabled ones are held, it is a dead end: the directive is dropped and the run goes on
// at random. Says in run.obedience how it went.
class Obey final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override { return {.steady = true, .directed = true, .watches = true}; }
  bool begin(const Run& run, Arena& arena, Plan&) override;
  void spawned(const View& view, ThreadId child) override;
  void arrived(const Arrival& arrival) override;
  void stepped(const Arrival& step, bool) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  // An event of the directive, as far as it has come.
  struct Event {
    DirectedEvent what;
    uint64_t arrivals = 0;    // of its thread at its place
    ThreadId at = kNoThread;  // the thread stands there now
    bool performed = false;
  };
  struct Rule {
    Event target;
    std::span<Event> sources;
  };

  template <typename F>
  void for_each_event(F&& f) {
    for (Rule& rule : rules_) {
      f(rule.target);
      for (Event& source : rule.sources) f(source);
    }
  }
  static bool sources_performed(const Rule& rule);
  bool may_go(size_t i) const { return i < next_ || (i == next_ && sources_performed(rules_[i])); }
  bool is_held(ThreadId t) const;
  void pass_blocked(const View& view);
  void pass_performed();
  void look_whether_satisfied();
  void report(Obedience how);
  ThreadId highest_of(const ThreadSet& among, const View& view) const;

  Rng rng_;
  bool by_priority_ = false;
  uint64_t priorities_ = 0;  // what they are drawn from
  std::span<Rule> rules_;
  size_t next_ = 0;       // the first target that has not happened
  bool dropped_ = false;  // violated, or a dead end
  Obedience* obedience_ = nullptr;
};

}  // namespace snarl::policy
