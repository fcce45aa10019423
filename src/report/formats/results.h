// What the formats for other programs are made from: all that an exploration found, and how it ended.
//
// Every format takes a finding of any kind, as data: there is no list of kinds here. Texts are as the program gave
// them, so each format escapes what its readers would take for its own marks.
#pragma once

#include <string>
#include <vector>

#include "report/ending.h"
#include "report/finding.h"
#include "report/summary.h"

namespace snarl::report {

struct SourceRoot {
  std::string path;    // absolute: paths of source files are relative to it
  std::string folder;  // absolute: where the program ran
};

struct Results {
  const Summary& summary;
  const std::vector<Finding>& findings;
  Ending ending;
  SourceRoot root;
};

// What went wrong in a sentence, or that nothing did: "1 finding in ./bank", "nothing found in ./bank: 812 schedules".
std::string title_of(const Results& results);

// "./bank --fast", each word for the shell.
std::string command_text(const std::vector<std::string>& command);

// Why there is no verdict; empty if there is one.
std::string problem_text(const Ending& ending);

// "deadlock at bank.cc:22 in transfer": one line.
std::string finding_title(const Finding& finding);

// The same, what happened in a sentence, and what the threads were doing.
std::string finding_paragraph(const Finding& finding);

}  // namespace snarl::report
