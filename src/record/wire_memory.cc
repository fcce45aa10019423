#include "record/wire_memory.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "os/system.h"

namespace snarl::record {

namespace {
constexpr size_t kSize = sizeof(wire::Whole);
}

Expected<WireMemory> WireMemory::create() {
  os::Fd made(memfd_create("snarl-wire", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!made) return os::system_error("can't make the shared memory");
  Expected<os::Fd> fd = os::move_up(std::move(made));
  if (!fd) return fd.error();
  if (ftruncate(fd->get(), kSize) != 0) return os::system_error("can't size the shared memory");
  if (fcntl(fd->get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0)
    return os::system_error("can't seal the shared memory");
  void* memory = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_SHARED, fd->get(), 0);
  if (memory == MAP_FAILED) return os::system_error("can't map the shared memory");

  // Not constructed: a memfd is zero, and touching all of it would cost real memory.
  auto* layout = static_cast<wire::Layout*>(memory);
  layout->magic = wire::kMagic;
  layout->version = wire::kWireVersion;
  layout->size = static_cast<uint32_t>(kSize);
  return WireMemory(std::move(*fd), layout);
}

WireMemory::WireMemory(WireMemory&& other) noexcept
    : fd_(std::move(other.fd_)), layout_(std::exchange(other.layout_, nullptr)) {}

WireMemory::~WireMemory() {
  if (layout_ != nullptr) munmap(layout_, kSize);
}

}  // namespace snarl::record
