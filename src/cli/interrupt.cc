#include "cli/interrupt.h"

#include <signal.h>
#include <sys/signalfd.h>

namespace snarl::cli {

Interrupt::Interrupt() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGINT, SIGTERM, SIGQUIT}) sigaddset(&set, number);  // even where a shell's & has them ignored
  struct sigaction before {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaddset(&set, SIGHUP);  // nohup stays nohup
  sigprocmask(SIG_BLOCK, &set, nullptr);
  fd_.reset(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
}

int Interrupt::taken() {
  signalfd_siginfo info{};
  if (number_ == 0 && read(fd_.get(), &info, sizeof info) == sizeof info) number_ = static_cast<int>(info.ssi_signo);
  return number_;
}

}  // namespace snarl::cli
