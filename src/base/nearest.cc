#include "base/nearest.h"

#include <algorithm>

namespace snarl {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 0; i < a.size(); ++i) {
    next[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({row[j + 1] + 1, next[j] + 1, row[j] + (a[i] != b[j])});
      if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
        next[j + 1] = std::min(next[j + 1], before[j - 1] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  size_t distance = std::max<size_t>(word.size() / 2, 2) + 1;
  for (const std::string& name : names) {
    const size_t d = edit_distance(word, name);
    if (d < distance && d < name.size()) distance = d, best = name;
  }
  return best;
}

static size_t scoped_distance(std::string_view word, std::string_view name) {
  size_t least = edit_distance(word, name);
  for (size_t at = 0; (at = name.find("::", at)) != name.npos;) {
    at += 2;
    least = std::min(least, edit_distance(word, name.substr(at)));
  }
  return least;
}

std::vector<std::string> nearest_names(std::string_view word, const std::vector<std::string>& names, size_t most) {
  const size_t limit = std::max<size_t>(word.size() / 2, 2);
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& name : names) {
    const size_t distance = scoped_distance(word, name);
    if (distance <= limit && distance < name.size()) near.emplace_back(distance, name);
  }
  std::ranges::sort(near);
  std::vector<std::string> result;
  for (size_t i = 0; i < near.size() && i < most; ++i) result.push_back(std::move(near[i].second));
  return result;
}

}  // namespace snarl
