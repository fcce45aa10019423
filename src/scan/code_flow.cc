#include "scan/code_flow.h"

#include <algorithm>
#include <cstring>

namespace snarl {
namespace {

constexpr uint64_t kMostEntries = 4096;  // of a jump table; a switch with more cases is made otherwise

}  // namespace

CodeFlow::CodeFlow(const CodeImage& image) : image_(image), switches_(image.functions.size()) {
  for (const Segment& segment : image.segments)
    if (segment.executable) marks_.push_back({segment.begin, std::vector<uint8_t>(segment.bytes.size())});
  start_everywhere();
  follow_all();
  read_pointers();
  for (size_t known = 0; known != tables_.size();) {  // what is behind a table may have tables of its own
    known = tables_.size();
    read_tables();
    follow_all();
  }
  collect();
  sweep_rest();
}

uint8_t* CodeFlow::marks_at(uint64_t address) {
  for (Marks& marks : marks_)
    if (address >= marks.begin && address - marks.begin < marks.of.size()) return &marks.of[address - marks.begin];
  return nullptr;
}

bool CodeFlow::has(uint64_t address, int marks) const {
  const uint8_t* at = marks_at(address);
  return at != nullptr && (*at & marks) != 0;
}

void CodeFlow::mark(uint64_t address, Mark mark) {
  if (uint8_t* at = marks_at(address)) *at = static_cast<uint8_t>(*at | mark);
}

void CodeFlow::start_everywhere() {
  for (const Function& function : image_.functions) lead_to(function.begin);
  for (uint64_t landing : image_.landings) lead_to(landing);
  lead_to(image_.entry);
  for (uint64_t pointer : image_.pointers) {
    mark(pointer, kTarget);
    if (image_.functions.empty()) lead_to(pointer);  // stripped of everything: this is all we have
  }
}

void CodeFlow::lead_to(uint64_t address) {
  if (marks_at(address) == nullptr) return;
  mark(address, kTarget);
  if (!is_start(address)) to_follow_.push_back(address);
}

void CodeFlow::follow_all() {
  while (!to_follow_.empty()) {
    const uint64_t from = to_follow_.back();
    to_follow_.pop_back();
    follow(from);
  }
}

void CodeFlow::follow(uint64_t from) {
  block_.clear();
  for (uint64_t at = from; !is_start(at);) {
    const auto instruction = has(at, kInside) || marks_at(at) == nullptr ? std::nullopt : decode(at, image_.at(at));
    if (!instruction || !take(*instruction)) return doubt(at);
    note(*instruction);
    if (instruction->flow == Flow::kCall) block_.clear();  // it may never return: what follows is less sure
    if (instruction->flow == Flow::kJump || instruction->flow == Flow::kIndirect || instruction->flow == Flow::kStop) return;
    at = instruction->end();
  }
}

// False: its bytes belong to other instructions already, or are not all there.
bool CodeFlow::take(const Instruction& instruction) {
  for (uint64_t at = instruction.address; at < instruction.end(); ++at)
    if (marks_at(at) == nullptr || is_reached(at)) return false;
  mark(instruction.address, kStart);
  for (uint64_t at = instruction.address + 1; at < instruction.end(); ++at) mark(at, kInside);
  block_.push_back(instruction.address);
  return true;
}

void CodeFlow::note(const Instruction& instruction) {
  const bool leads_on = instruction.flow == Flow::kNext || instruction.flow == Flow::kCall || instruction.flow == Flow::kBranch;
  if (!leads_on) mark(instruction.address, kEnds);
  if (instruction.target != 0) lead_to(instruction.target);
  if (instruction.is_site()) sites_.push_back(instruction.address);
  if (instruction.refers_to != 0) mark(instruction.refers_to, kTarget);
  if (instruction.takes_address && !image_.is_code(instruction.refers_to)) tables_.emplace_back(instruction.refers_to, instruction.address);
  if (!image_.pie && instruction.immediate != 0) mark(instruction.immediate, kTarget);
  Switches* switches = instruction.by_table ? switches_of(instruction.address) : nullptr;
  if (switches != nullptr) switches->jumps = true;
}

// What led here was no code, or what is here is none: neither is to be touched.
void CodeFlow::doubt(uint64_t overlapped) {
  for (uint64_t address : block_) mark(address, kDoubt);
  while (has(overlapped, kInside)) --overlapped;
  mark(overlapped, kDoubt);
}

CodeFlow::Switches* CodeFlow::switches_of(uint64_t address) {
  const Function* function = image_.function_of(address);
  return function == nullptr ? nullptr : &switches_[static_cast<size_t>(function - image_.functions.data())];
}

// Tables of offsets from their own begin, whose address the function takes. One ends at the latest where another begins.
void CodeFlow::read_tables() {
  std::ranges::sort(tables_);
  tables_.erase(std::unique(tables_.begin(), tables_.end()), tables_.end());
  for (const auto& [table, place] : std::vector(tables_)) {
    Switches* switches = switches_of(place);
    if (switches == nullptr || !switches->jumps) continue;
    const auto next = std::ranges::upper_bound(tables_, table, {}, &std::pair<uint64_t, uint64_t>::first);
    read_table(table, next == tables_.end() ? ~uint64_t{0} : next->first, *switches);
  }
}

void CodeFlow::read_table(uint64_t table, uint64_t end, Switches& switches) {
  const std::string_view bytes = image_.at(table).substr(0, std::min(end - table, 4 * kMostEntries));
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    int32_t offset;
    std::memcpy(&offset, bytes.data() + i, sizeof offset);
    const uint64_t target = table + static_cast<uint64_t>(int64_t{offset});
    if (!image_.is_code(target)) return;
    switches.known = true;
    lead_to(target);
  }
}

// Labels whose addresses stand in data: computed goto, and switches of code that is not moved.
void CodeFlow::read_pointers() {
  for (uint64_t pointer : image_.pointers) {
    const Function* function = image_.function_of(pointer);
    Switches* switches = switches_of(pointer);
    if (switches == nullptr || !switches->jumps || pointer == function->begin) continue;
    switches->known = true;
    lead_to(pointer);
  }
  follow_all();
}

bool CodeFlow::is_sure(uint64_t address) const {
  const Function* function = image_.function_of(address);
  if (function == nullptr || !function->sure) return false;
  const Switches& switches = switches_[static_cast<size_t>(function - image_.functions.data())];
  return !switches.jumps || switches.known;
}

void CodeFlow::collect() {
  std::ranges::sort(sites_);
  std::erase_if(sites_, [this](uint64_t site) { return image_.is_hook(site); });
  const auto doubtful = [this](uint64_t site) { return has(site, kDoubt); };
  doubtful_ = static_cast<uint32_t>(std::ranges::count_if(sites_, doubtful));
  std::erase_if(sites_, doubtful);
}

void CodeFlow::sweep_rest() {
  for (const Function& function : image_.functions) {
    if (image_.is_hook(function.begin)) continue;
    for (uint64_t at = function.begin; at < function.end;) {
      const auto instruction = is_reached(at) ? std::nullopt : decode(at, image_.at(at).substr(0, function.end - at));
      if (instruction && instruction->is_site()) ++doubtful_;
      at += instruction ? instruction->length : 1;
    }
  }
}

}  // namespace snarl
