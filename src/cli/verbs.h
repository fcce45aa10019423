// The verbs of the command line. Each is one file that starts with its help text, takes the words
// after the verb, and returns the exit code.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace snarl {

using Words = std::vector<std::string>;

int run_verb(const Words& words);
int replay_verb(const Words& words);
int policies_verb(const Words& words);
int demo_verb(const Words& words);
int doctor_verb(const Words& words);

std::string run_help();
std::string replay_help();
std::string policies_help();
std::string demo_help();
std::string doctor_help();

struct VerbInfo {
  const char* name;
  const char* summary;
  int (*run)(const Words&);
  std::string (*help)();
};
std::span<const VerbInfo> verb_table();

}  // namespace snarl
