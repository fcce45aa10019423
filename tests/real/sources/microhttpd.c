/* libmicrohttpd's pool of threads, with a client in the same process. */
#include <arpa/inet.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static enum MHD_Result answer(void* unused, struct MHD_Connection* connection, const char* url, const char* method,
                              const char* version, const char* upload, size_t* size, void** state) {
  (void)unused, (void)url, (void)method, (void)version, (void)upload, (void)size, (void)state;
  struct MHD_Response* response = MHD_create_response_from_buffer(4, "fine", MHD_RESPMEM_PERSISTENT);
  enum MHD_Result queued = MHD_queue_response(connection, MHD_HTTP_OK, response);
  MHD_destroy_response(response);
  return queued;
}

static int fetch(unsigned port) {
  char text[1024] = "GET / HTTP/1.0\r\n\r\n";
  size_t got = 0;
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (struct sockaddr*)&to, sizeof to) != 0) return 0;
  if (write(fd, text, strlen(text)) < 0) return 0;
  for (ssize_t n; got < sizeof text - 1 && (n = read(fd, text + got, sizeof text - 1 - got)) > 0;) got += (size_t)n;
  text[got] = 0;
  close(fd);
  return strstr(text, "fine") != NULL;
}

int main(void) {
  int right = 0;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct MHD_Daemon* daemon =
      MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_THREAD_POOL_SIZE, 2u,
                       MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_END);
  if (daemon == NULL) return 2;
  const unsigned port = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
  for (int i = 0; i < 3; i++) right += fetch(port);
  MHD_stop_daemon(daemon);
  printf("%d\n", right);
  return right != 3;
}
