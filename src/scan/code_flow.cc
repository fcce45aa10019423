#include "scan/code_flow.h"

#include <algorithm>

#include "scan/end_branch.h"

namespace snarl::scan {
namespace {

size_t number_of(const CodeImage& image, const Function* function) {
  return static_cast<size_t>(function - image.functions.data());
}

}  // namespace

CodeFlow::CodeFlow(const CodeImage& image)
    : image_(image),
      marks_(image),
      swept_(sweep_functions(image, marks_)),
      walk_(image, marks_, swept_.taken),
      tables_known_(image.functions.size()) {
  add_targets();
  add_landmarks();
  collect();
}

// Tables of offsets from their own begin may be wherever code takes an address. Past the begin of another table that a
// comparison bounds, only entries that lead into the same function count.
void CodeFlow::add_targets() {
  std::vector<uint64_t> begins;
  for (const JumpTable& table : walk_.tables())
    if (table.entries != 0) begins.push_back(table.address);
  std::ranges::sort(begins);
  for (const auto& [table, function] : swept_.takers) {
    const auto next = std::ranges::upper_bound(begins, table);
    read_table(table, next == begins.end() ? ~uint64_t{0} : *next, function);
  }
  for (uint64_t pointer : image_.pointers)
    if (const Function* function = image_.function_of(pointer); function != nullptr && function->begin != pointer)
      tables_known_[number_of(image_, function)] = 1;
}

void CodeFlow::read_table(uint64_t address, uint64_t end, size_t number) {
  const Function& function = image_.functions[number];
  const JumpTable table{address, address};
  for (uint64_t i = 0; i < JumpTable::kMostEntries; ++i) {
    const auto target = table.target(image_, i);
    if (!target) return;
    if (address + 4 * i >= end && (*target < function.begin || *target >= function.end)) continue;
    marks_.add(*target, kTarget);
    tables_known_[number] = 1;
  }
}

// The instruction that indirect calls must land on, wherever it stands.
void CodeFlow::add_landmarks() {
  for (const Segment& segment : image_.segments)
    for (size_t at = 0; segment.executable && (at = segment.bytes.find(kEndBranch, at)) != std::string_view::npos; ++at)
      marks_.add(segment.begin + at, kTarget);
}

bool CodeFlow::is_sure(uint64_t address) const {
  const Function* function = image_.function_of(address);
  if (function == nullptr || !function->sure) return false;
  const size_t number = number_of(image_, function);
  return !walk_.jumps(number) || tables_known_[number] != 0;
}

void CodeFlow::collect() {
  std::vector<uint64_t> all = swept_.sites;
  all.insert(all.end(), walk_.sites().begin(), walk_.sites().end());
  std::ranges::sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::erase_if(all, [this](uint64_t site) { return image_.is_hook(site); });
  std::ranges::copy_if(all, std::back_inserter(sites_), [this](uint64_t site) { return is_start(site); });
  disputed_ = static_cast<uint32_t>(all.size() - sites_.size());
}

}  // namespace snarl::scan
