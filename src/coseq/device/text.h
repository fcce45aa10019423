// The text that a device compiles: the bodies of the emitted code between what they stand on and what runs them.
//
// One text for OpenCL, CUDA and the host shim. It has the program's constants, arguments and first memory as tables,
// and says how small a lane may be.
#pragma once

#include <cstdint>
#include <string>

#include "base/error.h"
#include "coseq/host/lane.h"

namespace snarl::coseq {

// How much of each area one lane of a device has, in bytes.
struct DeviceSizes {
  uint32_t slots = 1;  // of threads
  uint32_t stack = 1024;
  uint32_t heap = 0;
  uint32_t output = 0;
  uint32_t width = 32;  // lanes whose words are interleaved; 1: none
};

struct DeviceText {
  std::string code;
  uint64_t arena = 0;  // bytes of one lane
};

// `folder`: where coseq/ of the installation is. The lane has not run yet: what is at its start is taken from it.
Expected<DeviceText> device_text(Lane& lane, const std::string& bodies, const DeviceSizes& sizes,
                                 const std::string& folder);

}  // namespace snarl::coseq
