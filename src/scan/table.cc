#include "scan/table.h"

#include <algorithm>

namespace snarl::scan {

std::string table_bytes(const CodeImage& image, const PatchPlan& plan) {
  wire::PatchTable table;
  table.build_id_size = static_cast<uint32_t>(std::min(image.build_id.size(), sizeof table.build_id));
  std::copy_n(image.build_id.begin(), table.build_id_size, table.build_id);
  table.sites = plan.sites;
  table.disputed = plan.disputed;
  table.patches = static_cast<uint32_t>(plan.patches.size());
  table.functions = plan.functions;
  table.matched = plan.matched;
  table.sum = wire::patch_sum(plan.patches.data(), table.patches);
  std::string bytes(reinterpret_cast<const char*>(&table), sizeof table);
  bytes.append(reinterpret_cast<const char*>(plan.patches.data()), plan.patches.size() * sizeof(wire::Patch));
  return bytes;
}

}  // namespace snarl::scan
