// The formulas against a search of all orders, by z3 where it is installed.
#include "detect/causal_races.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "detect/test_witness.h"

namespace snarl::detect {
namespace {

// Of its own, so that the loader of the tool is not needed here.
class Z3 {
 public:
  Z3() {
    void* library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return;
    const auto make_config = reinterpret_cast<void* (*)()>(dlsym(library, "Z3_mk_config"));
    const auto make_context = reinterpret_cast<void* (*)(void*)>(dlsym(library, "Z3_mk_context"));
    eval_ = reinterpret_cast<const char* (*)(void*, const char*)>(dlsym(library, "Z3_eval_smtlib2_string"));
    context_ = make_context(make_config());
  }
  bool is_there() const { return context_ != nullptr; }
  std::string operator()(const std::string& commands) const { return eval_(context_, commands.c_str()); }

 private:
  const char* (*eval_)(void*, const char*) = nullptr;
  void* context_ = nullptr;
};

const Z3& z3() {
  static const Z3 one;
  return one;
}

PredictedRaces solved(const Trace& trace, const CausalLimits& limits = {.questions = 10'000}) {
  const std::vector<Event> events = events_of(trace);
  return causal_races(PredictTrace(events), z3(), {}, limits);
}

std::set<PairOfEvents> pairs_of(const PredictedRaces& races) {
  std::set<PairOfEvents> result;
  for (const PredictedRace& race : races.races) result.insert({race.earlier, race.later});
  return result;
}

class CausalRaces : public testing::Test {
  void SetUp() override {
    if (!z3().is_there()) GTEST_SKIP() << "libz3.so.4 is not installed";
  }
};

TEST_F(CausalRaces, AreThoseOfAllOrders) {
  Rng rng(4, 0, Stream::kSearch);
  size_t found = 0, more = 0;
  for (int i = 0; i < 150; ++i) {
    const Trace trace = random_trace(rng, 2 + i % 2, 15, 2);
    const PredictedRaces races = solved(trace);
    EXPECT_FALSE(races.cut);
    ASSERT_EQ(pairs_of(races), Reorderings(trace, Orders::kMaximal).races()) << i;
    for (const PredictedRace& race : races.races) expect_possible(trace, race.witness);
    const std::vector<Event> events = events_of(trace);
    found += races.races.size();
    more += races.races.size() - sync_preserving_races(PredictTrace(events), 1000).races.size();
  }
  EXPECT_GT(found, 200u);
  EXPECT_GT(more, 10u);
}

// What came before a window is done; so nothing is predicted that all orders don't have, and less.
TEST_F(CausalRaces, OfWindowsAreSomeOfThem) {
  Rng rng(5, 0, Stream::kSearch);
  size_t found = 0;
  for (int i = 0; i < 60; ++i) {
    const Trace trace = random_trace(rng, 2, 18, 2);
    const PredictedRaces races = solved(trace, {.window = 7, .questions = 10'000});
    const std::set<PairOfEvents> all = Reorderings(trace, Orders::kMaximal).races();
    for (const PairOfEvents& pair : pairs_of(races)) EXPECT_TRUE(all.contains(pair)) << i;
    for (const PredictedRace& race : races.races) expect_possible(trace, race.witness);
    found += races.races.size();
  }
  EXPECT_GT(found, 20u);
}

// Critical sections that have to change places.
TEST_F(CausalRaces, TurnCriticalSectionsRound) {
  const Trace trace = {{0, Did::kCreate, 1},  {1, Did::kStart},      {0, Did::kAcquire, 0}, {0, Did::kWrite, 0, 1},
                       {0, Did::kRelease, 0}, {1, Did::kAcquire, 0}, {1, Did::kRelease, 0}, {1, Did::kWrite, 0, 2}};
  const std::vector<Event> events = events_of(trace);
  EXPECT_TRUE(sync_preserving_races(PredictTrace(events)).races.empty());
  EXPECT_EQ(pairs_of(solved(trace)), (std::set<PairOfEvents>{{3, 7}}));
}

TEST_F(CausalRaces, AreNotAskedForTwice) {
  const Trace trace = {{0, Did::kCreate, 1}, {1, Did::kStart}, {0, Did::kWrite, 0, 1}, {1, Did::kWrite, 0, 2}};
  const std::vector<Event> events = events_of(trace);
  EXPECT_TRUE(causal_races(PredictTrace(events), z3(), {{0x1002, 0x1003}}).races.empty());
  EXPECT_TRUE(solved(trace, {.questions = 0}).cut);
}

}  // namespace
}  // namespace snarl::detect
