// The command line: finds the verb and leaves the rest to it.
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/nearest.h"
#include "cli/bisect.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/target/surroundings.h"
#include "os/streams.h"

namespace snarl::cli {
namespace {

std::string general_help() {
  std::string text =
      "snarl finds concurrency bugs: it runs a program under many schedules of its threads until it breaks,\n"
      "then shows why.\n\nusage: snarl VERB [OPTIONS] [-- PROGRAM ARGUMENTS]\n\n";
  for (const VerbInfo& verb : verb_table()) text += fmt::format("  {:<10} {}\n", verb.name, verb.summary);
  return text + "\nFirst steps: snarl demo; snarl run -- ./prog; snarl replay. snarl help VERB says more.\n";
}

// Someone who gives no verb probably means `run`.
std::string verb_hint(const std::string& word) {
  if (word == "--") return "to test a program: snarl run -- PROGRAM";
  if (word.starts_with('-')) return fmt::format("options stand after the verb: snarl run {}", word);
  std::vector<std::string> names{"help"};
  for (const VerbInfo& verb : verb_table()) names.emplace_back(verb.name);
  if (const std::string near = nearest(word, names); !near.empty()) return fmt::format("did you mean snarl {}?", near);
  std::error_code error;
  if (std::filesystem::is_regular_file(word, error)) return fmt::format("to test that program: snarl run -- {}", word);
  return "snarl help lists the verbs";
}

int unknown_verb(const std::string& word) {
  return complain({fmt::format("unknown verb \"{}\"", word), verb_hint(word), 2});
}

int help(const Words& words) {
  if (words.empty()) return put(general_help()) ? 0 : 125;
  const VerbInfo* verb = verb_named(words[0]);
  if (verb == nullptr) return unknown_verb(words[0]);
  return put(verb->help()) ? 0 : 125;
}

bool starts_programs(Verb verb) {
  return verb == kRun || verb == kReplay || verb == kClassify || verb == kDoctor || verb == kDemo;
}

int dispatch(Words words) {
  if (words.empty()) {
    tell(general_help());
    return 2;
  }
  const std::string first = words[0];
  words.erase(words.begin());
  if (first == "help" || first == "--help" || first == "-h") return help(words);
  if (first == "--version" || first == "version") return put(fmt::format("snarl {}\n", SNARL_VERSION)) ? 0 : 125;
  if (first == "--generate") return generate_verb(words);
  if (first == "--scan") return scan_verb(words);
  const VerbInfo* verb = verb_named(first);
  if (verb == nullptr) return unknown_verb(first);
  if (starts_programs(verb->verb))
    if (const Status fit = explore::check_surroundings(); !fit) return complain(fit.error());
  return verb->run(words);
}

int main_of(const Words& words) {
  const int code = dispatch(words);
  const VerbInfo* verb = words.empty() ? nullptr : verb_named(words[0]);
  const bool is_run = verb == nullptr || verb->verb == kRun;  // a misspelt verb may be meant as `run`
  return is_run && wants_bisect(words, std::getenv("SNARL_BISECT")) ? bisect_code(code) : code;
}

}  // namespace
}  // namespace snarl::cli

int main(int argc, char** argv) {
  snarl::os::secure_streams();
  return snarl::cli::main_of(snarl::cli::Words(argv + 1, argv + argc));
}
