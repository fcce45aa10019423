#include "explore/execute/time_limit.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace snarl::explore {
namespace {

namespace fs = std::filesystem;

// The state stands after the name, which is in parentheses and may hold anything.
bool is_ready(const fs::path& task) {
  std::ifstream file(task / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const size_t end = text.rfind(") ");
  return end != text.npos && text.compare(end + 2, 1, "R") == 0;
}

void add(const fs::path& task, Sharing sharing, CoreUse& use) {
  uint64_t ran = 0, waited = 0;  // nanoseconds
  if (!(std::ifstream(task / "schedstat") >> ran >> waited)) return;
  const double seconds = static_cast<double>(waited) * 1e-9;
  use.waited = sharing == Sharing::kInTurn ? use.waited + seconds : std::max(use.waited, seconds);
  if (is_ready(task)) use.ready.push_back({static_cast<pid_t>(std::stol(task.filename())), ran});
}

}  // namespace

CoreUse core_use_of(pid_t pid, Sharing sharing) {
  CoreUse use;
  std::error_code error;
  const std::string folder = "/proc/" + std::to_string(pid) + "/task";
  for (fs::directory_iterator task(folder, error), end; !error && task != end; task.increment(error))
    add(task->path(), sharing, use);
  return use;
}

}  // namespace snarl::explore
