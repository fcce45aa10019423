// Looks for data races of a lane: happens-before by src/detect, told of every step.
#pragma once

#include <vector>

#include "coseq/models/lane.h"
#include "detect/detector.h"

namespace snarl::coseq {

class Lane;

class Races {
 public:
  // One per process, as there is one lane.
  explicit Races(Lane& lane);
  ~Races();
  Races(const Races&) = delete;
  Races& operator=(const Races&) = delete;

  // A schedule begins. `thorough`: with the largest tables, which miss nothing that smaller ones find.
  void begin(bool thorough);
  // A step of emitted code. An access that races with an earlier one ends the lane.
  static void tell(uint32_t thread, uint32_t kind, uint32_t object, uint64_t size, uint32_t place);

 private:
  void step(ThreadId thread, uint32_t kind, uint32_t object, uint64_t size, uint32_t place);
  void access(ThreadId thread, const detect::Access& access);
  void perform(ThreadId thread, OpKind kind, uint32_t object);
  bool succeeds(ThreadId thread, OpKind kind, uint32_t object);
  void begin_thread(ThreadId creator, ThreadId child);
  [[noreturn]] void end(const detect::Race& race, const detect::Access& access);

  Lane& lane_;
  std::vector<detect::Time> clocks_ = std::vector<detect::Time>(1 << 16);
  std::vector<detect::Cell> cells_ = std::vector<detect::Cell>(1 << 8);
  std::vector<detect::Sync> syncs_ = std::vector<detect::Sync>(1 << 6);
  detect::Detector detector_;
  uint64_t used_slots_ = 0;
};

}  // namespace snarl::coseq
