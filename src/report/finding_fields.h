// The fields of a finding, each once (json_archive.h says how such a list is read). report.json is written and read
// with them, and whoever wants all texts of a finding goes through them. Words that follow from the fields are not
// among them: report/formats/finding_json adds those. Only for .cc files of src/report.
#pragma once

#include "report/finding.h"
#include "report/finding_names.h"

namespace snarl::report {

template <typename Archive>
void fields(Archive& a, Location& l) {
  a.maybe("function", l.function);
  a.maybe("file", l.file);
  a.maybe("line", l.line);
  a.maybe("column", l.column);
  a.maybe("begins", l.begins);
  a.maybe("path", l.path);
  a.maybe("module", l.module);
  a.maybe("offset", l.offset);
  a.maybe("inlined", l.inlined);
  a.maybe("system", l.system);
}

template <typename Archive>
void fields(Archive& a, FindingBlock& b) {
  if (Archive::kWrites && !b.known) return;
  a.maybe("known", b.known);
  a.maybe("size", b.size);
  a.maybe("offset", b.offset);
  a.thread("thread", b.thread);
  a.maybe("place", b.place);
}

template <typename Archive>
void fields(Archive& a, FindingObject& o) {
  a("kind", o.kind);
  a("name", o.name);
  a.maybe("letter", o.letter);
  a.maybe("first", o.first);
  a.maybe("block", o.block);
}

template <typename Archive>
void fields(Archive& a, FindingAct& act) {
  a.maybe("operation", act.kind);
  a.maybe("after", act.after);
  a.maybe("kind_only", act.kind_only);
  a.index("object", act.object);
  a.index("second", act.second);
  a.thread("thread", act.thread);
  a.maybe("number", act.number);
  a.maybe("label", act.label);
  a.maybe("result", act.result);
}

template <typename Archive>
void fields(Archive& a, FindingValues& v) {
  a.maybe("bytes", v.bytes);
  a.maybe("has_was", v.has_was);
  a.maybe("has_left", v.has_left);
  a.maybe_wide("was", v.was);
  a.maybe_wide("left", v.left);
}

template <typename Archive>
void fields(Archive& a, FindingRow& r) {
  a.maybe("row", r.kind);
  a("step", r.step);
  a("thread", r.thread);
  a.maybe("act", r.act);
  a.maybe("place", r.place);
  a.maybe("reason", r.reason);
  a.maybe("holders", r.holders);
  a.maybe("more_holders", r.more_holders);
  a.maybe("behind_writer", r.behind_writer);
  a.maybe("value_changed", r.value_changed);
  a.maybe("skipped", r.skipped);
  a.maybe("wakes", r.wakes);
  a.maybe("wakes_nobody", r.wakes_nobody);
  a.maybe("values", r.values);
}

template <typename Archive>
void fields(Archive& a, FindingHeld& h) {
  a.index("index", h.object);
  a.maybe("how", h.how);
  a.maybe("place", h.place);
  a.maybe("stack", h.stack);
}

template <typename Archive>
void fields(Archive& a, FindingThread& t) {
  a("ordinal", t.ordinal);
  a("label", t.label);
  a("state", t.state);
  a("steps", t.steps);
  a.maybe("doing", t.doing);
  a.maybe("act", t.act);
  a.maybe("holder", t.holder);
  a.thread("held_by", t.held_by);
  a.maybe("arrived", t.arrived);
  a.maybe("expected", t.expected);
  a.maybe("holds", t.holds);
  a.maybe("place", t.place);
  a.maybe("stack", t.stack);
  a.thread("creator", t.creator);
  a.maybe("created_at", t.created_at);
}

template <typename Archive>
void fields(Archive& a, FindingSwitch& s) {
  a("step", s.step);
  a("from", s.from);
  a("to", s.to);
  a("reason", s.reason);
  a("operation", s.operation);
  a("nth", s.nth);
  a.maybe("place", s.place);
  a.maybe("from_timer", s.from_timer);
  a.maybe("to_timer", s.to_timer);
}

template <typename Archive>
void fields(Archive& a, FindingDeed& d) {
  a.maybe("deed", d.kind);
  a.thread("thread", d.thread);
  a.maybe("operation", d.operation);
  a.maybe("place", d.place);
  a.maybe("stack", d.stack);
  a.maybe("size", d.size);
  a.maybe("offset", d.offset);
  a.maybe("locks", d.locks);
  a.thread("creator", d.creator);
  a.index("object", d.object);
  a.maybe("order", d.order);
}

template <typename Archive>
void fields(Archive& a, FindingMisuse& m) {
  if (Archive::kWrites && m.kind == MisuseKind::kNone) return;
  a.maybe("kind", m.kind);
  a.maybe("operation", m.op);
  a.maybe("other_operation", m.other_op);
  a.maybe("shape", m.shape);
  a.thread("thread", m.thread);
  a.thread("other", m.other);
  a.thread("joined", m.joined);
  a.index("object", m.object);
  a.maybe("object_kind", m.object_kind);
  a.maybe("other_place", m.other_place);
  a.maybe("weak", m.weak);
}

template <typename Archive>
void fields(Archive& a, FindingDeadline& d) {
  if (Archive::kWrites && d.count == 0) return;
  a.maybe("nanoseconds", d.nanoseconds);
  a.maybe("count", d.count);
  a.maybe("alarm", d.alarm);
  a.thread("thread", d.thread);
  a.maybe("set_at", d.set_at);
  a.thread("other", d.other);
  a.maybe("other_at", d.other_at);
}

template <typename Archive>
void fields(Archive& a, WrongOutput& w) {
  a.maybe("kind", w.kind);
  a.maybe("line", w.line);
  a.maybe("on_stderr", w.on_stderr);
  a.maybe("expected", w.expected);
  a.maybe("got", w.got);
  a.maybe("ends_early", w.ends_early);
  a.maybe("has_more", w.has_more);
}

template <typename Archive>
void fields(Archive& a, FindingMoment& m) {
  a.thread("thread", m.thread);
  a.maybe("act", m.act);
  a.maybe("place", m.place);
  a.maybe("step", m.step);
  a.maybe("occurrence", m.occurrence);
  a.maybe("values", m.values);
}

template <typename Archive>
void fields(Archive& a, FindingConstraint& c) {
  a("sources", c.sources);
  a("target", c.target);
  a.maybe("schedules_without", c.runs_without);
  a.maybe("passing_without", c.passed_without);
}

// Its constraints stand beside it.
template <typename Archive>
void fields(Archive& a, FindingCause& c) {
  a.maybe("known", c.known);
  a.maybe("enough", c.enough);
  a.maybe("schedules", c.runs);
  a.maybe("failing", c.failed);
  a.maybe("priority_schedules", c.priority_runs);
  a.maybe("priority_failing", c.priority_failed);
  a.maybe("otherwise", c.otherwise);
  a.maybe("dead_ends", c.dead_ends);
  a.maybe("tries", c.tries);
}

template <typename Archive>
void fields(Archive& a, FindingCommand& c) {
  a("what", c.what);
  a("command", c.command);
}

template <typename Archive>
void fields(Archive& a, FindingSource& s) {
  a("path", s.path);
  a("line", s.line);
  a("text", s.text);
}

template <typename Archive>
void run_fields(Archive& a, Finding& f) {
  a("policy", f.policy);
  a.wide("seed", f.key.seed);
  a("index", f.key.index);
  a("schedules_before", f.schedules_before);
  a("seconds", f.seconds);
  a("switches", f.switches);
  a("steps", f.steps);
  a.settings("settings", f.settings);
  a("profile_threads", f.key.profile.threads);
  a("profile_steps", f.key.profile.steps);
  a("profile_epoch", f.key.profile.epoch);
  a("program", f.program);
  a("argv", f.argv);
  a("build_id", f.build_id);
}

template <typename Archive>
void failure_fields(Archive& a, Finding& f) {
  a("outcome", f.outcome);
  a.maybe("misuse", f.misuse);
  a.maybe("signal_number", f.signal);
  a.maybe("self_deadlock", f.self_deadlock);
  a.maybe("said", f.message);
  a.maybe("sanitizer_error", f.sanitizer_error);
  a.maybe("exception", f.exception);
  a.maybe("exception_says", f.exception_says);
  a.maybe("wrong_output", f.wrong_output);
  a.maybe("expected_exit", f.expected_exit);
  a.maybe("run_seconds", f.run_seconds);
  a.maybe("last_to_run", f.last_to_run);
  a("failing_thread", f.failing_thread);
  a.maybe_wide("fault_address", f.fault_address);
  a.maybe("exit_code", f.exit_code);
  a.maybe("out_tail", f.out_tail);
  a.maybe("err_tail", f.err_tail);
  a.maybe("deadline", f.deadline);
  a.maybe("deeds", f.deeds);
}

template <typename Archive>
void story_fields(Archive& a, Finding& f) {
  a("objects", f.objects);
  a("threads", f.threads);
  a("rows", f.rows);
  a.maybe("rows_lost", f.rows_lost);
  a("decisions", f.decisions);
  a.maybe("pattern", f.pattern.kind);
  a.maybe("moments", f.pattern.moments);
  a.maybe("cause", f.cause);
  a.maybe("constraints", f.cause.constraints);
  a.maybe("sources", f.sources);
}

template <typename Archive>
void fields(Archive& a, Finding& f) {
  a("id", f.id);
  a("signature", f.signature);
  a("hash", f.hash);
  a.maybe("place", f.place);
  a("confirmed", f.confirmed);
  a.maybe("doubt", f.doubt);
  run_fields(a, f);
  failure_fields(a, f);
  story_fields(a, f);
  a("folder", f.folder);
  a("commands", f.commands);
  a.maybe("switches_before_minimizing", f.switches_before_minimizing);
}

}  // namespace snarl::report
