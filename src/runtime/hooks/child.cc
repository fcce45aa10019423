// Children of the program. Making one is a step; the child is outside: nothing is controlled in it,
// and its environment is what it would be without us. Waiting for it is a step that is enabled
// when it has something to tell (runtime/hooks/wait.cc).
#include "runtime/simulated/child.h"

#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/hooks/fork_handlers.h"
#include "runtime/platform/raw.h"
#include "runtime/run/hook.h"
#include "runtime/simulated/readiness.h"
#include "runtime/simulated/signals.h"
#include "runtime/truth/misuse.h"
#include "runtime/truth/mutex_truth.h"

namespace snarl::runtime {

void fork_point(Thread& self, uint64_t pc) {
  signals::expect_from_outside();
  note_other_process();
  engine::point(self, Op{.kind = OpKind::kFork, .pc = pc});
  remember_held(self);
}

void be_uncontrolled() {
  become_copy();
  engine::abandon();
}

namespace {

// Streams of popen and their children.
struct Command {
  FILE* stream;
  pid_t child;
};
constexpr int kMaxCommands = 64;
Command commands[kMaxCommands];

Command* find(const FILE* stream) {
  for (Command& command : commands)
    if (command.stream == stream) return &command;
  return nullptr;
}

pid_t spawn_shell(const char* line, posix_spawn_file_actions_t* actions, posix_spawnattr_t* attributes) {
  const char* argv[] = {"sh", "-c", line, nullptr};
  pid_t child = -1;
  const int error = real().posix_spawn(&child, _PATH_BSHELL, actions, attributes, const_cast<char**>(argv), environ);
  if (error != 0) errno = error;
  return error == 0 ? child : -1;
}

// As system(): the caller does not mind what the child is told from the keyboard, nor that it ends.
class Undisturbed {
 public:
  Undisturbed() {
    const struct sigaction ignore = [] {
      struct sigaction action = {};
      action.sa_handler = SIG_IGN;
      return action;
    }();
    real().sigaction(SIGINT, &ignore, &interrupt_);
    real().sigaction(SIGQUIT, &ignore, &quit_);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &mask_);
  }
  ~Undisturbed() {
    real().sigaction(SIGINT, &interrupt_, nullptr);
    real().sigaction(SIGQUIT, &quit_, nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  Undisturbed(const Undisturbed&) = delete;
  Undisturbed& operator=(const Undisturbed&) = delete;

  // What the child is to have instead.
  void undo_in_child(posix_spawnattr_t& attributes) const {
    sigset_t defaults;
    sigemptyset(&defaults);
    if (interrupt_.sa_handler != SIG_IGN) sigaddset(&defaults, SIGINT);
    if (quit_.sa_handler != SIG_IGN) sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &mask_);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }

 private:
  struct sigaction interrupt_, quit_;
  sigset_t mask_;
};

int wait_for(pid_t child) {
  int status = -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return status;
}

int run_shell(Thread& self, const char* line, uint64_t pc) {
  const Undisturbed undisturbed;
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  undisturbed.undo_in_child(attributes);
  pid_t child;
  {
    Inside inside(self);
    fork_point(self, pc);
    child = spawn_shell(line, nullptr, &attributes);
  }
  posix_spawnattr_destroy(&attributes);
  constexpr int kNoShell = 127 << 8;  // as if it had exited with 127
  return child < 0 ? kNoShell : wait_for(child);
}

// Our end of the pipe, the child's, and the descriptor that the latter becomes.
FILE* open_command(const char* line, const char* mode, bool reads) {
  int fds[2];
  if (real().pipe2(fds, O_CLOEXEC) != 0) return nullptr;
  const int ours = fds[reads ? 0 : 1], theirs = fds[reads ? 1 : 0];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs, reads ? STDOUT_FILENO : STDIN_FILENO);
  const pid_t child = spawn_shell(line, &actions, nullptr);
  posix_spawn_file_actions_destroy(&actions);
  raw::call(SYS_close, theirs);
  Command* command = child < 0 ? nullptr : find(nullptr);
  FILE* stream = command == nullptr ? nullptr : fdopen(ours, reads ? "r" : "w");
  if (stream == nullptr) {
    raw::call(SYS_close, ours);
    return nullptr;
  }
  bool closes = false;
  for (const char* c = mode; *c != '\0'; ++c) closes |= *c == 'e';
  if (!closes) raw::call(SYS_fcntl, ours, F_SETFD, 0);
  *command = {stream, child};
  return stream;
}

// Points, unless the fork itself is made inside another call or in a parallel run.
void run_handlers(Thread* self, void (*run)()) {
  if (self == nullptr) return run();
  const Callback program(*self);
  run();
}

}  // namespace

// A copy that the program makes of itself has one thread and is not our business. What a handler before the fork has
// locked, one in the copy will unlock: so what others hold is looked at after those.
SNARL_HOOK pid_t fork() noexcept {
  Thread* self = at_point();
  if (self == nullptr && current == nullptr) return real().fork();
  Inside inside(*current);
  if (self != nullptr) fork_point(*self, SNARL_PC);
  if (self == nullptr) note_other_process();  // in a parallel run, or inside another call
  const fork_handlers::Ours ours;
  run_handlers(self, fork_handlers::run_before);
  if (self != nullptr) remember_held(*self);
  const pid_t pid = real().fork();
  if (pid == 0) be_uncontrolled();
  pid == 0 ? fork_handlers::run_in_child() : run_handlers(self, fork_handlers::run_in_parent);
  return pid;
}

// The child has memory of its own: in ours, its calls would be the parent's. The parent goes on when
// the child has become another program or ended, which closes the pipe.
SNARL_HOOK pid_t vfork() noexcept {
  Thread* self = at_point();
  int fds[2];
  if (self == nullptr || real().pipe2(fds, O_CLOEXEC) != 0) return fork();
  const pid_t pid = fork();
  if (pid == 0) {
    raw::call(SYS_close, fds[0]);
    return 0;
  }
  raw::call(SYS_close, fds[1]);
  if (pid > 0) await(*self, Readiness{.fd = fds[0], .events = POLLIN, .interrupts = Interrupts::kNever}, SNARL_PC);
  raw::call(SYS_close, fds[0]);
  return pid;
}

SNARL_HOOK int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                           const posix_spawnattr_t* attributes, char* const argv[], char* const environment[]) {
  Thread* self = at_point();
  if (self == nullptr) return real().posix_spawn(pid, path, actions, attributes, argv, environment);
  Inside inside(*self);
  fork_point(*self, SNARL_PC);
  return real().posix_spawn(pid, path, actions, attributes, argv, environment);
}

SNARL_HOOK int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, char* const argv[], char* const environment[]) {
  Thread* self = at_point();
  if (self == nullptr) return real().posix_spawnp(pid, file, actions, attributes, argv, environment);
  Inside inside(*self);
  fork_point(*self, SNARL_PC);
  return real().posix_spawnp(pid, file, actions, attributes, argv, environment);
}

SNARL_HOOK int system(const char* line) {
  Thread* self = at_point();
  return self == nullptr || line == nullptr ? real().system(line) : run_shell(*self, line, SNARL_PC);
}

SNARL_HOOK FILE* popen(const char* line, const char* mode) {
  Thread* self = at_point();
  const bool reads = mode[0] == 'r';
  if (self == nullptr || (!reads && mode[0] != 'w')) return real().popen(line, mode);
  Inside inside(*self);
  fork_point(*self, SNARL_PC);
  return open_command(line, mode, reads);
}

SNARL_HOOK int pclose(FILE* stream) {
  Command* command = current == nullptr ? nullptr : find(stream);
  if (command == nullptr) return real().pclose(stream);
  const pid_t child = command->child;
  command->stream = nullptr;
  fclose(stream);
  return wait_for(child);
}

}  // namespace snarl::runtime
