#include "report/formats/xml_text.h"

#include "report/printable.h"

namespace snarl::report {
namespace {

// U+FFFE and U+FFFF are UTF-8 but not XML.
bool is_forbidden(std::string_view text, size_t at) {
  return text.substr(at, 3) == "\xef\xbf\xbe" || text.substr(at, 3) == "\xef\xbf\xbf";
}

}  // namespace

std::string xml_text(std::string_view text) {
  const std::string clean = printable(text, Newlines::kKeep);
  std::string result;
  for (size_t i = 0; i < clean.size(); ++i) {
    const char c = clean[i];
    if (is_forbidden(clean, i))
      result += "\xef\xbf\xbd", i += 2;
    else if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";  // "]]>" must not stand in a text
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string xml_attribute(std::string_view text) {
  std::string result;
  for (const char c : xml_text(text)) result += c == '\n' ? "&#10;" : std::string(1, c);
  return result;
}

}  // namespace snarl::report
