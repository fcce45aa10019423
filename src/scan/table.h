// The plan of a file as the bytes that the runtime reads (wire/patch_table.h). Pure.
#pragma once

#include <string>

#include "scan/plan.h"

namespace snarl::scan {

std::string table_bytes(const CodeImage& image, const PatchPlan& plan);

}  // namespace snarl::scan
