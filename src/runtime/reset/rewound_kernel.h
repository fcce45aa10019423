// What the kernel keeps for the process, as it was at main, and the way back to it: part of reset rewind (rewind.h).
//
// Every system call of a run is seen before it is made (rewound_calls.h): what those change that may be made is noted
// here, and undone after the run. What none of them should have changed is looked at now and then.
#pragma once

#include <signal.h>

#include <cstdint>

namespace snarl::runtime {

class RewoundKernel {
 public:
  // rt_sigaction(2) as the kernel has it.
  struct Action {
    uint64_t handler, flags, restorer, mask;
  };

  void begin();
  // Undoes what was noted; why it can't; null: it is done. The mask of signals is put back last.
  const char* put_back();
  // Why a next run would not find things as they were, beside what was noted; null: it does.
  const char* find_rest();

  // A descriptor that the run has made.
  static constexpr uint32_t kMostDescriptors = 1024;
  bool owns(uint64_t fd) const { return fd < kMostDescriptors && (own_[fd / 64] >> fd % 64 & 1) != 0; }
  bool take(uint64_t fd);
  void forget(uint64_t fd);
  bool may_read(uint64_t fd) const { return owns(fd) || (fd == 0 && input_is_file_); }
  bool exists(uint64_t fd) const;
  // 1 or 2: what is written there goes to the standard output or error, which are the explorer's pipes. 0: it doesn't.
  int output_of(uint64_t fd) const { return fd < kMostDescriptors ? output_of_[fd] : 0; }
  // `copy` was made of `fd`, and is the run's own: false, there is no room for it.
  bool take_copy(uint64_t copy, uint64_t fd);

  // Memory that the run has mapped.
  bool is_own(uint64_t begin, uint64_t size) const;
  bool note_mapped(uint64_t begin, uint64_t size);
  bool note_unmapped(uint64_t begin, uint64_t size);
  uint64_t break_at_main() const { return break_; }

  void note_action(uint64_t signal) { changed_actions_ |= uint64_t{1} << (signal - 1); }
  void note_break() { moved_break_ = true; }
  void note_input() { moved_input_ = true; }

 private:
  struct Mapping {
    uint64_t begin, end;
  };

  void close_own();
  bool unmap_own();
  void put_back_actions();
  bool has_same_size();
  uint64_t size() const;

  static constexpr uint32_t kMostMappings = 512;

  uint64_t mask_;
  stack_t signal_stack_;
  Action action_[64];  // of signal n at n - 1
  uint64_t changed_actions_;
  uint64_t break_;
  uint64_t size_;         // of all memory, in pages
  uint64_t stack_begin_;  // of the first thread: it grows
  long input_offset_;
  long free_descriptor_;  // the lowest
  long statm_;
  bool input_is_file_, moved_input_, moved_break_;
  uint8_t output_of_[kMostDescriptors];
  char name_[16];
  uint64_t own_[kMostDescriptors / 64];
  uint32_t mappings_;
  Mapping mapping_[kMostMappings];
};

}  // namespace snarl::runtime
