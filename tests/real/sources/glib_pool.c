/* GLib's thread pool and asynchronous queue, declared as the library exports them: its headers are not needed. */
#include <stdio.h>
typedef void (*Work)(void* item, void* shared);
void* g_thread_pool_new(Work work, void* shared, int most, int exclusive, void** error);
int g_thread_pool_push(void* pool, void* item, void** error);
void g_thread_pool_free(void* pool, int immediate, int wait);
void* g_async_queue_new(void);
void g_async_queue_push(void* queue, void* item);
void* g_async_queue_pop(void* queue);

static void square(void* item, void* results) {
  const long n = (long)item;
  g_async_queue_push(results, (void*)(n * n));
}

int main(void) {
  void* results = g_async_queue_new();
  void* pool = g_thread_pool_new(square, results, 3, 0, NULL);
  long sum = 0;
  for (long n = 1; n <= 6; n++) g_thread_pool_push(pool, (void*)n, NULL);
  for (int n = 1; n <= 6; n++) sum += (long)g_async_queue_pop(results);
  g_thread_pool_free(pool, 0, 1);
  printf("%ld\n", sum);
  return sum != 91;
}
