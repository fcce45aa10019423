// Which findings the user does not want to see (docs/formats/suppressions.md).
//
// One suppression per line: the kind, then at least one of function=, file=, module=, all of them patterns
// (* any text, ? one character). TSan's lines `race:text` and `deadlock:text` are taken as well. It fits a finding of
// that kind that has a frame which fits all of the others. Pure; no file is read here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "report/finding.h"

namespace snarl::report {

struct Suppression {
  int line = 0;
  std::string text;  // as it stands in the file
  std::string kind;
  std::string function, file, module;  // empty: any
  std::string one = {};                // one of the three fits it (TSan's form); empty: any
};

// `name` is the file's, for errors, which name the line (exit code 2).
Expected<std::vector<Suppression>> parse_suppressions(std::string_view text, const std::string& name);

bool fits(const Suppression& suppression, const Finding& finding);

// Does the whole text fit the pattern?
bool fits_pattern(std::string_view pattern, std::string_view text);

}  // namespace snarl::report
