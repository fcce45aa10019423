// Text in XML. Pure.
#pragma once

#include <string>
#include <string_view>

namespace snarl::report {

// Valid in an element, whatever `text` has: what XML 1.0 has no way to say becomes visible ("\x1b") or U+FFFD.
std::string xml_text(std::string_view text);

// The same between double quotes: line ends are kept there, too.
std::string xml_attribute(std::string_view text);

}  // namespace snarl::report
