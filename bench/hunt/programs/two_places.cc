// sizes: 3 100
// An order is entered into the index under one lock and into the store under the other. Who looks it up in between
// finds it in one of them only.
#include <mutex>

#include "hunt.h"

static std::mutex index_mutex, store_mutex;
static bool listed[THREADS], stored[THREADS];

static void set(std::mutex& mutex, bool& place) {
  std::lock_guard lock(mutex);
  place = true;
}

static bool get(std::mutex& mutex, const bool& place) {
  std::lock_guard lock(mutex);
  return place;
}

static void enter(int order) {
  const bool early = order == 0;  // the only one that is listed first
  if (early) set(index_mutex, listed[order]);
  set(store_mutex, stored[order]);
  set(index_mutex, listed[order]);
}

static void look_up(int order) {
  if (get(index_mutex, listed[order])) EXPECT(get(store_mutex, stored[order]));
}

int main() {
  crowd(THREADS, [](int i) { i < THREADS / 2 ? enter(i) : look_up(i - THREADS / 2); });
}
