#include "request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl::bench {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::Not;

Request read(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return read_request(arguments);
}

auto named(const char* name) { return Field(&Contender::name, name); }

TEST(Request, WithoutWordsEverybodyCompetesOnAllPrograms) {
  const Request request = read({});
  EXPECT_TRUE(request.tuning && request.reporting && request.whole);
  EXPECT_EQ(request.contenders[0].name, "default");
  EXPECT_EQ(request.contenders[0].arguments, "");
  EXPECT_EQ(request.contenders[0].seeds, 20);
  EXPECT_THAT(request.contenders,
              Contains(AllOf(named("old"),
                             Field(&Contender::arguments, " -p 'random' -p 'pct:depth=2' -p 'pct:depth=3' -p 'pos'"))));
  EXPECT_THAT(request.contenders, Contains(AllOf(named("delay-bound"), Field(&Contender::schedules, 2000))));
  EXPECT_THAT(request.contenders, Contains(named("surw")).Times(1));
}

TEST(Request, NoneThatRunsThreadsAtTheSameTimeOrNeedsAFileOrDoesNotSearch) {
  for (const char* name : {"ppct", "random-sleep", "none", "obey", "follow", "plugin"})
    EXPECT_THAT(read({}).contenders, Not(Contains(named(name))));
}

TEST(Request, PoliciesOfOnesOwn) {
  const Request request = read({"surw,pct:depth=2,steps=50,random+pos", "tuning", "--seeds", "3", "latch"});
  EXPECT_THAT(request.contenders, ElementsAre(named("surw"), named("pct:depth=2,steps=50"), named("random+pos")));
  EXPECT_EQ(request.contenders[2].arguments, " -p 'random' -p 'pos'");
  EXPECT_EQ(request.contenders[2].seeds, 3);
  EXPECT_EQ(request.only, "latch");
  EXPECT_TRUE(request.tuning && !request.reporting && !request.whole);
}

}  // namespace
}  // namespace snarl::bench
