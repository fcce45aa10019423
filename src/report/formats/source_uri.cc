#include "report/formats/source_uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>

#include "report/printable.h"

namespace snarl::report {
namespace {

namespace fs = std::filesystem;

bool has_source(const Location& place) { return !place.file.empty() || !place.path.empty(); }

bool is_plain(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

// The innermost frame with a source line that the program's authors wrote.
const Location* own_frame(const Stack& stack) {
  const auto own =
      std::ranges::find_if(stack, [](const Location& l) { return !l.system && has_source(l) && l.line > 0; });
  return own == stack.end() ? nullptr : &*own;
}

const Location* place_of(const FindingThread& thread) {
  if (const Location* own = own_frame(thread.stack)) return own;
  return has_source(thread.place) && !thread.place.system ? &thread.place : nullptr;
}

}  // namespace

SourcePath source_path(const Location& place, const SourceRoot& root) {
  if (!has_source(place)) return {};
  const fs::path given = place.path.empty() ? fs::path(root.folder) / place.file : fs::path(place.path);
  const fs::path whole = (given.is_absolute() ? given : fs::path(root.path) / given).lexically_normal();
  const fs::path below = whole.lexically_relative(fs::path(root.path).lexically_normal());
  if (below.empty() || *below.begin() == ".." || *below.begin() == ".") return {whole.generic_string(), false};
  return {below.generic_string(), true};
}

std::string uri_of(const std::string& path) {
  std::string uri = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    if (is_plain(c))
      uri += c;
    else
      fmt::format_to(std::back_inserter(uri), "%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

Location shown_place(const Finding& finding) {
  if (has_source(finding.place) && finding.place.line > 0 && !finding.place.system) return finding.place;
  for (const FindingDeed& deed : finding.deeds) {
    if (const Location* own = own_frame(deed.stack)) return *own;
    if (has_source(deed.place)) return deed.place;
  }
  for (const bool failing : {true, false})
    for (const FindingThread& thread : finding.threads)
      if ((thread.ordinal == finding.failing_thread || thread.state == ThreadState::kFailed) == failing)
        if (const Location* own = place_of(thread)) return *own;
  for (auto row = finding.rows.rbegin(); row != finding.rows.rend(); ++row)
    if (has_source(row->place)) return row->place;
  return finding.place;
}

}  // namespace snarl::report
