// Writes orders into the wire, for a process that is to make the run.
#pragma once

#include <memory>

#include "explore/execute/order.h"
#include "explore/target/setup.h"
#include "wire/layout.h"

namespace snarl::explore {

// One for each wire that only it writes to, or one for each order.
class OrderWriter {
 public:
  // Places of the schedule that is followed are translated to the addresses of the modules that the wire lists.
  void write(const RunOrder& order, const Setup& setup, uint64_t run, bool fibers, wire::Layout& layout);

 private:
  void write_places(const RunOrder& order, wire::Layout& layout);

  uint32_t written_places_ = 0;
  std::shared_ptr<const record::SharedPlaces> places_;  // those in the wire
};

}  // namespace snarl::explore
