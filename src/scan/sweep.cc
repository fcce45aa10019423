#include "scan/sweep.h"

#include <algorithm>

#include "scan/instruction.h"

namespace snarl::scan {
namespace {

class Sweeper {
 public:
  Sweeper(const CodeImage& image, CodeMarks& marks) : image_(image), marks_(marks) {}

  Swept sweep() {
    bool contested = false;  // the function before has an instruction that reaches over this one's begin
    for (number_ = 0; number_ < image_.functions.size(); ++number_)
      contested = sweep(image_.functions[number_], contested);
    std::ranges::sort(swept_.takers);
    swept_.takers.erase(std::unique(swept_.takers.begin(), swept_.takers.end()), swept_.takers.end());
    for (const auto& [address, function] : swept_.takers)
      if (swept_.taken.empty() || swept_.taken.back() != address) swept_.taken.push_back(address);
    return std::move(swept_);
  }

 private:
  // True if another function begins in the middle of one of its instructions, so that one of the two is wrong.
  bool sweep(const Function& function, bool broken) {
    const std::string_view bytes = image_.at(function.begin);
    bool contested = false;
    Instruction one;
    for (uint64_t at = function.begin; at < function.end;) {
      const bool decoded = decode_flow(at, bytes.substr(at - function.begin), one);
      const bool fits = decoded && one.end() <= function.end;
      contested |= decoded && !fits && !broken && function.claimed > function.end;
      broken |= !fits;
      if (decoded) note(one);
      if (!broken) mark_start(one);
      at += fits ? one.length : 1;
    }
    return contested;
  }

  void mark_start(const Instruction& instruction) {
    marks_.add(instruction.address, instruction.flow == Flow::kNext ? kLinear | kPlain : kLinear);
    marks_.add_body(instruction.address, instruction.length, kLinearBody);
  }

  void note(const Instruction& instruction) {
    if (instruction.is_site()) swept_.sites.push_back(instruction.address);
    if (instruction.target != 0) marks_.add(instruction.target, kTarget);
    if (instruction.refers_to != 0) marks_.add(instruction.refers_to, kTarget);
    if (!image_.pie && instruction.immediate != 0) marks_.add(instruction.immediate, kTarget);
    if (instruction.takes_address) swept_.takers.emplace_back(instruction.refers_to, number_);
    if (!image_.pie && !image_.at(instruction.immediate).empty())
      swept_.takers.emplace_back(instruction.immediate, number_);
  }

  const CodeImage& image_;
  CodeMarks& marks_;
  Swept swept_;
  size_t number_ = 0;  // of the function that is swept
};

}  // namespace

Swept sweep_functions(const CodeImage& image, CodeMarks& marks) { return Sweeper(image, marks).sweep(); }

}  // namespace snarl::scan
