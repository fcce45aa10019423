#include "explore/scan_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "explore/fd.h"
#include "explore/file_bytes.h"
#include "explore/function_names.h"
#include "explore/system.h"
#include "scan/table.h"

namespace snarl {
namespace {

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Several may do so at once: each writes a file of its own, and the last one to finish gives its name to it.
void keep(const std::string& path, std::string_view bytes) {
  const std::string fresh = path + "." + std::to_string(getpid());
  Fd fd(open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return;
  if (!write_all(fd.get(), bytes) || rename(fresh.c_str(), path.c_str()) != 0) unlink(fresh.c_str());
}

}  // namespace

Status scan_file(const std::string& file, int result, const std::string& cached, const std::vector<FunctionRule>& functions) {
  const FileBytes bytes(file);
  if (bytes.view().empty()) return Error{"can't read " + file};
  const CodeImage image = read_code(bytes.view());
  const NamedFunctions named = find_named_functions(file, functions);
  PatchPlan plan = plan_patches(image, named.functions);
  plan.matched = named.matched;
  const std::string table = table_bytes(image, plan);
  if (!write_all(result, table)) return system_error("can't write the table of patches");
  if (!cached.empty()) keep(cached, table);
  return Done{};
}

}  // namespace snarl
