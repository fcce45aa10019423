// Processes that the tested program left behind and that became our children, because we are the subreaper.
#pragma once

#include <sys/types.h>

#include <vector>

namespace snarl::os {

// Ends and reaps every child of the calling thread that is not in `known`, and the orphans that come to it thereby.
void end_children(const std::vector<pid_t>& known);

class Strays {
 public:
  // Makes us the subreaper. Children that exist now (a shell that exec'ed us may have had some) are left alone.
  Strays();

  // Ends and reaps every child that is neither in `known` nor older than this object.
  void reap(const std::vector<pid_t>& known) const;

 private:
  std::vector<pid_t> before_;
};

}  // namespace snarl::os
