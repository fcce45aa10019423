#include "explore/doctor/side_effects.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/un.h>

#include <algorithm>
#include <cstring>

namespace snarl::explore {
namespace {

constexpr int kSelf = 100;

// "kind what" of a call whose memory (at any address but 0) is `memory`; "" if it leaves nothing behind.
std::string effect(uint64_t number, std::array<uint64_t, 6> arguments, const std::string& memory = {}) {
  const auto read = [&](uint64_t address, size_t size) { return address == 0 ? "" : memory.substr(0, size); };
  const auto result = side_effect_of({number, arguments}, kSelf, read);
  return result ? result->kind + " " + result->what : "";
}

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

TEST(SideEffects, OpeningForReadingIsNone) {
  EXPECT_EQ(effect(SYS_openat, {0, 1, O_RDONLY | O_CLOEXEC}, "/etc/passwd"), "");
  EXPECT_EQ(effect(SYS_openat, {0, 1, O_WRONLY}, "/dev/null"), "");
  EXPECT_EQ(effect(SYS_openat, {0, 1, O_RDWR}, "/proc/self/comm"), "");
  EXPECT_EQ(effect(SYS_openat, {0, 1, O_WRONLY | O_CREAT}, std::string("out\0rest", 8)), "writes out");
  EXPECT_EQ(effect(SYS_open, {1, O_RDWR}, "db"), "writes db");
  EXPECT_EQ(effect(SYS_openat2, {0, 1, 1}, bytes_of(uint64_t{O_WRONLY})).substr(0, 6), "writes");
}

TEST(SideEffects, FilesAndProcesses) {
  EXPECT_EQ(effect(SYS_unlinkat, {0, 1, 0}, "old"), "deletes old");
  EXPECT_EQ(effect(SYS_rename, {1, 2}, "old"), "renames old");
  EXPECT_EQ(effect(SYS_mkdir, {1}, "dir"), "makes dir");
  EXPECT_EQ(effect(SYS_execve, {1}, "/bin/sh"), "runs /bin/sh");
  EXPECT_EQ(effect(SYS_clone, {SIGCHLD}), "starts a process");
  EXPECT_EQ(effect(SYS_clone, {CLONE_VM | CLONE_THREAD}), "");
  EXPECT_EQ(effect(SYS_clone3, {1}, bytes_of(uint64_t{CLONE_VM | CLONE_THREAD})), "");
  EXPECT_EQ(effect(SYS_clone3, {1}, bytes_of(uint64_t{CLONE_VM | CLONE_VFORK})), "starts a process");
  EXPECT_EQ(effect(SYS_getpid, {}), "");
  EXPECT_EQ(effect(SYS_mmap, {}), "");
}

TEST(SideEffects, SignalsToOthersOnly) {
  EXPECT_EQ(effect(SYS_kill, {kSelf, 15}), "");
  EXPECT_EQ(effect(SYS_tgkill, {kSelf, 101, 6}), "");
  EXPECT_EQ(effect(SYS_kill, {55, 0}), "");
  EXPECT_EQ(effect(SYS_kill, {55, 9}), "signals another process");
  EXPECT_EQ(effect(SYS_kill, {static_cast<uint64_t>(-1), 9}), "signals a group of processes");
}

TEST(SideEffects, Sockets) {
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(80);
  four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(effect(SYS_connect, {3, 1, sizeof four}, bytes_of(four)), "connects to 127.0.0.1:80");
  EXPECT_EQ(effect(SYS_bind, {3, 1, sizeof four}, bytes_of(four)), "listens at 127.0.0.1:80");
  EXPECT_EQ(effect(SYS_sendto, {3, 0, 0, 0, 1, sizeof four}, bytes_of(four)), "sends to 127.0.0.1:80");
  EXPECT_EQ(effect(SYS_sendto, {3, 1, 5, 0, 0, 0}, "hello"), "");
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  EXPECT_EQ(effect(SYS_connect, {3, 1, sizeof six}, bytes_of(six)), "connects to [::]:0");
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  std::strcpy(local.sun_path, "/run/x");
  EXPECT_EQ(effect(SYS_connect, {3, 1, sizeof local}, bytes_of(local)), "connects to /run/x");
  EXPECT_EQ(effect(SYS_connect, {3, 1, 2}, std::string(2, '\0')), "");  // AF_UNSPEC
  EXPECT_EQ(effect(SYS_connect, {3, 0, 16}), "");                       // no such memory
}

}  // namespace
}  // namespace snarl::explore
