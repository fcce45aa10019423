#include "library/body_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "os/system.h"
#include "runtime/reset/batch.h"

namespace snarl::library {
namespace {

constexpr int kPatience = 120'000;  // ms for an answer: the first comes when all loaded files have been scanned

bool has_atomic_points(const SharedMemory& memory) {
  return (memory.wire.command.settings.points & kAtomicPoints) != 0;
}

}  // namespace

BodyServer::BodyServer(SharedMemory memory, const runtime::Body& body, void (*prepare)())
    : memory_(memory), body_(body), prepare_(prepare) {}

BodyServer::~BodyServer() { stop(); }

void BodyServer::stop() {
  if (child_ < 0) return;
  kill(child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  control_ = os::Fd();
}

void BodyServer::serve(int control, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  setpgid(0, 0);
  control_ = os::Fd();
  const os::Fd nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  dup2(nowhere.get(), STDOUT_FILENO);
  dup2(nowhere.get(), STDERR_FILENO);
  memory_.wire.options.cpu = -1;  // each copy looks for itself where it is
  if (prepare_ != nullptr) prepare_();
  runtime::serve_batches(memory_.wire, memory_.batch, body_, control);
}

// Both ends are far up: the numbers of the files that a body opens are the same in all children.
bool BodyServer::start() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return false;
  Expected<os::Fd> ours = os::move_up(os::Fd(ends[0])), theirs = os::move_up(os::Fd(ends[1]));
  if (!ours || !theirs) return false;
  control_ = std::move(*ours);
  patches_ = has_atomic_points(memory_);
  unpatched_ = memory_.wire.options.unpatched;
  std::fflush(nullptr);  // or a body that calls exit would write it once more
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0) serve(theirs->get(), parent);
  return child_ > 0;
}

std::optional<pid_t> BodyServer::ask() const {
  const wire::Request request{memory_.wire.command.run};
  if (send(control_.get(), &request, sizeof request, MSG_NOSIGNAL) != sizeof request) return std::nullopt;
  pollfd answer{control_.get(), POLLIN, 0};
  int ready;
  while ((ready = poll(&answer, 1, kPatience)) < 0 && errno == EINTR) {
  }
  wire::Reply reply;
  if (ready != 1 || recv(control_.get(), &reply, sizeof reply, 0) != sizeof reply) return std::nullopt;
  return reply.pid > 1 ? std::optional(static_cast<pid_t>(reply.pid)) : std::nullopt;
}

std::optional<pid_t> BodyServer::copy() {
  if (has_failed_ || (child_ >= 0 && patches_ != has_atomic_points(memory_))) return std::nullopt;
  if (memory_.wire.options.stepped[0] != '\0') return std::nullopt;
  if (child_ >= 0 && is_for_other_files()) stop();
  std::optional<pid_t> made;
  if (child_ >= 0 || start()) made = ask();
  has_failed_ = !made;
  if (has_failed_) stop();
  return made;
}

}  // namespace snarl::library
