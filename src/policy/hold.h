// Holds threads back before one site until another site has been executed.
#pragma once

#include "policy/pos.h"
#include "policy/surw.h"
#include "schedule/pair_tour.h"

namespace snarl::policy {

// A layer over a base policy: surw in three of four runs, otherwise pos. Each run has one or two constraints (A, B),
// drawn from the pairs of sites that earlier runs saw at one object. A thread that is about to execute A waits until
// some thread has executed B; the base chooses from the others. Meanwhile no deadline comes. After
// four times the steps that runs usually have, the rest of a run is a random walk.
class Hold final : public Policy {
 public:
  Traits traits(const PolicySpec&) const override {
    return {.counts = true, .objects = true, .watches = true, .sites = true};
  }
  bool begin(const Run& run, Arena& arena, Plan& plan) override;
  void spawned(const View& view, ThreadId child) override;
  void arrived(const Arrival& arrival) override;
  void stepped(const Arrival& step, bool event) override;
  void decide(const View& view, Verdict& verdict) override;

 private:
  // Which executions of B end a constraint. Each finds bugs that the others miss, so it is drawn for each.
  enum class Ends : uint8_t {
    kAny,         // the first
    kWhileHeld,   // one while a thread waits at A
    kSameObject,  // one that accesses what a thread at A is about to access
    kCount,
  };

  struct Constraint {
    SitePair pair;
    Ends ends = Ends::kAny;
    bool stays = false;  // when nobody else can run, one thread goes, and the others are still held
  };

  // What a thread is about to access; site 0: nothing.
  struct Pending {
    uint64_t site = 0;
    uint64_t object = 0;
  };

  void draw_constraints(const Run& run);
  void add(const SitePair& pair);
  bool is_held(uint64_t site) const;
  bool is_ended_by(const Constraint& constraint, const Pending& executed) const;
  void drop(int which);
  void let_go(ThreadId t);
  void decide_by_base(const View& view, Verdict& verdict);
  void decide_among(const ThreadSet& free, const View& view, Verdict& verdict);
  ThreadId any_of(const ThreadSet& set) {
    return set.nth(static_cast<int>(rng_.below(static_cast<uint64_t>(set.size()))));
  }

  Rng rng_;
  bool by_surw_ = true;
  Surw surw_;
  Pos pos_;
  Step patience_ = 0;  // steps after which it is a random walk
  int count_ = 0;
  Constraint constraints_[kMostDraws];
  ThreadSet held_;              // the threads at a held site
  std::span<Pending> pending_;  // by slot
  View narrowed_;               // what the base sees while somebody is held
};

}  // namespace snarl::policy
