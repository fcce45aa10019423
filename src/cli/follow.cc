#include "cli/follow.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/shell_word.h"
#include "cli/environment_changes.h"
#include "cli/interrupt.h"
#include "cli/terminal.h"
#include "explore/doctor/follow.h"
#include "os/system.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

std::string command_text(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_word(word);
  return printable_line(text);
}

// The program itself, not what its argv[0] may be.
Expected<explore::Target> target_of(const explore::Followed& found) {
  std::vector<std::string> command = found.argv;
  if (command.empty()) command.emplace_back();
  command[0] = found.path;
  Expected<explore::Target> target = explore::find_target(command, "");
  if (target && !found.argv.empty()) target->argv[0] = found.argv[0];
  return target;
}

// What it was given as its descriptor 0, if that is a file; otherwise it reads what the command does.
Status take_input(std::vector<OpenedFile>& files, os::StandardInput& input) {
  const auto at = std::ranges::find(files, STDIN_FILENO, &OpenedFile::number);
  if (at == files.end()) return Done{};
  const os::Fd fd(open(at->path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return os::system_error("can't read " + at->path);
  lseek(fd.get(), at->offset, SEEK_SET);
  Expected<os::StandardInput> other = os::StandardInput::prepare(fd.get(), [] {});
  if (!other) return other.error();
  input = std::move(*other);
  files.erase(at);
  return Done{};
}

// Results stay where they would have been without --follow.
Status enter(const std::string& folder, RunOptions& options) {
  std::error_code error;
  if (fs::current_path(error) == folder) return Done{};
  options.output = fs::absolute(options.output, error);
  fs::current_path(folder, error);
  if (error) return Error{fmt::format("can't enter {}, where the program runs: {}", folder, error.message()), {}, 2};
  return Done{};
}

void tell_of(const explore::Followed& found) {
  tell(fmt::format("snarl: the threads are those of {}\n", command_text(found.argv)));
  for (const std::string& one : found.left_out)
    tell(fmt::format("snarl: warning: it is not given its descriptor {}\n", printable_line(one)));
}

}  // namespace

Status follow_program(Session& session, os::Guard& guard, os::StandardInput& input) {
  Interrupt interrupt;
  const double began = os::now_seconds();
  Expected<explore::Followed> found = explore::follow(session.setup, guard, interrupt.fd());
  if (interrupt.taken() != 0) return Error{"interrupted", {}, 128 + interrupt.taken()};
  if (!found) return found.error();
  Expected<explore::Target> target = target_of(*found);
  if (!target) return target.error();
  tell_of(*found);
  if (Status taken = take_input(found->descriptors, input); !taken) return taken;
  target->start = {changes_between(session.setup.environment, found->environment), std::move(found->descriptors)};
  fit_to_build(*target, session.options);
  session.setup.settings.points = session.options.settings.points;
  session.setup.settings.races = session.options.settings.races;
  session.setup.target = std::move(*target);
  session.setup.environment = std::move(found->environment);
  session.options.seconds = std::max(session.options.seconds - (os::now_seconds() - began), 0.0);
  return enter(found->folder, session.options);
}

}  // namespace snarl::cli
