// Markdown for a comment on a pull request, and for the summary page of a CI job. Pure.
#pragma once

#include <string>

#include "report/formats/results.h"

namespace snarl::report {

// The first line of every such text: by it a script finds the comment that it wrote before.
inline constexpr const char* kMarkdownMark = "<!-- snarl -->";

// Fits into a comment (less than 60,000 bytes): where there is too much, the last reports are left out, and it says so.
// Nothing that the program says is read as Markdown or HTML, or calls anybody.
std::string markdown_text(const Results& results);

}  // namespace snarl::report
