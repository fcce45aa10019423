// From a device's text to PTX, the assembly that drivers of NVIDIA compile: by nvcc, or by clang without CUDA.
#pragma once

#include <string>

#include "base/error.h"
#include "coseq/device/text.h"

namespace snarl::coseq {

// Its path, or nothing.
std::string nvcc();
// The text as PTX for that architecture, such as 75, in a file of `scratch`. clang knows them up to 86.
Expected<std::string> make_ptx(const DeviceText& text, int architecture, const std::string& scratch);

}  // namespace snarl::coseq
