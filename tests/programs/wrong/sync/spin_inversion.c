// snarl: kind=deadlock depth=2 policy=random within=500 policy=pct:depth=2 within=2000 cause=13<14,13<14 measured=2 pattern=abba pattern-hooks=abba
// Items move between two queues, each with a spin lock; the source is locked first, whichever it is.
#include <pthread.h>

struct queue {
  pthread_spinlock_t lock;
  int items;
};

static struct queue left = {.items = 4}, right = {.items = 4};

static void move(struct queue* from, struct queue* to) {
  pthread_spin_lock(&from->lock);
  pthread_spin_lock(&to->lock);
  --from->items;
  ++to->items;
  pthread_spin_unlock(&to->lock);
  pthread_spin_unlock(&from->lock);
}

static void* move_right(void* arg) {
  (void)arg;
  move(&left, &right);
  return NULL;
}

int main(void) {
  pthread_spin_init(&left.lock, PTHREAD_PROCESS_PRIVATE);
  pthread_spin_init(&right.lock, PTHREAD_PROCESS_PRIVATE);
  pthread_t mover;
  pthread_create(&mover, NULL, move_right, NULL);
  move(&right, &left);
  pthread_join(mover, NULL);
}
