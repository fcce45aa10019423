// sizes: 3
// Who does not get the lock in time goes on without it.
#include <chrono>
#include <mutex>

#include "hunt.h"

static std::timed_mutex mutex;
static int inside;

int main() {
  crowd(3, [](int) {
    const bool locked = mutex.try_lock_for(std::chrono::milliseconds(100));
    EXPECT(++inside == 1);
    --inside;
    if (locked) mutex.unlock();
  });
}
