// Zydis, set up for 64-bit code.
#pragma once

#include <Zydis/Zydis.h>

namespace snarl::scan {

inline const ZydisDecoder& decoder() {
  static const ZydisDecoder made = [] {
    ZydisDecoder result;
    ZydisDecoderInit(&result, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return result;
  }();
  return made;
}

}  // namespace snarl::scan
