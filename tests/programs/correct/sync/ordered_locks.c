// snarl: correct
// Two locks, always taken in the order of their addresses.
#include <assert.h>
#include <pthread.h>

struct account {
  pthread_mutex_t mutex;
  int balance;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100}, {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(struct account* from, struct account* to, int amount) {
  struct account* first = from < to ? from : to;
  struct account* second = from < to ? to : from;
  pthread_mutex_lock(&first->mutex);
  pthread_mutex_lock(&second->mutex);
  from->balance -= amount;
  to->balance += amount;
  pthread_mutex_unlock(&second->mutex);
  pthread_mutex_unlock(&first->mutex);
}

static void* there(void* arg) {
  transfer(&accounts[0], &accounts[1], 30);
  return arg;
}

static void* back(void* arg) {
  transfer(&accounts[1], &accounts[0], 10);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, there, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(accounts[0].balance == 80);
  assert(accounts[1].balance == 120);
  return 0;
}
