#include "os/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace snarl::os {
namespace {

struct sigaction given;  // SIGPIPE's; zero: the default

}  // namespace

// In order, because the lowest free number is the one that is missing.
void secure_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", O_RDWR | O_CLOEXEC);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, &given);
}

void give_back_sigpipe() { sigaction(SIGPIPE, &given, nullptr); }

}  // namespace snarl::os
