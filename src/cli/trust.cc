#include "cli/trust.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/shell_word.h"
#include "cli/state_key.h"
#include "cli/terminal.h"
#include "explore/campaign/mark.h"
#include "explore/campaign/store.h"
#include "os/fd.h"
#include "os/standard_input.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostMark = 64 << 10;

// Nothing if there is no such file. What is not a file (a pipe that nobody writes to), or is too large, is an error.
Expected<std::optional<std::string>> read_beside(const std::string& schedule, const char* name, size_t most) {
  const std::string path = fs::path(schedule).replace_filename(name);
  os::Fd fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd && errno == ENOENT) return std::optional<std::string>();
  struct stat about = {};
  if (!fd || fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode)) return Error{"can't read " + path, {}, 2};
  std::string text(most + 1, '\0');
  size_t size = 0;
  for (ssize_t got = 1; got > 0 && size < text.size(); size += static_cast<size_t>(got)) {
    got = read(fd.get(), text.data() + size, text.size() - size);
    if (got < 0) return Error{"can't read " + path, {}, 2};
  }
  if (size > most) return Error{path + " is too large", {}, 2};
  text.resize(size);
  return std::optional<std::string>(std::move(text));
}

std::optional<std::string_view> view_of(const std::optional<std::string>& text) {
  return text ? std::optional<std::string_view>(*text) : std::nullopt;
}

std::string command_text(const Schedule& schedule) {
  std::string text;
  for (const std::string& word : schedule.argv) text += (text.empty() ? "" : " ") + shell_word(word);
  return printable_line(text.empty() ? shell_word(schedule.program) : text);
}

}  // namespace

Expected<Evidence> examine(const ReplaySource& source, const std::string& key_path) {
  Evidence evidence;
  Expected<std::optional<std::string>> input =
      read_beside(source.path, explore::kStoredInput, os::StandardInput::kMostFromPipe);
  if (!input) return input.error();
  evidence.input = std::move(*input);
  const Expected<std::optional<std::string>> mark = read_beside(source.path, explore::kMarkFile, kMostMark);
  if (!mark) return mark.error();
  const Expected<std::string> key = read_key(key_path);
  if (!*mark)
    evidence.doubt = "it has no mark";
  else if (!key)
    evidence.doubt = key.error().message;
  else
    evidence.folder = explore::marked_folder(*key, **mark, source.text, view_of(evidence.input));
  if (!evidence.folder && evidence.doubt.empty())
    evidence.doubt = "its mark is another user's, or something was changed";
  return evidence;
}

Error refusal(const ReplaySource& source, const Evidence& evidence) {
  const std::string command = command_text(source.schedule), path = printable_line(shell_word(source.path));
  return {
      fmt::format("{} was not recorded by you on this machine, as far as can be told: {}\n  its command is  {}\n  "
                  "which runs  {}",
                  path, printable_line(evidence.doubt), command, printable_line(source.schedule.program)),
      fmt::format("give the command yourself: snarl replay {} -- PROGRAM ARGUMENTS; or, if you would run that anyway: "
                  "snarl replay --trust {}",
                  path, path),
      2};
}

bool has_config_around(const Arguments& arguments, const std::string& schedule_path) {
  if (arguments.config_file.empty() || arguments.given("config") != nullptr) return false;
  std::error_code error;
  const fs::path config = fs::weakly_canonical(arguments.config_file, error).parent_path();
  const fs::path finding = fs::weakly_canonical(schedule_path, error).parent_path();
  const fs::path from_config = finding.lexically_relative(config);
  return error || (!from_config.empty() && *from_config.begin() != "..");
}

std::string mark_of(const std::string& schedule, const std::string& input) {
  const Expected<std::string> key = make_key(key_path());
  std::error_code error;
  const std::string folder = fs::current_path(error);
  if (!key || error) return {};
  return explore::mark_text(*key,
                            {folder, schedule, input.empty() ? std::nullopt : std::optional<std::string_view>(input)});
}

}  // namespace snarl::cli
