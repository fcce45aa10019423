#include "explore/campaign/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>

#include "os/system.h"

namespace snarl::explore {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMarker = ".snarl";  // says that the folder is ours to replace; who writes to it has its lock
constexpr std::string_view kMarkerText =
    "This folder is made by snarl; the next run moves its findings to `previous` and replaces the rest.\n";
constexpr const char* kResults[] = {"findings", "summary.json", "latest", "snarl.sarif", "junit.xml", "summary.md"};
constexpr int kMostFolders = 100;

// May we use this existing folder? Empty, or marked as ours.
Status check_ours(const std::string& path) {
  std::error_code error;
  const bool empty = fs::is_empty(path, error);
  if (error) return Error{"can't read the output folder " + path + ": " + error.message()};
  if (empty || fs::exists(path + "/" + kMarker, error)) return Done{};
  return Error{path + " is not empty and was not made by snarl", "choose another output folder with -o", 2};
}

Status make_folder(const std::string& path) {
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error))
    return Error{path + " is a file", "choose another output folder with -o", 2};
  fs::create_directories(path, error);
  if (error) return Error{"can't make the output folder " + path + ": " + error.message(), "choose another with -o"};
  return check_ours(path);
}

Status mark(int fd, const std::string& name) {
  struct stat now {};
  if (fstat(fd, &now) == 0 && now.st_size != 0) return Done{};
  const bool written = write(fd, kMarkerText.data(), kMarkerText.size()) == static_cast<ssize_t>(kMarkerText.size());
  return written ? Status(Done{}) : os::system_error("can't write " + name);
}

// Nothing if somebody else has it. A file system without locks is used without.
Expected<std::optional<os::Fd>> lock(const std::string& path) {
  const std::string name = path + "/" + kMarker;
  os::Fd fd(open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!fd) return os::system_error("can't write " + name);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return std::optional<os::Fd>();
  if (Status marked = mark(fd.get(), name); !marked) return marked.error();
  return std::optional(std::move(fd));
}

bool has_findings(const std::string& path) {
  std::error_code error;
  const fs::directory_iterator all(path + "/findings", error);
  return !error && std::any_of(begin(all), end(all), [](const auto& entry) {
    return !entry.path().filename().string().starts_with('.');  // a draft
  });
}

// Moves the results aside. By renaming, so that they are in one place or the other, whatever ends us: a folder that we
// had begun to fill is filled up.
Status set_aside(const std::string& path, const std::string& draft, const std::string& previous) {
  std::error_code error;
  fs::create_directory(draft, error);
  for (const char* name : kResults) {
    if (error) break;
    fs::rename(path + "/" + name, draft + "/" + name, error);
    if (error == std::errc::no_such_file_or_directory) error.clear();  // a run that was killed has no summary
  }
  if (!error) fs::remove_all(previous, error);
  if (!error) fs::rename(draft, previous, error);
  if (error) return Error{"can't keep the results of the run before as " + previous + ": " + error.message()};
  return Done{};
}

Status remove_results(const std::string& path) {
  for (const char* name : kResults) {
    std::error_code error;
    fs::remove_all(path + "/" + name, error);
    if (error) return Error{"can't replace " + path + "/" + name + ": " + error.message()};
  }
  return Done{};
}

// A run that found nothing does not end the life of findings from before.
Expected<OutputFolder> made_ready(std::string path, os::Fd lock) {
  const std::string draft = path + "/.previous", previous = path + "/previous";
  std::error_code error;
  const bool keeps = has_findings(path) || fs::exists(draft, error);
  if (Status ready = keeps ? set_aside(path, draft, previous) : remove_results(path); !ready) return ready.error();
  fs::create_directory(path + "/findings", error);
  if (error) return Error{"can't make " + path + "/findings: " + error.message()};
  return OutputFolder{path, has_findings(previous) ? previous : "", std::move(lock)};
}

}  // namespace

Expected<OutputFolder> take_output_folder(const std::string& wanted) {
  for (int i = 1; i <= kMostFolders; ++i) {
    const std::string path = i == 1 ? wanted : fmt::format("{}.{}", wanted, i);
    const Status made = make_folder(path);
    if (!made && i == 1) return made.error();
    if (!made) continue;  // somebody else's name
    Expected<std::optional<os::Fd>> locked = lock(path);
    if (!locked) return locked.error();
    if (*locked) return made_ready(path, std::move(**locked));
  }
  return Error{"other runs write to " + wanted + " and 99 folders beside it", "choose another output folder with -o",
               2};
}

}  // namespace snarl::explore
