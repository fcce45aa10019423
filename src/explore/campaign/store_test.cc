#include "explore/campaign/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "os/read_file.h"

namespace snarl::explore {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  StoreTest() {
    char name[] = "/tmp/snarl-store-XXXXXX";
    folder_ = mkdtemp(name);
  }
  ~StoreTest() override { fs::remove_all(folder_); }

  static report::Finding finding(const std::string& id) {
    report::Finding finding;
    finding.id = id;
    finding.outcome = OutcomeKind::kDeadlock;
    finding.hash = "9c41e0";
    return finding;
  }

  std::string folder_;
};

TEST_F(StoreTest, WritesFindingsAndTheLatest) {
  Expected<Store> store = Store::open(folder_ + "/a/out");
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(store->add(finding("0001"), "report", {"schedule", "given", "o", "e", "#!/bin/sh\n", "m"}));
  ASSERT_TRUE(store->add(finding("0002"), "", {}));
  ASSERT_TRUE(store->write_summary("{}"));
  const fs::path out = folder_ + "/a/out";
  EXPECT_EQ(fs::read_symlink(out / "latest"), "findings/0002-deadlock-9c41e0");
  const fs::path first = out / "findings/0001-deadlock-9c41e0";
  EXPECT_EQ(*os::read_file(first / "report.txt", 1), "report");
  EXPECT_EQ(*os::read_file(first / "schedule.snarl", 1), "schedule");
  EXPECT_EQ(*os::read_file(first / kStoredInput, 1), "given");
  EXPECT_FALSE(fs::exists(out / "findings/0002-deadlock-9c41e0" / kStoredInput));
  EXPECT_NE(fs::status(first / "replay.sh").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(*os::read_file(out / "summary.json", 1), "{}");
  for (const auto& entry : fs::recursive_directory_iterator(out))
    EXPECT_TRUE(entry.path().filename().string()[0] != '.' || entry.path().filename() == ".snarl") << entry.path();
}

TEST_F(StoreTest, ReplacesOnlyWhatIsOurs) {
  ASSERT_TRUE(Store::open(folder_ + "/out")->add(finding("0001"), "", {}));
  ASSERT_TRUE(Store::open(folder_ + "/out"));
  EXPECT_TRUE(fs::is_empty(folder_ + "/out/findings"));
  EXPECT_FALSE(fs::exists(folder_ + "/out/summary.json"));
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder_ + "/out/latest")));

  fs::create_directory(folder_ + "/theirs");
  std::ofstream(folder_ + "/theirs/summary.json") << "precious";
  const Expected<Store> theirs = Store::open(folder_ + "/theirs");
  ASSERT_FALSE(theirs);
  EXPECT_EQ(theirs.error().exit_code, 2);
  EXPECT_EQ(*os::read_file(folder_ + "/theirs/summary.json", 1), "precious");
}

TEST_F(StoreTest, KeepsTheFindingsOfTheRunBefore) {
  const fs::path out = folder_ + "/out", kept = out / "previous/latest/report.txt";
  EXPECT_EQ(Store::open(out)->previous(), "");
  ASSERT_TRUE(Store::open(out)->add(finding("0001"), "the first", {}));
  EXPECT_EQ(Store::open(out)->previous(), out / "previous");
  EXPECT_EQ(*os::read_file(kept, 1), "the first");
  EXPECT_EQ(Store::open(out)->previous(), out / "previous");  // the run before found nothing
  EXPECT_EQ(*os::read_file(kept, 1), "the first");
  ASSERT_TRUE(Store::open(out)->add(finding("0001"), "the second", {}));
  ASSERT_TRUE(Store::open(out));
  EXPECT_EQ(*os::read_file(kept, 1), "the second");
}

// Whatever ended the run that was moving them.
TEST_F(StoreTest, FindingsThatWereBeingMovedAreNotLost) {
  const fs::path out = folder_ + "/out";
  ASSERT_TRUE(Store::open(out)->add(finding("0001"), "precious", {}));
  fs::create_directory(out / ".previous");
  fs::rename(out / "findings", out / ".previous/findings");
  ASSERT_TRUE(Store::open(out));
  EXPECT_EQ(*os::read_file(out / "previous/latest/report.txt", 1), "precious");
  EXPECT_FALSE(fs::exists(out / ".previous"));
}

TEST_F(StoreTest, RunsAtTheSameTimeHaveFoldersOfTheirOwn) {
  Expected<Store> first = Store::open(folder_ + "/out");
  ASSERT_TRUE(first->add(finding("0001"), "", {}));
  fs::create_directory(folder_ + "/out.2");
  std::ofstream(folder_ + "/out.2/theirs") << "precious";
  const Expected<Store> second = Store::open(folder_ + "/out");
  ASSERT_TRUE(second);
  EXPECT_EQ(second->path(), folder_ + "/out.3");
  EXPECT_FALSE(fs::is_empty(folder_ + "/out/findings"));
  first = Store::open(folder_ + "/other");
  EXPECT_EQ(Store::open(folder_ + "/out")->path(), folder_ + "/out");
}

TEST_F(StoreTest, SaysWhyItCannotWrite) {
  std::ofstream(folder_ + "/file") << "x";
  EXPECT_EQ(Store::open(folder_ + "/file").error().exit_code, 2);
  const Expected<Store> below = Store::open(folder_ + "/file/out");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().exit_code, 125);
}

TEST_F(StoreTest, ALostFolderIsAnError) {
  Expected<Store> store = Store::open(folder_ + "/out");
  ASSERT_TRUE(store);
  fs::remove_all(folder_ + "/out");
  EXPECT_FALSE(store->add(finding("0001"), "", {}));
  EXPECT_FALSE(store->write_summary("{}"));
}

}  // namespace
}  // namespace snarl::explore
