#include "cli/state_key.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "explore/campaign/mark.h"
#include "os/fd.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

Error problem(const std::string& path, const std::string& what) {
  return {fmt::format("the key {} {}", path, what), {}, 2};
}

bool write_key(int fd) {
  char bytes[explore::kMarkKeySize];
  if (getrandom(bytes, sizeof bytes, 0) != static_cast<ssize_t>(sizeof bytes)) return false;
  return write(fd, bytes, sizeof bytes) == static_cast<ssize_t>(sizeof bytes) && fsync(fd) == 0;
}

// Under its name only when it is whole; of two who make it at once, the first wins.
Status create_key(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return problem(path, "can't be made: " + std::string(strerror(errno)));
  std::string draft = path + ".XXXXXX";
  os::Fd fd(mkostemp(draft.data(), O_CLOEXEC));  // O_EXCL, mode 0600
  if (!fd) return problem(path, "can't be made: " + std::string(strerror(errno)));
  const bool made = write_key(fd.get()) && (link(draft.c_str(), path.c_str()) == 0 || errno == EEXIST);
  const int reason = errno;
  unlink(draft.c_str());
  return made ? Status(Done{}) : problem(path, "can't be made: " + std::string(strerror(reason)));
}

}  // namespace

std::string key_path() {
  const char *state = std::getenv("XDG_STATE_HOME"), *home = std::getenv("HOME");
  if (state != nullptr && *state == '/') return fs::path(state) / "snarl/key";
  return home != nullptr && *home == '/' ? fs::path(home) / ".local/state/snarl/key" : fs::path();
}

Expected<std::string> read_key(const std::string& path) {
  if (path.empty()) return Error{"there is no state folder: neither XDG_STATE_HOME nor HOME is set", {}, 2};
  os::Fd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!fd) return problem(path, "can't be read: " + std::string(strerror(errno)));
  struct stat about = {};
  if (fstat(fd.get(), &about) != 0 || !S_ISREG(about.st_mode)) return problem(path, "is no file");
  if (about.st_uid != geteuid()) return problem(path, "belongs to somebody else");
  if ((about.st_mode & 077) != 0) return problem(path, "may be used by others: its mode must be 0600");
  std::string key(explore::kMarkKeySize + 1, '\0');
  const ssize_t size = read(fd.get(), key.data(), key.size());
  if (size != static_cast<ssize_t>(explore::kMarkKeySize)) return problem(path, "does not have 32 bytes");
  key.resize(explore::kMarkKeySize);
  return key;
}

Expected<std::string> make_key(const std::string& path) {
  struct stat about = {};
  if (!path.empty() && lstat(path.c_str(), &about) != 0 && errno == ENOENT)
    if (Status made = create_key(path); !made) return made.error();
  return read_key(path);
}

}  // namespace snarl::cli
