#include "report/summary.h"

#include "report/chosen_fields.h"
#include "report/json_archive.h"

namespace snarl::report {

template <typename Archive>
void fields(Archive& a, PolicyCount& p) {
  a("policy", p.policy);
  a("schedules", p.schedules);
  a("failing_schedules", p.failing_schedules);
  a.added("hit_rate", p.hit_rate);
  a.added("hit_rate_low", p.hit_rate_low);
  a.added("hit_rate_high", p.hit_rate_high);
  a.added("first_after", p.first_after);
  a.added("seconds", p.seconds);
  a.maybe("exhausted", p.exhausted);
}

template <typename Archive>
void fields(Archive& a, FoundBy& f) {
  a("policy", f.policy);
  a("schedules", f.schedules);
}

template <typename Archive>
void fields(Archive& a, Bound& b) {
  a("policy", b.policy);
  a("depth", b.depth);
  a("threads", b.threads);
  a("steps", b.steps);
  a("counted", b.counted);
  a("probability", b.probability);
  a.added("time_out", b.time_out);
  a.added("passed_over", b.passed_over);
  a.added("starvation", b.starvation);
  a.added("watchdog", b.watchdog);
}

template <typename Archive>
void fields(Archive& a, Obeyed& o) {
  a("policy", o.policy);
  a("satisfied", o.satisfied);
  a("violated", o.violated);
  a("dead_end", o.dead_end);
  a("open", o.open);
}

template <typename Archive>
void fields(Archive& a, ProfileEpoch& p) {
  a("epoch", p.epoch);
  a("first_index", p.first_index);
  a("threads", p.threads);
  a("steps", p.steps);
  a.maybe("groups", p.groups);
}

template <typename Archive>
void fields(Archive& a, SeenOrders& o) {
  a("schedules", o.schedules);
  a("distinct", o.distinct);
  a("left", o.left);
  a("quiet", o.quiet);
}

template <typename Archive>
void fields(Archive& a, Repeatable& r) {
  a("same", r.same);
  a("of", r.of);
}

template <typename Archive>
void fields(Archive& a, SummaryFinding& f) {
  a("id", f.id);
  a("kind", f.kind);
  a("signature", f.signature);
  a("place", f.place);
  a.maybe("function", f.function);
  a("policy", f.policy);
  a.wide("seed", f.seed);
  a("index", f.index);
  a("switches", f.switches);
  a("depth", f.depth);
  a("folder", f.folder);
  a("schedules", f.schedules);
  a("confirmed", f.confirmed);
  a("summary", f.summary);
  a.added("found_by", f.found_by);
}

template <typename Archive>
void fields(Archive& a, SummaryNote& n) {
  a("kind", n.kind);
  a("text", n.text);
  a("schedules", n.schedules);
}

template <typename Archive>
void fields(Archive& a, SummarySuppression& s) {
  a("text", s.text);
  a("line", s.line);
  a("findings", s.findings);
  a("schedules", s.schedules);
}

template <typename Archive>
void fields(Archive& a, AtomicSites& s) {
  a("found", s.found);
  a("patched", s.patched);
  a("unread_files", s.unread_files);
  a("refused_files", s.refused_files);
  a.added("disputed", s.disputed);
}

template <typename Archive>
void fields(Archive& a, AllMemoryRuns& m) {
  a("schedules", m.schedules);
  a("steps", m.steps);
}

template <typename Archive>
void fields(Archive& a, UnpatchedFile& f) {
  a("file", f.file);
  a("why", f.why);
}

template <typename Archive>
void fields(Archive& a, SpinLoop& l) {
  a("place", l.place);
  a.maybe("function", l.function);
  a("is_point", l.is_point);
}

template <typename Archive>
void fields(Archive& a, NamedFunctionsSeen& s) {
  a("found", s.found);
  a("patched", s.patched);
}

template <typename Archive>
void fields(Archive& a, ChosenDeadlines& c) {
  a("deadlines", c.deadlines);
  a("schedules", c.schedules);
}

template <typename Archive>
void fields(Archive& a, Summary& s) {
  a("version", s.version);
  a("command", s.command);
  a.wide("seed", s.seed);
  a("schedules", s.schedules);
  a("failing_schedules", s.failing_schedules);
  a("seconds", s.seconds);
  a("cpu_seconds", s.cpu_seconds);
  a("switching", s.switching);
  a("reset", s.reset);
  a.maybe("time", s.time);
  a("policy", s.policy);
  a("points", s.points);
  a.added("atomic_sites", s.atomic_sites);
  a.added("all_memory", s.all_memory);
  a.maybe("unpatched", s.unpatched);
  a.maybe("spin_loops", s.spin_loops);
  a.added("named_functions", s.named_functions);
  a("points_seen", s.points_seen);
  a("threads", s.threads);
  a("steps", s.steps);
  a("bound", s.bound);
  a.maybe("obeyed", s.obeyed);
  a("distinct_schedules", s.distinct_schedules);
  a.added("orders", s.orders);
  a("repeatable", s.repeatable);
  a("unconfirmed", s.unconfirmed);
  a("lost", s.lost);
  a.added("too_long", s.too_long);
  a.maybe("longest", s.longest);
  a.added("step_budget", s.step_budget);
  a.added("exhausted", s.exhausted);
  a.added("chosen_deadlines", s.chosen_deadlines);
  a("findings", s.findings);
  a.maybe("notes", s.notes);
  a.maybe("suppressions_file", s.suppressions_file);
  a.maybe("suppressions", s.suppressions);
  a("profiles", s.profiles);
  a("interrupted", s.interrupted);
  a.added("keep_going", s.keep_going);
  a("output", s.output);
}

Step enough_steps(const Summary& summary) {
  const Step least = summary.longest + summary.longest / 4;
  Step unit = 1;
  while (least / unit >= 100) unit *= 10;
  return (least + unit - 1) / unit * unit;
}

// A thousand, so that less than half a per cent of what is drawn would be new, with 99 % confidence; and half of all.
bool is_quiet(const SeenOrders& orders) { return orders.quiet >= 1000 && orders.quiet >= orders.schedules / 2; }

json to_json(const Summary& summary) { return write_json(summary, kSummarySchema); }

Expected<Summary> summary_from_json(const json& j) { return read_json<Summary>(j, kSummarySchema); }

std::string summary_json_text(const Summary& summary) { return json_text(to_json(summary)); }

}  // namespace snarl::report
