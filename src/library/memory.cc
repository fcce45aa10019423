#include "library/memory.h"

#include <sys/mman.h>

#include "os/system.h"

namespace snarl::library {
namespace {

Expected<wire::Batch*> map_batch() {
  void* memory = mmap(nullptr, sizeof(wire::Batch), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return os::system_error("can't map memory to share with the schedules");
  return static_cast<wire::Batch*>(memory);  // zero is what it begins with
}

}  // namespace

Expected<SharedMemory> SharedMemory::get() {
  // Never given back: a body that calls exit runs destructors while its schedule still writes there.
  static auto& wire = *new Expected<record::WireMemory>(record::WireMemory::create());
  if (!wire) return wire.error();
  static Expected<wire::Batch*> batch = map_batch();
  if (!batch) return batch.error();
  return SharedMemory{wire->layout(), **batch};
}

}  // namespace snarl::library
