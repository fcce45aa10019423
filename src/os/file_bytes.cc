#include "os/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "os/fd.h"

namespace snarl::os {

FileBytes::FileBytes(const std::string& path) {
  Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about {};
  if (!fd || fstat(fd.get(), &about) != 0 || about.st_size <= 0) return;
  void* at = mmap(nullptr, static_cast<size_t>(about.st_size), PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), static_cast<size_t>(about.st_size)};
}

FileBytes::~FileBytes() {
  if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace snarl::os
