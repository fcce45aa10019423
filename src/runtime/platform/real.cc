#include "runtime/platform/real.h"

#include <dlfcn.h>

#include "base/state_marks.h"
#include "runtime/platform/text.h"

namespace snarl::runtime {
namespace {

// Condition variables have two versions; programs of the last twenty years use the second,
// and asking without a version may give the first. Nobody else is asked with a version: a lookup
// that fails allocates, and an allocator that comes to life then (jemalloc) calls our hooks.
void* next_symbol(const char* name) {
  const bool has_two_versions = begins_with(name, "pthread_cond_") && !begins_with(name, "pthread_cond_clockwait");
  return has_two_versions ? dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2") : dlsym(RTLD_NEXT, name);
}

}  // namespace

SNARL_PROCESS_STATE Real real_table;
SNARL_PROCESS_STATE Real libc_table;

void resolve_real() {
#define SNARL_RESOLVE(name, ...) \
  real_table.name = reinterpret_cast<std::type_identity_t<__VA_ARGS__>>(next_symbol(#name));
  SNARL_REAL_FUNCTIONS(SNARL_RESOLVE)
#undef SNARL_RESOLVE
  real_table.resolved = true;
}

}  // namespace snarl::runtime
