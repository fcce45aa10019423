// Addresses of one run as Locations. Not thread-safe.
//
// Trusts nothing in the record beyond what the wire reader checked: every index into frames and modules is tested
// again.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "record/record.h"
#include "report/finding.h"
#include "schedule/schedule.h"
#include "symbolize/symbolizer.h"

namespace snarl::explain {

// A stack in the wire, or only its innermost address.
struct StackRef {
  uint32_t id = 0;  // RunRecord::stack()
  uint64_t pc = 0;  // if there is no stack
};

inline StackRef stack_of(const Event& e) { return {e.stack, e.pc}; }
inline StackRef stack_of(const wire::Thread& t) { return {t.stack, t.pending.pc}; }
inline StackRef stack_of(const wire::MisuseEntry& m) { return {m.stack, m.what.pc}; }

// Frames in the wire are return addresses, except that of a fault.
class Places {
 public:
  // All must outlive it.
  Places(const record::RunRecord& record, symbolize::Symbolizer& symbolizer, const std::string& directory);

  // All frames, inlined ones included; our own runtime's at its top are left out.
  report::Stack stack(const StackRef& stack);

  // The frame that stands for the whole stack. In this order: in the program's own code with a source line, in its own
  // code, in a library with a source line, in a library, in any code; of these the innermost. Who wraps a lock for
  // others is a library mostly.
  report::Location place(const StackRef& stack);
  // Where something fails: the same, but libraries are as good as the program.
  report::Location fault_place(const StackRef& stack);
  report::Location place(uint64_t pc) { return place(StackRef{.pc = pc}); }
  // With the stack of an event there, if there is one: the call itself may be a library's.
  report::Location place_in_user_code(uint64_t pc);

  // The outermost function of the user's code: what a thread runs; "main::{lambda:15}" is that of line 15. Empty:
  // unknown.
  std::string entry(const StackRef& stack);
  // What the user's code calls the function at this address; empty: system code or unknown.
  std::string function_at(uint64_t address);
  // The program's name for a global or thread-local object; empty: it is neither.
  std::string variable(uint64_t address);
  // The block of the heap that an event has for the address.
  report::FindingBlock block(uint64_t address, uint64_t number);
  // The text of a user's point.
  std::string label(uint64_t address) const;

  const std::string& directory() const { return directory_; }

 private:
  template <typename Rank>
  report::Location best_frame(const StackRef& stack, const Rank& rank);

  const LoadedModule* module_at(uint64_t address) const;
  bool is_own(uint64_t address) const;
  bool is_runtime(uint64_t address) const;
  bool is_fault(uint64_t address) const { return address != 0 && address == record_.fault_pc; }
  std::string thread_variable(uint64_t address);
  report::Location allocation_place(const wire::HeapBlock& block);
  std::vector<uint64_t> addresses(const StackRef& stack) const;
  const std::vector<report::Location>& frames(uint64_t address);
  std::vector<report::Location> locations(uint64_t address, symbolize::PcKind kind);
  report::Location location(const symbolize::Frame& frame, const LoadedModule& m, uint64_t address) const;

  const record::RunRecord& record_;
  std::vector<LoadedModule> modules_;
  symbolize::Symbolizer& symbolizer_;
  std::string directory_;
  std::unordered_map<uint64_t, std::vector<report::Location>> cache_;
};

}  // namespace snarl::explain
