// Causes of the bugs of tiny programs, compared with all schedules of these programs, by brute force: whatever obeys
// the directive fails, and no smaller directive is enough.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "explain/cause/search.h"
#include "policy/obey.h"
#include "tests/virtual/every_schedule.h"
#include "tests/virtual/mini_programs.h"

namespace snarl {
namespace {

using explain::Cause;
using explain::CauseRules;
using explain::Trace;
using explain::TracedEvent;

// Notes what a run does under another policy.
class Recorder final : public policy::Policy {
 public:
  explicit Recorder(policy::Policy& inner) : inner_(inner) {}

  policy::Traits traits(const PolicySpec&) const override { return {.directed = true, .watches = true}; }
  bool begin(const Run& run, Arena& arena, policy::Plan& plan) override {
    trace_.clear();
    pending_.clear();
    counts_.clear();
    return inner_.begin(run, arena, plan);
  }
  void spawned(const policy::View& view, ThreadId child) override { inner_.spawned(view, child); }
  void arrived(const policy::Arrival& a) override {
    if (is_directed(a.op.kind, a.op.after) && a.op.pc != 0)
      pending_[a.thread] = {.thread = a.name,
                            .place = a.op.pc,
                            .nth = ++counts_[{a.name, a.op.pc}],
                            .kind = a.op.kind,
                            .object = a.op.object,
                            .second = a.op.second};
    inner_.arrived(a);
  }
  void stepped(const policy::Arrival& a, bool event) override {
    if (const auto at = pending_.find(a.thread); at != pending_.end()) {
      trace_.push_back(at->second);
      pending_.erase(at);
    }
    inner_.stepped(a, event);
  }
  void decide(const policy::View& view, policy::Verdict& verdict) override { inner_.decide(view, verdict); }

  // With what was pending at the end.
  Trace take() {
    for (auto& [thread, event] : pending_) {
      event.performed = false;
      trace_.push_back(event);
    }
    return std::move(trace_);
  }

 private:
  policy::Policy& inner_;
  Trace trace_;
  std::map<ThreadId, TracedEvent> pending_;
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> counts_;
};

Constraint as_constraint(const explain::CauseRule& rule) {
  const auto event = [](const TracedEvent& e) { return DirectedEvent{e.thread, e.place, e.nth}; };
  Constraint constraint;
  constraint.target = event(rule.target);
  for (const TracedEvent& source : rule.sources) constraint.sources[constraint.source_count++] = event(source);
  return constraint;
}

class VirtualTrials final : public explain::Trials {
 public:
  explicit VirtualTrials(const virtual_world::VirtualProgram& program) : program_(program) {}

  std::optional<explain::Trial> run(const CauseRules& rules, uint64_t number, bool by_priority, bool) override {
    std::vector<Constraint> directive;
    for (const explain::CauseRule& rule : rules) directive.push_back(as_constraint(rule));
    explain::Trial trial;
    snarl::Run run = virtual_world::virtual_run("obey", 0, 7, number, 3, 30);
    run.key.policy.values[0] = by_priority ? 1 : 0;
    run.directive = directive;
    run.obedience = &trial.obedience;
    policy::Obey obey;
    Recorder recorder(obey);
    const virtual_world::VirtualResult result = virtual_world::run_virtual(program_, recorder, run, 10'000);
    trial.end = is_failure(result.outcome)           ? explain::TrialEnd::kFailed
                : result.outcome == OutcomeKind::kOk ? explain::TrialEnd::kPassed
                                                     : explain::TrialEnd::kUnclear;
    trial.passed = recorder.take();
    return trial;
  }

 private:
  const virtual_world::VirtualProgram& program_;
};

struct Schedule {
  Trace trace;
  bool failed = false;
  size_t switches = 0;
};

std::vector<Schedule> every_schedule(const virtual_world::VirtualProgram& program) {
  std::vector<Schedule> all;
  EverySchedule every(true);
  Recorder recorder(every);
  do {
    const virtual_world::VirtualResult r = virtual_world::run_virtual(program, recorder);
    all.push_back({recorder.take(), is_failure(r.outcome), r.decisions.size()});
  } while (every.next());
  return all;
}

// The definition, word by word: each target comes after its sources were performed and after the targets before it;
// what never comes obeys.
bool obeys(const Trace& trace, const CauseRules& rules) {
  const auto at = [&](const TracedEvent& e, bool performed) {
    for (size_t i = 0; i < trace.size(); ++i)
      if (trace[i].thread == e.thread && trace[i].place == e.place && trace[i].nth == e.nth &&
          (trace[i].performed || !performed))
        return static_cast<int>(i);
    return -1;
  };
  int before = -1;
  bool missing = false;  // an earlier target never came
  for (const explain::CauseRule& rule : rules) {
    const int target = at(rule.target, false);
    if (target < 0) {
      missing = true;
      continue;
    }
    if (missing || target < before) return false;
    for (const TracedEvent& source : rule.sources)
      if (const int s = at(source, true); s < 0 || s > target) return false;
    before = target;
  }
  return true;
}

std::vector<TracedEvent> events_of(const std::vector<Schedule>& all) {
  std::map<std::tuple<uint64_t, uint64_t, uint64_t>, TracedEvent> events;
  for (const Schedule& schedule : all)
    for (const TracedEvent& e : schedule.trace) events.try_emplace({e.thread, e.place, e.nth}, e);
  std::vector<TracedEvent> list;
  for (const auto& [name, event] : events) list.push_back(event);
  return list;
}

// All with up to one source from each other thread.
std::vector<explain::CauseRule> every_rule(const std::vector<TracedEvent>& events) {
  std::vector<explain::CauseRule> rules;
  for (const TracedEvent& target : events) {
    std::vector<explain::CauseRule> of_target = {{target, {}}};
    std::map<uint64_t, std::vector<TracedEvent>> by_thread;
    for (const TracedEvent& e : events)
      if (e.thread != target.thread) by_thread[e.thread].push_back(e);
    for (const auto& [thread, sources] : by_thread) {
      const std::vector<explain::CauseRule> so_far = of_target;
      for (const explain::CauseRule& rule : so_far)
        for (const TracedEvent& source : sources) {
          of_target.push_back(rule);
          of_target.back().sources.push_back(source);
        }
    }
    rules.insert(rules.end(), of_target.begin(), of_target.end());
  }
  return rules;
}

bool is_enough(const CauseRules& rules, const std::vector<Schedule>& all, VirtualTrials& trials) {
  bool any = false;
  for (const Schedule& schedule : all) {
    if (!obeys(schedule.trace, rules)) continue;
    if (!schedule.failed) return false;
    any = true;
  }
  for (uint64_t i = 0; any && i < 100; ++i) {
    const std::optional<explain::Trial> trial = trials.run(rules, i, i % 2 != 0, false);
    if (trial->end != explain::TrialEnd::kFailed || trial->obedience == Obedience::kDeadEnd ||
        trial->obedience == Obedience::kViolated)
      return false;
  }
  return any;
}

bool smaller_is_enough(size_t size, const std::vector<Schedule>& all, VirtualTrials& trials) {
  const std::vector<explain::CauseRule> rules = every_rule(events_of(all));
  if (size == 0) return is_enough({}, all, trials);
  if (size == 1)
    return std::ranges::any_of(rules, [&](const explain::CauseRule& rule) { return is_enough({rule}, all, trials); });
  for (const explain::CauseRule& first : rules)
    for (const explain::CauseRule& second : rules) {
      const bool same = first.target.thread == second.target.thread && first.target.place == second.target.place &&
                        first.target.nth == second.target.nth;
      if (!same && is_enough({first, second}, all, trials)) return true;
    }
  return false;
}

struct Known {
  const char* name;
  virtual_world::VirtualProgram program;
  size_t depth;
};

using virtual_world::Task;
using virtual_world::VirtualProgram;
using virtual_world::World;

VirtualProgram two(VirtualProgram a, VirtualProgram b) {
  return [=](World& w) -> Task {
    const int t1 = co_await w.create(a);
    const int t2 = co_await w.create(b);
    co_await w.join(t1);
    co_await w.join(t2);
  };
}

// Figure 3 of the paper, and more. Places are numbers from 10.
std::vector<Known> known_programs() {
  const VirtualProgram init = [](World& w) -> Task {
    co_await w.at(OpKind::kUser, 10);
    w.value[0] = 1;
  };
  const VirtualProgram test = [](World& w) -> Task {
    co_await w.at(OpKind::kUser, 11);
    w.expect(w.value[0] == 1, "tested before it was initialised");
    co_await w.at(OpKind::kUser, 12);
  };
  const VirtualProgram assign = [](World& w) -> Task {
    co_await w.at(OpKind::kUser, 10);
    w.value[0] = 1;
    co_await w.at(OpKind::kUser, 13);
  };
  const VirtualProgram test_and_call = [](World& w) -> Task {
    co_await w.at(OpKind::kUser, 11);
    if (w.value[0] != 0) co_return;
    co_await w.at(OpKind::kUser, 12);
    w.expect(w.value[0] == 0, "called after it was assigned");
  };
  const auto add = [](int place) {
    return [=](World& w) -> Task {
      co_await w.at(OpKind::kUser, place);
      const int seen = w.value[0];
      co_await w.at(OpKind::kUser, place + 1);
      w.value[0] = seen + 1;
      co_await w.at(OpKind::kUser, place + 2);
      ++w.value[1];
      w.expect(w.value[1] < 2 || w.value[0] == 2, "an update was lost");
    };
  };
  const auto both = [](int first, int second) {
    return [=](World& w) -> Task {
      co_await w.lock(first);
      co_await w.lock(second);
      co_await w.unlock(second);
      co_await w.unlock(first);
    };
  };
  const VirtualProgram twice = [](World& w) -> Task {
    co_await w.at(OpKind::kUser, 10);
    w.value[0] = 1;
    co_await w.at(OpKind::kUser, 11);
    w.value[0] = 2;
  };
  const VirtualProgram looks = [](World& w) -> Task {
    co_await w.at(OpKind::kUser, 20);
    const int first = w.value[0];
    co_await w.at(OpKind::kUser, 21);
    w.expect(!(first == 1 && w.value[0] == 2), "seen both");
  };
  const VirtualProgram waits = [](World& w) -> Task {
    co_await w.lock(1);
    const bool must_wait = w.value[0] == 0;
    co_await w.unlock(1);
    co_await w.lock(1);
    if (must_wait) co_await w.wait(2, 1);
    co_await w.unlock(1);
  };
  const VirtualProgram signals = [](World& w) -> Task {
    co_await w.lock(1);
    w.value[0] = 1;
    co_await w.signal(2);
    co_await w.unlock(1);
  };
  return {{"order", two(init, test), 1},
          {"atomicity", two(assign, test_and_call), 2},
          {"lost update", two(add(10), add(20)), 2},
          {"inversion", two(both(10, 11), both(11, 10)), 2},
          {"both seen", two(twice, looks), 3},
          {"lost wake-up", two(signals, waits), 2}};
}

const Schedule& shortest_failing(const std::vector<Schedule>& all) {
  const auto key = [](const Schedule& s) { return std::pair(!s.failed, s.switches); };
  return *std::ranges::min_element(all, {}, key);
}

std::string text(const Cause& cause) {
  std::string text;
  const auto event = [](const TracedEvent& e) {
    return std::string(name_of(e.kind)) + "@" + std::to_string(e.place - 1) + "#" + std::to_string(e.nth) + " of " +
           std::to_string(e.thread % 1000);
  };
  for (const explain::CauseConstraint& c : cause.constraints) {
    for (const TracedEvent& s : c.sources) text += event(s) + " ";
    text += "before " + event(c.target) + "; ";
  }
  return text + std::to_string(cause.tries) + " tries";
}

TEST(Cause, IsTheSmallestOfAllDirectivesByBruteForce) {
  for (const Known& known : known_programs()) {
    SCOPED_TRACE(known.name);
    const std::vector<Schedule> all = every_schedule(known.program);
    const Schedule& failing = shortest_failing(all);
    ASSERT_TRUE(failing.failed);
    VirtualTrials trials(known.program);
    const Cause cause = find_cause(failing.trace, trials);
    SCOPED_TRACE(text(cause));
    EXPECT_EQ(cause.state, explain::CauseState::kProved);
    EXPECT_EQ(cause.constraints.size(), known.depth);
    EXPECT_EQ(cause.walk.failed, explain::kWalks);
    EXPECT_EQ(cause.walk.dead_ends + cause.by_priority.dead_ends, 0u);
    CauseRules rules;
    for (const explain::CauseConstraint& c : cause.constraints) {
      rules.push_back({c.target, c.sources});
      EXPECT_GE(c.without.runs - c.without.failed, 5u);
    }
    EXPECT_TRUE(is_enough(rules, all, trials));
    EXPECT_TRUE(obeys(failing.trace, rules));
    EXPECT_FALSE(smaller_is_enough(known.depth - 1, all, trials));
  }
}

// Runs that tell nothing of their orders: every `nth` one fails, the others come to no end; 0: none fails.
class BlindTrials final : public explain::Trials {
 public:
  explicit BlindTrials(uint64_t nth) : nth_(nth) {}
  std::optional<explain::Trial> run(const CauseRules&, uint64_t number, bool, bool) override {
    const bool fails = nth_ != 0 && number % nth_ == nth_ - 1;
    return explain::Trial{.end = fails ? explain::TrialEnd::kFailed : explain::TrialEnd::kUnclear};
  }

 private:
  uint64_t nth_;
};

TEST(Cause, OrdersThatNeverFailAreNotShown) {
  const std::vector<Known> known = known_programs();
  const std::vector<Schedule> all = every_schedule(known.front().program);
  const Trace& failing = shortest_failing(all).trace;
  BlindTrials never(0), sometimes(4);
  EXPECT_EQ(find_cause(failing, never).state, explain::CauseState::kNone);
  const Cause cause = find_cause(failing, sometimes);
  EXPECT_EQ(cause.state, explain::CauseState::kPartly);
  EXPECT_EQ(cause.walk.failed, explain::kWithoutOne / 4);
}

}  // namespace
}  // namespace snarl
