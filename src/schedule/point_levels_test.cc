#include "schedule/point_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace snarl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PointLevels, ALevelIsReadAndWritten) {
  EXPECT_EQ(*parse_points("--points", "sync"), kSyncPoints);
  EXPECT_EQ(*parse_points("--points", "atomic,user"), kDefaultPoints);
  for (PointSet points = kSyncPoints; points < 64; points += 2) {
    const PointSet full = has_memory_points(points) ? points | kAtomicPoints : points;
    EXPECT_EQ(*parse_points("--points", points_text(full)), full) << points_text(full);
  }
}

TEST(PointLevels, MemoryBringsAtomicAlong) {
  EXPECT_THAT(point_names(*parse_points("--points", "memory")), ElementsAre("sync", "atomic", "memory"));
  EXPECT_THAT(point_names(*parse_points("--points", "memory:all")), ElementsAre("sync", "atomic", "memory:all"));
  EXPECT_THAT(point_names(*parse_points("--points", "function")), ElementsAre("sync", "function"));
}

TEST(PointLevels, AnUnknownOneNamesTheNearest) {
  for (const char* text : {"memry", "sync,memry", "sync,memry,user"}) {
    const Expected<PointSet> points = parse_points("--points", text);
    ASSERT_FALSE(points) << text;
    EXPECT_EQ(points.error().exit_code, 2);
    EXPECT_THAT(points.error().message, HasSubstr("\"memry\""));
    EXPECT_THAT(points.error().hint, HasSubstr("did you mean memory?"));
  }
  for (const char* text : {"", "sync,", ",sync", "SYNC", "sync atomic", "memory:"})
    EXPECT_FALSE(parse_points("p", text));
}

// A point belongs to exactly the levels that switch it on: no kind is lost.
TEST(PointLevels, EveryQuietKindHasALevel) {
  for (int i = static_cast<int>(OpKind::kRead); i < static_cast<int>(OpKind::kCount); ++i) {
    if (static_cast<OpKind>(i) == OpKind::kFree) continue;  // it is not a point
    EXPECT_EQ(levels_of(static_cast<OpKind>(i)) & kSyncPoints, 0u) << name_of(static_cast<OpKind>(i));
  }
  EXPECT_EQ(levels_of(OpKind::kLock), kSyncPoints);
}

}  // namespace
}  // namespace snarl
