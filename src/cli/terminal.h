// What we know of the streams that we write to, and how errors look.
#pragma once

#include <string>

#include "base/error.h"
#include "report/text.h"

namespace snarl {

bool is_terminal(int fd);
// Colour only on a terminal, and not if NO_COLOR is set; the width is the terminal's.
TextOptions text_options(int fd);

// "snarl: sentence" and "  hint: ..." on stderr. Returns the error's exit code.
int complain(const Error& error);

// Writes to stdout; false if that failed (a closed pipe, a full disk).
bool put(const std::string& text);

// Removes control characters, which could drive the terminal.
std::string printable_line(std::string text);

}  // namespace snarl
