// snarl: correct
// Ten threads and every way to wait for each other: a queue, a semaphore, a read-write lock, a barrier, yields, joins.
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

constexpr int kPairs = 4, kItems = 6;

std::mutex mutex;
std::condition_variable not_empty, not_full;
std::deque<int> queue;
sem_t tokens;
pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
pthread_barrier_t start;
int table, taken;

void produce() {
  pthread_barrier_wait(&start);
  for (int i = 0; i < kItems; ++i) {
    std::unique_lock lock(mutex);
    not_full.wait(lock, [] { return queue.size() < 2; });
    queue.push_back(i);
    lock.unlock();
    not_empty.notify_one();
    sem_post(&tokens);
  }
}

void consume() {
  pthread_barrier_wait(&start);
  for (int i = 0; i < kItems; ++i) {
    std::unique_lock lock(mutex);
    not_empty.wait(lock, [] { return !queue.empty(); });
    const int item = queue.front();
    queue.pop_front();
    taken += item;
    lock.unlock();
    not_full.notify_one();
    if (item % 2 == 0) sched_yield();
    pthread_rwlock_wrlock(&table_lock);
    ++table;
    pthread_rwlock_unlock(&table_lock);
  }
}

void count_tokens() {
  for (int i = 0; i < kPairs * kItems; ++i) {
    sem_wait(&tokens);
    pthread_rwlock_rdlock(&table_lock);
    assert(table <= kPairs * kItems);
    pthread_rwlock_unlock(&table_lock);
  }
}

int main() {
  sem_init(&tokens, 0, 0);
  pthread_barrier_init(&start, nullptr, 2 * kPairs);
  std::vector<std::thread> threads;
  threads.emplace_back(count_tokens);
  for (int i = 0; i < kPairs; ++i) {
    threads.emplace_back(produce);
    threads.emplace_back(consume);
  }
  for (std::thread& thread : threads) thread.join();
  assert(table == kPairs * kItems && taken == kPairs * kItems * (kItems - 1) / 2);
}
