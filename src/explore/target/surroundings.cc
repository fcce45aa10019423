#include "explore/target/surroundings.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "wire/layout.h"

namespace snarl::explore {
namespace {

constexpr rlim_t kLeastStack = rlim_t{1} << 20;  // orders and records of runs lie on the stack, and the loader's copies

rlim_t limit_of(decltype(RLIMIT_STACK) what) {
  rlimit limit = {};
  return getrlimit(what, &limit) == 0 ? limit.rlim_cur : RLIM_INFINITY;
}

}  // namespace

Status check_surroundings() {
  if (access("/proc/self/exe", F_OK) != 0)
    return Error{"/proc is not mounted: snarl can't see the processes that it tests",
                 "mount it: mount -t proc proc /proc", 125};
  if (const rlim_t stack = limit_of(RLIMIT_STACK); stack < kLeastStack)
    return Error{fmt::format("stacks may have {} KiB only (ulimit -s): snarl needs {}", stack >> 10, kLeastStack >> 10),
                 "raise it: ulimit -s 8192", 125};
  if (const rlim_t file = limit_of(RLIMIT_FSIZE); file < sizeof(wire::Layout))
    return Error{
        fmt::format("files may have {} KiB only (ulimit -f): the memory that snarl shares with the program needs {}",
                    file >> 10, sizeof(wire::Layout) >> 10),
        "raise it: ulimit -f unlimited", 125};
  return Done{};
}

}  // namespace snarl::explore
