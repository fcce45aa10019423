#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "cli/man_page.h"
#include "cli/shell_completion.h"
#include "cli/terminal.h"
#include "cli/verbs.h"

namespace snarl::cli {
namespace {

namespace fs = std::filesystem;

Status write(const fs::path& path, const std::string& text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) return Error{"can't write " + path.string()};
  return Done{};
}

// Everything, below a folder that is laid out like /usr/share.
Status write_files(const fs::path& share) {
  std::vector<std::pair<fs::path, std::string>> files = {{"man/man1/snarl.1", man_page()},
                                                         {"bash-completion/completions/snarl", bash_completion()},
                                                         {"zsh/site-functions/_snarl", zsh_completion()}};
  for (const VerbInfo& verb : verb_table())
    files.emplace_back(fmt::format("man/man1/snarl-{}.1", verb.name), man_page(verb));
  for (const auto& [path, text] : files)
    if (Status written = write(share / path, text); !written) return written;
  return Done{};
}

int usage() {
  return complain({"usage: snarl --generate man [VERB] | bash | zsh | files FOLDER",
                   "for this shell alone: source <(snarl --generate bash)", 2});
}

}  // namespace

int generate_verb(const Words& words) {
  const std::string what = words.empty() ? "" : words[0], name = words.size() == 2 ? words[1] : "";
  if (words.size() == 1 && what == "man") return put(man_page()) ? 0 : 125;
  if (words.size() == 1 && what == "bash") return put(bash_completion()) ? 0 : 125;
  if (words.size() == 1 && what == "zsh") return put(zsh_completion()) ? 0 : 125;
  if (what == "man" && verb_named(name) != nullptr) return put(man_page(*verb_named(name))) ? 0 : 125;
  if (what != "files" || name.empty()) return usage();
  const Status written = write_files(name);
  return written ? 0 : complain(written.error());
}

}  // namespace snarl::cli
