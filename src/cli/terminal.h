// What we know of the streams that we read and write, and how errors look.
#pragma once

#include <string>

#include "base/error.h"
#include "os/standard_input.h"
#include "report/text/options.h"

namespace snarl::cli {

bool is_terminal(int fd);
enum class ColorMode { kAuto, kAlways, kNever };
// kAuto: colour only on a terminal, not if NO_COLOR is set, not if TERM is dumb. The width is the terminal's.
report::TextOptions text_options(int fd, ColorMode color);

// A line may be written over: a terminal that is not dumb, and no CI job's, whose log keeps everything.
bool has_live_lines(int fd);

// A job of GitHub Actions, whose runner reads commands in what we write.
bool is_github_job();

// "snarl: sentence" and "  hint: ..." on stderr. Returns the error's exit code.
int complain(const Error& error);

// Writes to stderr, if it can be written to: nothing depends on that.
void tell(const std::string& text);

// Writes to stdout; false if that failed (a closed pipe, a full disk).
bool put(const std::string& text);

// The same for a report whose verdict is the exit code, too: that stays what it is. Says that the report could not be
// written, unless its reader just has left.
void show(const std::string& text);

// Removes control characters, which could drive the terminal.
std::string printable_line(std::string text);

// The standard input, read to its end if every schedule needs it again.
Expected<os::StandardInput> prepare_input();

}  // namespace snarl::cli
