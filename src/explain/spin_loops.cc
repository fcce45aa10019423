#include "explain/spin_loops.h"

#include <algorithm>

#include "explain/group_names.h"
#include "report/text/location_text.h"

namespace snarl::explain {
namespace {

report::SpinLoop named(const record::SpinLoop& loop, symbolize::Symbolizer& symbolizer, const std::string& directory) {
  const symbolize::Place place =
      symbolizer.place({loop.place.path, loop.place.build_id}, loop.place.offset, symbolize::PcKind::kReturnAddress);
  const symbolize::Frame* frame = symbolize::first_user_frame({&place, 1});
  const report::Location at = location_of(frame != nullptr ? *frame : place.frames.back(), loop.place, directory);
  return {.place = report::place_text(at), .function = at.function, .is_point = loop.load.module != 0};
}

}  // namespace

std::vector<report::SpinLoop> named_spin_loops(const record::SpinLoops& loops, symbolize::Symbolizer& symbolizer,
                                               const std::string& directory) {
  std::vector<report::SpinLoop> all;
  for (const record::SpinLoop& loop : loops) {
    const report::SpinLoop one = named(loop, symbolizer, directory);
    const auto known = std::ranges::find(all, one.place, &report::SpinLoop::place);
    if (known == all.end())
      all.push_back(one);
    else
      known->is_point |= one.is_point;
  }
  return all;
}

}  // namespace snarl::explain
