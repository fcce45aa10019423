// Piper (280 lines): a passenger waits for a plane by `if`, not in a loop; another may take the seat before he is back.
#include "shared.h"

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t boarding = PTHREAD_COND_INITIALIZER;
static int seats;
static Way<5> luggage;

static void board() {
  pthread_mutex_lock(&gate);
  if (seats == 0) pthread_cond_wait(&boarding, &gate);
  require(--seats >= 0, "two on one seat");
  pthread_mutex_unlock(&gate);
}

static void open_seat() {
  pthread_mutex_lock(&gate);
  ++seats;
  pthread_cond_signal(&boarding);
  pthread_mutex_unlock(&gate);
}

int main() {
  pthread_t passenger;
  pthread_create(
      &passenger, nullptr, [](void*) -> void* { return board(), nullptr; }, nullptr);
  run_beside(
      [] {
        luggage.walk();
        open_seat();
        open_seat();
      },
      [] { board(); });
  pthread_join(passenger, nullptr);
}
