#include "explore/doctor/side_effects.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>

namespace snarl::explore {
namespace {

using census::EffectKind;
using census::EffectOn;

constexpr size_t kLongestPath = 4096;
constexpr const char* kNameService = "/var/run/nscd/socket";  // libc asks there for users and hosts

// In the order of the enumerations.
constexpr const char* kKinds[] = {"",        "writes", "makes",    "deletes",     "renames",    "changes",
                                  "runs",    "mounts", "unmounts", "connects to", "listens at", "sends to",
                                  "signals", "starts", "uses",     "sets"};
static_assert(std::size(kKinds) == static_cast<size_t>(EffectKind::kCount));
constexpr const char* kThings[] = {"",
                                   "",
                                   "",
                                   "another process",
                                   "a group of processes",
                                   "System V memory",
                                   "System V semaphores",
                                   "System V messages",
                                   "a message queue",
                                   "a timer of real time",
                                   "the host name",
                                   "the clock",
                                   "io_uring, whose calls nobody sees"};
static_assert(std::size(kThings) == static_cast<size_t>(EffectOn::kCount));

std::string text_at(uint64_t address, const ReadMemory& read) {
  const std::string bytes = read(address, kLongestPath);
  return bytes.substr(0, bytes.find('\0'));
}

// Empty: of no interest.
std::string address_text(const std::string& bytes) {
  sa_family_t family = AF_UNSPEC;
  if (bytes.size() < sizeof family) return "";
  std::memcpy(&family, bytes.data(), sizeof family);
  char text[INET6_ADDRSTRLEN] = "";
  if (family == AF_INET && bytes.size() >= sizeof(sockaddr_in)) {
    sockaddr_in address;
    std::memcpy(&address, bytes.data(), sizeof address);
    return fmt::format("{}:{}", inet_ntop(AF_INET, &address.sin_addr, text, sizeof text), ntohs(address.sin_port));
  }
  if (family == AF_INET6 && bytes.size() >= sizeof(sockaddr_in6)) {
    sockaddr_in6 address;
    std::memcpy(&address, bytes.data(), sizeof address);
    return fmt::format("[{}]:{}", inet_ntop(AF_INET6, &address.sin6_addr, text, sizeof text), ntohs(address.sin6_port));
  }
  if (family == AF_UNSPEC || family == AF_NETLINK) return "";  // ends a connection; questions to the kernel
  if (family != AF_UNIX || bytes.size() <= sizeof family) return fmt::format("an address of family {}", family);
  std::string path = bytes.substr(sizeof family);
  if (path[0] == '\0') path[0] = '@';  // no file: an abstract name
  return path.substr(0, path.find('\0'));
}

// 0 if there is no such memory.
uint64_t word_at(uint64_t address, const ReadMemory& read) {
  uint64_t word = 0;
  const std::string bytes = read(address, sizeof word);
  if (bytes.size() == sizeof word) std::memcpy(&word, bytes.data(), sizeof word);
  return word;
}

std::string socket_at(const census::Call& call, uint8_t argument, const ReadMemory& read) {
  const uint64_t size = std::min<uint64_t>(call.arguments[argument + 1u], sizeof(sockaddr_un));
  return address_text(read(call.arguments[argument], size));
}

std::string thing(const census::Effect& effect) {
  if (effect.kind == EffectKind::kStarts) return "a process";
  return kThings[static_cast<size_t>(effect.on)];
}

}  // namespace

std::optional<SideEffect> side_effect_of(const census::Call& call, int self, const ReadMemory& read) {
  const int behind = census::flags_behind(call.number);
  const uint64_t flags = behind < 0 ? 0 : word_at(call.arguments[static_cast<size_t>(behind)], read);
  const census::Effect effect = census::effect_of(call, flags, self);
  if (effect.kind == EffectKind::kNone) return std::nullopt;
  SideEffect result{kKinds[static_cast<size_t>(effect.kind)], thing(effect)};
  if (effect.on == EffectOn::kPath) result.what = text_at(call.arguments[effect.argument], read);
  if (effect.on == EffectOn::kAddress) result.what = socket_at(call, effect.argument, read);
  const bool harmless = effect.kind == EffectKind::kWrites && census::is_harmless_path(result.what);
  const bool uninteresting = effect.on == EffectOn::kAddress && (result.what.empty() || result.what == kNameService);
  return harmless || uninteresting ? std::nullopt : std::optional(std::move(result));
}

}  // namespace snarl::explore
