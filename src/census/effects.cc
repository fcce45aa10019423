#include "census/effects.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/syscall.h>

namespace snarl::census {
namespace {

// Calls whose effect does not depend on their arguments.
struct Fixed {
  uint64_t number;
  Effect effect;
};
constexpr Effect path(EffectKind kind, uint8_t argument) { return {kind, EffectOn::kPath, argument}; }
constexpr Effect plain(EffectKind kind, EffectOn on) { return {kind, on, 0}; }
constexpr Fixed kFixed[] = {
    {SYS_creat, path(EffectKind::kWrites, 0)},
    {SYS_truncate, path(EffectKind::kWrites, 0)},
    {SYS_mknod, path(EffectKind::kMakes, 0)},
    {SYS_mknodat, path(EffectKind::kMakes, 1)},
    {SYS_mkdir, path(EffectKind::kMakes, 0)},
    {SYS_mkdirat, path(EffectKind::kMakes, 1)},
    {SYS_symlink, path(EffectKind::kMakes, 1)},
    {SYS_symlinkat, path(EffectKind::kMakes, 2)},
    {SYS_link, path(EffectKind::kMakes, 1)},
    {SYS_linkat, path(EffectKind::kMakes, 3)},
    {SYS_unlink, path(EffectKind::kDeletes, 0)},
    {SYS_unlinkat, path(EffectKind::kDeletes, 1)},
    {SYS_rmdir, path(EffectKind::kDeletes, 0)},
    {SYS_rename, path(EffectKind::kRenames, 0)},
    {SYS_renameat, path(EffectKind::kRenames, 1)},
    {SYS_renameat2, path(EffectKind::kRenames, 1)},
    {SYS_chmod, path(EffectKind::kChanges, 0)},
    {SYS_fchmodat, path(EffectKind::kChanges, 1)},
    {SYS_chown, path(EffectKind::kChanges, 0)},
    {SYS_lchown, path(EffectKind::kChanges, 0)},
    {SYS_fchownat, path(EffectKind::kChanges, 1)},
    {SYS_utimensat, path(EffectKind::kChanges, 1)},
    {SYS_setxattr, path(EffectKind::kChanges, 0)},
    {SYS_lsetxattr, path(EffectKind::kChanges, 0)},
    {SYS_execve, path(EffectKind::kRuns, 0)},
    {SYS_execveat, path(EffectKind::kRuns, 1)},
    {SYS_mount, path(EffectKind::kMounts, 1)},
    {SYS_umount2, path(EffectKind::kUnmounts, 0)},
    {SYS_fork, plain(EffectKind::kStarts, EffectOn::kProcess)},
    {SYS_vfork, plain(EffectKind::kStarts, EffectOn::kProcess)},
    {SYS_shmget, plain(EffectKind::kUses, EffectOn::kSystemVMemory)},
    {SYS_semget, plain(EffectKind::kUses, EffectOn::kSystemVSemaphores)},
    {SYS_msgget, plain(EffectKind::kUses, EffectOn::kSystemVMessages)},
    {SYS_mq_open, plain(EffectKind::kUses, EffectOn::kMessageQueue)},
    {SYS_alarm, plain(EffectKind::kSets, EffectOn::kTimer)},
    {SYS_setitimer, plain(EffectKind::kSets, EffectOn::kTimer)},
    {SYS_timer_create, plain(EffectKind::kSets, EffectOn::kTimer)},
    {SYS_timerfd_create, plain(EffectKind::kSets, EffectOn::kTimer)},
    {SYS_sethostname, plain(EffectKind::kChanges, EffectOn::kHostName)},
    {SYS_clock_settime, plain(EffectKind::kChanges, EffectOn::kClock)},
    {SYS_settimeofday, plain(EffectKind::kChanges, EffectOn::kClock)},
    {SYS_io_uring_setup, plain(EffectKind::kUses, EffectOn::kIoUring)},
};

Effect fixed(uint64_t number) {
  for (const Fixed& one : kFixed)
    if (one.number == number) return one.effect;
  return {};
}

Effect opened(uint8_t path_argument, uint64_t flags) {
  const bool writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
  return writes ? path(EffectKind::kWrites, path_argument) : Effect();
}

Effect cloned(uint64_t flags) {
  return (flags & CLONE_THREAD) != 0 ? Effect() : plain(EffectKind::kStarts, EffectOn::kProcess);
}

Effect signalled(int64_t target, uint64_t signal, int self) {
  if (target == self || signal == 0) return {};
  return plain(EffectKind::kSignals, target > 0 ? EffectOn::kProcess : EffectOn::kProcessGroup);
}

// What goes over a connection was told of when the connection was made.
Effect sent(const Call& call) {
  return call.arguments[4] == 0 ? Effect() : Effect{EffectKind::kSends, EffectOn::kAddress, 4};
}

}  // namespace

int flags_behind(uint64_t number) { return number == SYS_openat2 ? 2 : number == SYS_clone3 ? 0 : -1; }

Effect effect_of(const Call& call, uint64_t flags, int self) {
  const auto& a = call.arguments;
  switch (call.number) {
    case SYS_open: return opened(0, a[1]);
    case SYS_openat: return opened(1, a[2]);
    case SYS_openat2: return opened(1, flags);
    case SYS_bind: return {EffectKind::kListens, EffectOn::kAddress, 1};
    case SYS_connect: return {EffectKind::kConnects, EffectOn::kAddress, 1};
    case SYS_sendto: return sent(call);
    case SYS_kill: return signalled(static_cast<int32_t>(a[0]), a[1], self);
    case SYS_tgkill: return signalled(static_cast<int32_t>(a[0]), a[2], self);
    case SYS_clone: return cloned(a[0]);
    case SYS_clone3: return cloned(flags);
    default: return fixed(call.number);
  }
}

bool is_harmless_path(std::string_view path) {
  return path == "/dev/null" || path == "/dev/tty" || path.starts_with("/proc/self/");
}

}  // namespace snarl::census
