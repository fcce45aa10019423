/* Userspace RCU: readers beside a writer that replaces and frees what they read. */
#define _LGPL_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <urcu.h>

static int* current;
static int wrong;

static void* read_all(void* unused) {
  rcu_register_thread();
  for (int i = 0; i < 5; i++) {
    rcu_read_lock();
    const int* seen = rcu_dereference(current);
    if (seen[0] != seen[1]) __atomic_add_fetch(&wrong, 1, __ATOMIC_SEQ_CST);
    rcu_read_unlock();
  }
  rcu_unregister_thread();
  return unused;
}

static int* make(int value) {
  int* pair = malloc(2 * sizeof *pair);
  pair[0] = pair[1] = value;
  return pair;
}

int main(void) {
  pthread_t readers[2];
  current = make(0);
  for (int i = 0; i < 2; i++) pthread_create(&readers[i], NULL, read_all, NULL);
  for (int i = 1; i < 4; i++) {
    int* old = rcu_xchg_pointer(&current, make(i));
    synchronize_rcu();
    old[0] = -1;
    free(old);
  }
  for (int i = 0; i < 2; i++) pthread_join(readers[i], NULL);
  free(current);
  return wrong != 0;
}
