// Which threads are listed for which object: those that a try has failed for. Written under the desk's lock.
#pragma once

#include "runtime/parallel/member.h"
#include "runtime/platform/futex_call.h"

namespace snarl::runtime::parallel {

// Is anybody listed for an object like this? One load; exact enough after an atomic operation on the
// object itself, because those who list themselves look at the object again afterwards.
bool anybody_listed(const void* object);

inline uint64_t key_of(const void* object) { return reinterpret_cast<uint64_t>(object); }

// At the end: those who came first are woken first. `then`: the mutex that it needs next, or 0.
void put_on_list(Member& member, uint64_t object, uint64_t then, uint32_t bits = kAllFutexBits);
void take_off_list(Member& member);

Member* first_listed(const void* object, bool low, uint32_t bits = kAllFutexBits);
// Somebody who is about to do `kind`.
bool is_listed(const void* object, OpKind kind);

// One of all who are listed for anything; null if nobody is.
Member* anyone_listed();

}  // namespace snarl::runtime::parallel
