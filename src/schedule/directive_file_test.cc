#include "schedule/directive_file.h"

#include <gtest/gtest.h>

#include "base/hash.h"

namespace snarl {
namespace {

constexpr const char* kText =
    "snarl-directive 1\n"
    "target main/2 bank+0x1209 1\n"
    "source main/1 bank+0x1209 1\n"
    "source main libc.so.6+0x2a 12\n"
    "target main/1/3 bank+0x1302 2\n";

TEST(DirectiveFile, ReadsWhatItWrites) {
  const Expected<Directive> directive = parse_directive(kText, "d");
  ASSERT_TRUE(directive);
  ASSERT_EQ(directive->constraints.size(), 2u);
  EXPECT_EQ(directive->constraints[0].sources.size(), 2u);
  EXPECT_EQ(directive->constraints[1].target.thread, (std::vector<uint32_t>{1, 3}));
  EXPECT_EQ(write_directive(*directive), kText);
}

TEST(DirectiveFile, AThreadsStartIsAnEvent) {
  constexpr const char* kStarts = "snarl-directive 1\ntarget main a+0x1 1\nsource main/2 start\n";
  const Expected<Directive> directive = parse_directive(kStarts, "d");
  ASSERT_TRUE(directive);
  EXPECT_EQ(write_directive(*directive), kStarts);
  const DirectedEvent source = constraints_for(*directive, {})[0].sources[0];
  EXPECT_EQ(source.thread, name_of_child(kMainName, 1));
  EXPECT_EQ(source.pc, kStartPlace);
  EXPECT_EQ(source.nth, 1u);
}

TEST(DirectiveFile, CommentsAndBlankLinesAreForPeople) {
  const Expected<Directive> directive =
      parse_directive("# why\n\nsnarl-directive 1 # first\n  target main a+0x1 1  # transfer bank.cc:22\n", "d");
  ASSERT_TRUE(directive);
  EXPECT_EQ(directive->constraints[0].target.file, "a");
}

TEST(DirectiveFile, ErrorsNameLineAndExpectation) {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "d: a directive without a target"},
      {"snarl-directive 1\n", "d: a directive without a target"},
      {"directive 1\n", "d:1: expected: snarl-directive 1"},
      {"snarl-directive 7\n", "d:1: version 7"},
      {"snarl-directive 1\nsource main a+0x1 1\n", "d:2: a source comes after its target"},
      {"snarl-directive 1\n\ntarget main a+0x1\n", "d:3: expected: target THREAD"},
      {"snarl-directive 1\ntarget main start\n", "d:2: main has no start"},
      {"snarl-directive 1\ntarget T1 a+0x1 1\n", "d:2: 'T1' is no thread"},
      {"snarl-directive 1\ntarget main/0 a+0x1 1\n", "d:2: 'main/0' is no thread"},
      {"snarl-directive 1\ntarget main/ a+0x1 1\n", "d:2: 'main/' is no thread"},
      {"snarl-directive 1\ntarget main a+1 1\n", "d:2: 'a+1' is no place"},
      {"snarl-directive 1\ntarget main +0x1 1\n", "d:2: '+0x1' is no place"},
      {"snarl-directive 1\ntarget main a+0x1 0\n", "d:2: '0' is no occurrence"},
      {"snarl-directive 1\nbefore main a+0x1 1\n", "d:2: 'before' is neither"},
  };
  for (const auto& [text, message] : wrong) {
    const Expected<Directive> directive = parse_directive(text, "d");
    ASSERT_FALSE(directive) << text;
    EXPECT_TRUE(directive.error().message.starts_with(message)) << directive.error().message;
    EXPECT_EQ(directive.error().exit_code, 2);
  }
  std::string many = "snarl-directive 1\n";
  for (int i = 0; i <= kMaxConstraints; ++i) many += "target main a+0x1 1\n";
  EXPECT_FALSE(parse_directive(many, "d"));
}

TEST(DirectiveFile, PlacesAndThreadsAreThoseOfTheProcess) {
  const std::vector<LoadedModule> modules = {{0x5000, 0x9000, 0x5000, "/home/ann/bank", ""}};
  const std::vector<Constraint> constraints = constraints_for(*parse_directive(kText, "d"), modules);
  ASSERT_EQ(constraints.size(), 2u);
  EXPECT_EQ(constraints[0].target.pc, 0x6209u);
  EXPECT_EQ(constraints[0].target.thread, name_of_child(kMainName, 1));
  EXPECT_EQ(constraints[0].source_count, 2u);
  EXPECT_EQ(constraints[0].sources[1].thread, kMainName);
  EXPECT_LT(constraints[0].sources[1].pc, 0x5000u) << "libc is not loaded: nobody comes there";
  EXPECT_EQ(constraints[1].target.thread, name_of_child(name_of_child(kMainName, 0), 2));
}

}  // namespace
}  // namespace snarl
