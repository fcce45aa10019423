#include "runtime/real.h"

#include <dlfcn.h>

namespace snarl {
namespace {

// Condition variables have two versions; programs of the last twenty years use the second,
// and asking without a version may give the first.
void* next_symbol(const char* name) {
  if (void* symbol = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return symbol;
  return dlsym(RTLD_NEXT, name);
}

}  // namespace

Real real_table;

void resolve_real() {
#define SNARL_RESOLVE(name, ...) real_table.name = reinterpret_cast<std::type_identity_t<__VA_ARGS__>>(next_symbol(#name));
  SNARL_REAL_FUNCTIONS(SNARL_RESOLVE)
#undef SNARL_RESOLVE
  real_table.resolved = true;
}

}  // namespace snarl
