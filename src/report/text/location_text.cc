#include "report/text/location_text.h"

#include <fmt/format.h>

namespace snarl::report {
namespace {

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string with_line(const std::string& file, int line) { return line > 0 ? fmt::format("{}:{}", file, line) : file; }

std::string module_text(const Location& l) {
  return l.module.empty() ? "" : fmt::format("{}+{:#x}", l.module, l.offset);
}

// A symbol with its offset, or module+0x...: not something that one can call.
bool is_address(const std::string& function) { return function.find("+0x") != std::string::npos; }

}  // namespace

std::string function_text(const Location& l) { return l.function.empty() ? module_text(l) : l.function; }

std::string place_text(const Location& l) {
  return l.file.empty() ? function_text(l) : with_line(base_name(l.file), l.line);
}

std::string path_text(const Location& l) { return l.file.empty() ? module_text(l) : with_line(l.file, l.line); }

std::string place_and_function(const Location& l) {
  const std::string place = place_text(l);
  if (l.file.empty() || l.function.empty()) return place;
  const bool callable = !is_address(l.function) && !l.function.ends_with(')');
  return place + " " + l.function + (callable ? "()" : "");
}

}  // namespace snarl::report
