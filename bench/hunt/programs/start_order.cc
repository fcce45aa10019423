// sizes: 20
// Services are started one after the other. The last one is announced before its handler is there.
#include <atomic>

#include "hunt.h"

using Handler = int (*)(int);
struct Service {
  std::atomic<bool> announced{false};
  std::atomic<Handler> handler{nullptr};
};
static Service services[THREADS];

static int twice(int value) { return 2 * value; }

static void start(int i) {
  if (i == THREADS - 1) services[i].announced = true;
  services[i].handler = twice;
  services[i].announced = true;
}

static void ask(int i) {
  if (services[i].announced) EXPECT(services[i].handler.load()(3) == 6);
}

int main() {
  crowd(THREADS, [](int i) {
    ask((i + 1) % THREADS);
    start(i);
    ask((i + THREADS - 1) % THREADS);
  });
}
