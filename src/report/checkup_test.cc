#include "report/checkup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/text/checkup.h"

namespace snarl::report {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Checkup example() {
  Checkup c;
  c.version = "0";
  c.command = {"./p", "-x"};
  c.testable = true;
  c.verdict = "snarl can run this program: 3 threads";
  c.program = {.path = "./p", .linking = "dynamic", .pie = true, .symbols = true, .build_id = "0123456789abcdef"};
  c.modules = {{"libgomp.so.1", "/lib/libgomp.so.1", {"threads", "inline system calls (futex x2)"}}};
  c.switching = {"gates", "real threads"};
  c.reset = {"fork", "the default"};
  c.observed.ended = "exit code 0";
  c.observed.threads = 3;
  for (int i = 0; i < 9; ++i) c.observed.effects.push_back({"writes", "file" + std::to_string(i), 1});
  c.observed.effects.push_back({"deletes", "bad\x1b[2J", 2});
  c.controlled = {"ok", 0.1, 3, 14, false};
  c.notes = {"a note"};
  return c;
}

TEST(Checkup, JsonComesBack) {
  const auto json = to_json(example());
  EXPECT_EQ(json["schema"], "snarl.doctor/1");
  const Expected<Checkup> back = checkup_from_json(json);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back), json);
}

TEST(Checkup, TextHasTheVerdictFirst) {
  const std::string text = checkup_text(example());
  EXPECT_THAT(text, StartsWith("snarl can run this program: 3 threads\n"));
  EXPECT_THAT(text, HasSubstr("libgomp.so.1: threads, inline system calls (futex x2)"));
  EXPECT_THAT(text, HasSubstr("gates (real threads)"));
  EXPECT_THAT(text, HasSubstr("file5 and 3 more"));
  EXPECT_THAT(text, HasSubstr("(x2)"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(Checkup, TextFits) {
  const std::string text = checkup_text(example(), {.width = 60});
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    EXPECT_LE(end - at, 60u) << text.substr(at, end - at);
    at = end + 1;
  }
}

TEST(Checkup, SaysWhyItCouldNotLook) {
  Checkup c = example();
  c.observed = {};
  c.observed.could_not = "Operation not permitted";
  EXPECT_THAT(checkup_text(c), HasSubstr("not at all: Operation not permitted"));
}

}  // namespace
}  // namespace snarl::report
