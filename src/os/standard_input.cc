#include "os/standard_input.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>

#include "os/system.h"

namespace snarl::os {
namespace {

bool write_all(int fd, const char* bytes, size_t size) {
  while (size > 0) {
    const ssize_t put = write(fd, bytes, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    bytes += put;
    size -= static_cast<size_t>(put);
  }
  return true;
}

void wait_for(int fd, bool& told, const std::function<void()>& waiting) {
  pollfd one{fd, POLLIN, 0};
  if (told || poll(&one, 1, 2000) != 0) return;
  told = true;
  waiting();
}

Expected<Fd> read_all(int fd, const std::function<void()>& waiting) {
  Fd copy(memfd_create("snarl-stdin", MFD_CLOEXEC));
  if (!copy) return system_error("can't keep the standard input");
  char buffer[64 << 10];
  bool told = false;
  for (size_t size = 0; size <= StandardInput::kMostFromPipe;) {
    wait_for(fd, told, waiting);
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got < 0) return system_error("can't read the standard input");
    if (got == 0) return copy;
    if (!write_all(copy.get(), buffer, static_cast<size_t>(got))) return system_error("can't keep the standard input");
    size += static_cast<size_t>(got);
  }
  return Error{"the standard input is larger than 64 MiB", "give it as a file: snarl run ... < FILE", 2};
}

}  // namespace

Expected<StandardInput> StandardInput::prepare(int fd, const std::function<void()>& waiting) {
  struct stat about {};
  if (isatty(fd) || fstat(fd, &about) != 0 || S_ISCHR(about.st_mode)) return StandardInput(Fd(), 0);
  if (S_ISREG(about.st_mode)) {
    const off_t at = lseek(fd, 0, SEEK_CUR);
    return StandardInput(Fd(fcntl(fd, F_DUPFD_CLOEXEC, kInheritedFdFloor)), at < 0 ? 0 : at);
  }
  if (S_ISDIR(about.st_mode)) return StandardInput(Fd(), 0);
  Expected<Fd> copy = read_all(fd, waiting);
  if (!copy) return copy.error();
  return StandardInput(std::move(*copy), 0);
}

Expected<StandardInput> StandardInput::from_text(std::string_view text) {
  Fd copy(memfd_create("snarl-stdin", MFD_CLOEXEC));
  if (!copy || !write_all(copy.get(), text.data(), text.size())) return system_error("can't keep the standard input");
  return StandardInput(std::move(copy), 0);
}

Expected<std::string> StandardInput::text(size_t most) const {
  Expected<Fd> fd = open();
  if (!fd) return fd.error();
  std::string text;
  char buffer[64 << 10];
  while (text.size() <= most) {
    const ssize_t got = read(fd->get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error("can't read the standard input");
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
  return std::string();
}

Expected<Fd> StandardInput::open() const {
  const std::string path = source_ ? "/proc/self/fd/" + std::to_string(source_.get()) : "/dev/null";
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return system_error("can't open the standard input again");
  if (offset_ != 0) lseek(fd.get(), offset_, SEEK_SET);
  return fd;
}

}  // namespace snarl::os
