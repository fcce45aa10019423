#include "report/checkup.h"

#include "report/chosen_fields.h"
#include "report/json_archive.h"

namespace snarl::report {

template <typename Archive>
void fields(Archive& a, ProgramFacts& p) {
  a("path", p.path);
  a.maybe("script", p.script);
  a("linking", p.linking);
  a("pie", p.pie);
  a("symbols", p.symbols);
  a("debug_info", p.debug_info);
  a("build_id", p.build_id);
  a("sanitizers", p.sanitizers);
  a("runtimes", p.runtimes);
}

template <typename Archive>
void fields(Archive& a, ModuleFacts& m) {
  a("name", m.name);
  a("path", m.path);
  a("brings", m.brings);
}

template <typename Archive>
void fields(Archive& a, CheckupEffect& e) {
  a("kind", e.kind);
  a("what", e.what);
  a("times", e.times);
}

template <typename Archive>
void fields(Archive& a, CheckupCall& c) {
  a("module", c.module);
  a("call", c.call);
  a("times", c.times);
}

template <typename Archive>
void fields(Archive& a, ObservedRun& r) {
  a.maybe("could_not", r.could_not);
  a("ended", r.ended);
  a("seconds", r.seconds);
  a("threads", r.threads);
  a("effects", r.effects);
  a.maybe("more_effects", r.more_effects);
  a("inline_calls", r.inline_calls);
}

template <typename Archive>
void fields(Archive& a, ControlledRun& r) {
  a("outcome", r.outcome);
  a("seconds", r.seconds);
  a("threads", r.threads);
  a("steps", r.steps);
  a("repeatable", r.repeatable);
}

template <typename Archive>
void fields(Archive& a, Checkup& c) {
  a("version", c.version);
  a("command", c.command);
  a("testable", c.testable);
  a("verdict", c.verdict);
  a("hint", c.hint);
  a("program", c.program);
  a("modules", c.modules);
  a("switching", c.switching);
  a("reset", c.reset);
  a("observed", c.observed);
  a("controlled", c.controlled);
  a("notes", c.notes);
}

json to_json(const Checkup& checkup) { return write_json(checkup, kCheckupSchema); }

Expected<Checkup> checkup_from_json(const json& j) { return read_json<Checkup>(j, kCheckupSchema); }

std::string checkup_json_text(const Checkup& checkup) { return json_text(to_json(checkup)); }

}  // namespace snarl::report
