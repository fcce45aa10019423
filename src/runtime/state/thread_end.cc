#include "runtime/state/thread_end.h"

#include <dlfcn.h>
#include <limits.h>
#include <setjmp.h>

#include "base/large.h"
#include "base/state_marks.h"
#include "base/storage.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/text.h"
#include "runtime/state/hook.h"

// The public ABI behind pthread_cleanup_push in C: a frame that libc's unwinding stops at.
extern "C" {
void __pthread_register_cancel(__pthread_unwind_buf_t*);
void __pthread_unregister_cancel(__pthread_unwind_buf_t*);
int __sigsetjmp(struct __jmp_buf_tag*, int) noexcept;
}

namespace snarl::runtime {
namespace {

// Nodes of the destructor lists. Not malloc: registering one may happen inside malloc itself.
constexpr uint32_t kMaxDestructors = 1 << 15;
SNARL_LARGE Storage<TlsDestructor, kMaxDestructors> nodes;
SNARL_RUN_STATE uint32_t nodes_made;
SNARL_RUN_STATE TlsDestructor* unused_nodes;

SNARL_RUN_STATE bool nodes_held;

// Threads of a parallel run come here at the same time.
class NodeLock {
 public:
  NodeLock() {
    while (__atomic_exchange_n(&nodes_held, true, __ATOMIC_ACQUIRE)) __builtin_ia32_pause();
  }
  ~NodeLock() { __atomic_store_n(&nodes_held, false, __ATOMIC_RELEASE); }
};

TlsDestructor* make_node() {
  NodeLock lock;
  if (unused_nodes == nullptr) return nodes_made < kMaxDestructors ? &nodes[nodes_made++] : nullptr;
  TlsDestructor* node = unused_nodes;
  unused_nodes = node->next;
  return node;
}

void give_back(TlsDestructor* node) {
  NodeLock lock;
  node->next = unused_nodes;
  unused_nodes = node;
}

SNARL_LARGE void (*key_destructors[PTHREAD_KEYS_MAX])(void*);
SNARL_PROCESS_STATE unsigned keys_used;  // 1 + the highest key seen

// A sanitizer takes its own idea of the thread down in such a destructor: that is for libc to
// call, when really nothing of the thread runs any more.
bool is_sanitizers(void (*destructor)(void*)) {
  Dl_info info;
  if (destructor == nullptr || dladdr(reinterpret_cast<void*>(destructor), &info) == 0) return false;
  if (info.dli_sname != nullptr && contains(info.dli_sname, "san")) return true;
  return info.dli_fname != nullptr && (contains(info.dli_fname, "libasan") || contains(info.dli_fname, "libclang_rt"));
}

bool run_key_round(Thread& self) {
  bool any = false;
  for (unsigned key = 0; key < keys_used; ++key) {
    void* value = pthread_getspecific(key);
    if (value == nullptr || key_destructors[key] == nullptr) continue;
    pthread_setspecific(key, nullptr);
    Callback callback(self);
    key_destructors[key](value);
    any = true;
  }
  return any;
}

// After the last round: libc, which does the same again when we are gone, must not begin anew.
void drop_values() {
  for (unsigned key = 0; key < keys_used; ++key)
    if (key_destructors[key] != nullptr && pthread_getspecific(key) != nullptr) pthread_setspecific(key, nullptr);
}

void run_key_destructors(Thread& self) {
  for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round)
    if (!run_key_round(self)) return;
  drop_values();
}

// The thread is about to end: from here on nothing cancels it.
void end_cancellation(Thread& self) {
  self.cancel_off = true;
  if (__builtin_expect(under_way.on_fibers && glibc::set_uncancellable(self.handle, true), 1)) return;
  real().pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
}

}  // namespace

void drop_key_values() {
  for (unsigned key = 0; key < keys_used; ++key)
    if (pthread_getspecific(key) != nullptr) pthread_setspecific(key, nullptr);
}

void* run_to_end(Thread& self, void* (*routine)(void*), void* argument) {
  __pthread_unwind_buf_t landing;
  self.result = PTHREAD_CANCELED;
  auto* jump = reinterpret_cast<struct __jmp_buf_tag*>(landing.__cancel_jmp_buf);
  if (__builtin_expect(__sigsetjmp(jump, 0) == 0, 1)) {
    __pthread_register_cancel(&landing);
    self.inside = self.outermost;
    quiet::go(self);
    self.result = routine(argument);
  }
  quiet::stop(*current);
  __pthread_unregister_cancel(&landing);  // also after a landing: a fiber's next thread must not find it
  current->inside = current->outermost + 1;
  end_cancellation(*current);  // destructors may call what is a cancellation point
  return current->result;
}

void run_tls_destructors(Thread& self) {
  while (TlsDestructor* node = self.destructors) {
    self.destructors = node->next;
    const TlsDestructor destructor = *node;
    give_back(node);
    Callback callback(self);
    destructor.call(destructor.object);
  }
}

void run_destructors(Thread& self) {
  if (__builtin_expect(self.destructors != nullptr, 0)) run_tls_destructors(self);
  if (__builtin_expect(keys_used != 0, 0)) run_key_destructors(self);
}

SNARL_HOOK int __cxa_thread_atexit_impl(void (*call)(void*), void* object, void* library) {
  Thread* self = current;
  if (self == nullptr) return real().__cxa_thread_atexit_impl(call, object, library);
  Inside inside(*self);  // no preemption while the list is in pieces
  TlsDestructor* node = make_node();
  if (node == nullptr) return real().__cxa_thread_atexit_impl(call, object, library);
  *node = {call, object, self->destructors};
  self->destructors = node;
  return 0;
}

SNARL_HOOK int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  const int error = real().pthread_key_create(key, destructor);
  if (error != 0 || *key >= PTHREAD_KEYS_MAX) return error;
  key_destructors[*key] = is_sanitizers(destructor) ? nullptr : destructor;
  if (*key >= keys_used) keys_used = *key + 1;
  return 0;
}

SNARL_HOOK int pthread_key_delete(pthread_key_t key) noexcept {
  if (key < PTHREAD_KEYS_MAX) key_destructors[key] = nullptr;
  return real().pthread_key_delete(key);
}

}  // namespace snarl::runtime
