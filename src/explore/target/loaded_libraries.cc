#include "explore/target/loaded_libraries.h"

#include <fcntl.h>
#include <poll.h>

#include "os/capture.h"
#include "os/launch.h"
#include "os/process.h"
#include "os/system.h"

namespace snarl::explore {
namespace {

constexpr double kPatience = 5;  // seconds; it reads a few files

std::string_view trimmed(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t");
  return first == line.npos ? std::string_view() : line.substr(first);
}

std::string output_of(os::Process& process, int fd) {
  os::Capture output;
  const double deadline = os::now_seconds() + kPatience;
  for (bool ended = false; !ended && os::now_seconds() < deadline;) {
    pollfd both[] = {{fd, POLLIN, 0}, {process.pidfd(), POLLIN, 0}};
    poll(both, 2, 100);
    ended = (both[1].revents & POLLIN) != 0;
    output.drain(fd);
  }
  return output.text();
}

}  // namespace

std::vector<Library> parse_loader_list(std::string_view text) {
  std::vector<Library> result;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t arrow = line.find(" => ");
    if (arrow == line.npos) continue;  // the kernel's page, or the loader itself
    const std::string_view right = line.substr(arrow + 4);
    const std::string_view path = right.starts_with('/') ? right.substr(0, right.rfind(" (")) : std::string_view();
    result.push_back({std::string(line.substr(0, arrow)), std::string(path)});
  }
  return result;
}

Expected<std::vector<Library>> loaded_libraries(const Setup& setup, const std::string& loader, os::Guard& guard) {
  Expected<os::Pipe> pipe = os::make_pipe();
  if (!pipe) return pipe.error();
  const os::Fd nothing(open("/dev/null", O_RDWR | O_CLOEXEC));
  os::Launch what;
  what.path = loader;
  what.argv = {loader, "--list", setup.target.path};
  what.environment = setup.environment;
  what.in = what.err = nothing.get();
  what.out = pipe->write.get();
  const Expected<pid_t> pid = os::launch(what);
  if (!pid) return pid.error();
  Expected<os::Process> process = os::Process::adopt(*pid, what.own_group, guard);
  if (!process) return process.error();
  return parse_loader_list(output_of(*process, pipe->read.get()));
}

}  // namespace snarl::explore
