#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/man_page.h"
#include "cli/shell_completion.h"
#include "policy/catalog.h"

namespace snarl::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string escaped(std::string text) {
  for (size_t at = 0; (at = text.find('-', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

TEST(Help, HasTheShapeThatManPagesAreMadeFrom) {
  for (const VerbInfo& verb : verb_table()) {
    const std::string help = verb.help();
    EXPECT_THAT(help, StartsWith(std::string("usage: snarl ") + verb.name));
    EXPECT_THAT(help, HasSubstr(options_help(verb.verb)));
    for (const std::string& line : split(help, "\n")) EXPECT_LE(line.size(), 120u) << line;
  }
}

TEST(ManPage, HasEveryVerbAndOption) {
  for (const VerbInfo& verb : verb_table()) {
    EXPECT_THAT(man_page(), HasSubstr(verb.summary));
    const std::string page = man_page(verb);
    EXPECT_THAT(page, StartsWith(".TH SNARL\\-"));
    for (const OptionInfo* option : options_of(verb.verb))
      EXPECT_THAT(page, HasSubstr("\\fB" + escaped(std::string("--") + option->name) + "\\fR"));
    EXPECT_THAT(page, Not(HasSubstr("\n\n")));
  }
  EXPECT_THAT(man_page(*verb_named("run")), HasSubstr(".SH EXAMPLES\n"));
  EXPECT_THAT(man_page(*verb_named("run")), HasSubstr(".SH \"EXIT STATUS\"\n"));
}

TEST(ManPage, HasEveryPolicy) {
  for (const policy::PolicyInfo& policy : policy::policy_catalog())
    if (policy.for_users) {
      EXPECT_THAT(man_page(*verb_named("policies")), HasSubstr(escaped(policy.name)));
    }
}

TEST(Completion, HasEveryVerbOptionAndPolicy) {
  for (const std::string& script : {bash_completion(), zsh_completion()}) {
    for (const VerbInfo& verb : verb_table()) EXPECT_THAT(script, HasSubstr(std::string("    ") + verb.name + ")\n"));
    for (const OptionInfo& option : option_table()) EXPECT_THAT(script, HasSubstr(std::string("--") + option.name));
    for (const policy::PolicyInfo& policy : policy::policy_catalog())
      EXPECT_TRUE(!policy.for_users || script.find(policy.name) != script.npos) << policy.name;
    EXPECT_THAT(script, HasSubstr("auto always never"));
  }
}

}  // namespace
}  // namespace snarl::cli
