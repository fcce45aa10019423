// The verbs of the command line. Each is one file that starts with its help text, takes the words
// after the verb, and returns the exit code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace snarl::cli {

using Words = std::vector<std::string>;

int run_verb(const Words& words);
int replay_verb(const Words& words);
int explain_verb(const Words& words);
int minimize_verb(const Words& words);
int predict_verb(const Words& words);
int classify_verb(const Words& words);
int policies_verb(const Words& words);
int demo_verb(const Words& words);
int doctor_verb(const Words& words);
int lanes_verb(const Words& words);
int cc_verb(const Words& words);
int cxx_verb(const Words& words);

std::string run_help();
std::string replay_help();
std::string explain_help();
std::string minimize_help();
std::string predict_help();
std::string classify_help();
std::string policies_help();
std::string demo_help();
std::string doctor_help();
std::string lanes_help();
std::string cc_help();
std::string cxx_help();

// `help` is a usage line, a blank line, paragraphs, options_help() and then, if there is more, paragraphs that begin
// with "Examples:" or "Exit code:". Man pages are made from it.
struct VerbInfo {
  const char* name;
  Verb verb;
  const char* summary;
  int (*run)(const Words&);
  std::string (*help)();
};
std::span<const VerbInfo> verb_table();
const VerbInfo* verb_named(std::string_view name);

// man pages and completions, for the build and for shells: `snarl --generate man|bash|zsh|files ...`.
int generate_verb(const Words& words);
// `snarl --scan FILE DESCRIPTOR CACHED FUNCTIONS`, for the runtime.
int scan_verb(const Words& words);

}  // namespace snarl::cli
