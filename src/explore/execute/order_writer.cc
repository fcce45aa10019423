#include "explore/execute/order_writer.h"

#include <algorithm>

#include "record/modules.h"
#include "record/wire_reader.h"

namespace snarl::explore {
namespace {

std::vector<LoadedModule> modules_of(const wire::Layout& layout) {
  return record::loaded_modules(record::read_modules(layout));
}

void write_follow(const RunOrder& order, wire::Layout& layout) {
  std::vector<Decision> follow;
  if (order.follow) follow = decisions_for(*order.follow, modules_of(layout));
  layout.command.follow_count = static_cast<uint32_t>(std::min<size_t>(follow.size(), wire::kMaxDecisions));
  std::copy_n(follow.begin(), layout.command.follow_count, layout.follow);
  const bool hangs = order.follow && order.follow->failure == name_of(OutcomeKind::kHang);
  layout.command.ends_in_hang = hangs ? 1 : 0;
}

const Directive* directive_of(const RunOrder& order, const Setup& setup) {
  if (order.directive) return order.directive.get();
  const auto at = setup.directives.find(order.key.policy.file);
  return at == setup.directives.end() ? nullptr : &at->second;
}

// Its constraints, with the places of this process.
void write_directive(const RunOrder& order, const Setup& setup, wire::Layout& layout) {
  layout.command.constraints = 0;
  const Directive* directive = directive_of(order, setup);
  if (directive == nullptr) return;
  const std::vector<Constraint> constraints = constraints_for(*directive, modules_of(layout));
  layout.command.constraints = static_cast<uint32_t>(std::min<size_t>(constraints.size(), kMaxConstraints));
  std::copy_n(constraints.begin(), layout.command.constraints, layout.directive);
}

}  // namespace

// The table is long, and the same for an epoch. A process that makes many runs leaves the command of its last one.
void OrderWriter::write_places(const RunOrder& order, wire::Layout& layout) {
  if (order.places == nullptr || order.places != places_) {
    record::write_places(order.places.get(), layout);
    written_places_ = layout.command.places;
  }
  layout.command.places = written_places_;
  places_ = order.places;
}

void OrderWriter::write(const RunOrder& order, const Setup& setup, uint64_t run, bool fibers, wire::Layout& layout) {
  wire::Command& command = layout.command;
  command.run = run;
  command.key = order.key;
  command.settings = order.settings;
  command.fibers = fibers ? 1 : 0;
  std::ranges::copy(order.meeting, command.meeting);
  write_follow(order, layout);
  record::write_counts(order.counts ? *order.counts : record::CountTables(), layout);
  write_places(order, layout);
  record::write_groups(order.groups ? *order.groups : record::GroupNames(), layout);
  record::write_pairs(order.pairs.get(), order.pairs_since, layout);
  write_directive(order, setup, layout);
}

}  // namespace snarl::explore
