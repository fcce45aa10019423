// A race that only weak memory orders allow. Threads never stand at its accesses at the same moment: the one comes
// after the other in each interleaving, by atomic operations that order nothing. It is believed only if no other order
// can be there that we did not see: no loaded file has code that accesses memory without telling of it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "explore/execute/executor.h"
#include "record/record.h"

namespace snarl::explore {

class WeakRaces {
 public:
  // The failure of `shown` is a possible race of that kind. The run that is returned repeats it in a fresh process, has
  // the race as its failure, and the key of `shown`.
  std::optional<record::RunRecord> show(const record::RunRecord& shown, const Setup& setup, Executors& executors,
                                        int cpu, const Stop& stop);

 private:
  bool tells_of_all(const std::string& file);
  bool tells_of_all(const record::RunRecord& record);

  std::map<std::string, bool> files_;  // that were looked at
};

}  // namespace snarl::explore
