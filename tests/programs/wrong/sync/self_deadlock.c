// snarl: kind=deadlock depth=1 policy=random within=500 policy=pct:depth=2 within=2000
// A look-up that misses calls the function that fills the table, which locks the same mutex again.
#include <pthread.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void fill(void) {
  pthread_mutex_lock(&table);
  entries = 8;
  pthread_mutex_unlock(&table);
}

static void* look_up(void* arg) {
  int* found = arg;
  pthread_mutex_lock(&table);
  if (entries == 0) fill();
  *found = entries;
  pthread_mutex_unlock(&table);
  return NULL;
}

int main(void) {
  int found = 0;
  pthread_t reader;
  pthread_mutex_lock(&table);
  pthread_create(&reader, NULL, look_up, &found);
  pthread_mutex_unlock(&table);
  fill();
  pthread_join(reader, NULL);
  return found == 8 ? 0 : 1;
}
