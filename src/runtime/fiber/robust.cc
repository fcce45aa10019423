#include "runtime/fiber/robust.h"

#include "runtime/platform/glibc.h"

namespace snarl::runtime::fiber {
namespace {

// A list that the program smashed must not keep us; the kernel's own limit.
constexpr int kLongest = 2048;

// The lowest bit marks a priority-inheriting one.
robust_list* next_of(const robust_list* entry) {
  return reinterpret_cast<robust_list*>(reinterpret_cast<uint64_t>(entry->next) & ~uint64_t{1});
}

}  // namespace

void abandon_robust_mutexes(Fiber& fiber) {
  robust_list_head* head = fiber.robust;
  if (head == nullptr || __builtin_expect(head->list.next == &head->list, 1)) return;
  const uint32_t tid = *glibc::tid_word(fiber.handle);
  robust_list* entry = next_of(&head->list);
  for (int i = 0; i < kLongest && entry != &head->list; ++i) {
    auto* word = reinterpret_cast<uint32_t*>(reinterpret_cast<char*>(entry) + head->futex_offset);
    entry = next_of(entry);  // the word's new value tells others that they may have it
    if ((*word & FUTEX_TID_MASK) == tid) *word = (*word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
  }
}

}  // namespace snarl::runtime::fiber
