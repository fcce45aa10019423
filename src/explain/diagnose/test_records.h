// Records of runs, made by hand, for tests of what is told about them.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "explain/diagnose/diagnose.h"
#include "report/text/finding_words.h"
#include "report/text/row_words.h"
#include "report/text/thread_words.h"
#include "report/thread_name.h"
#include "symbolize/symbolizer.h"

namespace snarl::explain {

constexpr uint64_t kHeapA = 0x7000'0000'1000, kHeapB = 0x7000'0000'2000;
constexpr uint64_t kBias = 0x5550'0000'0000;

inline wire::Module module(uint64_t begin, uint64_t end, uint64_t bias, const char* path) {
  wire::Module m;
  m.begin = begin;
  m.end = end;
  m.bias = bias;
  std::strncpy(m.path, path, sizeof m.path - 1);
  return m;
}

// A module that does not exist: places are module+offset.
inline wire::Module unknown_bank(uint64_t bias = kBias) { return module(bias, bias + 0x10000, bias, "/nowhere/bank"); }
inline wire::Module libc(uint64_t bias = kBias) {
  return module(bias + 0x100000, bias + 0x200000, bias + 0x100000, "/lib/libc.so.6");
}

inline wire::Thread live(uint32_t ordinal, OpKind pending, uint64_t object, uint64_t pc) {
  wire::Thread t;
  t.phase = wire::ThreadPhase::kLive;
  t.ordinal = ordinal;
  t.pending.kind = pending;
  t.pending.object = object;
  t.pending.pc = pc;
  return t;
}

inline Event event(Step step, uint32_t thread, OpKind kind, uint64_t object, uint64_t pc,
                   Reason switched = Reason::kNone) {
  Event e;
  e.step = step;
  e.thread = thread & Event::kMostThreads;
  e.kind = kind;
  e.object = object;
  e.pc = pc;
  e.switched = switched;
  return e;
}

// The record has that stack from now on: its id.
inline uint32_t add_stack(record::RunRecord& r, std::initializer_list<uint64_t> frames) {
  r.stacks.push_back({static_cast<uint32_t>(r.frames.size()), static_cast<uint32_t>(frames.size())});
  r.frames.insert(r.frames.end(), frames);
  return static_cast<uint32_t>(r.stacks.size());
}

inline Decision decision(Step step, uint32_t from, uint32_t to, Reason reason, OpKind kind, uint64_t pc) {
  Decision d;
  d.step = step;
  d.from = from;
  d.to = to;
  d.reason = reason;
  d.kind = kind;
  d.pc = pc;
  return d;
}

// The deadlock of INTERFACE.md: T1 holds `a` and wants `b`, T2 the other way round.
inline record::RunRecord deadlock(uint64_t a, uint64_t b, uint64_t first, uint64_t second,
                                  const wire::Module& program) {
  record::RunRecord r;
  r.outcome = OutcomeKind::kDeadlock;
  r.key.seed = 0x5eed;
  r.key.index = 9120;
  r.steps = 4;
  r.switches = 3;
  r.modules = {program};
  r.threads = {live(0, OpKind::kJoin, 0, first), live(1, OpKind::kLock, b, second), live(2, OpKind::kLock, a, second)};
  r.threads[0].pending.thread = 1;
  wire::Held one, two;
  one.object = a, one.owner = 1, one.pc = first;
  two.object = b, two.owner = 2, two.pc = first;
  r.held = {one, two};
  r.events = {event(0, 0, OpKind::kCreate, 0, first), event(1, 1, OpKind::kStart, 0, 0, Reason::kBlocked),
              event(2, 1, OpKind::kLock, a, first), event(3, 2, OpKind::kStart, 0, 0, Reason::kPreempted),
              event(4, 2, OpKind::kLock, b, first)};
  r.events[0].value = 1;
  r.decisions = {decision(0, 0, 1, Reason::kBlocked, OpKind::kJoin, first),
                 decision(2, 1, 2, Reason::kPreempted, OpKind::kLock, second)};
  return r;
}

inline record::RunRecord unknown_deadlock(uint64_t bias = kBias) {
  return deadlock(kHeapA, kHeapB, bias + 0x100, bias + 0x200, unknown_bank(bias));
}

// T2 unlocks what T1 has locked; the run ends well.
inline record::RunRecord misuse() {
  record::RunRecord r;
  r.outcome = OutcomeKind::kOk;
  r.modules = {unknown_bank()};
  r.threads = {live(0, OpKind::kNone, 0, 0), live(1, OpKind::kNone, 0, 0), live(2, OpKind::kNone, 0, 0)};
  r.events = {event(1, 1, OpKind::kLock, kHeapA, kBias + 0x100), event(2, 2, OpKind::kUnlock, kHeapA, kBias + 0x200),
              event(3, 2, OpKind::kExit, 0, 0)};
  wire::MisuseEntry entry;
  entry.what = {.kind = MisuseKind::kUnlockNotOwner,
                .op = OpKind::kUnlock,
                .other_op = OpKind::kLock,
                .thread = 2,
                .other = 1,
                .object = kHeapA,
                .pc = kBias + 0x200,
                .other_pc = kBias + 0x100};
  entry.step = 2;
  entry.events = 2;
  r.misuses = {entry};
  return r;
}

inline FindingContext context() {
  FindingContext c;
  c.id = "0001";
  c.policy = "pct:depth=2";
  c.program = "/nowhere/bank";
  c.argv = {"./bank"};
  return c;
}

inline report::Finding finding_of(const record::RunRecord& r) {
  symbolize::Symbolizer symbolizer;
  return diagnose(r, &r, symbolizer, context());
}

// Its rows in words.
inline std::vector<std::string> texts(const report::Finding& f) {
  const report::ActWords words(f.objects);
  std::vector<std::string> rows;
  for (const report::FindingRow& r : f.rows) {
    const report::RowWords told = words_of(r, words, headline_of(f));
    rows.push_back(report::thread_name(r.thread) + " " + told.text + (told.note.empty() ? "" : " (" + told.note + ")"));
  }
  return rows;
}

// What that thread does, in words.
inline std::string doing(const report::Finding& f, size_t thread) {
  return doing_text(f.threads[thread], report::ActWords(f.objects));
}

}  // namespace snarl::explain
