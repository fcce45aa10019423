/* libmosquitto's own thread: publishes to a broker on the loopback device, and waits for its receipt. */
#include <mosquitto.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int connected, published;

static void set(int* what) {
  pthread_mutex_lock(&mutex);
  ++*what;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
}
static void wait_for(const int* what, int value) {
  pthread_mutex_lock(&mutex);
  while (*what < value) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}
static void on_connect(struct mosquitto* client, void* unused, int code) {
  (void)client, (void)unused;
  if (code == 0) set(&connected);
}
static void on_publish(struct mosquitto* client, void* unused, int id) {
  (void)client, (void)unused, (void)id;
  set(&published);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  mosquitto_lib_init();
  struct mosquitto* client = mosquitto_new(NULL, true, NULL);
  mosquitto_connect_callback_set(client, on_connect);
  mosquitto_publish_callback_set(client, on_publish);
  if (mosquitto_connect(client, "127.0.0.1", atoi(argv[1]), 60) != MOSQ_ERR_SUCCESS) return 3;
  mosquitto_loop_start(client);
  wait_for(&connected, 1);
  for (int i = 0; i < 3; i++) mosquitto_publish(client, NULL, "topic", 4, "text", 1, false);
  wait_for(&published, 3);
  mosquitto_disconnect(client);
  mosquitto_loop_stop(client, false);
  mosquitto_destroy(client);
  mosquitto_lib_cleanup();
  printf("%d\n", published);
  return published != 3;
}
