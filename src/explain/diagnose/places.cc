#include "explain/diagnose/places.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "record/modules.h"
#include "report/thread_name.h"
#include "symbolize/names.h"
#include "symbolize/paths.h"

namespace snarl::explain {
namespace {

constexpr int kNoFrame = 100;

// What calls main: no place that the user knows.
bool is_startup(std::string_view function) { return function == "_start" || function.starts_with("_start+"); }

// A sanitizer's runtime may be in the program itself.
bool is_sanitizers_own(std::string_view function) {
  return function.starts_with("__sanitizer") || function.starts_with("__ubsan") || function.starts_with("__asan") ||
         function == "asan_thread_start";
}

// A function may have several lambdas.
std::string with_line(const report::Location& l) {
  constexpr std::string_view kLambda = "{lambda}";
  if (l.begins == 0 || !l.function.ends_with(kLambda)) return l.function;
  return l.function.substr(0, l.function.size() - 1) + ":" + std::to_string(l.begins) + "}";
}

}  // namespace

Places::Places(const record::RunRecord& record, symbolize::Symbolizer& symbolizer, const std::string& directory)
    : record_(record),
      modules_(record::loaded_modules(record.modules)),
      symbolizer_(symbolizer),
      directory_(directory) {}

report::Stack Places::stack(const StackRef& stack) {
  report::Stack result;
  for (uint64_t address : addresses(stack))
    for (const report::Location& l : frames(address)) result.push_back(l);
  return result;
}

// That with the lowest rank, the innermost of several.
template <typename Rank>
report::Location Places::best_frame(const StackRef& stack, const Rank& rank) {
  const report::Location* best = nullptr;
  int best_rank = kNoFrame;
  for (uint64_t address : addresses(stack))
    for (const report::Location& l : frames(address))
      if (const int r = rank(l, address); r < best_rank) best = &l, best_rank = r;
  return best != nullptr ? *best : report::Location();
}

report::Location Places::place(const StackRef& stack) {
  return best_frame(stack, [&](const report::Location& l, uint64_t address) {
    if (l.system) return is_startup(l.function) ? kNoFrame : 4;
    return (is_own(address) ? 0 : 2) + l.file.empty();
  });
}

report::Location Places::fault_place(const StackRef& stack) {
  return best_frame(stack, [](const report::Location& l, uint64_t) {
    if (l.system) return is_startup(l.function) ? kNoFrame : 4;
    return 0 + l.file.empty();
  });
}

report::Location Places::place_in_user_code(uint64_t pc) {
  const auto event = std::ranges::find(record_.events, pc, &Event::pc);
  return event == record_.events.end() ? place(pc) : place(stack_of(*event));
}

std::string Places::entry(const StackRef& stack) {
  std::string name;
  for (uint64_t address : addresses({.id = stack.id}))
    for (const report::Location& l : frames(address))
      if (!l.system && !l.function.empty()) name = with_line(l);
  return name;
}

std::string Places::function_at(uint64_t address) {
  const report::Location l = locations(address, symbolize::PcKind::kExact).front();
  return l.system || l.module.empty() ? "" : with_line(l);
}

std::string Places::variable(uint64_t address) {
  const LoadedModule* m = module_at(address);
  if (m == nullptr) return thread_variable(address);
  const auto found = symbolizer_.variable({m->path, m->build_id}, address - m->bias);
  return found ? symbolize::short_variable_name(found->name) : "";
}

report::FindingBlock Places::block(uint64_t address, uint64_t number) {
  if (number == 0 || number > record_.blocks.size()) return {};
  const wire::HeapBlock& b = record_.blocks[number - 1];
  return {true, b.size, address - b.address, b.thread, allocation_place(b)};
}

std::string Places::label(uint64_t address) const {
  const auto at = std::ranges::find(record_.labels, address, &wire::Label::address);
  return at == record_.labels.end() ? "?" : at->text;
}

const LoadedModule* Places::module_at(uint64_t address) const {
  for (const LoadedModule& m : modules_)
    if (m.begin <= address && address < m.end) return &m;
  return nullptr;
}

bool Places::is_own(uint64_t address) const {
  const LoadedModule* m = module_at(address);
  return m != nullptr && symbolize::is_own_module(m->path, modules_.front().path);
}

bool Places::is_runtime(uint64_t address) const {
  const LoadedModule* m = module_at(address);
  if (m == nullptr) return false;
  const std::string_view name = symbolize::base_name(m->path);
  return name.starts_with("libsnarl_rt") || name.starts_with("libsnarl.so");
}

// "T1's cache_lock"
std::string Places::thread_variable(uint64_t address) {
  for (const wire::Thread& thread : record_.threads)
    for (const wire::Module& m : record_.modules) {
      const uint64_t offset = address - (thread.thread_pointer - m.tls_below);
      if (thread.thread_pointer == 0 || m.tls_below == 0 || offset >= m.tls_size) continue;
      const auto found = symbolizer_.thread_variable({m.path, build_id_text({m.build_id, m.build_id_size})}, offset);
      const std::string name = found ? symbolize::short_variable_name(found->name) : "";
      return name.empty() ? "" : report::thread_name(thread.ordinal) + "'s " + name;
    }
  return "";
}

// The first frame in the user's code: an allocator of the standard library is not an answer.
report::Location Places::allocation_place(const wire::HeapBlock& block) {
  for (uint32_t i = 0; i < block.depth; ++i)
    for (const report::Location& l : frames(block.frames[i]))
      if (!l.system && !l.file.empty()) return l;
  return {};
}

// What is in no module is the mark at the end of a stack, or a jump to nowhere.
std::vector<uint64_t> Places::addresses(const StackRef& stack) const {
  const std::span<const uint64_t> frames = record_.stack(stack.id);
  std::vector<uint64_t> result(frames.begin(), frames.end());
  size_t ours = 0;
  while (ours < result.size() && is_runtime(result[ours])) ++ours;
  result.erase(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(ours));
  std::erase_if(result, [&](uint64_t address) { return module_at(address) == nullptr && !is_fault(address); });
  if (result.empty() && stack.pc != 0) result.push_back(stack.pc);
  return result;
}

const std::vector<report::Location>& Places::frames(uint64_t address) {
  auto [at, is_new] = cache_.try_emplace(address);
  if (is_new)
    at->second = locations(address, is_fault(address) ? symbolize::PcKind::kExact : symbolize::PcKind::kReturnAddress);
  return at->second;
}

std::vector<report::Location> Places::locations(uint64_t address, symbolize::PcKind kind) {
  const LoadedModule* m = module_at(address);
  if (m == nullptr) return {report::Location{.function = "?", .system = true}};
  std::vector<report::Location> result;
  for (const symbolize::Frame& frame : symbolizer_.place({m->path, m->build_id}, address - m->bias, kind).frames)
    result.push_back(location(frame, *m, address));
  return result;
}

report::Location Places::location(const symbolize::Frame& frame, const LoadedModule& m, uint64_t address) const {
  report::Location l;
  l.function = symbolize::short_function_name(frame.function);
  l.path = frame.file;
  l.file = frame.file.empty() ? "" : symbolize::display_path(frame.file, directory_);
  l.line = frame.line;
  l.column = frame.column;
  l.begins = frame.begins;
  l.module = symbolize::base_name(m.path);
  l.offset = address - m.bias;
  l.inlined = frame.inlined;
  l.system = frame.system || is_startup(l.function) || is_sanitizers_own(l.function);
  return l;
}

}  // namespace snarl::explain
