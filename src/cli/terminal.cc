#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace snarl {

bool is_terminal(int fd) { return isatty(fd) == 1; }

TextOptions text_options(int fd) {
  TextOptions options;
  if (!is_terminal(fd)) return options;
  const char* no_color = std::getenv("NO_COLOR");
  options.color = no_color == nullptr || *no_color == '\0';
  winsize size{};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) options.width = size.ws_col;
  return options;
}

std::string printable_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 0x7f; }, '?');
  return text;
}

int complain(const Error& error) {
  fmt::print(stderr, "snarl: {}\n", printable_line(error.message));
  if (!error.hint.empty()) fmt::print(stderr, "  hint: {}\n", printable_line(error.hint));
  return error.exit_code;
}

bool put(const std::string& text) {
  const size_t written = std::fwrite(text.data(), 1, text.size(), stdout);
  return std::fflush(stdout) == 0 && written == text.size();
}

}  // namespace snarl
