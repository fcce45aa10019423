// Exit codes as `git bisect run` wants them: 0 good, 1 bad, 125 can't be told (skip this commit).
// Any other code from 1 to 127 would count as bad, a missing program and a misspelt option among them.
#pragma once

#include <string>
#include <vector>

namespace snarl::cli {

inline int bisect_code(int code) { return code == 0 || code == 1 ? code : 125; }

// --bisect among our own words, or its twin in the environment (`variable`, nullptr if not set): to be asked when the
// command line could not be read.
inline bool wants_bisect(const std::vector<std::string>& words, const char* variable) {
  for (const std::string& word : words) {
    if (word == "--bisect") return true;
    if (word == "--") break;
  }
  return variable != nullptr && std::string(variable) == "1";
}

}  // namespace snarl::cli
