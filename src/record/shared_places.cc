#include "record/shared_places.h"

#include <algorithm>

namespace snarl::record {

SharedPlaces::SharedPlaces(std::vector<SharedPlace> places) : places_(std::move(places)) {
  std::ranges::sort(places_);
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
}

void SharedPlaces::merge(const SharedPlaces& other) {
  if (std::ranges::includes(places_, other.places_)) return;
  std::vector<SharedPlace> both = places_;
  both.insert(both.end(), other.places_.begin(), other.places_.end());
  *this = SharedPlaces(std::move(both));
}

SharedPlaces read_learned(const wire::Layout& layout) {
  const uint32_t said = *const_cast<const volatile uint32_t*>(&layout.state.learned);  // once: it may change under us
  const uint32_t count = std::min(said, wire::kMaxPlaces);
  return SharedPlaces(std::vector<SharedPlace>(layout.learned, layout.learned + count));
}

void write_places(const SharedPlaces* places, wire::Layout& layout) {
  layout.command.places = 0;
  if (places == nullptr) return;
  layout.command.places = static_cast<uint32_t>(std::min<size_t>(places->all().size(), wire::kMaxPlaces));
  std::copy_n(places->all().begin(), layout.command.places, layout.places);
}

void write_spin_loads(const SharedPlaces& loads, wire::Layout& layout) {
  wire::Options& options = layout.options;
  options.spin_loads = static_cast<uint32_t>(std::min<size_t>(loads.all().size(), wire::kMaxSpinLoads));
  std::copy_n(loads.all().begin(), options.spin_loads, options.spin_load);
}

}  // namespace snarl::record
