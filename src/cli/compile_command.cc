#include "cli/compile_command.h"

#include <algorithm>
#include <string_view>

namespace snarl::cli {
namespace {

using Words = std::vector<std::string>;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

// The next word is its value.
bool takes_value(std::string_view word) {
  return is_one_of(word, {"-o",
                          "-x",
                          "-I",
                          "-D",
                          "-U",
                          "-L",
                          "-l",
                          "-B",
                          "-T",
                          "-u",
                          "-z",
                          "-e",
                          "-A",
                          "-F",
                          "-G",
                          "-include",
                          "-imacros",
                          "-isystem",
                          "-iquote",
                          "-idirafter",
                          "-iprefix",
                          "-isysroot",
                          "-iwithprefix",
                          "-iwithprefixbefore",
                          "-MF",
                          "-MT",
                          "-MQ",
                          "-MJ",
                          "-Xlinker",
                          "-Xassembler",
                          "-Xpreprocessor",
                          "-Xclang",
                          "-Xanalyzer",
                          "-mllvm",
                          "-target",
                          "-arch",
                          "-aux-info",
                          "-dumpbase",
                          "-dumpdir",
                          "--param",
                          "-wrapper",
                          "-specs",
                          "--sysroot",
                          "-rpath"});
}

bool stops_before_link(std::string_view word) {
  return is_one_of(word, {"-c", "-S", "-E", "-M", "-MM", "-r", "-fsyntax-only", "-emit-ast", "--precompile",
                          "--version", "--help"}) ||
         word.starts_with("-print-") || word.starts_with("--print-") || word.starts_with("-dump") ||
         word.starts_with("--help=");
}

Words flags_of(const CompileTools& tools) {
  // clang's pass does not see accesses of 256 bits and more; gcc warns of fences, which its own runtime knows nothing
  // of.
  if (tools.clang)
    return {"-fsanitize=thread", "-fno-vectorize", "-fno-slp-vectorize", "-g", "-Wno-unused-command-line-argument"};
  // gcc would write copies of a known size itself, without a hook; clang's pass makes calls of them.
  return {"-fsanitize=thread", "-Wno-tsan", "-g", "-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"};
}

// Functions of libc and libstdc++ that the hooks stand in front of (instrument/memory_functions.cc, guards.cc).
constexpr const char* kWrapped =
    "-Wl,--wrap=memcpy,--wrap=memmove,--wrap=memset,--wrap=memcmp,--wrap=strlen,--wrap=strcpy,"
    "--wrap=strncpy,--wrap=strcmp,--wrap=__cxa_guard_acquire,--wrap=__cxa_guard_release";

}  // namespace

bool links(const Words& words) {
  bool has_input = false;
  for (size_t i = 0; i < words.size(); ++i) {
    if (stops_before_link(words[i])) return false;
    if (takes_value(words[i]))
      ++i;
    else if (!words[i].starts_with('-') || words[i] == "-")
      has_input = true;
  }
  return has_input;
}

std::string excluded_sanitizer(const Words& words) {
  constexpr std::string_view kOption = "-fsanitize=";
  for (const std::string& word : words) {
    if (!word.starts_with(kOption)) continue;
    const std::string list = "," + word.substr(kOption.size()) + ",";
    for (const char* name : {",address,", ",leak,", ",memory,", ",hwaddress,", ",kernel-address,"})
      if (list.find(name) != list.npos) return word;
  }
  return "";
}

// The user's own words come after ours, so that they count more; the archive comes last, when the linker knows what is
// missing. It goes by -Xlinker: behind -x c the driver would take it for a source.
Words compile_command(const Words& words, const CompileTools& tools) {
  Words command{tools.compiler};
  const Words flags = flags_of(tools);
  command.insert(command.end(), flags.begin(), flags.end());
  const bool linking = links(words);
  if (linking) command.push_back(tools.clang ? "-fno-sanitize-link-runtime" : "-B" + tools.stand_ins);
  command.insert(command.end(), words.begin(), words.end());
  if (linking) command.insert(command.end(), {kWrapped, "-Xlinker", tools.hooks, "-pthread"});
  return command;
}

}  // namespace snarl::cli
