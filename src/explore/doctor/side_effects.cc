#include "explore/doctor/side_effects.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/sched.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <cstring>

namespace snarl::explore {
namespace {

constexpr size_t kLongestPath = 4096;
constexpr const char* kNameService = "/var/run/nscd/socket";  // libc asks there for users and hosts

// Calls that name one path: which argument it is, and what they do to it.
struct PathCall {
  uint64_t number;
  int path;
  const char* kind;
};
constexpr PathCall kPathCalls[] = {
    {SYS_creat, 0, "writes"},      {SYS_truncate, 0, "writes"},  {SYS_mknod, 0, "makes"},
    {SYS_mknodat, 1, "makes"},     {SYS_mkdir, 0, "makes"},      {SYS_mkdirat, 1, "makes"},
    {SYS_symlink, 1, "makes"},     {SYS_symlinkat, 2, "makes"},  {SYS_link, 1, "makes"},
    {SYS_linkat, 3, "makes"},      {SYS_unlink, 0, "deletes"},   {SYS_unlinkat, 1, "deletes"},
    {SYS_rmdir, 0, "deletes"},     {SYS_rename, 0, "renames"},   {SYS_renameat, 1, "renames"},
    {SYS_renameat2, 1, "renames"}, {SYS_chmod, 0, "changes"},    {SYS_fchmodat, 1, "changes"},
    {SYS_chown, 0, "changes"},     {SYS_lchown, 0, "changes"},   {SYS_fchownat, 1, "changes"},
    {SYS_utimensat, 1, "changes"}, {SYS_setxattr, 0, "changes"}, {SYS_lsetxattr, 0, "changes"},
    {SYS_execve, 0, "runs"},       {SYS_execveat, 1, "runs"},    {SYS_mount, 1, "mounts"},
    {SYS_umount2, 0, "unmounts"},
};

// Calls whose effect needs no more than a word.
struct PlainCall {
  uint64_t number;
  const char* kind;
  const char* what;
};
constexpr PlainCall kPlainCalls[] = {
    {SYS_fork, "starts", "a process"},
    {SYS_vfork, "starts", "a process"},
    {SYS_shmget, "uses", "System V memory"},
    {SYS_semget, "uses", "System V semaphores"},
    {SYS_msgget, "uses", "System V messages"},
    {SYS_mq_open, "uses", "a message queue"},
    {SYS_alarm, "sets", "a timer of real time"},
    {SYS_setitimer, "sets", "a timer of real time"},
    {SYS_timer_create, "sets", "a timer of real time"},
    {SYS_timerfd_create, "sets", "a timer of real time"},
    {SYS_sethostname, "changes", "the host name"},
    {SYS_clock_settime, "changes", "the clock"},
    {SYS_settimeofday, "changes", "the clock"},
    {SYS_io_uring_setup, "uses", "io_uring, whose calls nobody sees"},
};

std::string text_at(uint64_t address, const ReadMemory& read) {
  const std::string bytes = read(address, kLongestPath);
  return bytes.substr(0, bytes.find('\0'));
}

std::optional<SideEffect> opened(const std::string& path, uint64_t flags) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  if (!writes || path == "/dev/null" || path == "/dev/tty" || path.starts_with("/proc/self/")) return std::nullopt;
  return SideEffect{"writes", path};
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

std::optional<SideEffect> socket_call(const SystemCall& call, const ReadMemory& read) {
  const bool sends = call.number == SYS_sendto;
  if (sends && call.arguments[4] == 0) return std::nullopt;  // over a connection that we have seen
  const uint64_t address = call.arguments[sends ? 4 : 1], size = call.arguments[sends ? 5 : 2];
  const char* kind = sends ? "sends to" : call.number == SYS_bind ? "listens at" : "connects to";
  std::string where = address_text(read(address, std::min<uint64_t>(size, sizeof(sockaddr_un))));
  if (where.empty() || where == kNameService) return std::nullopt;
  return SideEffect{kind, std::move(where)};
}

std::optional<SideEffect> signalled(int64_t target, uint64_t signal, int self) {
  if (target == self || signal == 0) return std::nullopt;
  return SideEffect{"signals", target > 0 ? "another process" : "a group of processes"};
}

std::optional<SideEffect> cloned(uint64_t flags) {
  if ((flags & CLONE_THREAD) != 0) return std::nullopt;
  return SideEffect{"starts", "a process"};
}

// clone_args and open_how both begin with the flags.
uint64_t first_word(uint64_t address, const ReadMemory& read) {
  uint64_t flags = 0;
  const std::string bytes = read(address, sizeof flags);
  if (bytes.size() == sizeof flags) std::memcpy(&flags, bytes.data(), sizeof flags);
  return flags;
}

std::optional<SideEffect> by_table(const SystemCall& call, const ReadMemory& read) {
  for (const PathCall& one : kPathCalls)
    if (one.number == call.number)
      return SideEffect{one.kind, text_at(call.arguments[static_cast<size_t>(one.path)], read)};
  for (const PlainCall& one : kPlainCalls)
    if (one.number == call.number) return SideEffect{one.kind, one.what};
  return std::nullopt;
}

}  // namespace

std::optional<SideEffect> side_effect_of(const SystemCall& call, int self, const ReadMemory& read) {
  const auto& a = call.arguments;
  switch (call.number) {
    case SYS_open: return opened(text_at(a[0], read), a[1]);
    case SYS_openat: return opened(text_at(a[1], read), a[2]);
    case SYS_openat2: return opened(text_at(a[1], read), first_word(a[2], read));
    case SYS_bind:
    case SYS_connect:
    case SYS_sendto: return socket_call(call, read);
    case SYS_kill:
    case SYS_tgkill: return signalled(static_cast<int32_t>(a[0]), a[call.number == SYS_kill ? 1 : 2], self);
    case SYS_clone: return cloned(a[0]);
    case SYS_clone3: return cloned(first_word(a[0], read));
    default: return by_table(call, read);
  }
}

}  // namespace snarl::explore
