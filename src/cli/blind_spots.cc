#include "cli/blind_spots.h"

#include <fmt/format.h>

#include "explore/target/elf_image.h"
#include "explore/target/loaded_libraries.h"
#include "os/file_bytes.h"
#include "scan/code_image.h"
#include "symbolize/paths.h"

namespace snarl::cli {
namespace {

bool is_blind_spot(const std::string& file) {
  if (file.empty() || symbolize::is_system_module(file)) return false;
  const os::FileBytes bytes(file);
  return scan::read_code(bytes.view()).hooks.empty();
}

}  // namespace

std::vector<report::SummaryNote> blind_spots(const explore::Setup& setup, uint64_t schedules, os::Guard& guard) {
  std::vector<std::string> files = {setup.target.path};
  const os::FileBytes bytes(setup.target.path);
  const std::string loader = explore::parse_elf(bytes.view()).interpreter;
  if (const auto libraries = explore::loaded_libraries(setup, loader, guard))
    for (const explore::Library& library : *libraries) files.push_back(library.path);
  std::vector<report::SummaryNote> notes;
  for (const std::string& file : files)
    if (is_blind_spot(file))
      notes.push_back({"blind_spot",
                       fmt::format("{} was built without hooks: its accesses are not seen, nor races in it",
                                   symbolize::base_name(file)),
                       schedules});
  return notes;
}

}  // namespace snarl::cli
