#include "report/text/signal_name.h"

#include <iterator>

namespace snarl::report {
namespace {

// By number, from 1.
constexpr const char* kNames[] = {"HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",  "FPE",
                                  "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM", "STKFLT",
                                  "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",  "XCPU",
                                  "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS"};

}  // namespace

std::string signal_name(int signal) {
  const bool named = signal >= 1 && signal <= static_cast<int>(std::size(kNames));
  return named ? std::string("SIG") + kNames[signal - 1] : "signal " + std::to_string(signal);
}

}  // namespace snarl::report
