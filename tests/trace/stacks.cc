// Locks at the end of all kinds of calls: recursion, tail calls, calls left by exceptions, frames whose size depends on
// data. Says how deep in recursion it was at each lock of its mutex `counted`.
#include <alloca.h>
#include <pthread.h>

#include <cstdio>
#include <vector>

#define KEEP __attribute__((noinline, noclone))

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
std::vector<int> depths;

KEEP void lock_here() {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
}

KEEP void count_here(int depth) {
  pthread_mutex_lock(&mutex);
  depths.push_back(depth);
  pthread_mutex_unlock(&mutex);
}

// Two places call it at each depth, so that stacks of the same depth differ.
KEEP int recurse(int depth, int most) {
  count_here(depth);
  int sum = depth;
  if (depth < most) sum += recurse(depth + 1, most);
  if (depth + 1 < most) sum += recurse(depth + 1, depth + 1);
  return sum + depth;
}

KEEP void last(int times);
KEEP void first(int times) {
  lock_here();
  return last(times - 1);  // a jump, if the compiler optimises
}
KEEP void last(int times) {
  if (times > 0) return first(times);
  lock_here();
}

KEEP void throw_at(int depth) {
  lock_here();
  if (depth == 0) throw depth;
  throw_at(depth - 1);
  lock_here();
}
KEEP void catch_at(int depth) {
  try {
    throw_at(depth);
  } catch (int) {
    lock_here();
  }
}

// The lock's return address lies where the frame of an earlier call had something else.
KEEP void with_room(int bytes, int depth) {
  auto* room = static_cast<volatile char*>(alloca(static_cast<size_t>(bytes)));
  room[0] = 1;
  lock_here();
  if (depth > 0) with_room(64 + 16 * (depth % 3), depth - 1);
  lock_here();
}

void* work(void* unused) {
  for (int round = 0; round < 4; ++round) {
    recurse(0, 3 + round);
    first(3);
    catch_at(round);
    for (int depth = 0; depth < 5; ++depth) with_room(32 * (depth + 1), depth);
    lock_here();
  }
  return unused;
}

}  // namespace

int main() {
  pthread_t threads[2];
  for (pthread_t& thread : threads) pthread_create(&thread, nullptr, work, nullptr);
  for (pthread_t& thread : threads) pthread_join(thread, nullptr);
  for (const int depth : depths) std::printf("%d\n", depth);
}
