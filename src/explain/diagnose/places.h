// Addresses of one run as Locations. Internal to diagnose.cc; not thread-safe.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/record.h"
#include "report/finding.h"
#include "schedule/schedule.h"
#include "symbolize/names.h"
#include "symbolize/paths.h"
#include "symbolize/symbolizer.h"

namespace snarl::explain {

// Frames in the wire are return addresses, except that of a fault.
class Places {
 public:
  Places(const record::RunRecord& record, std::vector<LoadedModule> modules, symbolize::Symbolizer& symbolizer,
         std::string directory)
      : record_(record), modules_(std::move(modules)), symbolizer_(symbolizer), directory_(std::move(directory)) {}

  // All frames of the stack of that id, inlined ones included; our own runtime's at its top are left out.
  // Without a stack, those of `pc`.
  report::Stack stack(uint32_t id, uint64_t pc) {
    report::Stack result;
    for (uint64_t address : addresses(id, pc))
      for (const report::Location& l : frames(address)) result.push_back(l);
    return result;
  }

  // The frame that stands for the whole stack. In this order: in the program's own code with a source line, in its own
  // code, in a library with a source line, in a library, in any code; of these the innermost. Who wraps a lock for
  // others is a library mostly.
  report::Location place(uint32_t id, uint64_t pc) {
    return best_frame(id, pc, [&](const report::Location& l, uint64_t address) {
      if (l.system) return is_startup(l.function) ? kNoFrame : 4;
      return (is_own(address) ? 0 : 2) + l.file.empty();
    });
  }
  // Where something fails: the same, but libraries are as good as the program.
  report::Location fault_place(uint32_t id, uint64_t pc) {
    return best_frame(id, pc, [](const report::Location& l, uint64_t) {
      if (l.system) return is_startup(l.function) ? kNoFrame : 4;
      return 0 + l.file.empty();
    });
  }
  report::Location place(uint64_t pc) { return place(0, pc); }

  // The outermost function of the user's code: what a thread runs. Empty: unknown.
  std::string entry(uint32_t id) {
    std::string name;
    for (uint64_t address : addresses(id, 0))
      for (const report::Location& l : frames(address))
        if (!l.system && !l.function.empty()) name = l.function;
    return name;
  }

  // What the user's code calls the function at this address; empty: system code or unknown.
  std::string function_at(uint64_t address) {
    const report::Location l = locations(address, symbolize::PcKind::kExact).front();
    return l.system || l.module.empty() ? "" : l.function;
  }

  const LoadedModule* module_at(uint64_t address) const {
    for (const LoadedModule& m : modules_)
      if (m.begin <= address && address < m.end) return &m;
    return nullptr;
  }

  // The program's name for a global or thread-local object; empty: it is neither.
  std::string variable(uint64_t address) {
    const LoadedModule* m = module_at(address);
    if (m == nullptr) return thread_variable(address);
    const auto found = symbolizer_.variable({m->path, m->build_id}, address - m->bias);
    return found ? symbolize::short_variable_name(found->name) : "";
  }

  // "48-byte block allocated at f.cc:12 by T1, +16"; empty: not on the heap, as far as we know.
  std::string heap_text(uint64_t address, uint64_t block) {
    if (block == 0 || block > record_.blocks.size()) return "";
    const wire::HeapBlock& b = record_.blocks[block - 1];
    const std::string where = allocation_place(b);
    return fmt::format("{}-byte block allocated{} by {}{}", b.size, where.empty() ? "" : " at " + where,
                       b.thread == 0 ? "main" : fmt::format("T{}", b.thread),
                       address == b.address ? "" : fmt::format(", +{}", address - b.address));
  }

  const std::string& directory() const { return directory_; }

  // The text of a user's point.
  std::string label(uint64_t address) const {
    for (const wire::Label& label : record_.labels)
      if (label.address == address) return label.text;
    return "?";
  }

 private:
  static constexpr int kNoFrame = 100;

  // That with the lowest rank, the innermost of several.
  template <typename Rank>
  report::Location best_frame(uint32_t id, uint64_t pc, const Rank& rank) {
    const report::Location* best = nullptr;
    int best_rank = kNoFrame;
    for (uint64_t address : addresses(id, pc))
      for (const report::Location& l : frames(address))
        if (const int r = rank(l, address); r < best_rank) best = &l, best_rank = r;
    return best != nullptr ? *best : report::Location();
  }

  bool is_own(uint64_t address) const {
    const LoadedModule* m = module_at(address);
    return m != nullptr && symbolize::is_own_module(m->path, modules_.front().path);
  }

  // "T1's cache_lock"
  std::string thread_variable(uint64_t address) {
    for (const wire::Thread& thread : record_.threads)
      for (const wire::Module& m : record_.modules) {
        const uint64_t offset = address - (thread.thread_pointer - m.tls_below);
        if (thread.thread_pointer == 0 || m.tls_below == 0 || offset >= m.tls_size) continue;
        const auto found = symbolizer_.thread_variable({m.path, build_id_text({m.build_id, m.build_id_size})}, offset);
        const std::string name = found ? symbolize::short_variable_name(found->name) : "";
        return name.empty() ? "" : (thread.ordinal == 0 ? "main" : "T" + std::to_string(thread.ordinal)) + "'s " + name;
      }
    return "";
  }

  // The first frame in the user's code: an allocator of the standard library is no answer.
  std::string allocation_place(const wire::HeapBlock& block) {
    for (uint32_t i = 0; i < block.depth; ++i)
      for (const report::Location& l : frames(block.frames[i]))
        if (!l.system && !l.file.empty()) return fmt::format("{}:{}", symbolize::base_name(l.file), l.line);
    return "";
  }

  bool is_runtime(uint64_t address) const {
    const LoadedModule* m = module_at(address);
    if (m == nullptr) return false;
    const std::string_view name = symbolize::base_name(m->path);
    return name.starts_with("libsnarl_rt") || name.starts_with("libsnarl.so");
  }

  bool is_fault(uint64_t address) const { return address != 0 && address == record_.fault_pc; }

  // What is in no module is the mark at the end of a stack, or a jump to nowhere.
  std::vector<uint64_t> addresses(uint32_t id, uint64_t pc) const {
    const std::span<const uint64_t> frames = record_.stack(id);
    std::vector<uint64_t> result(frames.begin(), frames.end());
    size_t ours = 0;
    while (ours < result.size() && is_runtime(result[ours])) ++ours;
    result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(ours));
    std::erase_if(result, [&](uint64_t address) { return module_at(address) == nullptr && !is_fault(address); });
    if (result.empty() && pc != 0) result.push_back(pc);
    return result;
  }

  const std::vector<report::Location>& frames(uint64_t address) {
    auto [at, is_new] = cache_.try_emplace(address);
    if (is_new)
      at->second =
          locations(address, is_fault(address) ? symbolize::PcKind::kExact : symbolize::PcKind::kReturnAddress);
    return at->second;
  }

  std::vector<report::Location> locations(uint64_t address, symbolize::PcKind kind) {
    const LoadedModule* m = module_at(address);
    if (m == nullptr) return {report::Location{.function = "?", .system = true}};
    std::vector<report::Location> result;
    for (const symbolize::Frame& frame : symbolizer_.place({m->path, m->build_id}, address - m->bias, kind).frames)
      result.push_back(location(frame, *m, address));
    return result;
  }

  report::Location location(const symbolize::Frame& frame, const LoadedModule& m, uint64_t address) const {
    report::Location l;
    l.function = symbolize::short_function_name(frame.function);
    l.path = frame.file;
    l.file = frame.file.empty() ? "" : symbolize::display_path(frame.file, directory_);
    l.line = frame.line;
    l.column = frame.column;
    l.module = symbolize::base_name(m.path);
    l.offset = address - m.bias;
    l.inlined = frame.inlined;
    l.system = frame.system || is_startup(l.function) || is_sanitizers(l.function);
    return l;
  }

  // What calls main: no place that the user knows.
  static bool is_startup(std::string_view function) { return function == "_start" || function.starts_with("_start+"); }

  // A sanitizer's runtime may be in the program itself.
  static bool is_sanitizers(std::string_view function) {
    return function.starts_with("__sanitizer") || function.starts_with("__ubsan") || function.starts_with("__asan") ||
           function == "asan_thread_start";
  }

  const record::RunRecord& record_;
  std::vector<LoadedModule> modules_;
  symbolize::Symbolizer& symbolizer_;
  std::string directory_;
  std::unordered_map<uint64_t, std::vector<report::Location>> cache_;
};

}  // namespace snarl::explain
