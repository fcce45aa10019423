// Does it pay to run the beginnings of a group's lanes once?
#pragma once

namespace snarl::coseq {

// Run what the lanes of a group have in common once?
enum class SharePrefix { kByClock, kYes, kNo };

// Both ways give the same, so the clock of the CPU may choose, by some groups of each.
class PrefixChoice {
 public:
  explicit PrefixChoice(SharePrefix wanted) : wanted_(wanted) {}
  bool shares() const {
    if (wanted_ != SharePrefix::kByClock) return wanted_ == SharePrefix::kYes;
    return measured_ < kTrials ? measured_ % 2 == 0 : seconds_[0] < seconds_[1];
  }
  void took(bool shared, double seconds) {
    if (measured_ >= kWarmUp && measured_ < kTrials) seconds_[shared ? 0 : 1] += seconds;
    ++measured_;
  }
  // The program has other schedules than was thought.
  void begin_again() {
    measured_ = 0;
    seconds_[0] = seconds_[1] = 0;
  }

 private:
  static constexpr int kTrials = 18, kWarmUp = 2;  // groups: half of them share; the first ones do not count
  SharePrefix wanted_;
  int measured_ = 0;
  double seconds_[2] = {};  // of those that shared, and of the others; a sum, as one reading of the clock may be 0
};

}  // namespace snarl::coseq
