// Calls that name a thread to the kernel, or change something of all threads. On fibers the kernel knows the carrier.
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/fiber/fibers.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

// While it lives, libc takes the thread for one that the kernel has: the carrier.
class AsCarrier {
 public:
  explicit AsCarrier(pthread_t handle) {
    const Thread* thread = under_way.on_fibers ? thread_of(handle) : nullptr;
    if (thread == nullptr) return;
    word_ = glibc::tid_word(handle);
    tid_ = *word_;
    *word_ = static_cast<uint32_t>(raw::call(SYS_gettid));
  }
  ~AsCarrier() {
    if (word_ != nullptr) *word_ = tid_;
  }
  AsCarrier(const AsCarrier&) = delete;
  AsCarrier& operator=(const AsCarrier&) = delete;

 private:
  uint32_t* word_ = nullptr;
  uint32_t tid_ = 0;
};

bool is_detached(pthread_t handle) {
  const Thread* thread = thread_of(handle);
  return thread != nullptr && engine::conductor().model().is_detached(thread->id);
}

}  // namespace

SNARL_HOOK pid_t gettid() noexcept {
  const Thread* self = under_way.on_fibers ? current : nullptr;
  return self != nullptr ? self->tid : static_cast<pid_t>(raw::call(SYS_gettid));
}

SNARL_HOOK int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  const AsCarrier as(handle);
  const int error = real().pthread_getattr_np(handle, attributes);
  if (error == 0 && under_way.on_fibers && is_detached(handle))
    pthread_attr_setdetachstate(attributes, PTHREAD_CREATE_DETACHED);
  return error;
}

SNARL_HOOK int pthread_getcpuclockid(pthread_t handle, clockid_t* clock) noexcept {
  const AsCarrier as(handle);
  return real().pthread_getcpuclockid(handle, clock);
}

SNARL_HOOK int pthread_getschedparam(pthread_t handle, int* policy, sched_param* parameters) noexcept {
  const AsCarrier as(handle);
  return real().pthread_getschedparam(handle, policy, parameters);
}

SNARL_HOOK int pthread_setschedparam(pthread_t handle, int policy, const sched_param* parameters) noexcept {
  const AsCarrier as(handle);
  return real().pthread_setschedparam(handle, policy, parameters);
}

SNARL_HOOK int pthread_setschedprio(pthread_t handle, int priority) noexcept {
  const AsCarrier as(handle);
  return real().pthread_setschedprio(handle, priority);
}

// Names are ours: the kernel has one, the carrier's.
SNARL_HOOK int pthread_getname_np(pthread_t handle, char* name, size_t size) noexcept {
  const Thread* thread = under_way.on_fibers ? thread_of(handle) : nullptr;
  if (thread == nullptr) return real().pthread_getname_np(handle, name, size);
  size_t length = 0;
  while (length + 1 < sizeof thread->name && thread->name[length] != '\0') ++length;
  if (size <= length) return ERANGE;
  raw::copy(name, thread->name, length);
  name[length] = '\0';
  return 0;
}

}  // namespace snarl::runtime
