// What threads wait for that no operation of the program's threads is known to bring about:
// data in a pipe, a child's end, a signal. Asked by the conductor, known to the runtime.
#pragma once

#include <cstdint>

#include "model/model.h"

namespace snarl::conduct {

class Outside {
 public:
  // Is anybody waiting for the outside? Asked at every step, hence no virtual function.
  bool any() const { return any_; }
  const bool& any_seen() const { return any_; }  // where that stands

  // Can what they wait for come from outside at all, or only from the program's own threads?
  virtual bool may_come() const { return true; }

  // Looks once, without waiting, and tells the model who is ready now.
  virtual void look(model::Model& model) = 0;

  // Nobody is enabled: waits, in real time, until somebody is ready or so many nanoseconds
  // have passed (then the next deadline may come). False if it has waited long enough to
  // call it a hang.
  virtual bool wait(model::Model& model, uint64_t nanoseconds) = 0;

  // A replay goes on with the step of `t`: waits, in real time and not for ever, until it is ready.
  virtual bool wait_for(model::Model&, ThreadId /*t*/) { return false; }

  // The deadline of that alarm has come.
  virtual void fired(model::Model&, int /*alarm*/) {}
  // All who can run only spin: lets some real time pass, in which somebody outside may do what they wait
  // for. False if there is somebody who well might, such as a child of the process.
  virtual bool pause() { return true; }

 protected:
  ~Outside() = default;
  void set_any(bool any) { any_ = any; }

 private:
  bool any_ = false;
};

}  // namespace snarl::conduct
