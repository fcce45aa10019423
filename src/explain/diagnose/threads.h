// What each thread was doing when the run ended.
#pragma once

#include <string>

#include "explain/diagnose/objects.h"
#include "explain/diagnose/places.h"
#include "explain/diagnose/rows.h"

namespace snarl::explain {

bool fails_in_one_thread(OutcomeKind kind);

// Who had the turn when time was up. A program that is ended by the timeout tells nothing more.
uint32_t last_to_run(const record::RunRecord& record);

class ThreadStates {
 public:
  // `rows` must have been built when a thread is described: its events tell who holds what. All must outlive it.
  ThreadStates(const record::RunRecord& record, Places& places, ObjectTable& objects, const Rows& rows)
      : r_(record), places_(places), objects_(objects), rows_(rows) {}

  report::FindingThread describe(const wire::Thread& thread);

 private:
  void set_creator(const wire::Thread& thread, report::FindingThread& result);
  report::ThreadState state(const wire::Thread& thread) const;
  std::string label(const wire::Thread& thread);
  void set_last_step(const wire::Thread& thread, report::FindingThread& result);
  void set_last_event(const Event& event, report::FindingThread& result);
  void set_pending(const wire::Thread& thread, report::FindingThread& result);
  void set_wait(const wire::Thread& thread, report::FindingThread& result);
  bool loops(const wire::Thread& thread) const;
  void set_arrived(const Op& op, report::FindingThread& result) const;
  void set_holder(uint64_t object, const wire::Thread& thread, report::FindingThread& result) const;
  void set_rwlock_holder(const wire::Thread& thread, report::FindingThread& result) const;
  void set_writer_ahead(const wire::Thread& thread, report::FindingThread& result) const;
  void set_once_runner(const wire::Thread& thread, report::FindingThread& result) const;
  void set_holds(const wire::Thread& thread, report::FindingThread& result);
  void set_rwlocks(const wire::Thread& thread, report::FindingThread& result);

  const record::RunRecord& r_;
  Places& places_;
  ObjectTable& objects_;
  const Rows& rows_;
};

}  // namespace snarl::explain
