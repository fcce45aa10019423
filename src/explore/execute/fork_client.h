// The explorer's end of a fork server: a tested process that waits at main and clones a
// child, whose parent we are, for each request.
#pragma once

#include <optional>

#include "base/error.h"
#include "os/launch.h"
#include "os/process.h"
#include "record/wire_memory.h"

namespace snarl::explore {

class Server {
 public:
  // Starts `what` with the wire and a control socket. Returns before it is ready.
  static Expected<Server> start(os::Launch what, record::WireMemory& wire, os::Guard& guard);

  // At main, with its modules listed. False for ever if it died.
  bool ready(const wire::Layout& layout) const;
  std::optional<os::ProcessEnd> reap() { return process_.reap(); }
  std::optional<os::ProcessEnd> reap_within(int milliseconds) { return process_.reap_within(milliseconds); }

  // Orders the run that stands in the wire.
  Status request(uint64_t run);
  // The child's pid once the server has answered; an error if it could not clone or is gone.
  std::optional<Expected<pid_t>> reply();

  // A server that makes the runs itself, one after the other (reset rewind), answers when the run is over.
  void send(int signal) { process_.send(signal); }
  void kill() { process_.kill(); }

  int control() const { return control_.get(); }
  int pidfd() const { return process_.pidfd(); }
  pid_t pid() const { return process_.pid(); }

 private:
  Server(os::Process process, os::Fd control) : process_(std::move(process)), control_(std::move(control)) {}

  os::Process process_;
  os::Fd control_;
};

}  // namespace snarl::explore
