// Worker processes that share a range of schedules: each is a copy of this process, with a lane of its own.
//
// They take pieces of the range in order. A piece is run to its end or to its first failure, and no piece beyond a
// failure is begun. So the failure with the lowest index is the same for any number of workers.
#pragma once

#include <functional>

#include "coseq/host/runner.h"
#include "coseq/host/tally.h"

namespace snarl::coseq {

class Crew {
 public:
  Crew(Lane& lane, Runner& runner, int workers) : lane_(lane), runner_(runner), workers_(workers) {}

  struct Done {
    bool complete = false;  // the whole range was run
    bool crashed = false;   // a worker ended in another way than it should
  };
  // `watch` is told how many schedules have been run, some times per second; false: they stop.
  Done run(uint64_t begin, uint64_t end, bool until_failure, const std::function<bool(uint64_t)>& watch, Tally& tally);

 private:
  struct Shared;
  void work(Shared& shared, int which, bool until_failure);

  Lane& lane_;
  Runner& runner_;
  int workers_;
};

}  // namespace snarl::coseq
