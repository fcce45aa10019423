#include "runtime/glibc.h"

#include <dlfcn.h>

#include "runtime/raw.h"

namespace snarl::glibc {
namespace {

uint32_t tid_offset, cancel_offset;

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

}  // namespace

bool find_offsets() {
  if (!find("_thread_db_pthread_tid", tid_offset) || !find("_thread_db_pthread_cancelhandling", cancel_offset)) return false;
  return *tid_word(pthread_self()) == static_cast<uint32_t>(raw::call(SYS_gettid));
}

uint32_t* tid_word(pthread_t thread) { return reinterpret_cast<uint32_t*>(thread + tid_offset); }

uint32_t* cancel_word(pthread_t thread) { return reinterpret_cast<uint32_t*>(thread + cancel_offset); }

}  // namespace snarl::glibc
