// Functions and landing pads from .eh_frame and its LSDAs, which exist for every compiled function, stripped or not.
#pragma once

#include <cstdint>

#include "scan/code_image.h"

namespace snarl::scan {

// `header` is the address of .eh_frame_hdr. Adds to `functions` and `landings`; a function whose landing pads
// can't be read is not sure.
void read_unwind_table(uint64_t header, CodeImage& image);

}  // namespace snarl::scan
