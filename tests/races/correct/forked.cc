// A child has its own memory.
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

int value;

int main() {
  std::thread other([] { value = 1; });
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  other.join();
  return value == 1 ? 0 : 2;
}
