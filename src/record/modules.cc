#include "record/modules.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace snarl::record {

std::vector<LoadedModule> loaded_modules(std::span<const wire::Module> modules) {
  std::vector<LoadedModule> result;
  for (const wire::Module& m : modules) {
    const std::string path(m.path, strnlen(m.path, sizeof m.path));
    if (m.begin >= m.end || path.empty()) continue;
    const size_t id_size = std::min<size_t>(m.build_id_size, sizeof m.build_id);
    result.push_back({m.begin, m.end, m.bias, path, build_id_text({m.build_id, id_size})});
  }
  return result;
}

}  // namespace snarl::record
