// Chooses how each atomic instruction is patched: the way that is surely right, and the cheapest of those. Pure.
#pragma once

#include <vector>

#include "scan/code_image.h"
#include "wire/patch_table.h"

namespace snarl {

struct PatchPlan {
  uint32_t sites = 0;                 // found, patchable or not
  uint32_t instructions = 0;          // followed
  std::vector<wire::Patch> patches;   // by address; one may hold several sites
};

PatchPlan plan_patches(const CodeImage& image);

}  // namespace snarl
