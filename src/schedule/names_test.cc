// Every name of every enumeration goes out and comes back; nothing else does.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "schedule/decision.h"
#include "schedule/misuse.h"
#include "schedule/operation.h"
#include "schedule/outcome.h"

namespace snarl {
namespace {

template <typename Kind>
void expect_round_trip(Kind (*named)(const char*)) {
  std::set<std::string> names;
  for (int i = 0; i < static_cast<int>(Kind::kCount); ++i) {
    const std::string name = name_of(static_cast<Kind>(i));
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string::npos) << name;
    EXPECT_EQ(named(name.c_str()), static_cast<Kind>(i)) << name;
    EXPECT_EQ(named((name + "x").c_str()), Kind::kNone);
    EXPECT_EQ(named(name.substr(1).c_str()), Kind::kNone);
  }
  EXPECT_EQ(named(""), Kind::kNone);
  EXPECT_STREQ(name_of(Kind::kCount), "unknown");
  EXPECT_STREQ(name_of(static_cast<Kind>(255)), "unknown");
}

TEST(Names, OpKinds) { expect_round_trip<OpKind>(op_kind_named); }
TEST(Names, Reasons) { expect_round_trip<Reason>(reason_named); }
TEST(Names, Misuses) { expect_round_trip<MisuseKind>(misuse_kind_named); }
TEST(Names, Outcomes) { expect_round_trip<OutcomeKind>(outcome_kind_named); }

// The numbers are part of the wire and of stored schedules.
TEST(Names, NumbersStay) {
  EXPECT_STREQ(name_of(static_cast<OpKind>(6)), "lock");
  EXPECT_STREQ(name_of(static_cast<OpKind>(12)), "reacquire");
  EXPECT_STREQ(name_of(static_cast<OpKind>(20)), "end_process");
  EXPECT_STREQ(name_of(static_cast<OpKind>(52)), "read");
  EXPECT_STREQ(name_of(static_cast<OpKind>(60)), "user");
  EXPECT_STREQ(name_of(static_cast<Reason>(4)), "yielded");
  EXPECT_STREQ(name_of(static_cast<OutcomeKind>(5)), "deadlock");
  EXPECT_STREQ(name_of(static_cast<OutcomeKind>(9)), "refused");
}

// Rule 4 of docs/rules.md: a point after what enables others, and after nothing else.
TEST(Names, PointsAfter) {
  int points = 0;
  for (int i = 0; i < static_cast<int>(OpKind::kCount); ++i) points += has_point_after(static_cast<OpKind>(i));
  EXPECT_EQ(points, 11);
  for (OpKind kind :
       {OpKind::kCreate, OpKind::kUnlock, OpKind::kSignal, OpKind::kBroadcast, OpKind::kRwUnlock, OpKind::kSemPost,
        OpKind::kFutexWake, OpKind::kCancel, OpKind::kFutexRequeue, OpKind::kKill, OpKind::kAtomicRmw})
    EXPECT_TRUE(has_point_after(kind));
}

}  // namespace
}  // namespace snarl
