// Chooses how each atomic instruction, each load of a spin loop, and each function that the user named, is patched: the
// cheapest of the ways that are certainly right. Pure.
#pragma once

#include <span>
#include <vector>

#include "scan/code_image.h"
#include "wire/patch_table.h"

namespace snarl::scan {

struct NamedFunction {
  uint64_t address = 0;
  wire::Named what;
};

struct PatchPlan {
  uint32_t sites = 0;                // found, patchable or not
  uint32_t disputed = 0;             // of which this many may not be instructions, and are left alone
  uint32_t functions = 0;            // named ones
  uint64_t matched = 0;              // the caller's: which rules name them
  std::vector<wire::Patch> patches;  // by address; one may hold several sites
};

// `loads`: addresses behind instructions that load from memory and are to be points. One that is not certainly the
// end of such an instruction is left out.
PatchPlan plan_patches(const CodeImage& image, std::span<const NamedFunction> functions = {},
                       std::span<const uint64_t> loads = {});

}  // namespace snarl::scan
