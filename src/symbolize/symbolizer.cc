#include "symbolize/symbolizer.h"

#include <utility>

#include "symbolize/module.h"
#include "symbolize/paths.h"
#include "symbolize/text.h"

namespace snarl::symbolize {

Symbolizer::Symbolizer(std::string debug_root) : debug_root_(std::move(debug_root)) {}
Symbolizer::~Symbolizer() = default;

Place Symbolizer::place(ModuleRef ref, uint64_t offset, PcKind kind) {
  Place place{std::string(ref.path), offset, {}, false};
  Module& module = open(ref.path);
  place.stale = !module.is_build(ref.build_id);
  const bool before = kind == PcKind::kReturnAddress && offset > 0;
  if (!place.stale) place.frames = module.frames(before ? offset - 1 : offset);
  if (place.frames.empty()) place.frames.emplace_back().function = std::string(base_name(ref.path)) + "+" + hex(offset);
  if (is_system_module(ref.path)) {
    for (Frame& frame : place.frames) frame.system = true;
  }
  return place;
}

std::optional<Variable> Symbolizer::variable(ModuleRef ref, uint64_t offset) {
  Module& module = open(ref.path);
  return module.is_build(ref.build_id) ? module.variable(offset) : std::nullopt;
}

std::optional<Variable> Symbolizer::thread_variable(ModuleRef ref, uint64_t offset) {
  Module& module = open(ref.path);
  return module.is_build(ref.build_id) ? module.thread_variable(offset) : std::nullopt;
}

Module& Symbolizer::open(std::string_view path) {
  if (last_ && path == last_path_) return *last_;
  const auto [at, added] = modules_.try_emplace(std::string(path));
  if (added) at->second = std::make_unique<Module>(at->first, debug_root_);
  last_ = at->second.get();
  last_path_ = at->first;
  return *last_;
}

}  // namespace snarl::symbolize
