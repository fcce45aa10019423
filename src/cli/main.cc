// The command line: finds the verb and leaves the rest to it.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/nearest.h"

namespace snarl {
namespace {

constexpr VerbInfo kVerbs[] = {
    {"run", "run a program under many schedules and report its failures", run_verb, run_help},
    {"replay", "run a recorded failure again", replay_verb, replay_help},
    {"policies", "list how the next thread can be chosen", policies_verb, policies_help},
    {"doctor", "say whether and how a program can be tested", doctor_verb, doctor_help},
    {"demo", "find, replay and show a first bug", demo_verb, demo_help},
};

std::string general_help() {
  std::string text =
      "snarl finds concurrency bugs: it runs a program under many schedules of its threads until it breaks,\n"
      "then shows why.\n\nusage: snarl VERB [OPTIONS] [-- PROGRAM ARGUMENTS]\n\n";
  for (const VerbInfo& verb : kVerbs) text += fmt::format("  {:<10} {}\n", verb.name, verb.summary);
  return text + "\nFirst steps: snarl demo; snarl run -- ./prog; snarl replay. snarl help VERB says more.\n";
}

const VerbInfo* find_verb(const std::string& name) {
  for (const VerbInfo& verb : kVerbs)
    if (name == verb.name) return &verb;
  return nullptr;
}

int unknown_verb(const std::string& name) {
  std::vector<std::string> names{"help"};
  for (const VerbInfo& verb : kVerbs) names.emplace_back(verb.name);
  const std::string near = nearest(name, names);
  return complain({fmt::format("unknown verb \"{}\"", name),
                   near.empty() ? "snarl help lists the verbs" : fmt::format("did you mean snarl {}?", near), 2});
}

int help(const Words& words) {
  if (words.empty()) return put(general_help()) ? 0 : 125;
  const VerbInfo* verb = find_verb(words[0]);
  if (verb == nullptr) return unknown_verb(words[0]);
  return put(verb->help()) ? 0 : 125;
}

int main_of(Words words) {
  if (words.empty()) {
    fmt::print(stderr, "{}", general_help());
    return 2;
  }
  const std::string first = words[0];
  words.erase(words.begin());
  if (first == "help" || first == "--help" || first == "-h") return help(words);
  if (first == "--version" || first == "version") return put(fmt::format("snarl {}\n", SNARL_VERSION)) ? 0 : 125;
  const VerbInfo* verb = find_verb(first);
  return verb != nullptr ? verb->run(words) : unknown_verb(first);
}

}  // namespace

std::span<const VerbInfo> verb_table() { return kVerbs; }

}  // namespace snarl

int main(int argc, char** argv) { return snarl::main_of(snarl::Words(argv + 1, argv + argc)); }
