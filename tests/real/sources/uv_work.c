/* libuv: work for its pool, and a message from a thread to the loop. */
#include <stdio.h>
#include <uv.h>

static uv_async_t message;
static long sum;
static int done;

static void work(uv_work_t* request) { request->data = (void*)((long)request->data * 2); }
static void after_work(uv_work_t* request, int status) {
  (void)status;
  sum += (long)request->data;
  if (++done == 4) uv_close((uv_handle_t*)&message, NULL);
}
static void on_message(uv_async_t* unused) { (void)unused; }
static void send_message(void* unused) {
  (void)unused;
  uv_async_send(&message);
}

int main(void) {
  uv_loop_t* loop = uv_default_loop();
  uv_work_t requests[4];
  uv_thread_t thread;
  uv_async_init(loop, &message, on_message);
  uv_thread_create(&thread, send_message, NULL);
  uv_thread_join(&thread);
  for (long i = 0; i < 4; i++) {
    requests[i].data = (void*)(i + 1);
    uv_queue_work(loop, &requests[i], work, after_work);
  }
  uv_run(loop, UV_RUN_DEFAULT);
  printf("%ld\n", sum);
  return sum != 20;
}
