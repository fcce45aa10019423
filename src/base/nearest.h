// The name that someone probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snarl {

// Insertions, deletions, replacements and swaps of neighbours that lead from a to b.
size_t edit_distance(std::string_view a, std::string_view b);

// The nearest of names such as app::queue::push, best first. The distance does not count the outer scopes of a name.
std::vector<std::string> nearest_names(std::string_view word, const std::vector<std::string>& names, size_t most);

// The nearest of `names`; empty if none is near enough to be what was meant.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace snarl
