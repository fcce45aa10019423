#include "coseq/emit/refusals.h"

#include <fmt/format.h>

#include <algorithm>

namespace snarl::coseq {

void Refusals::add(const llvm::Instruction& where, const std::string& what, const std::string& advice) {
  const SourcePlace place = place_of(where);
  add(place.line == 0 ? place.function : fmt::format("{}:{}: {}", place.file, place.line, place.function), what,
      advice);
}

void Refusals::add(const std::string& place, const std::string& what, const std::string& advice) {
  Refusal refusal{place, what, advice};
  if (std::find(all_.begin(), all_.end(), refusal) == all_.end()) all_.push_back(std::move(refusal));
}

}  // namespace snarl::coseq
