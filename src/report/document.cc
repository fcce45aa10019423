#include "report/document.h"

#include "report/json_archive.h"

namespace snarl::report {

template <typename Archive>
void fields(Archive& a, Location& l) {
  a.maybe("function", l.function);
  a.maybe("file", l.file);
  a.maybe("line", l.line);
  a.maybe("column", l.column);
  a.maybe("path", l.path);
  a.maybe("module", l.module);
  a.maybe("offset", l.offset);
  a.maybe("inlined", l.inlined);
  a.maybe("system", l.system);
}

template <typename Archive>
void fields(Archive& a, DocumentObject& o) {
  a("kind", o.kind);
  a("name", o.name);
  a.maybe("letter", o.letter);
  a.maybe("first", o.first);
  a.maybe("about", o.about);
}

template <typename Archive>
void fields(Archive& a, DocumentHeld& h) {
  a("object", h.object);
  a.maybe("how", h.how);
  a.maybe("place", h.place);
  a.maybe("stack", h.stack);
}

template <typename Archive>
void fields(Archive& a, DocumentThread& t) {
  a("ordinal", t.ordinal);
  a("name", t.name);
  a("label", t.label);
  a("state", t.state);
  a("steps", t.steps);
  a.maybe("pending", t.pending);
  a.maybe("waits", t.waits);
  a.maybe("waits_for", t.waits_for);
  a.maybe("held_by", t.held_by);
  a.maybe("holds", t.holds);
  a.maybe("place", t.place);
  a.maybe("stack", t.stack);
  a.maybe("creator", t.creator);
  a.maybe("created_at", t.created_at);
}

template <typename Archive>
void fields(Archive& a, DocumentRow& r) {
  a("step", r.step);
  a("thread", r.thread);
  a("operation", r.operation);
  a("text", r.text);
  a.maybe("place", r.place);
  a.maybe("note", r.note);
  a.maybe("reason", r.reason);
  a("granted", r.granted);
  a.maybe("skipped", r.skipped);
}

template <typename Archive>
void fields(Archive& a, DocumentSwitch& s) {
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
void fields(Archive& a, DocumentDeed& d) {
  a("text", d.text);
  a.maybe("place", d.place);
  a.maybe("stack", d.stack);
}

template <typename Archive>
void fields(Archive& a, DocumentDeadline& d) {
  a.maybe("seconds", d.seconds);
  a.maybe("count", d.count);
  a.maybe("who", d.who);
  a.maybe("set_at", d.set_at);
  a.maybe("other", d.other);
  a.maybe("other_at", d.other_at);
}

template <typename Archive>
void fields(Archive& a, FindingCommand& c) {
  a("what", c.what);
  a("command", c.command);
}

template <typename Archive>
void run_fields(Archive& a, FindingDocument& f) {
  a("policy", f.policy);
  a.wide("seed", f.key.seed);
  a("index", f.key.index);
  a("schedules_before", f.schedules_before);
  a("seconds", f.seconds);
  a("switches", f.switches);
  a("steps", f.steps);
  a("profile_threads", f.key.profile.threads);
  a("profile_steps", f.key.profile.steps);
  a("profile_epoch", f.key.profile.epoch);
  a("program", f.program);
  a("argv", f.argv);
  a("build_id", f.build_id);
}

template <typename Archive>
void failure_fields(Archive& a, FindingDocument& f) {
  a("failing_thread", f.failing_thread);
  a.maybe("message", f.message);
  a.maybe("signal", f.signal);
  a.maybe_wide("fault_address", f.fault_address);
  a.maybe("exit_code", f.exit_code);
  a.maybe("out_tail", f.out_tail);
  a.maybe("err_tail", f.err_tail);
  a.maybe("deadline", f.deadline);
  a.maybe("deeds", f.deeds);
  a("objects", f.objects);
  a("threads", f.threads);
  a("rows", f.rows);
  a.maybe("rows_lost", f.rows_lost);
  a("decisions", f.decisions);
  a("line", f.line);
}

template <typename Archive>
void fields(Archive& a, FindingDocument& f) {
  a("id", f.id);
  a("kind", f.kind);
  a("signature", f.signature);
  a("hash", f.hash);
  a("headline", f.headline);
  a("summary", f.summary);
  a.maybe("place", f.place);
  a("confirmed", f.confirmed);
  a.maybe("doubt", f.doubt);
  run_fields(a, f);
  failure_fields(a, f);
  a("folder", f.folder);
  a("commands", f.commands);
  a.maybe("switches_before_minimizing", f.switches_before_minimizing);
  a.maybe("depth", f.depth);
  a.maybe("cause", f.cause);
}

json to_json(const FindingDocument& finding) { return write_json(finding, kFindingSchema); }

Expected<FindingDocument> finding_from_json(const json& j) { return read_json<FindingDocument>(j, kFindingSchema); }

std::string finding_json_text(const FindingDocument& finding) { return json_text(to_json(finding)); }

Expected<FindingDocument> finding_from_json_text(const std::string& text) {
  return finding_from_json(json::parse(text, nullptr, false));
}

}  // namespace snarl::report
