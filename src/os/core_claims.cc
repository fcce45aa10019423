#include "os/core_claims.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstring>

namespace snarl::os {
namespace {

constexpr int kMostLevels = 64;  // claims of one core; with more than that, balance is of no use

}  // namespace

CoreClaims::CoreClaims(const std::vector<int>& cores, size_t count) {
  for (int level = 0; level < kMostLevels; ++level)
    for (int core : cores) {
      if (cores_.size() == count) return;
      if (core < 0 || claim(core, level)) cores_.push_back(core);
    }
  for (size_t i = 0; cores_.size() < count; ++i) cores_.push_back(cores[i % cores.size()]);
}

// False only if somebody has it.
bool CoreClaims::claim(int core, int level) {
  Fd socket_fd(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = fmt::format("snarl core {} claim {}", core, level);
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // after a zero byte: the abstract namespace
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (bind(socket_fd.get(), reinterpret_cast<const sockaddr*>(&address), size) != 0) return errno != EADDRINUSE;
  claims_.push_back(std::move(socket_fd));
  return true;
}

}  // namespace snarl::os
