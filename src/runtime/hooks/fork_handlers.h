// What the program has registered to run around a fork. libc would call it inside its own fork; we call it, so that
// its calls are schedule points like any other: a handler may wait for a lock that another thread holds.
#pragma once

namespace snarl::runtime::fork_handlers {

// In the order that POSIX asks for: before, those registered last come first.
void run_before();
void run_in_parent();
void run_in_child();

// While it lives, libc's fork leaves the handlers to us.
class Ours {
 public:
  Ours();
  ~Ours();
  Ours(const Ours&) = delete;
  Ours& operator=(const Ours&) = delete;
};

}  // namespace snarl::runtime::fork_handlers
