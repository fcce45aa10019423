// Randomness of the system: getrandom and its like, std::random_device, and the random devices.
// rand, random and drand48 need nothing: they are deterministic, and whoever seeds them from a
// clock or from the system gets a seed that repeats.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/rng.h"
#include "base/state_marks.h"
#include "runtime/hooks/await.h"
#include "runtime/platform/raw.h"
#include "runtime/simulated/randomness.h"
#include "runtime/state/hook.h"

namespace snarl::runtime {
namespace {

// Streams on a random device. stdio reads by calls that nobody can see, so fread is told.
constexpr int kMaxStreams = 16;
SNARL_PROCESS_STATE FILE* streams[kMaxStreams];
SNARL_PROCESS_STATE int stream_count;  // those ever used: nothing to look for in most programs

int place_of(const FILE* stream) {
  for (int i = 0; i < stream_count; ++i)
    if (streams[i] == stream) return i;
  return -1;
}

FILE* noted(FILE* stream) {
  if (stream == nullptr || current == nullptr || !randomness::is_device(fileno(stream))) return stream;
  int place = place_of(nullptr);
  if (place < 0 && stream_count < kMaxStreams) place = stream_count++;
  if (place >= 0) streams[place] = stream;
  return stream;
}

uint32_t draw_word() {
  uint32_t word = 0;
  if (!randomness::fill(&word, sizeof word)) raw::call(SYS_getrandom, &word, sizeof word, 0);
  return word;
}

}  // namespace

SNARL_HOOK ssize_t getrandom(void* data, size_t size, unsigned flags) {
  return randomness::fill(data, size) ? static_cast<ssize_t>(size) : real().getrandom(data, size, flags);
}

SNARL_HOOK int getentropy(void* data, size_t size) {
  constexpr size_t kMost = 256;  // POSIX's GETENTROPY_MAX
  return size <= kMost && randomness::fill(data, size) ? 0 : real().getentropy(data, size);
}

SNARL_HOOK uint32_t arc4random() noexcept { return draw_word(); }

SNARL_HOOK void arc4random_buf(void* data, size_t size) noexcept {
  if (!randomness::fill(data, size)) real().arc4random_buf(data, size);
}

SNARL_HOOK uint32_t arc4random_uniform(uint32_t bound) noexcept {
  uint64_t seed = 0;
  if (!randomness::fill(&seed, sizeof seed)) return real().arc4random_uniform(bound);
  return bound < 2 ? 0 : static_cast<uint32_t>(Rng(seed).below(bound));
}

// std::random_device::_M_getval(): libstdc++ asks the processor, which nobody can intercept.
SNARL_HOOK unsigned _ZNSt13random_device9_M_getvalEv(void* self) {
  unsigned value = 0;
  if (randomness::fill(&value, sizeof value)) return value;
  if (real()._ZNSt13random_device9_M_getvalEv == nullptr) return draw_word();
  return real()._ZNSt13random_device9_M_getvalEv(self);
}

SNARL_HOOK FILE* fopen(const char* path, const char* mode) { return noted(real().fopen(path, mode)); }
SNARL_HOOK FILE* fopen64(const char* path, const char* mode) { return noted(real().fopen64(path, mode)); }

SNARL_HOOK int fclose(FILE* stream) {
  if (const int place = place_of(stream); place >= 0 && stream != nullptr) streams[place] = nullptr;
  return real().fclose(stream);
}

SNARL_HOOK size_t fread(void* data, size_t size, size_t count, FILE* stream) {
  if (stream != nullptr && place_of(stream) >= 0 && randomness::fill(data, size * count)) return count;
  if (stream != nullptr && size * count != 0) await_stream(stream, SNARL_PC);
  return real().fread(data, size, count, stream);
}

}  // namespace snarl::runtime
