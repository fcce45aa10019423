#include "explore/time_limit.h"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

namespace snarl {

double waited_for_core(pid_t pid) {
  namespace fs = std::filesystem;
  uint64_t all = 0;  // nanoseconds
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(pid) + "/task";
  for (fs::directory_iterator task(folder, error), end; !error && task != end; task.increment(error)) {
    uint64_t ran = 0, waited = 0;
    if (std::ifstream(task->path() / "schedstat") >> ran >> waited) all += waited;
  }
  return static_cast<double>(all) * 1e-9;
}

}  // namespace snarl
