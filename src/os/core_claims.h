// Cores for the runs of this process: different ones than other snarl processes of this machine have, as long as there
// are enough. A claim ends with its object, or with the process, however that ends.
//
// A claim is a socket with a name in the abstract namespace: it leaves no file, and every user sees it. Processes in
// another network namespace don't.
#pragma once

#include <cstddef>
#include <vector>

#include "os/fd.h"

namespace snarl::os {

class CoreClaims {
 public:
  // Claims `count` of `cores`: those that nobody has, then those with one claim, and so on; at equal claims in their
  // order. Where no claim can be made, cores are taken in their order.
  CoreClaims(const std::vector<int>& cores, size_t count);

  const std::vector<int>& cores() const { return cores_; }

 private:
  bool claim(int core, int level);

  std::vector<int> cores_;
  std::vector<Fd> claims_;
};

}  // namespace snarl::os
