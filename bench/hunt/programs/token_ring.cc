// sizes: 20 100
// The token goes down from station to station, past the one that has left. If that one leaves just then, the token goes
// with it.
#include <semaphore.h>

#include <atomic>

#include "hunt.h"

constexpr int kLeaves = THREADS / 2;
static sem_t tokens[THREADS];
static std::atomic<bool> left;

static void pass_on(int from) {
  const int next = from - 1;
  if (next >= 0) sem_post(&tokens[next == kLeaves && left ? next - 1 : next]);
}

static void station(int i) {
  if (i == kLeaves) {
    left = true;
    return;
  }
  sem_wait(&tokens[i]);
  pass_on(i);
}

int main() {
  for (sem_t& token : tokens) sem_init(&token, 0, 0);
  sem_post(&tokens[THREADS - 1]);
  crowd(THREADS, station);
}
