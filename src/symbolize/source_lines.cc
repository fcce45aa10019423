#include "symbolize/source_lines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace snarl::symbolize {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMostBytes = 8 << 20;  // of a file: generated ones can be huge
constexpr size_t kMostColumns = 400;      // of a line

bool is_shown(const std::string& path, const std::string& program) {
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostBytes || error) return false;
  const auto changed = fs::last_write_time(path, error);
  if (error) return false;
  const auto built = fs::last_write_time(program, error);
  return error || changed <= built;
}

std::string trimmed(std::string text) {
  constexpr const char* kSpace = " \t\r";
  std::ranges::replace(text, '\t', ' ');
  const size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return "";
  text = text.substr(first, text.find_last_not_of(kSpace) - first + 1);
  return text.substr(0, kMostColumns);
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(trimmed(std::move(line)));
  return lines;
}

}  // namespace

std::string SourceLines::line(const std::string& path, int number) {
  auto known = files_.find(path);
  if (known == files_.end())
    known = files_.emplace(path, is_shown(path, program_) ? lines_of(path) : std::vector<std::string>()).first;
  const std::vector<std::string>& lines = known->second;
  return number < 1 || static_cast<size_t>(number) > lines.size() ? "" : lines[static_cast<size_t>(number) - 1];
}

}  // namespace snarl::symbolize
