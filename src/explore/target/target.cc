#include "explore/target/target.h"

#include <elf.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/nearest.h"
#include "explore/target/elf_image.h"
#include "os/fd.h"
#include "os/file_bytes.h"

namespace snarl::explore {
namespace {

constexpr int kNotFound = 127, kNotExecutable = 126, kNotControllable = 4;
constexpr int kMostInterpreters = 4;  // as the kernel's own limit for scripts that interpret scripts

bool is_file(const std::string& path) {
  struct stat about {};
  return stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode);
}

std::string absolute(const std::string& path) {
  std::error_code error;
  const std::string result = std::filesystem::absolute(path, error).lexically_normal();
  return error ? path : result;
}

// Someone may have named the source instead of the program.
bool is_source(const std::filesystem::path& path) {
  const std::string extension = path.extension();
  return extension == ".c" || extension == ".cc" || extension == ".cpp" || extension == ".cxx" || extension == ".rs";
}

// The program here that was probably meant.
std::string not_found_hint(const std::string& name) {
  if (name.find('/') == name.npos) {
    if (is_file("./" + name)) return fmt::format("it is searched in PATH; did you mean ./{}?", name);
    return "it is searched in PATH; a program of this folder is ./NAME";
  }
  const std::filesystem::path path = name;
  std::vector<std::string> programs;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(path.parent_path(), error))
    if (is_file(entry.path()) && access(entry.path().c_str(), X_OK) == 0) programs.push_back(entry.path().filename());
  const std::string near = nearest(path.filename().string(), programs);
  return near.empty() ? "" : fmt::format("did you mean {}?", (path.parent_path() / near).string());
}

Status check_file(const std::string& path, const std::string& name) {
  struct stat about {};
  if (path.empty() || stat(path.c_str(), &about) != 0) {
    const bool denied = !path.empty() && errno == EACCES;
    if (denied) return Error{name + ": permission denied", {}, kNotExecutable};
    return Error{name + ": program not found", not_found_hint(name), kNotFound};
  }
  if (S_ISDIR(about.st_mode)) return Error{name + " is a directory", "name the program in it", kNotExecutable};
  if (!S_ISREG(about.st_mode)) return Error{name + " is not a regular file", {}, kNotExecutable};
  if (access(path.c_str(), X_OK) != 0)
    return Error{name + " is not executable", is_source(path) ? "compile it, and name the program" : "chmod +x " + path,
                 kNotExecutable};
  if ((about.st_mode & (S_ISUID | S_ISGID)) != 0)
    return Error{name + " is setuid or setgid: the loader ignores preloaded libraries there",
                 "test a copy without that bit", kNotControllable};
  if (getxattr(path.c_str(), "security.capability", nullptr, 0) > 0)
    return Error{name + " has file capabilities: the loader ignores preloaded libraries there",
                 "test a copy: cp keeps no capabilities", kNotControllable};
  return Done{};
}

Status check_elf(const ElfImage& image, const std::string& name) {
  if (image.elf_class == ElfImage::Class::k32)
    return Error{name + " is a 32-bit program: only x86-64 can be controlled", "build it without -m32",
                 kNotControllable};
  if (image.elf_class != ElfImage::Class::k64) return Error{name + " is a damaged ELF file", {}, kNotExecutable};
  if (image.machine != EM_X86_64) return Error{name + " is for another processor than x86-64", {}, kNotExecutable};
  if (image.type != ET_EXEC && image.type != ET_DYN)
    return Error{name + " is an object file, not a program", "link it first", kNotExecutable};
  if (image.cut_off)
    return Error{name + " is cut off: a part that is to be loaded is missing", "build it again", kNotExecutable};
  if (image.go)
    return Error{name + " is a Go program: goroutines don't use pthread calls and can't be controlled",
                 "use Go's own race detector (go build -race)", kNotControllable};
  if (std::ranges::find(image.exports, "__tsan_init") != image.exports.end())
    return Error{name + " has the compiler's ThreadSanitizer linked into it, which does what snarl would do",
                 "link it again with snarl cc or snarl c++ (clang alone: with -shared-libsan)", kNotControllable};
  if (image.interpreter.empty() && !image.needed.empty())
    return Error{name + " is a shared library, not a program", {}, kNotExecutable};
  if (image.interpreter.empty())
    return Error{name + " is statically linked: its locks can't be intercepted", "relink it without -static",
                 kNotControllable};
  if (image.interpreter.find("ld-linux-x86-64") == std::string::npos)
    return Error{fmt::format("{} is not linked with glibc (its loader is {})", name, image.interpreter),
                 "build it against glibc", kNotControllable};
  return Done{};
}

bool has_asan(const ElfImage& image) {
  const auto is = [](const std::string& symbol) { return symbol == "__asan_init"; };
  return std::ranges::any_of(image.imports, is) || std::ranges::any_of(image.exports, is);
}

// Who is built for TSan's library gets our hooks in its place.
bool has_hooks(const ElfImage& image) {
  return image.hooks || std::ranges::find(image.imports, "__tsan_init") != image.imports.end();
}

// "#! INTERPRETER [ARGUMENT]": at most one argument, as the kernel splits it.
std::vector<std::string> script_line(std::string_view bytes) {
  std::string_view line = bytes.substr(2, 4096);
  line = line.substr(0, line.find('\n'));
  const auto trim = [](std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\r");
    return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  };
  line = trim(line);
  const size_t end = std::min(line.find_first_of(" \t"), line.size());
  std::vector<std::string> words;
  if (end > 0) words.emplace_back(line.substr(0, end));
  if (const std::string_view rest = trim(line.substr(end)); !rest.empty()) words.emplace_back(rest);
  return words;
}

// `env NAME` would be the controlled program itself: start NAME directly instead.
std::vector<std::string> without_env(std::vector<std::string> words, const std::string& search_path) {
  if (words.size() != 2 || !words[0].ends_with("/env") || words[1].find_first_of("=- \t") != std::string::npos)
    return words;
  const std::string found = find_program(words[1], search_path);
  return {found.empty() ? words[1] : found};
}

Expected<Target> resolve(Target target, const std::string& name, const std::string& search_path, int depth);

Expected<Target> through_interpreter(Target target, const std::string& name, std::string_view bytes,
                                     const std::string& search_path, int depth) {
  std::vector<std::string> words = without_env(script_line(bytes), search_path);
  if (words.empty()) return Error{name + ": its #! line names no interpreter", {}, kNotExecutable};
  if (depth == kMostInterpreters) return Error{name + ": too many levels of interpreters", {}, kNotExecutable};
  if (access(words[0].c_str(), F_OK) != 0)
    return Error{fmt::format("{}: its interpreter {} is not there", name, words[0]), {}, kNotExecutable};
  words.push_back(target.path);
  words.insert(words.end(), target.argv.begin() + 1, target.argv.end());
  target.path = words[0];
  target.script = true;
  target.argv = std::move(words);
  const std::string interpreter = target.path;
  return resolve(std::move(target), fmt::format("{} (the interpreter of {})", interpreter, name), search_path,
                 depth + 1);
}

Expected<Target> resolve(Target target, const std::string& name, const std::string& search_path, int depth) {
  const Status good = check_file(target.path, name);
  if (!good) return good.error();
  const os::FileBytes file(target.path);
  if (file.view().starts_with("#!"))
    return through_interpreter(std::move(target), name, file.view(), search_path, depth);
  const ElfImage image = parse_elf(file.view());
  if (image.elf_class == ElfImage::Class::kNotElf)
    return Error{name + " is neither a program nor a script with an interpreter line",
                 "if it is a script, begin it with #!/bin/sh", kNotExecutable};
  const Status controllable = check_elf(image, name);
  if (!controllable) return controllable.error();
  target.build_id = image.build_id;
  target.needed = image.needed;
  target.has_asan = has_asan(image);
  target.has_hooks = has_hooks(image);
  return target;
}

}  // namespace

std::string find_program(const std::string& name, const std::string& search_path) {
  if (name.find('/') != name.npos) return name;
  std::string fallback;
  for (size_t at = 0; at <= search_path.size();) {
    const size_t end = std::min(search_path.find(':', at), search_path.size());
    const std::string folder = search_path.substr(at, end - at);
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (is_file(path)) {
      if (access(path.c_str(), X_OK) == 0) return path;
      if (fallback.empty()) fallback = path;
    }
    at = end + 1;
  }
  return fallback;
}

Expected<Target> find_target(const std::vector<std::string>& command, const std::string& search_path) {
  if (command.empty() || command[0].empty())
    return Error{"no program to test", "write it after --: snarl run -- ./prog ARGS", 2};
  Target target;
  target.path = find_program(command[0], search_path);
  target.program = absolute(target.path);
  target.command = target.argv = command;
  return resolve(std::move(target), command[0], search_path, 0);
}

}  // namespace snarl::explore
