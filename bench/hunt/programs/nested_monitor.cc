// sizes: 3
// A registry holds its lock while it waits in its mailbox, and mail comes through the registry.
#include <condition_variable>
#include <mutex>

#include "hunt.h"

static std::mutex registry, mailbox;
static std::condition_variable arrived;
static int letters;

static void post() {
  std::lock_guard outer(registry);
  std::lock_guard inner(mailbox);
  ++letters;
  arrived.notify_one();
}

static void fetch() {
  std::lock_guard outer(registry);
  std::unique_lock inner(mailbox);
  arrived.wait(inner, [] { return letters > 0; });
  --letters;
}

int main() {
  crowd(3, [](int i) {
    post();
    if (i == 2) fetch();
    if (i == 2) fetch();
  });
}
