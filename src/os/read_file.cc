#include "os/read_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "os/fd.h"
#include "os/system.h"

namespace snarl::os {

Expected<std::string> read_file(const std::string& path, int exit_code) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return Error{system_error("can't read " + path).message, {}, exit_code};
  std::string text;
  char buffer[64 << 10];
  for (;;) {
    const ssize_t got = read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{system_error("can't read " + path).message, {}, exit_code};
    if (got == 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace snarl::os
