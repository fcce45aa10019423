#include "explore/doctor/inspect.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "explore/doctor/call_names.h"
#include "explore/doctor/inline_calls.h"

namespace snarl::explore {
namespace {

bool has(const std::vector<std::string>& list, std::string_view name) {
  return std::ranges::find(list, name) != list.end();
}

// Dynamic: it wants the library. Static: it has the library's functions itself.
bool knows(const ElfImage& image, std::string_view symbol) {
  return has(image.imports, symbol) || has(image.exports, symbol);
}

bool needs(const ElfImage& image, std::string_view library) {
  return std::ranges::any_of(image.needed, [=](const std::string& name) { return name.starts_with(library); });
}

// Clang's others contain the functions of the undefined-behaviour one whether it was asked for or not.
std::vector<std::string> sanitizers_of(const ElfImage& image) {
  std::vector<std::string> result;
  if (knows(image, "__asan_init") || needs(image, "libasan.")) result.emplace_back("address");
  if (knows(image, "__tsan_init") || needs(image, "libtsan.")) result.emplace_back("thread");
  if (knows(image, "__msan_init")) result.emplace_back("memory");
  if (knows(image, "__hwasan_init")) result.emplace_back("hwaddress");
  const bool undefined = needs(image, "libubsan.") || has(image.imports, "__ubsan_handle_add_overflow") ||
                         (result.empty() && has(image.exports, "__ubsan_handle_add_overflow"));
  if (undefined) result.emplace_back("undefined");
  return result;
}

std::vector<std::string> runtimes_of(const ElfImage& image, std::string_view bytes) {
  std::vector<std::string> result;
  if (image.go) result.emplace_back("Go");
  // Where the standard library's source was, in its messages; Debian's compiler has another folder.
  const bool rust = bytes.find("/rustc/") != bytes.npos || bytes.find("/rustc-1.") != bytes.npos;
  if (rust && !image.go) result.emplace_back("Rust");
  if (needs(image, "libgomp.")) result.emplace_back("OpenMP (gcc)");
  if (needs(image, "libomp.") || needs(image, "libiomp")) result.emplace_back("OpenMP (clang)");
  return result;
}

std::string describe(const std::vector<InlineCall>& calls) {
  std::map<std::string, int> by_name;
  for (const InlineCall& call : calls) ++by_name[call.number ? call_name(*call.number) : "of unknown number"];
  std::string names;  // those that matter to a scheduler; the others are counted
  size_t others = calls.size();
  for (const char* name :
       {"futex", "clone", "clone3", "sched_yield", "nanosleep", "clock_nanosleep", "epoll_wait", "io_uring_enter"}) {
    const int count = by_name[name];
    if (count == 0) continue;
    names += fmt::format("{} x{}, ", name, count);
    others -= static_cast<size_t>(count);
  }
  return fmt::format("inline system calls ({}others x{})", names, others);
}

// mov $SYS_futex, %edi: the first argument of syscall().
bool asks_for_futex(const ElfImage& image) {
  constexpr std::string_view kLoad("\xbf\xca\0\0\0", 5);
  return std::ranges::any_of(image.code, [=](std::string_view code) { return code.find(kLoad) != code.npos; });
}

}  // namespace

report::ProgramFacts inspect_program(const std::string& path, const ElfImage& image, std::string_view bytes) {
  report::ProgramFacts facts;
  facts.path = path;
  if (image.elf_class != ElfImage::Class::k64) return facts;
  facts.linking = image.interpreter.empty() ? "static" : "dynamic";
  facts.pie = image.type == ET_DYN;
  facts.symbols = image.symbols;
  facts.debug_info = image.debug_info;
  facts.build_id = image.build_id;
  facts.sanitizers = sanitizers_of(image);
  facts.runtimes = runtimes_of(image, bytes);
  return facts;
}

std::vector<std::string> brought_by(const ElfImage& image) {
  std::vector<std::string> result;
  if (has(image.imports, "pthread_create") || has(image.imports, "thrd_create")) result.emplace_back("threads");
  if (has(image.imports, "clone")) result.emplace_back("clone()");
  if (has(image.imports, "syscall"))
    result.emplace_back(asks_for_futex(image) ? "futex calls by syscall()" : "syscall()");
  std::vector<InlineCall> calls;
  for (std::string_view code : image.code)
    for (const InlineCall& call : find_inline_calls(code)) calls.push_back(call);
  if (!calls.empty()) result.push_back(describe(calls));
  return result;
}

}  // namespace snarl::explore
