// A child of the test's process that is ready for a body's first run, and copies itself for each child that is wanted.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "library/memory.h"
#include "os/fd.h"
#include "runtime/reset/body.h"
#include "schedule/points.h"

namespace snarl::library {

// What getting ready costs (listing and patching the loaded files) is paid once for all copies. They write to
// /dev/null. For one thread.
class BodyServer {
 public:
  BodyServer(SharedMemory memory, const runtime::Body& body, void (*prepare)());
  ~BodyServer();
  BodyServer(const BodyServer&) = delete;

  // A new child of ours, which does what the memory's order says. None if that can't be done in this way.
  std::optional<pid_t> copy();

 private:
  bool start();
  bool is_for_other_files() const { return unpatched_ != memory_.wire.options.unpatched; }
  [[noreturn]] void serve(int control, pid_t parent);
  std::optional<pid_t> ask() const;
  void stop();

  SharedMemory memory_;
  runtime::Body body_;
  void (*prepare_)();
  bool has_failed_ = false;
  pid_t child_ = -1;
  // What it got ready for.
  bool patches_ = false;   // atomic points
  std::string unpatched_;  // files without them
  os::Fd control_;
};

}  // namespace snarl::library
