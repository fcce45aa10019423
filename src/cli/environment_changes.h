// How one environment differs from another (Start::environment).
#pragma once

#include <string>
#include <vector>

namespace snarl::cli {

// "NAME=value" for a variable that `to` has and `from` has not so; "NAME" for one that it has not.
std::vector<std::string> changes_between(const std::vector<std::string>& from, const std::vector<std::string>& to);

std::vector<std::string> changed(std::vector<std::string> environment, const std::vector<std::string>& changes);

}  // namespace snarl::cli
