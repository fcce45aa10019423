#include "runtime/platform/glibc.h"

#include <dlfcn.h>

#include "base/state_marks.h"
#include "runtime/platform/raw.h"

namespace snarl::runtime::glibc {
namespace {

SNARL_PROCESS_STATE uint32_t tid_offset, cancel_offset, uncancellable_bit;

// libthread_db's description of a field: its size in bits, how many, and where.
struct FieldDescription {
  uint32_t bits, count, offset;
};

bool find(const char* name, uint32_t& offset) {
  const auto* field = static_cast<const FieldDescription*>(dlvsym(RTLD_DEFAULT, name, "GLIBC_PRIVATE"));
  if (field == nullptr || field->bits != 32) return false;
  offset = field->offset;
  return true;
}

// The bit of that word that changes when a thread says that it is not to be cancelled; 0: none does.
uint32_t find_uncancellable_bit() {
  int old = PTHREAD_CANCEL_ENABLE;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
  const uint32_t before = *cancel_word(pthread_self());
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  const uint32_t bit = before ^ *cancel_word(pthread_self());
  pthread_setcancelstate(old, nullptr);
  return bit;
}

}  // namespace

bool find_offsets() {
  if (!find("_thread_db_pthread_tid", tid_offset) || !find("_thread_db_pthread_cancelhandling", cancel_offset))
    return false;
  uncancellable_bit = find_uncancellable_bit();
  return *tid_word(pthread_self()) == static_cast<uint32_t>(raw::call(SYS_gettid));
}

uint32_t* tid_word(pthread_t thread) { return reinterpret_cast<uint32_t*>(thread + tid_offset); }

uint32_t* cancel_word(pthread_t thread) { return reinterpret_cast<uint32_t*>(thread + cancel_offset); }

bool set_uncancellable(pthread_t thread, bool is) {
  uint32_t& word = *cancel_word(thread);
  word = is ? word | uncancellable_bit : word & ~uncancellable_bit;
  return uncancellable_bit != 0;
}

}  // namespace snarl::runtime::glibc
