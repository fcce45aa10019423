// Calls that wait for what another thread of the program does: file locks, connecting, message queues,
// a FIFO that is opened for reading. None of them may hang.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[] = "/tmp/snarl-locked-XXXXXX", fifo[64];
static int inside, listener, queue;
static struct sockaddr_in address;

static void enter_and_leave(void) {
  assert(__atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST) == 1);
  sched_yield();
  __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
}

static void* lock_file(void* arg) {
  const int fd = open(path, O_RDWR);
  assert(fd >= 0 && flock(fd, LOCK_EX) == 0);
  enter_and_leave();
  assert(flock(fd, LOCK_UN) == 0);
  struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  assert(fcntl(fd, F_OFD_SETLKW, &all) == 0);
  sched_yield();
  close(fd);
  return arg;
}

static void* use_network(void* arg) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  char text[4] = "";
  assert(connect(fd, (struct sockaddr*)&address, sizeof address) == 0);
  assert(recv(fd, text, sizeof text, 0) == 2 && strcmp(text, "x") == 0);
  close(fd);
  return arg;
}

struct letter {
  long type;
  char text[8];
};

static void* receive(void* arg) {
  struct letter letter;
  assert(msgrcv(queue, &letter, sizeof letter.text, 0, 0) == sizeof letter.text);
  const int fd = open(fifo, O_RDONLY);
  char c;
  assert(fd >= 0 && read(fd, &c, 1) == 1 && c == 'f');
  close(fd);
  return arg;
}

int main(void) {
  pthread_t threads[4];
  socklen_t size = sizeof address;
  const struct letter letter = {1, "letter"};
  close(mkstemp(path));
  snprintf(fifo, sizeof fifo, "%s.fifo", path);
  assert(mkfifo(fifo, 0600) == 0);
  queue = msgget(IPC_PRIVATE, 0600);
  listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert(bind(listener, (struct sockaddr*)&address, sizeof address) == 0 && listen(listener, 4) == 0);
  assert(getsockname(listener, (struct sockaddr*)&address, &size) == 0);

  pthread_create(&threads[0], NULL, lock_file, NULL);
  pthread_create(&threads[1], NULL, lock_file, NULL);
  pthread_create(&threads[2], NULL, use_network, NULL);
  pthread_create(&threads[3], NULL, receive, NULL);
  const int peer = accept(listener, NULL, NULL);
  assert(peer >= 0 && send(peer, "x", 2, 0) == 2);
  assert(msgsnd(queue, &letter, sizeof letter.text, 0) == 0);
  const int out = open(fifo, O_WRONLY);
  assert(out >= 0 && write(out, "f", 1) == 1);
  for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
  msgctl(queue, IPC_RMID, NULL);
  unlink(fifo);
  unlink(path);
  return 0;
}
