#include "runtime/parallel/lists.h"

#include "base/hash.h"
#include "base/large.h"

namespace snarl::runtime::parallel {
namespace {

constexpr size_t kLists = 1024;

alignas(64) SNARL_LARGE uint32_t listed[kLists];  // how many are in the list
SNARL_LARGE Member* lists[kLists];

size_t list_of(uint64_t object) { return mix64(object >> 2) % kLists; }

}  // namespace

bool anybody_listed(const void* object) {
  return __atomic_load_n(&listed[list_of(key_of(object))], __ATOMIC_SEQ_CST) != 0;
}

void put_on_list(Member& member, uint64_t object, uint64_t then, uint32_t bits) {
  member.object = object;
  member.then = then;
  member.bits = bits;
  const size_t list = list_of(object);
  Member** at = &lists[list];
  member.previous_listed = member.next_listed = nullptr;
  while (*at != nullptr) {
    member.previous_listed = *at;
    at = &(*at)->next_listed;
  }
  *at = &member;
  __atomic_fetch_add(&listed[list], 1, __ATOMIC_SEQ_CST);
}

void take_off_list(Member& member) {
  if (member.object == 0) return;
  const size_t list = list_of(member.object);
  (member.previous_listed != nullptr ? member.previous_listed->next_listed : lists[list]) = member.next_listed;
  if (member.next_listed != nullptr) member.next_listed->previous_listed = member.previous_listed;
  member.object = 0;
  __atomic_fetch_sub(&listed[list], 1, __ATOMIC_SEQ_CST);
}

Member* first_listed(const void* object, bool low, uint32_t bits) {
  Member* at = lists[list_of(key_of(object))];
  while (at != nullptr && (at->object != key_of(object) || at->low != low || (at->bits & bits) == 0))
    at = at->next_listed;
  return at;
}

bool is_listed(const void* object, OpKind kind) {
  for (Member* at = lists[list_of(key_of(object))]; at != nullptr; at = at->next_listed)
    if (at->object == key_of(object) && at->entry->pending.kind == kind) return true;
  return false;
}

Member* anyone_listed() {
  for (Member* first : lists)
    if (first != nullptr) return first;
  return nullptr;
}

}  // namespace snarl::runtime::parallel
