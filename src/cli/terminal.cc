#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace snarl::cli {

namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool is_dumb() { return variable("TERM").empty() || variable("TERM") == "dumb"; }

}  // namespace

bool is_terminal(int fd) { return isatty(fd) == 1; }

report::TextOptions text_options(int fd, ColorMode color) {
  report::TextOptions options;
  options.color = color == ColorMode::kAlways;
  if (!is_terminal(fd)) return options;
  if (color == ColorMode::kAuto) options.color = variable("NO_COLOR").empty() && !is_dumb();
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.width = size.ws_col;
  return options;
}

bool has_live_lines(int fd) {
  const std::string_view ci = variable("CI");
  const bool in_ci = !ci.empty() && ci != "0" && ci != "false";
  return is_terminal(fd) && !is_dumb() && !in_ci;
}

bool is_github_job() { return variable("GITHUB_ACTIONS") == "true"; }

std::string printable_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7f; }, '?');
  return text;
}

int complain(const Error& error) {
  tell(fmt::format("snarl: {}\n", printable_line(error.message)));
  if (!error.hint.empty()) tell(fmt::format("  hint: {}\n", printable_line(error.hint)));
  return error.exit_code;
}

void tell(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool put(const std::string& text) {
  const size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 && written == text.size();
}

void show(const std::string& text) {
  errno = 0;
  if (put(text) || errno == EPIPE) return;
  complain({fmt::format("can't write to the standard output: {}", std::strerror(errno))});
}

Expected<os::StandardInput> prepare_input() {
  return os::StandardInput::prepare(STDIN_FILENO, [] {
    tell("snarl: reading the standard input to its end first (< /dev/null if the program needs none)\n");
  });
}

}  // namespace snarl::cli
