// snarl: correct
// A bounded buffer with two condition variables, and waits in while loops.
#include <assert.h>
#include <pthread.h>

enum { kSlots = 2, kItems = 3 };

static pthread_mutex_t mutex;
static pthread_cond_t not_empty;
static pthread_cond_t not_full;
static int slots[kSlots];
static int count;
static int next_in;
static int next_out;

static void put(int value) {
  pthread_mutex_lock(&mutex);
  while (count == kSlots) pthread_cond_wait(&not_full, &mutex);
  slots[next_in] = value;
  next_in = (next_in + 1) % kSlots;
  ++count;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&mutex);
}

static int take(void) {
  pthread_mutex_lock(&mutex);
  while (count == 0) pthread_cond_wait(&not_empty, &mutex);
  int value = slots[next_out];
  next_out = (next_out + 1) % kSlots;
  --count;
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&mutex);
  return value;
}

static void* produce(void* arg) {
  for (int i = 1; i <= kItems; ++i) put(i);
  return arg;
}

static void* consume(void* arg) {
  int* sum = arg;
  for (int i = 0; i < kItems; ++i) *sum += take();
  return NULL;
}

int main(void) {
  pthread_t producers[2], consumers[2];
  int sums[2] = {0, 0};
  assert(pthread_mutex_init(&mutex, NULL) == 0);
  assert(pthread_cond_init(&not_empty, NULL) == 0);
  assert(pthread_cond_init(&not_full, NULL) == 0);
  for (int i = 0; i < 2; ++i) pthread_create(&producers[i], NULL, produce, NULL);
  for (int i = 0; i < 2; ++i) pthread_create(&consumers[i], NULL, consume, &sums[i]);
  for (int i = 0; i < 2; ++i) pthread_join(producers[i], NULL);
  for (int i = 0; i < 2; ++i) pthread_join(consumers[i], NULL);
  assert(sums[0] + sums[1] == 12);
  assert(pthread_cond_destroy(&not_empty) == 0);
  assert(pthread_cond_destroy(&not_full) == 0);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
