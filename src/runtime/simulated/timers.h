// Timers that no thread waits for, in virtual time: alarm, setitimer, timerfd, POSIX timers. Each is
// an alarm of the model (Model::set_alarm): the policy may let it come when nothing else comes first.
// One whose signal would end the process, and one that is far ahead (Model::is_far), comes only when nobody
// else can run: it is there to catch a program that hangs.
#pragma once

#include <signal.h>
#include <stdint.h>
#include <time.h>

namespace snarl::runtime::timers {

enum class Kind : uint8_t { kUnused, kInterval, kFd, kPosix };

// What it does when it comes. kInterval and kPosix send a signal, if there is one.
struct Effect {
  Kind kind = Kind::kUnused;
  int signal = 0;  // 0: none
  siginfo_t info = {};
  int tid = 0;      // the thread that the signal is for; 0: the process
  int fd = -1;      // kFd: the program's descriptor, an eventfd ...
  int own_fd = -1;  // ... and ours for the same, which the program can't close
};

// A new timer, not set; -1 if there are too many.
int make(const Effect& effect);
void drop(int timer);

// `deadline` in the model's nanoseconds; `interval` 0: once; `pc`: where in the program.
void set(int timer, uint64_t deadline, uint64_t interval, uint64_t pc);
void stop(int timer);

// Nanoseconds until it comes, 0 if it is not set; and its interval.
uint64_t remaining(int timer);
uint64_t interval_of(int timer);
int overrun_of(int timer);

// Has the program made one?
bool any();

bool is_kind(int timer, Kind kind);
int of_kind(Kind kind);  // the first of it; -1: none
int with_fd(int fd);     // -1: none

// Its deadline has come: called by the conductor's thread.
void fired(int timer);

// The program has read the descriptor: how often the timer has come beside the once that the
// descriptor says. It goes on if it repeats.
uint64_t read_from(int timer);

// A handler or sigwait has taken a signal that a timer may have sent while it was blocked.
void taken(int signal);

}  // namespace snarl::runtime::timers
