#include "cli/installation.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "base/hash.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

// The first of these places, relative to the folder of this program, that has the file; empty if none has.
std::string find_near(std::initializer_list<const char*> places) {
  const fs::path here = fs::path(own_path()).parent_path();
  std::error_code error;
  for (const char* place : places) {
    const fs::path path = (here / place).lexically_normal();
    if (fs::is_regular_file(path, error)) return path;
  }
  return {};
}

// A folder of our own in /tmp whose name depends on `path` only: made once, found again, never anybody else's.
Expected<fs::path> private_folder(const std::string& path) {
  const std::string name = fmt::format("/tmp/snarl-{}-{:016x}", geteuid(), hash_text(path));
  struct stat status = {};
  if (mkdir(name.c_str(), 0700) != 0 && errno != EEXIST)
    return Error{"can't make " + name + ": " + std::strerror(errno)};
  const bool ours = lstat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
                    (status.st_mode & 022) == 0;
  if (!ours) return Error{name + " belongs to somebody else", "remove it, or install snarl at a path without blanks"};
  return fs::path(name);
}

// LD_PRELOAD is a list separated by blanks and colons: a path that has one goes in by another name, that of a link to
// its folder, where the library for the heap is, too.
Expected<std::string> preloadable(const std::string& path) {
  if (path.find_first_of(" :\t\n") == path.npos) return path;
  Expected<fs::path> folder = private_folder(path);
  if (!folder) return folder.error();
  const fs::path home = fs::path(path).parent_path(), link = *folder / "lib";
  const std::string preloaded = link / fs::path(path).filename();
  std::error_code error;
  if (fs::read_symlink(link, error) == home) return preloaded;
  const fs::path fresh = *folder / fmt::format("new-{}", getpid());
  fs::create_symlink(home, fresh, error);
  if (!error) fs::rename(fresh, link, error);
  if (error) return Error{"can't make " + link.string() + ": " + error.message()};
  return preloaded;
}

}  // namespace

std::string own_path() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error);
}

Expected<std::string> find_runtime() {
  std::string path = find_near({"../lib/snarl/libsnarl_rt.so", "../lib/libsnarl_rt.so", "libsnarl_rt.so"});
  if (path.empty())
    return Error{"libsnarl_rt.so is not where it belongs, in ../lib/snarl or ../lib beside " + own_path(),
                 "install snarl again, or build it with ./run build"};
  return preloadable(path);
}

Expected<std::string> find_demo() {
  std::string path = find_near({"../lib/snarl/demo_bank"});
  if (path.empty()) return Error{"the demo program is not installed beside " + own_path(), "build it with ./run build"};
  return path;
}

Expected<std::string> find_gdb_helper() {
  std::string path = find_near({"../lib/snarl/snarl-gdb.py", "../lib/snarl-gdb.py"});
  if (path.empty())
    return Error{"snarl-gdb.py is not beside libsnarl_rt.so", "install snarl again, or build it with ./run build"};
  return path;
}

std::string cache_folder(const std::string& wanted) {
  if (wanted == "off") return {};
  fs::path folder = wanted;
  if (wanted.empty() || wanted.starts_with('$')) {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    if (cache != nullptr && *cache == '/')
      folder = fs::path(cache) / "snarl";
    else if (home != nullptr && *home == '/')
      folder = fs::path(home) / ".cache/snarl";
    else
      return {};
  }
  std::error_code error;
  folder = fs::absolute(folder, error);
  fs::create_directories(folder, error);
  return !error && fs::is_directory(folder, error) ? folder.string() : std::string();
}

Expected<std::string> find_hooks() {
  std::string path = find_near({"../lib/snarl/libsnarl_tsan.a", "../lib/libsnarl_tsan.a"});
  if (path.empty())
    return Error{"libsnarl_tsan.a is not where it belongs, in ../lib/snarl or ../lib beside " + own_path(),
                 "install snarl again, or build it with ./run build"};
  return path;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> result;
  for (char** at = environ; *at != nullptr; ++at) result.emplace_back(*at);
  return result;
}

std::string search_path() {
  const char* path = std::getenv("PATH");
  return path != nullptr ? path : "/bin:/usr/bin";
}

}  // namespace snarl::cli
