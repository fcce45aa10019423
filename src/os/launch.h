// Starts one process directly, never through a shell.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/opened_file.h"

namespace snarl::os {

struct Launch {
  std::string path;
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "NAME=value"
  int in = -1, out = -1, err = -1;       // become 0, 1 and 2; -1: ours are inherited
  std::vector<int> keep;                 // descriptors (CLOEXEC here) that stay open in the child
  std::vector<OpenedFile> files;         // are opened for it
  bool own_group = true;                 // leads a process group, so that all of it can be ended
  bool traced = false;                   // we are its tracer (ptrace); it stops after the exec
};

// The child dies with the calling thread (PDEATHSIG). It has an empty signal mask, SIGPIPE as we were given it and the
// cores of a thread that is not Pinned, and it writes no core file. The error says why exec failed (exit code 126 or
// 127).
Expected<pid_t> launch(const Launch& what);

}  // namespace snarl::os
