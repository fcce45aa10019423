// sizes: 3
// Tickets are drawn by two operations, so that two threads may be served at the same time.
#include <atomic>

#include "hunt.h"

static std::atomic<int> next_ticket, served, inside;

static int draw() {
  const int ticket = next_ticket;
  next_ticket = ticket + 1;
  return ticket;
}

int main() {
  crowd(THREADS, [](int) {
    const int ticket = draw();
    while (served < ticket) std::this_thread::yield();
    EXPECT(++inside == 1);
    --inside;
    served = ticket + 1;
  });
}
