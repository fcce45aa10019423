// Every system call of a rewound run, before it is made: part of reset rewind (rewind.h).
//
// By the kernel's dispatch (prctl(2), PR_SET_SYSCALL_USER_DISPATCH): it sees the calls inside libc and inline ones,
// too. Only our own library calls the kernel unseen.
#pragma once

#include <cstdint>

#include "runtime/reset/rewound_kernel.h"
#include "runtime/reset/rewound_output.h"

namespace snarl::runtime::rewound_calls {

struct Listener {
  RewoundKernel* kernel;
  RewoundOutput* output;
  void (*ended)(int code);                               // exit_group: does not return
  void (*obstacle)(const char* call, const char* path);  // what could not be undone: does not return
};

// From here on, until the process ends. Why it can't be had; null: it can.
const char* begin(const Listener& listener);

}  // namespace snarl::runtime::rewound_calls
