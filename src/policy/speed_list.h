// What a user writes of thread speeds: vectors by hand, or the threads of a basis. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/ids.h"
#include "schedule/run_key.h"

namespace snarl::policy {

// "1,0.5,0.25": the speeds of threads in order of creation. "1,0.1@40:0.1,1": others after step 40 of the run.
class SpeedList {
 public:
  // False: that is not how it is written. A speed is above 0 and at most 1.
  bool read(const char* text);

  struct Part {
    Step from = 0;  // the steps after it have these speeds
    uint8_t begin = 0, end = 0;
  };
  size_t parts() const { return parts_; }
  Step from(size_t part) const { return part_[part].from; }
  std::span<const double> speeds(size_t part) const { return {speeds_ + part_[part].begin, speeds_ + part_[part].end}; }

 private:
  static constexpr size_t kMostParts = 16;
  static constexpr size_t kMostSpeeds = kMaxPolicyFile / 2;  // a digit and a comma each

  bool read_speeds(const char*& at);

  size_t parts_ = 0;
  size_t count_ = 0;
  Part part_[kMostParts];
  double speeds_[kMostSpeeds] = {};
};

// "0,1,2": two to kMostBasis different threads in order of creation, or "auto": none here.
class BasisList {
 public:
  static constexpr size_t kMostBasis = 8;

  bool read(const char* text);
  std::span<const uint32_t> threads() const { return {threads_, count_}; }

 private:
  size_t count_ = 0;
  uint32_t threads_[kMostBasis] = {};
};

bool is_speed_list(const char* text);
bool is_basis_list(const char* text);

}  // namespace snarl::policy
