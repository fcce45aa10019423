#include "explore/target/environment.h"

#include <algorithm>
#include <string_view>

#include "wire/layout.h"

namespace snarl::explore {
namespace {

constexpr std::string_view kPreload = "LD_PRELOAD=";

bool is_sanitizer(std::string_view library) {
  const size_t slash = library.rfind('/');
  const std::string_view base = slash == library.npos ? library : library.substr(slash + 1);
  return base.starts_with("libasan.so") || base.starts_with("libclang_rt.asan");
}

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> result;
  while (!list.empty()) {
    const size_t end = std::min(list.find_first_of(": "), list.size());
    if (end > 0) result.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return result;
}

// Built with -fsanitize=thread: a library of ours that bears the name of the compiler's takes its place, so that the
// loader never looks for that. Empty: it was not.
std::string tsan_library(const std::string& runtime, const Target& target) {
  const std::string folder = runtime.substr(0, runtime.rfind('/') + 1);
  for (const std::string& library : target.needed) {
    if (library == "libtsan.so.2") return folder + "libsnarl_rt_tsan_gcc.so:";
    if (library.starts_with("libclang_rt.tsan")) return folder + "libsnarl_rt_tsan_clang.so:";
  }
  return {};
}

std::string preload_list(const std::vector<std::string>& user, const std::string& runtime, const Target& target) {
  std::string first, rest;
  for (const std::string& library : user) (is_sanitizer(library) ? first : rest) += library + ":";
  if (first.empty())
    for (const std::string& library : target.needed)
      if (is_sanitizer(library)) first += library + ":";
  std::string list = first + runtime + ":" + tsan_library(runtime, target) + rest;
  list.pop_back();
  return list;
}

// At its end ASan stops all OS threads and looks for leaks from their stacks: it knows nothing of fibers, takes a tenth
// of a second, and such a run does not repeat. Whoever asks for it has it.
void without_leak_check(std::vector<std::string>& environment) {
  constexpr std::string_view kOptions = "ASAN_OPTIONS=";
  const auto at =
      std::ranges::find_if(environment, [=](const std::string& variable) { return variable.starts_with(kOptions); });
  if (at == environment.end())
    environment.push_back(std::string(kOptions) + "detect_leaks=0");
  else if (at->find("detect_leaks") == std::string::npos)
    *at += ":detect_leaks=0";
}

}  // namespace

std::string wire_variable(int wire_fd, int control_fd) {
  return std::string(wire::kEnvironment) + "=" + std::to_string(wire_fd) + "," + std::to_string(control_fd);
}

std::string heap_library(const std::string& runtime) {
  return runtime.substr(0, runtime.rfind('/') + 1) + "libsnarl_rt_heap.so";
}

std::vector<std::string> with_preload(const std::vector<std::string>& user, const std::string& runtime,
                                      const Target& target) {
  std::vector<std::string> result, theirs;
  const std::string wire = std::string(wire::kEnvironment) + "=";
  for (const std::string& variable : user) {
    if (variable.starts_with(kPreload))
      theirs = split(std::string_view(variable).substr(kPreload.size()));
    else if (!variable.starts_with(wire))
      result.push_back(variable);
  }
  result.push_back(std::string(kPreload) + preload_list(theirs, runtime, target));
  if (target.has_asan) without_leak_check(result);
  return result;
}

}  // namespace snarl::explore
