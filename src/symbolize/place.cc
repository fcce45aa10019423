#include "symbolize/place.h"

namespace snarl::symbolize {

const Frame* first_user_frame(std::span<const Place> stack) {
  const Frame* without_source = nullptr;
  for (const Place& place : stack) {
    for (const Frame& frame : place.frames) {
      if (frame.system) continue;
      if (!frame.file.empty()) return &frame;
      if (!without_source) without_source = &frame;
    }
  }
  return without_source;
}

}  // namespace snarl::symbolize
