// What threads wait for that no operation of the program's threads is known to cause: data in a pipe, the end of a
// child, a signal. The conductor asks; the runtime knows.
#pragma once

#include <cstdint>

#include "model/model.h"

namespace snarl::conduct {

class Outside {
 public:
  // Is a thread waiting for something outside? Asked at every step, hence not virtual.
  bool any() const { return any_; }
  const bool& any_seen() const { return any_; }  // where that stands

  // Can it come from outside at all, or only from the program's own threads?
  virtual bool may_come() const { return true; }

  // Looks once, without waiting, and tells the model which threads are ready now.
  virtual void look(model::Model& model) = 0;

  // No thread is enabled: waits, in real time, until one is ready or this many nanoseconds have passed (then the next
  // deadline may come). False if it has waited long enough to call it a hang.
  virtual bool wait(model::Model& model, uint64_t nanoseconds) = 0;

  // A replay continues with the step of `t`: waits, in real time and with a limit, until it is ready.
  virtual bool wait_for(model::Model&, ThreadId /*t*/) { return false; }

  // The deadline of that alarm has come.
  virtual void fired(model::Model&, int /*alarm*/) {}
  // All threads that can run only spin: lets some real time pass, in which something outside may do what they wait for.
  // False if something well might, such as a child of the process.
  virtual bool pause() { return true; }

 protected:
  ~Outside() = default;
  void set_any(bool any) { any_ = any; }

 private:
  bool any_ = false;
};

}  // namespace snarl::conduct
