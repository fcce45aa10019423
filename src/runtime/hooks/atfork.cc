// pthread_atfork, which is linked into each file of the program and calls what stands here.
#include <dlfcn.h>
#include <errno.h>

#include <atomic>

#include "base/state_marks.h"
#include "runtime/hooks/fork_handlers.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

using Handler = void (*)();

struct Entry {
  Handler before, in_parent, in_child;
  std::atomic<bool> complete;  // in a parallel run somebody may fork meanwhile
};

constexpr int kMost = 256;  // a file rarely has more than one; further ones are libc's, as without us
SNARL_PROCESS_STATE Entry entries[kMost];
SNARL_PROCESS_STATE std::atomic<int> count;
constinit thread_local bool ours __attribute__((tls_model("initial-exec"))) = false;

int entries_made() {
  const int made = count.load(std::memory_order_acquire);
  return made < kMost ? made : kMost;
}

// A file that was unloaded takes its handlers along.
bool is_loaded(Handler handler) {
  dl_find_object object;
  return _dl_find_object(reinterpret_cast<void*>(handler), &object) == 0;
}

void call(const Entry& entry, Handler Entry::*which) {
  const Handler handler = entry.complete.load(std::memory_order_acquire) ? entry.*which : nullptr;
  if (handler != nullptr && is_loaded(handler)) handler();
}

// For forks that libc makes by itself, as in daemon().
void before_of_libc() {
  if (!ours) fork_handlers::run_before();
}
void in_parent_of_libc() {
  if (!ours) fork_handlers::run_in_parent();
}
void in_child_of_libc() {
  if (!ours) fork_handlers::run_in_child();
}

}  // namespace

namespace fork_handlers {

void run_before() {
  for (int i = entries_made(); i-- > 0;) call(entries[i], &Entry::before);
}

void run_in_parent() {
  for (int i = 0; i < entries_made(); ++i) call(entries[i], &Entry::in_parent);
}

void run_in_child() {
  for (int i = 0; i < entries_made(); ++i) call(entries[i], &Entry::in_child);
}

Ours::Ours() { ours = true; }
Ours::~Ours() { ours = false; }

}  // namespace fork_handlers

SNARL_HOOK int __register_atfork(Handler before, Handler in_parent, Handler in_child, void* file) {
  const int at = count.fetch_add(1, std::memory_order_acq_rel);
  if (at >= kMost) return real().__register_atfork(before, in_parent, in_child, file);
  if (at == 0 && real().__register_atfork(before_of_libc, in_parent_of_libc, in_child_of_libc, nullptr) != 0)
    return ENOMEM;
  entries[at].before = before;
  entries[at].in_parent = in_parent;
  entries[at].in_child = in_child;
  entries[at].complete.store(true, std::memory_order_release);
  return 0;
}

}  // namespace snarl::runtime
