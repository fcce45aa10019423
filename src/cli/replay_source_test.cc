#include "cli/replay_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ReplaySourceTest : public testing::Test {
 protected:
  ReplaySourceTest() : before_(fs::current_path()) {
    char name[] = "/tmp/snarl-replay-XXXXXX";
    folder_ = mkdtemp(name);
    fs::current_path(folder_);
    for (const char* id : {"0001-assert-aaaaaa", "0002-deadlock-bbbbbb"}) {
      fs::create_directories(fs::path("snarl-out/findings") / id);
      Schedule schedule;
      schedule.program = "/bin/sh";
      schedule.argv = {"sh"};
      schedule.policy = "random";
      schedule.key.index = static_cast<uint64_t>(id[3] - '0');
      std::ofstream(fs::path("snarl-out/findings") / id / "schedule.snarl") << write_schedule(schedule);
    }
    fs::create_symlink("findings/0002-deadlock-bbbbbb", "snarl-out/latest");
  }
  ~ReplaySourceTest() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  static uint64_t index_of(const std::string& what) {
    const Expected<ReplaySource> source = find_schedule(what);
    EXPECT_TRUE(source) << source.error().message;
    return source ? source->schedule.key.index : 0;
  }

  fs::path before_, folder_;
};

TEST_F(ReplaySourceTest, FindsTheSchedule) {
  EXPECT_EQ(index_of(""), 2u);
  EXPECT_EQ(index_of("snarl-out"), 2u);
  EXPECT_EQ(index_of("0001"), 1u);
  EXPECT_EQ(index_of("1"), 1u);
  EXPECT_EQ(index_of("snarl-out/findings/0001-assert-aaaaaa"), 1u);
  EXPECT_EQ(index_of("snarl-out/findings/0001-assert-aaaaaa/schedule.snarl"), 1u);
}

TEST_F(ReplaySourceTest, SaysWhatIsMissing) {
  EXPECT_EQ(find_schedule("0009").error().exit_code, 2);
  EXPECT_EQ(find_schedule("nowhere").error().exit_code, 2);
  fs::create_directory("empty");
  EXPECT_THAT(find_schedule("empty").error().message, HasSubstr("no finding"));
  std::ofstream("broken") << "not a schedule\n";
  EXPECT_THAT(find_schedule("broken").error().message, HasSubstr("broken:1"));
}

TEST_F(ReplaySourceTest, StartsNoOtherBuild) {
  Schedule schedule;
  schedule.program = "/bin/sh";
  schedule.argv = {"sh", "-c", "true"};
  schedule.build_id = "00";
  const Expected<explore::Target> other = replay_target(schedule, {}, "/usr/bin:/bin");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().exit_code, 2);
  EXPECT_THAT(other.error().message, HasSubstr("another build"));
  const Expected<explore::Target> given = replay_target(schedule, {"/bin/sh", "-c", "true"}, "/usr/bin:/bin");
  ASSERT_TRUE(given);
  schedule.build_id = given->build_id;
  const Expected<explore::Target> same = replay_target(schedule, {}, "/usr/bin:/bin");
  ASSERT_TRUE(same) << same.error().message;
  EXPECT_EQ(same->argv, schedule.argv);
  schedule.build_id = "";
  EXPECT_FALSE(replay_target(schedule, {}, "/usr/bin:/bin"));
}

TEST(Divergence, NamesTimersAndWhoCantGoOn) {
  symbolize::Symbolizer symbolizer;
  record::RunRecord record;
  record.expected.step = record.got.step = 4;
  record.expected.from = record.got.from = 2;
  record.expected.kind = record.got.kind = OpKind::kReacquire;
  record.expected.to = 2 | kTimerBit;
  const std::string text = divergence_text(record, Schedule(), symbolizer);
  EXPECT_THAT(text, HasSubstr("step 4: expected T2 at reacquire"));
  EXPECT_THAT(text, HasSubstr("as expected, but the timer of T2, which is to go on there, can't"));
  record.got.from = kTimerBit;
  EXPECT_THAT(divergence_text(record, Schedule(), symbolizer), HasSubstr("got the timer of main\n"));
}

}  // namespace
}  // namespace snarl::cli
