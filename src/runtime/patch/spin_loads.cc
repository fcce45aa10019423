#include "runtime/patch/spin_loads.h"

#include <algorithm>

#include "runtime/state/state.h"

namespace snarl::runtime::patch {
namespace {

char* put_hex(char* to, uint64_t number) {
  int digits = 1;
  while (digits < 16 && number >> 4 * digits != 0) ++digits;
  while (digits > 0) *to++ = "0123456789abcdef"[number >> 4 * --digits & 15];
  return to;
}

}  // namespace

SpinLoads::SpinLoads(const wire::Module& module) {
  const wire::Options& options = engine::shared->options;
  const uint64_t file = hash_file_name(module.path);
  char* to = text_;
  for (uint32_t i = 0; i < std::min(options.spin_loads, wire::kMaxSpinLoads); ++i) {
    if (options.spin_load[i].module != file) continue;
    to = put_hex(to, options.spin_load[i].offset);
    *to++ = ' ';
  }
}

}  // namespace snarl::runtime::patch
