#include "runtime/simulated/signal_lists.h"

#include "base/large.h"
#include "base/state_marks.h"
#include "base/storage.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::signals {
namespace {

struct Sent {
  siginfo_t info;
  uint16_t next;
};
constexpr uint16_t kMaxSent = 1024;  // the kernel's own limit for queued ones is of that order
SNARL_LARGE Storage<Sent, kMaxSent> pool;
SNARL_RUN_STATE uint16_t made, unused;

uint16_t make_place() {
  if (unused == 0) return made + 1 < kMaxSent ? ++made : 0;
  const uint16_t place = unused;
  unused = pool[place].next;
  return place;
}

}  // namespace

bool enqueue(uint16_t& list, const siginfo_t& info) {
  const uint16_t place = make_place();
  if (place == 0) return false;
  uint16_t* link = &list;
  while (*link != 0 && pool[*link].info.si_signo <= info.si_signo) link = &pool[*link].next;
  raw::copy(&pool[place].info, &info, sizeof info);
  pool[place].next = *link;
  *link = place;
  return true;
}

siginfo_t dequeue(uint16_t& list) {
  const uint16_t place = list;
  list = pool[place].next;
  pool[place].next = unused;
  unused = place;
  return pool[place].info;
}

bool is_queued(uint16_t list, int signal) { return (set_of(list) & bit_of(signal)) != 0; }

int first_in(uint16_t list) { return list == 0 ? 0 : pool[list].info.si_signo; }

uint64_t set_of(uint16_t list) {
  uint64_t set = 0;
  for (uint16_t at = list; at != 0; at = pool[at].next) set |= bit_of(pool[at].info.si_signo);
  return set;
}

}  // namespace snarl::runtime::signals
