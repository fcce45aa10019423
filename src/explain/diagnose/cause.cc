#include "explain/diagnose/cause.h"

#include "explain/pattern/pattern.h"

namespace snarl::explain {
namespace {

class CauseTeller {
 public:
  CauseTeller(const report::Finding& f, Places& places, ObjectTable& objects, const record::RunRecord& run)
      : f_(f), places_(places), objects_(objects), r_(run) {}

  report::FindingMoment moment(const TracedEvent& event) {
    report::FindingMoment moment{.thread = event.ordinal, .act = ObjectTable::only(event.kind)};
    Step step = ~Step{0};
    if (event.index != TracedEvent::kPending) {
      if (event.index < r_.events_lost) return moment;
      const Event& e = r_.events[event.index - r_.events_lost];
      moment.place = places_.place(stack_of(e));
      moment.act = objects_.performed(act_of(e), moment.place);
      if (e.kind == OpKind::kAfter) set_object_before(moment, act_of(e));
      moment.step = step = e.step;
      set_values(moment);
    } else {
      set_pending(moment);
    }
    set_occurrence(moment, step);
    return moment;
  }

 private:
  void set_pending(report::FindingMoment& moment) {
    for (const wire::Thread& t : r_.threads) {
      if (t.phase != wire::ThreadPhase::kLive || t.ordinal != moment.thread) continue;
      moment.place = places_.place(stack_of(t));
      const Act act = act_of(t.pending, r_.threads);
      moment.act = objects_.pending(act, moment.place);
      if (act.kind == OpKind::kAfter) set_object_before(moment, act);
    }
  }

  // A point after an operation is told with what that worked on.
  void set_object_before(report::FindingMoment& moment, Act before) {
    before.kind = before.after;
    before.after = OpKind::kNone;
    if (before.object != 0) moment.act.object = objects_.pending(before, moment.place).object;
  }

  // As the table shows them.
  void set_values(report::FindingMoment& moment) const {
    if (moment.step == 0) return;
    for (const report::FindingRow& row : f_.rows)
      if (row.kind == report::RowKind::kStep && row.step == moment.step && row.thread == moment.thread)
        moment.values = row.values;
  }

  // Which time it is that the thread does so on that line, if it does so more than once.
  void set_occurrence(report::FindingMoment& moment, Step step) const {
    uint64_t before = 0, all = step == ~Step{0} ? 1 : 0;
    for (const report::FindingRow& row : f_.rows) {
      const bool same = row.kind == report::RowKind::kStep && row.thread == moment.thread &&
                        row.act.kind == moment.act.kind && row.place.file == moment.place.file &&
                        row.place.line == moment.place.line && row.place.offset == moment.place.offset;
      if (same) ++all, before += row.step < step ? 1 : 0;
    }
    if (all > 1) moment.occurrence = before + 1;
  }

  const report::Finding& f_;
  Places& places_;
  ObjectTable& objects_;
  const record::RunRecord& r_;
};

}  // namespace

void fill_cause(report::Finding& f, const Cause& cause, Places& places, ObjectTable& objects,
                const record::RunRecord& run) {
  report::FindingCause told{.known = true,
                            .enough = cause.state == CauseState::kProved,
                            .runs = cause.walk.runs,
                            .failed = cause.walk.failed,
                            .priority_runs = cause.by_priority.runs,
                            .priority_failed = cause.by_priority.failed,
                            .otherwise = cause.walk.otherwise + cause.by_priority.otherwise,
                            .dead_ends = cause.walk.dead_ends + cause.by_priority.dead_ends,
                            .tries = cause.tries};
  CauseTeller teller(f, places, objects, run);
  for (const CauseConstraint& c : cause.constraints) {
    report::FindingConstraint& constraint = told.constraints.emplace_back();
    for (const TracedEvent& source : c.sources) constraint.sources.push_back(teller.moment(source));
    constraint.target = teller.moment(c.target);
    constraint.runs_without = c.without.runs;
    constraint.passed_without = c.without.runs - c.without.failed - c.without.unclear;
  }
  f.cause = std::move(told);
}

void fill_pattern(report::Finding& f, const Cause* cause, Places& places, ObjectTable& objects,
                  const record::RunRecord& run) {
  const Pattern pattern = find_pattern(run, cause);
  f.pattern.kind = pattern.kind;
  CauseTeller teller(f, places, objects, run);
  for (const TracedEvent& event : pattern.moments) f.pattern.moments.push_back(teller.moment(event));
}

}  // namespace snarl::explain
