#include "runtime/glibc.h"

#include <dlfcn.h>

#include "runtime/raw.h"

namespace snarl::glibc {
namespace {

uint32_t tid_offset;

// libthread_db's description of a field: its size in bits, how many, and where.
struct FieldDescription {
  uint32_t bits, count, offset;
};

}  // namespace

bool find_offsets() {
  const auto* field = static_cast<const FieldDescription*>(dlvsym(RTLD_DEFAULT, "_thread_db_pthread_tid", "GLIBC_PRIVATE"));
  if (field == nullptr || field->bits != 32) return false;
  tid_offset = field->offset;
  return *tid_word(pthread_self()) == static_cast<uint32_t>(raw::call(SYS_gettid));
}

uint32_t* tid_word(pthread_t thread) { return reinterpret_cast<uint32_t*>(thread + tid_offset); }

}  // namespace snarl::glibc
