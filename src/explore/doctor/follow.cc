#include "explore/doctor/follow.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>

#include "explore/doctor/tracer.h"
#include "os/read_file.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

namespace fs = std::filesystem;

constexpr int kNothingToTest = 4;

std::string of_process(pid_t pid, const std::string& name) { return fmt::format("/proc/{}/{}", pid, name); }

std::string link_of(const std::string& path) {
  std::error_code error;
  return fs::read_symlink(path, error);
}

// "a\0b\0", as the kernel keeps a program's words.
std::vector<std::string> words_of(const std::string& path) {
  const Expected<std::string> text = os::read_file(path, kNothingToTest);
  std::vector<std::string> words;
  for (size_t at = 0; text && at < text->size();) {
    const size_t end = std::min(text->find('\0', at), text->size());
    words.push_back(text->substr(at, end - at));
    at = end + 1;
  }
  return words;
}

// A number in a file of lines such as "pos:\t12".
std::optional<unsigned long> field_of(const std::string& text, const std::string& name, int base) {
  const size_t at = text.find(name + ":\t");
  if (at == text.npos) return std::nullopt;
  const char* begin = text.data() + text.find_first_not_of(" \t", at + name.size() + 1);
  unsigned long value = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, base);
  return error == std::errc() && end != begin ? std::optional(value) : std::nullopt;
}

std::optional<unsigned long> field_of(pid_t pid, const std::string& file, const std::string& name, int base = 10) {
  const Expected<std::string> text = os::read_file(of_process(pid, file), kNothingToTest);
  return text ? field_of(*text, name, base) : std::nullopt;
}

// A file that has a name, which our own descriptors for the plain run have not.
bool is_plain_file(const std::string& path) {
  struct stat about {};
  return path.starts_with('/') && stat(path.c_str(), &about) == 0 &&
         (S_ISREG(about.st_mode) || S_ISCHR(about.st_mode) || S_ISDIR(about.st_mode));
}

void add_descriptor(pid_t pid, int number, Followed& found) {
  const std::string path = link_of(of_process(pid, fmt::format("fd/{}", number)));
  const std::string info = fmt::format("fdinfo/{}", number);
  const auto flags = field_of(pid, info, "flags", 8);
  if (number == STDOUT_FILENO || number == STDERR_FILENO || !flags || (*flags & O_CLOEXEC) != 0) return;
  if (number == STDIN_FILENO && (path == "/dev/null" || path.starts_with("/memfd:"))) return;  // what we gave it
  if (!is_plain_file(path)) return found.left_out.push_back(fmt::format("{} ({})", number, path));
  constexpr int kMade = O_CREAT | O_EXCL | O_TRUNC;
  const auto offset = field_of(pid, info, "pos").value_or(0);
  found.descriptors.push_back({number, static_cast<int>(*flags) & ~kMade, static_cast<long>(offset), path});
}

// As it is right after its exec.
Followed state_of(pid_t pid) {
  Followed found;
  found.path = link_of(of_process(pid, "exe"));
  found.argv = words_of(of_process(pid, "cmdline"));
  found.environment = words_of(of_process(pid, "environ"));
  found.folder = link_of(of_process(pid, "cwd"));
  std::error_code error;
  std::vector<int> numbers;
  for (const auto& entry : fs::directory_iterator(of_process(pid, "fd"), error))
    numbers.push_back(std::atoi(entry.path().filename().c_str()));
  std::ranges::sort(numbers);
  for (const int number : numbers) add_descriptor(pid, number, found);
  return found;
}

class Follower final : public Tracer {
 public:
  std::optional<Followed> take() { return std::move(found_); }
  bool saw_copy() const { return saw_copy_; }

 private:
  bool is_done() const override { return found_.has_value(); }
  void at_exec(pid_t pid) override { programs_[pid] = state_of(pid); }

  void at_birth(pid_t, pid_t child, int) override {
    const auto process = static_cast<pid_t>(field_of(child, "status", "Tgid").value_or(0));
    if (process == child || process == 0) return;  // not a thread
    const auto program = programs_.find(process);
    if (program != programs_.end())
      found_ = std::move(program->second);
    else
      saw_copy_ = true;
  }

  std::map<pid_t, Followed> programs_;  // by process
  std::optional<Followed> found_;
  bool saw_copy_ = false;
};

}  // namespace

Expected<Followed> follow(const Setup& setup, os::Guard& guard, const Stop& stop) {
  Follower follower;
  const Stop limit(stop.fd, std::min(stop.at, os::now_seconds() + setup.timeout));
  const Expected<std::optional<int>> ended = follower.run(setup, guard, limit);
  if (!ended) return Error{ended.error().message, {}, kNothingToTest};
  if (std::optional<Followed> found = follower.take()) return std::move(*found);
  if (follower.saw_copy())
    return Error{"the process with threads is a copy of its parent that called no exec, and can't be started by itself",
                 "name the program without --follow, if its own process can have the threads", kNothingToTest};
  return Error{fmt::format("no process that {} started {}", setup.target.command[0],
                           *ended ? "had two threads" : fmt::format("had two threads within {:g} s", setup.timeout)),
               "give it arguments or input that make it start threads", kNothingToTest};
}

}  // namespace snarl::explore
