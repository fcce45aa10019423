#include "symbolize/paths.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace snarl::symbolize {
namespace {

constexpr std::array<std::string_view, 4> kSystemFolders = {"/usr/include/", "/usr/lib/gcc/", "/usr/lib/llvm-",
                                                            "/usr/lib/clang/"};

// File names up to the version: libc.so.6, libc-2.36.so, ld-linux-x86-64.so.2.
constexpr std::array<std::string_view, 19> kSystemModules = {
    "libc.so",      "libc-2",      "libm.so",      "libm-2",      "libpthread", "libstdc++.so", "libc++.so",
    "libc++abi.so", "libgcc_s.so", "libunwind.so", "ld-linux",    "ld-2",       "ld.so",        "libsnarl_rt",
    "libsnarl.so",  "linux-vdso",  "libasan.so",   "libubsan.so", "libclang_rt"};

// The version folder of a C++ standard library: ".../c++/12/...", ".../c++/v1/...".
bool has_cxx_folder(std::string_view path) {
  constexpr std::string_view kCxx = "/c++/";
  for (size_t at = path.find(kCxx); at != std::string_view::npos; at = path.find(kCxx, at + 1)) {
    std::string_view version = path.substr(at + kCxx.size());
    if (version.starts_with('v')) version.remove_prefix(1);
    if (!version.empty() && std::isdigit(static_cast<unsigned char>(version[0]))) return true;
  }
  return false;
}

std::string normalized(std::string_view path) { return std::filesystem::path(path).lexically_normal().string(); }

}  // namespace

std::string join_path(std::string_view directory, std::string_view path) {
  if (path.empty() || path.starts_with('/') || directory.empty()) return std::string(path);
  std::string joined(directory);
  if (!joined.ends_with('/')) joined += '/';
  return joined.append(path);
}

std::string display_path(std::string_view path, std::string_view base_dir) {
  const std::string absolute = normalized(path);
  if (!absolute.starts_with('/') || !base_dir.starts_with('/')) return absolute;
  const std::string relative = std::filesystem::path(absolute).lexically_relative(normalized(base_dir)).string();
  if (relative.empty() || relative == ".") return absolute;
  const bool below = relative != ".." && !relative.starts_with("../");
  return below || relative.size() < absolute.size() ? relative : absolute;
}

bool is_system_source(std::string_view path) {
  if (has_cxx_folder(path)) return true;
  const std::string clean = normalized(path);
  if (clean.ends_with("/snarl/snarl.h") || clean.ends_with("/snarl/gtest.h"))
    return true;  // ours, compiled into the program
  return std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                     [&](std::string_view folder) { return clean.starts_with(folder); });
}

bool is_system_module(std::string_view path) {
  const std::string_view name = base_name(path);
  if (name == "[vdso]") return true;
  return std::any_of(kSystemModules.begin(), kSystemModules.end(),
                     [&](std::string_view known) { return name.starts_with(known); });
}

bool is_own_module(std::string_view path, std::string_view program) {
  constexpr std::array<std::string_view, 5> kLibraryFolders = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/",
                                                               "/usr/local/lib/"};
  if (is_system_module(path)) return false;
  const std::string_view folder = program.substr(0, program.size() - base_name(program).size());
  if (path == program || (folder.size() > 1 && path.starts_with(folder))) return true;
  return std::none_of(kLibraryFolders.begin(), kLibraryFolders.end(),
                      [&](std::string_view library) { return path.starts_with(library); });
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace snarl::symbolize
