// The explorer's end of a fork server: a tested process that waits at main and clones a
// child, whose parent we are, for each request.
#pragma once

#include <optional>

#include "base/error.h"
#include "explore/launch.h"
#include "explore/process.h"
#include "explore/wire_memory.h"

namespace snarl {

class Server {
 public:
  // Starts `what` with the wire and a control socket. Returns before it is ready.
  static Expected<Server> start(Launch what, WireMemory& wire, Guard& guard);

  // At main, with its modules listed. False for ever if it died.
  bool ready(const wire::Layout& layout) const;
  std::optional<Ending> reap() { return process_.reap(); }
  std::optional<Ending> reap_within(int milliseconds) { return process_.reap_within(milliseconds); }

  // Orders the run that stands in the wire.
  Status request(uint64_t run);
  // The child's pid once the server has answered; an error if it could not clone or is gone.
  std::optional<Expected<pid_t>> reply();

  int control() const { return control_.get(); }
  int pidfd() const { return process_.pidfd(); }
  pid_t pid() const { return process_.pid(); }

 private:
  Server(Process process, Fd control) : process_(std::move(process)), control_(std::move(control)) {}

  Process process_;
  Fd control_;
};

}  // namespace snarl
