#include "runtime/simulated/randomness.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/rng.h"
#include "runtime/platform/raw.h"
#include "runtime/run/engine.h"

namespace snarl::runtime::randomness {
namespace {

// Constructors that draw before main do so once in a fork server, whose runs have different
// seeds, and again in every process that is exec'ed: what they get is always the same.
Rng& before_main() {
  static constinit bool made = false;
  static char memory[sizeof(Rng)];
  Rng* rng = reinterpret_cast<Rng*>(memory);
  if (!made) *rng = Rng(0, 0, Stream::kProgram);
  made = true;
  return *rng;
}

// A thread's draws are its own: how often others draw changes nothing (docs/rules.md, rule 14).
Rng& stream_of(Thread& thread) {
  const wire::Command& command = engine::shared->command;
  if (!thread.has_random)
    thread.random =
        Rng(command.key.seed, command.key.index, Stream::kProgram, engine::conductor().model().name(thread.id));
  thread.has_random = true;
  return thread.random;
}

Rng* stream() {
  if (engine::shared == nullptr || engine::shared->command.settings.random == Randomness::kReal) return nullptr;
  if (Thread* self = current) return &stream_of(*self);
  const bool is_before = engine::shared->state.phase.load(std::memory_order_relaxed) == wire::Phase::kNothing;
  return is_before ? &before_main() : nullptr;
}

}  // namespace

bool fill(void* data, size_t size) {
  Rng* from = stream();
  if (from == nullptr) return false;
  char* to = static_cast<char*>(data);
  while (size > 0) {
    const uint64_t word = from->next();
    const size_t part = size < sizeof word ? size : sizeof word;
    raw::copy(to, &word, part);
    to += part;
    size -= part;
  }
  return true;
}

bool is_device(int fd) {
  constexpr unsigned kMemoryDevices = 1, kRandom = 8, kUrandom = 9;  // fixed by the kernel (devices.txt)
  struct stat status;
  if (engine::shared == nullptr || raw::call(SYS_fstat, fd, &status) != 0 || !S_ISCHR(status.st_mode)) return false;
  const unsigned minor_number = minor(status.st_rdev);
  return major(status.st_rdev) == kMemoryDevices && (minor_number == kRandom || minor_number == kUrandom);
}

}  // namespace snarl::runtime::randomness
