#include "explore/execute/fork_client.h"

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

#include "explore/target/environment.h"
#include "os/system.h"

namespace snarl::explore {

Expected<Server> Server::start(os::Launch what, record::WireMemory& wire, os::Guard& guard) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return os::system_error("can't make a socket");
  os::Fd ours(ends[0]);
  Expected<os::Fd> theirs = os::move_up(os::Fd(ends[1]));
  if (!theirs) return theirs.error();

  wire.layout().state.phase.store(wire::Phase::kNothing);
  what.environment.push_back(wire_variable(wire.fd(), theirs->get()));
  what.keep = {wire.fd(), theirs->get()};
  Expected<pid_t> pid = os::launch(what);
  if (!pid) return pid.error();
  Expected<os::Process> process = os::Process::adopt(*pid, what.own_group, guard);
  if (!process) return process.error();
  return Server(std::move(*process), std::move(ours));
}

bool Server::ready(const wire::Layout& layout) const {
  return layout.state.phase.load(std::memory_order_acquire) == wire::Phase::kReady;
}

Status Server::request(uint64_t run) {
  const wire::Request request{run};
  if (::send(control_.get(), &request, sizeof request, MSG_NOSIGNAL) != sizeof request)
    return os::system_error("the program's start process does not listen");
  return Done{};
}

std::optional<Expected<pid_t>> Server::reply() {
  wire::Reply reply;
  const ssize_t got = recv(control_.get(), &reply, sizeof reply, MSG_DONTWAIT);
  if (got < 0 && (errno == EAGAIN || errno == EINTR)) return std::nullopt;
  if (got != sizeof reply) return Error{"the program's start process is gone"};
  if (reply.pid <= 1 || reply.pid > 0x7fffffff)
    return Error{std::string("the program's start process can't clone itself: ") +
                 strerror(static_cast<int>(-reply.pid))};
  return static_cast<pid_t>(reply.pid);
}

}  // namespace snarl::explore
