// The places at which plain accesses are points: learned by runs, merged, frozen and handed to every run of an epoch.
#pragma once

#include <memory>
#include <vector>

#include "schedule/shared_place.h"
#include "wire/layout.h"

namespace snarl::record {

// Sorted, each once: the result of merging does not depend on the order of the runs.
class SharedPlaces {
 public:
  SharedPlaces() = default;
  explicit SharedPlaces(std::vector<SharedPlace> places);

  void merge(const SharedPlaces& other);
  const std::vector<SharedPlace>& all() const { return places_; }

 private:
  std::vector<SharedPlace> places_;
};

// What a run left in the wire.
SharedPlaces read_learned(const wire::Layout& layout);

// Into the wire, for the next run; what does not fit in is left out.
void write_places(const SharedPlaces* places, wire::Layout& layout);

// Loads of spin loops, for processes that are started from now on; likewise.
void write_spin_loads(const SharedPlaces& loads, wire::Layout& layout);

}  // namespace snarl::record
