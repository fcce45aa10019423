// What a thread does depends on its handle, which is an address, as in std::barrier. Handles are added to the file
// named.
#include <atomic>
#include <cassert>
#include <cstdio>
#include <functional>
#include <thread>

static std::atomic<int> taken{0}, given{0};

static void look(const char* file) {
  const auto handle = std::hash<std::thread::id>()(std::this_thread::get_id());
  if (FILE* list = std::fopen(file, "a")) {
    std::fprintf(list, "%zx\n", handle);
    std::fclose(list);
  }
  for (size_t i = 0; i < handle % 13; ++i) taken.load();
  taken.fetch_add(1);
  given.fetch_add(1);
  assert(taken.load() == given.load());
}

int main(int, char** arguments) {
  std::thread one(look, arguments[1]), other(look, arguments[1]);
  one.join();
  other.join();
}
