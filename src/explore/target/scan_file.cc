#include "explore/target/scan_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <sstream>

#include "explore/target/call_entries.h"
#include "explore/target/function_names.h"
#include "os/fd.h"
#include "os/file_bytes.h"
#include "os/system.h"
#include "scan/table.h"

namespace snarl::explore {
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
  os::Fd fd(open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!fd) return;
  if (!write_all(fd.get(), bytes) || rename(fresh.c_str(), path.c_str()) != 0) unlink(fresh.c_str());
}

}  // namespace

std::vector<uint64_t> load_list(const std::string& words) {
  std::vector<uint64_t> loads;
  std::istringstream text(words);
  for (uint64_t load; text >> std::hex >> load;) loads.push_back(load);
  return loads;
}

Status scan_file(const std::string& file, int result, const std::string& cached,
                 const std::vector<FunctionRule>& functions, const std::vector<uint64_t>& loads) {
  const os::FileBytes bytes(file);
  if (bytes.view().empty()) return Error{"can't read " + file};
  const scan::CodeImage image = scan::read_code(bytes.view());
  NamedFunctions named = find_named_functions(file, functions);
  add_call_entries(file, bytes.view(), image, functions, named);
  scan::PatchPlan plan = scan::plan_patches(image, named.functions, loads);
  plan.matched = named.matched;
  const std::string table = scan::table_bytes(image, plan);
  if (!write_all(result, table)) return os::system_error("can't write the table of patches");
  if (!cached.empty()) keep(cached, table);
  return Done{};
}

}  // namespace snarl::explore
