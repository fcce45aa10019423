#include "cli/environment_changes.h"

#include <algorithm>

namespace snarl::cli {
namespace {

std::string name_of_variable(const std::string& word) { return word.substr(0, word.find('=')); }

auto find_variable(std::vector<std::string>& environment, const std::string& name) {
  return std::ranges::find_if(environment, [&](const std::string& word) { return name_of_variable(word) == name; });
}

}  // namespace

std::vector<std::string> changed(std::vector<std::string> environment, const std::vector<std::string>& changes) {
  for (const std::string& change : changes) {
    const auto at = find_variable(environment, name_of_variable(change));
    if (at != environment.end()) environment.erase(at);
    if (change.find('=') != change.npos) environment.push_back(change);
  }
  return environment;
}

std::vector<std::string> changes_between(const std::vector<std::string>& from, const std::vector<std::string>& to) {
  std::vector<std::string> changes, left = to;
  for (const std::string& word : from)
    if (find_variable(left, name_of_variable(word)) == left.end()) changes.push_back(name_of_variable(word));
  for (const std::string& word : to)
    if (std::ranges::find(from, word) == from.end()) changes.push_back(word);
  return changes;
}

}  // namespace snarl::cli
