// Whose finding may be replayed: the key, and what is taken for ours.
#include "cli/trust.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>
#include <vector>

#include "cli/state_key.h"
#include "explore/campaign/mark.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class Trust : public testing::Test {
 protected:
  Trust() {
    std::string pattern = fs::temp_directory_path() / "snarl-trust-XXXXXX";
    folder_ = mkdtemp(pattern.data());
    source_.path = folder_ / "finding/schedule.snarl";
    source_.text = "the schedule";
    source_.schedule.program = "/bin/bash";
    source_.schedule.argv = {"bash", "-c", "echo \x1b[31m hi"};
    fs::create_directory(folder_ / "finding");
  }
  ~Trust() override { fs::remove_all(folder_); }

  void put(const char* name, const std::string& text) { std::ofstream(folder_ / "finding" / name) << text; }
  void mark(const std::string& text, const std::optional<std::string_view>& input) {
    put("mark", explore::mark_text(*make_key(key_), {"/work", text, input}));
  }
  Evidence evidence() const { return *examine(source_, key_); }

  fs::path folder_;
  std::string key_ = "";
  ReplaySource source_;

  void SetUp() override { key_ = folder_ / "state/snarl/key"; }
};

TEST_F(Trust, AKeyIsMadeOnceAndForUsAlone) {
  const std::string key = *make_key(key_);
  EXPECT_EQ(key.size(), 32u);
  EXPECT_EQ(*make_key(key_), key);
  EXPECT_EQ(*read_key(key_), key);
  struct stat about = {};
  ASSERT_EQ(stat(key_.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0600u);
  ASSERT_EQ(stat(fs::path(key_).parent_path().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 07777, 0700u);
  EXPECT_EQ(std::distance(fs::directory_iterator(fs::path(key_).parent_path()), {}), 1) << "a draft was left";
}

TEST_F(Trust, OfManyWhoMakeAKeyAtOnceAllHaveTheSame) {
  std::vector<std::string> keys(8);
  std::vector<std::thread> threads;
  for (std::string& key : keys) threads.emplace_back([&] { key = *make_key(key_); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(std::set<std::string>(keys.begin(), keys.end()).size(), 1u);
}

TEST_F(Trust, AKeyThatOthersMayUseIsNone) {
  ASSERT_TRUE(make_key(key_));
  for (const mode_t mode : {0640u, 0604u, 0660u, 0601u}) {
    chmod(key_.c_str(), mode);
    EXPECT_THAT(read_key(key_).error().message, HasSubstr("0600"));
    EXPECT_FALSE(make_key(key_)) << "it is not replaced";
  }
}

TEST_F(Trust, AKeyThatIsNoFileOfItsSizeIsNone) {
  ASSERT_TRUE(make_key(key_));
  fs::rename(key_, folder_ / "elsewhere");
  fs::create_symlink(folder_ / "elsewhere", key_);
  EXPECT_FALSE(read_key(key_)) << "a link";
  fs::remove(key_);
  ASSERT_EQ(mkfifo(key_.c_str(), 0600), 0);
  EXPECT_FALSE(read_key(key_)) << "a pipe";
  fs::remove(key_);
  std::ofstream(key_) << std::string(33, 'k');
  chmod(key_.c_str(), 0600);
  EXPECT_FALSE(read_key(key_)) << "33 bytes";
  EXPECT_FALSE(read_key("")) << "no state folder";
  EXPECT_FALSE(make_key(""));
}

TEST_F(Trust, WithoutAStateFolderThereIsNoKey) {
  std::ofstream(folder_ / "state") << "a file in its place";
  EXPECT_FALSE(make_key(key_));
}

TEST_F(Trust, WhatIsMarkedIsOurs) {
  EXPECT_EQ(evidence().doubt, "it has no mark");
  mark(source_.text, {});
  EXPECT_EQ(evidence().folder, "/work");
  put("stdin.txt", "yes");
  EXPECT_FALSE(evidence().folder) << "an input was put beside it";
  mark(source_.text, "yes");
  EXPECT_EQ(evidence().folder, "/work");
  EXPECT_EQ(evidence().input, "yes");
  put("stdin.txt", "no");
  EXPECT_FALSE(evidence().folder) << "its input was changed";
}

TEST_F(Trust, WhatWasChangedOrIsAnothersIsNot) {
  mark("another schedule", {});
  EXPECT_FALSE(evidence().folder) << "the mark of another finding";
  mark(source_.text, {});
  source_.text += ' ';
  EXPECT_FALSE(evidence().folder);
  source_.text.pop_back();
  EXPECT_TRUE(evidence().folder);
  fs::remove(key_);
  EXPECT_THAT(evidence().doubt, HasSubstr("key")) << "no key, and none is made for it";
  EXPECT_FALSE(fs::exists(key_));
  ASSERT_TRUE(make_key(key_));
  EXPECT_FALSE(evidence().folder) << "a new key";
}

TEST_F(Trust, WhatIsNoFileDoesNotKeepUsWaiting) {
  ASSERT_EQ(mkfifo((folder_ / "finding/mark").c_str(), 0600), 0);
  EXPECT_FALSE(examine(source_, key_));
}

TEST_F(Trust, ARefusalShowsTheCommandWithoutControlCharacters) {
  const Error error = refusal(source_, evidence());
  EXPECT_EQ(error.exit_code, 2);
  EXPECT_THAT(error.message, HasSubstr("bash -c "));
  EXPECT_THAT(error.message, HasSubstr("/bin/bash"));
  EXPECT_EQ(error.message.find('\x1b'), std::string::npos);
  EXPECT_THAT(error.hint, HasSubstr("--trust"));
}

}  // namespace
}  // namespace snarl::cli
