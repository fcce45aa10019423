#include "cli/installation.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace snarl {
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
  return path;
}

Expected<std::string> find_demo() {
  std::string path = find_near({"../lib/snarl/demo_bank"});
  if (path.empty()) return Error{"the demo program is not installed beside " + own_path(), "build it with ./run build"};
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

}  // namespace snarl
