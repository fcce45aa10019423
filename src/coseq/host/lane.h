// One lane: the memory of a compiled program, and how it is run between two decisions of the scheduler.
//
// A lane belongs to one thread of the host; there is one per process, because faults of emitted code come as signals.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "coseq/host/inputs.h"
#include "coseq/host/races.h"
#include "coseq/models/lane.h"

namespace snarl::coseq {

constexpr uint64_t kNoStop = ~uint64_t{0};

class Lane {
 public:
  // `library`: what was made from the emitted code. `arguments`: argv of the program.
  static Expected<std::unique_ptr<Lane>> open(const std::string& library, const std::vector<std::string>& arguments,
                                              const Inputs& inputs = {});
  ~Lane();
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  // Everything as it is before the first instruction.
  void reset();

  // Calls `schedule`, which calls go(); comes back when the lane has ended or `schedule` returns. What `schedule` owns
  // must need no destructor: the end of a lane jumps over it.
  template <typename Schedule>
  void run(Schedule schedule) {
    if (_setjmp(ended_) == 0) {
      inside_ = true;
      schedule();
    }
    inside_ = false;
  }

  // The thread goes on until its next point at which `next` steps have been taken, or it can't go on, or others may.
  void go(uint32_t thread, uint64_t next) {
    ++entries_;
    program_->exec(memory_, thread, next);
  }

  LaneHeader& header() { return *reinterpret_cast<LaneHeader*>(memory_ + kLaneHeader); }
  const LaneHeader& header() const { return *reinterpret_cast<const LaneHeader*>(memory_ + kLaneHeader); }
  LaneThread& thread(uint32_t slot) { return header().threads[slot]; }
  uint8_t* memory() { return memory_; }
  const LaneProgram& program() const { return *program_; }
  // May the thread take its step?
  bool is_enabled(uint32_t slot) {
    const LaneThread& t = thread(slot);
    return t.state == kThreadLives && ((t.condition | t.condition2) == 0 || may_go(slot));
  }
  uint32_t word(uint32_t at) const { return *reinterpret_cast<const uint32_t*>(memory_ + at); }
  // The place of the last failure that had one of its own, or -1.
  int64_t failed_at() const { return failed_at_; }
  std::string text_at(uint32_t address) const;
  std::string output() const;

  // In a copy of the process that opened it: what is not copied is made again.
  void adopt();

  // The lane as it is, to go on from there later.
  void save(std::vector<uint8_t>& to);
  void restore(const std::vector<uint8_t>& from);

  // From then on races are looked for, if the program was compiled so that it tells of its steps.
  void watch_races();
  // Of the schedules to come: nothing is to be missed.
  void be_thorough(bool thorough) { thorough_ = thorough; }

  [[noreturn]] void end(uint32_t status, uint32_t info, uint32_t detail, uint32_t place);

 private:
  Lane() = default;
  bool may_go(uint32_t slot);
  bool holds(uint32_t slot, uint32_t condition, uint32_t word);
  void write_start(const std::vector<std::string>& arguments);
  template <typename Visit>
  void each_part(const LaneHeader& header, Visit visit);

  uint8_t* memory_ = nullptr;
  void* library_ = nullptr;
  const LaneProgram* program_ = nullptr;
  std::jmp_buf ended_;
  bool inside_ = false;
  uint64_t entries_ = 0, seen_entries_ = 0;
  std::unique_ptr<Races> races_;
  bool thorough_ = false;
  uint64_t locals_size_ = 0;
  int64_t failed_at_ = -1;
  LaneHeader start_ = {};

  friend struct LaneSignals;
};

}  // namespace snarl::coseq
