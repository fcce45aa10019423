// snarl: correct
// Every source of randomness gives numbers that differ, and the same ones again in a repeated schedule:
// how often the threads yield depends on them.
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include <cassert>
#include <fstream>
#include <random>
#include <thread>

static void yield_some(unsigned how_often) {
  for (unsigned i = 0; i < how_often % 8; ++i) sched_yield();
}

static void draw() {
  unsigned words[8] = {};
  std::random_device device;
  words[0] = device();
  assert(getrandom(&words[1], 4, 0) == 4);
  assert(getentropy(&words[2], 4) == 0);
  FILE* file = fopen("/dev/urandom", "rb");
  assert(file != nullptr && fread(&words[3], 1, 4, file) == 4);
  fclose(file);
  std::ifstream stream("/dev/urandom", std::ios::binary);
  stream.read(reinterpret_cast<char*>(&words[4]), 4);
  assert(stream.gcount() == 4);
  const int fd = open("/dev/random", O_RDONLY);
  assert(read(fd, &words[5], 4) == 4);
  close(fd);
  words[6] = static_cast<unsigned>(random());
  words[7] = static_cast<unsigned>(lrand48());
  for (unsigned word : words) yield_some(word);
  assert(words[0] != words[1] || words[1] != words[2] || words[2] != words[3]);
}

int main() {
  std::thread a(draw), b(draw);
  a.join();
  b.join();
}
