// Changes its user id, to what it is, while another thread lives.
#include <pthread.h>
#include <unistd.h>

static void* work(void* arg) { return setuid(getuid()) == 0 ? arg : NULL; }

int main(void) {
  static int good;
  pthread_t thread;
  void* result;
  pthread_create(&thread, NULL, work, &good);
  pthread_join(thread, &result);
  return result == &good ? 0 : 1;
}
