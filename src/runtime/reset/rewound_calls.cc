#include "runtime/reset/rewound_calls.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <ucontext.h>

#include "base/state_marks.h"
#include "census/system_calls.h"
#include "runtime/platform/raw.h"
#include "runtime/reset/forgone.h"
#include "wire/layout.h"

// Names of the linker's: where our own code lies.
extern "C" __attribute__((visibility("hidden"))) const char __ehdr_start[], etext[];

// The end of a handler, without libc's: its call would be seen, too.
extern "C" __attribute__((visibility("hidden"))) void snarl_return_from_call();
asm(".pushsection .text\n"
    ".globl snarl_return_from_call\n"
    ".hidden snarl_return_from_call\n"
    "snarl_return_from_call:\n\t"
    "movl $15, %eax\n\t"  // rt_sigreturn
    "syscall\n"
    ".popsection\n");

namespace snarl::runtime::rewound_calls {
namespace {

constexpr int kSetDispatch = 59;            // PR_SET_SYSCALL_USER_DISPATCH
constexpr int kDispatched = 2;              // SYS_USER_DISPATCH, in si_code
constexpr uint64_t kRestorer = 0x04000000;  // SA_RESTORER

SNARL_PROCESS_STATE Listener heard_by;
SNARL_PROCESS_STATE char selector = 1;  // SYSCALL_DISPATCH_FILTER_BLOCK

struct Call {
  uint64_t number;
  uint64_t argument[6];
  ucontext_t* context;
  const char* path = nullptr;  // that it names

  long make() const {
    return raw::call(static_cast<long>(number), argument[0], argument[1], argument[2], argument[3], argument[4],
                     argument[5]);
  }
};

constexpr const char* kNoDispatch = "this kernel does not show the system calls of a run (Syscall User Dispatch)";
constexpr long kObstacle = -100000;  // no error of the kernel's
bool worked(long result) { return result >= 0 || result < -4095; }

RewoundKernel& kernel() { return *heard_by.kernel; }

// A descriptor of the run's own: all that it leads to is gone when it is closed.
long make_descriptor(const Call& call) {
  const long fd = call.make();
  return worked(fd) && !kernel().take(static_cast<uint64_t>(fd)) ? kObstacle : fd;
}

long make_two_descriptors(const Call& call, const int* pair) {
  const long result = call.make();
  if (result != 0) return result;
  return kernel().take(static_cast<uint64_t>(pair[0])) && kernel().take(static_cast<uint64_t>(pair[1])) ? 0 : kObstacle;
}

// A plain file, or a folder, that is only read. Others may do something when they are opened.
long open_file(Call& call, int folder, const char* path, uint64_t flags) {
  call.path = path;
  constexpr uint64_t kHarmless = O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY | O_NOCTTY | O_NONBLOCK | O_LARGEFILE;
  if ((flags & ~kHarmless) != 0) return kObstacle;
  struct stat status;
  const long known = raw::call(SYS_newfstatat, folder, path, &status, 0);
  if (known != 0) return call.make();  // it fails, too
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return kObstacle;
  return make_descriptor(call);
}

long close_file(const Call& call) {
  if (!kernel().owns(call.argument[0])) return kernel().exists(call.argument[0]) ? kObstacle : call.make();
  kernel().forget(call.argument[0]);
  return call.make();
}

// Of the copy, if it is a copy of one that the run does not own, only the number is new.
long make_copy(const Call& call, uint64_t fd) {
  const long copy = call.make();
  if (!worked(copy)) return copy;
  if (fd == 0) kernel().note_input();
  return kernel().take_copy(static_cast<uint64_t>(copy), fd) ? copy : kObstacle;
}

long control_file(const Call& call) {
  const auto command = static_cast<int>(call.argument[1]);
  if (command == F_GETFL || command == F_GETFD || command == F_GETPIPE_SZ) return call.make();
  if (!kernel().owns(call.argument[0])) return kObstacle;
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) return make_copy(call, call.argument[0]);
  return command == F_SETFD || command == F_SETFL ? call.make() : kObstacle;
}

long copy_descriptor(const Call& call) {
  const uint64_t fd = call.argument[0];
  const bool safe = kernel().output_of(fd) != 0 || kernel().may_read(fd);
  if (!safe) return kernel().exists(fd) ? kObstacle : call.make();
  const bool onto = call.number != SYS_dup;
  if (onto && !kernel().owns(call.argument[1]) && kernel().exists(call.argument[1])) return kObstacle;
  return make_copy(call, fd);
}

long map_memory(const Call& call) {
  constexpr uint64_t kHarmless = MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE | MAP_POPULATE | MAP_GROWSDOWN;
  const auto& a = call.argument;
  const bool anonymous = (a[3] & MAP_ANONYMOUS) != 0;
  if ((a[3] & ~kHarmless) != 0 || (a[3] & MAP_PRIVATE) == 0 || (a[3] & MAP_GROWSDOWN) != 0) return kObstacle;
  if (!anonymous && !kernel().owns(a[4])) return kObstacle;
  const long at = call.make();
  return worked(at) && !kernel().note_mapped(static_cast<uint64_t>(at), a[1]) ? kObstacle : at;
}

long unmap_memory(const Call& call) {
  const auto& a = call.argument;
  if (!kernel().is_own(a[0], a[1])) return kObstacle;
  const long result = call.make();
  return result == 0 && !kernel().note_unmapped(a[0], a[1]) ? kObstacle : result;
}

long move_memory(const Call& call) {
  const auto& a = call.argument;
  if ((a[3] & ~uint64_t{MREMAP_MAYMOVE}) != 0 || !kernel().is_own(a[0], a[1])) return kObstacle;
  const long at = call.make();
  if (!worked(at)) return at;
  const bool noted = kernel().note_unmapped(a[0], a[1]) && kernel().note_mapped(static_cast<uint64_t>(at), a[2]);
  return noted ? at : kObstacle;
}

// The kernel has another mask while our handler runs, and takes that of the frame when it ends. Ours must get through.
long change_mask(const Call& call) {
  constexpr uint64_t kNever = uint64_t{1} << (SIGSYS - 1) | uint64_t{1} << (SIGKILL - 1) | uint64_t{1} << (SIGSTOP - 1);
  const auto& a = call.argument;
  if (a[3] != sizeof(uint64_t)) return -22;  // EINVAL
  uint64_t mask, change = 0;
  raw::copy(&mask, &call.context->uc_sigmask, sizeof mask);
  const uint64_t before = mask;
  if (a[1] != 0) {
    raw::copy(&change, reinterpret_cast<const void*>(a[1]), sizeof change);
    switch (static_cast<int>(a[0])) {
      case SIG_BLOCK: mask |= change; break;
      case SIG_UNBLOCK: mask &= ~change; break;
      case SIG_SETMASK: mask = change; break;
      default: return -22;
    }
  }
  mask &= ~kNever;
  raw::copy(&call.context->uc_sigmask, &mask, sizeof mask);
  if (a[2] != 0) raw::copy(reinterpret_cast<void*>(a[2]), &before, sizeof before);
  return 0;
}

// Likewise.
long change_signal_stack(const Call& call) {
  const long result = call.make();
  raw::call(SYS_sigaltstack, 0, &call.context->uc_stack);
  return result;
}

long change_action(const Call& call) {
  const uint64_t signal = call.argument[0];
  if (call.argument[1] != 0) {
    if (signal == SIGSYS) return kObstacle;
    if (signal >= 1 && signal <= 64) kernel().note_action(signal);
  }
  return call.make();
}

long send_to_itself(const Call& call, uint64_t process, uint64_t signal) {
  const bool own = static_cast<long>(process) == raw::call(SYS_getpid);
  return own && (signal == SIGABRT || signal == 0) ? call.make() : kObstacle;
}

long wait_in_futex(const Call& call) {
  const auto operation = static_cast<int>(call.argument[1]) & FUTEX_CMD_MASK;
  const bool known = operation == FUTEX_WAIT || operation == FUTEX_WAKE || operation == FUTEX_WAIT_BITSET ||
                     operation == FUTEX_WAKE_BITSET || operation == FUTEX_REQUEUE || operation == FUTEX_CMP_REQUEUE;
  return known ? call.make() : kObstacle;
}

long do_if(bool safe, const Call& call) { return safe ? call.make() : kObstacle; }

long write_there(const Call& call) {
  const uint64_t fd = call.argument[0];
  const int to = kernel().output_of(fd);
  if (to == 0) return do_if(kernel().owns(fd) || !kernel().exists(fd), call);
  if (call.number == SYS_write)
    return heard_by.output->write(to, reinterpret_cast<const char*>(call.argument[1]), call.argument[2]);
  return heard_by.output->write(to, reinterpret_cast<const iovec*>(call.argument[1]), call.argument[2]);
}

long read_there(const Call& call) {
  const uint64_t fd = call.argument[0];
  if (fd == 0) kernel().note_input();
  return do_if(kernel().may_read(fd) || !kernel().exists(fd), call);
}

// The name is put back after each run.
long control_process(const Call& call) {
  const uint64_t what = call.argument[0];
  return do_if(what == PR_GET_NAME || what == PR_SET_NAME || what == PR_GET_DUMPABLE, call);
}

long move_break(const Call& call) {
  if (call.argument[0] == 0) return call.make();
  kernel().note_break();
  return do_if(call.argument[0] >= kernel().break_at_main(), call);
}

long perform(Call& call) {
  const auto& a = call.argument;
  switch (call.number) {
    case SYS_rt_sigprocmask: return change_mask(call);
    case SYS_rt_sigaction: return change_action(call);
    case SYS_brk: return move_break(call);
    case SYS_mmap: return map_memory(call);
    case SYS_munmap: return unmap_memory(call);
    case SYS_mremap: return move_memory(call);
    case SYS_mprotect:
    case SYS_madvise: return do_if(kernel().is_own(a[0], a[1]), call);
    case SYS_read:
    case SYS_readv:
    case SYS_lseek: return read_there(call);
    case SYS_write:
    case SYS_writev: return write_there(call);
    case SYS_getdents64:
    case SYS_pwrite64:
    case SYS_epoll_ctl:
    case SYS_shutdown: return do_if(kernel().owns(a[0]), call);
    case SYS_recvfrom: return do_if(kernel().owns(a[0]), call);
    case SYS_sendto: return do_if(kernel().owns(a[0]) && a[4] == 0, call);
    case SYS_open: return open_file(call, AT_FDCWD, reinterpret_cast<const char*>(a[0]), a[1]);
    case SYS_openat: return open_file(call, static_cast<int>(a[0]), reinterpret_cast<const char*>(a[1]), a[2]);
    case SYS_close: return close_file(call);
    case SYS_fcntl: return control_file(call);
    case SYS_dup:
    case SYS_dup2:
    case SYS_dup3: return copy_descriptor(call);
    case SYS_eventfd2:
    case SYS_epoll_create1: return make_descriptor(call);
    case SYS_pipe:
    case SYS_pipe2: return make_two_descriptors(call, reinterpret_cast<const int*>(a[0]));
    case SYS_socketpair: return make_two_descriptors(call, reinterpret_cast<const int*>(a[3]));
    case SYS_prctl: return control_process(call);
    case SYS_prlimit64: return do_if(a[2] == 0, call);
    case SYS_futex: return wait_in_futex(call);
    case SYS_tgkill: return send_to_itself(call, a[0], a[2]);
    case SYS_kill: return send_to_itself(call, a[0], a[1]);
    case SYS_sigaltstack: return change_signal_stack(call);
    case SYS_poll:
    case SYS_ppoll:
    case SYS_select:
    case SYS_pselect6:
    case SYS_epoll_wait:
    case SYS_epoll_pwait:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_gettimeofday:
    case SYS_time: return call.make();
    default: return do_if(census::classes_of(call.number) == 0, call);
  }
}

// The frame of the handler that returns lies where the stack was when it called.
[[noreturn]] void return_from_handler(uint64_t stack_pointer) {
  asm volatile(
      "movq %0, %%rsp\n\t"
      "jmp snarl_return_from_call\n"
      :
      : "r"(stack_pointer)
      : "memory");
  __builtin_unreachable();
}

void on_call(int, siginfo_t* info, void* data) {
  auto* context = static_cast<ucontext_t*>(data);
  greg_t(&r)[NGREG] = context->uc_mcontext.gregs;
  const auto word = [&r](int index) { return static_cast<uint64_t>(r[index]); };
  if (info->si_code != kDispatched) heard_by.obstacle("a signal SIGSYS", nullptr);
  Call call{static_cast<uint64_t>(info->si_syscall),
            {word(REG_RDI), word(REG_RSI), word(REG_RDX), word(REG_R10), word(REG_R8), word(REG_R9)},
            context};
  if (call.number == SYS_rt_sigreturn) return_from_handler(word(REG_RSP));
  if (call.number == SYS_exit_group) heard_by.ended(static_cast<int>(call.argument[0]) & 0xff);
  const long result = perform(call);
  if (result == kObstacle) {
    const census::SystemCall* known = census::system_call(call.number);
    heard_by.obstacle(known == nullptr ? "an unknown system call" : known->name, call.path);
  }
  r[REG_RAX] = result;
}

}  // namespace

const char* begin(const Listener& listener) {
  if (forgoes("dispatch")) return kNoDispatch;
  heard_by = listener;
  constexpr uint64_t kMeanwhile = uint64_t{1} << (wire::kWayGivingSignal - 1);  // a run that ends here is not stopped
  const RewoundKernel::Action action = {reinterpret_cast<uint64_t>(on_call), SA_SIGINFO | SA_NODEFER | kRestorer,
                                        reinterpret_cast<uint64_t>(snarl_return_from_call), kMeanwhile};
  raw::call(SYS_rt_sigaction, SIGSYS, &action, 0, sizeof(uint64_t));
  const auto first = reinterpret_cast<uint64_t>(__ehdr_start), last = reinterpret_cast<uint64_t>(etext);
  const long begun = raw::call(SYS_prctl, kSetDispatch, 1, first, last - first, &selector);
  return begun == 0 ? nullptr : kNoDispatch;
}

}  // namespace snarl::runtime::rewound_calls
