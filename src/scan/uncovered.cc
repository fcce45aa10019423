#include "scan/uncovered.h"

#include <algorithm>
#include <optional>

#include "scan/memory_use.h"

namespace snarl::scan {
namespace {

bool contains(const std::vector<Function>& areas, uint64_t address) {
  return std::ranges::any_of(areas, [=](const Function& one) { return one.begin <= address && address < one.end; });
}

// At most the loader writes there, before the program runs.
bool is_constant(const CodeImage& image, uint64_t address) {
  return contains(image.constants, address) ||
         std::ranges::any_of(image.segments, [=](const Segment& s) { return !s.writable && s.contains(address); });
}

// An atomic instruction outside of our hooks is inline assembly: the compiler leaves all others to us.
bool is_covered(const CodeImage& image, const Function& function) {
  const std::string_view bytes = image.code_at(function.begin);
  bool accesses = false, framed = false, tells = false;
  for (uint64_t at = function.begin; at < function.end && at - function.begin < bytes.size();) {
    const std::optional<MemoryUse> use = memory_use(at, bytes.substr(at - function.begin));
    if (!use || use->locked) return false;
    tells |= use->target != 0 && image.is_hook(use->target);
    framed |= use->sets_frame;
    accesses |= use->where == Where::kAnywhere || (use->where == Where::kFrame && !framed) ||
                (use->where == Where::kFixed && (use->writes || !is_constant(image, use->address)));
    at += use->length;
  }
  return tells || !accesses;
}

}  // namespace

std::vector<uint64_t> uncovered_functions(const CodeImage& image) {
  std::vector<uint64_t> result;
  for (const Function& function : image.functions)
    if (!image.is_hook(function.begin) && !contains(image.start_code, function.begin) && !is_covered(image, function))
      result.push_back(function.begin);
  return result;
}

}  // namespace snarl::scan
