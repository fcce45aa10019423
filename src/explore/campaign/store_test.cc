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

  static report::FindingDocument finding(const std::string& id) {
    report::FindingDocument finding;
    finding.id = id;
    finding.kind = "deadlock";
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
  EXPECT_FALSE(fs::exists(fs::symlink_status(folder_ + "/out/latest")));

  fs::create_directory(folder_ + "/theirs");
  std::ofstream(folder_ + "/theirs/summary.json") << "precious";
  const Expected<Store> theirs = Store::open(folder_ + "/theirs");
  ASSERT_FALSE(theirs);
  EXPECT_EQ(theirs.error().exit_code, 2);
  EXPECT_EQ(*os::read_file(folder_ + "/theirs/summary.json", 1), "precious");
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
