#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/compile_command.h"
#include "cli/installation.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explore/target/target.h"
#include "os/streams.h"

namespace snarl::cli {
namespace {

struct Language {
  const char* verb;
  const char* variable;
  const char* fallback;
};
constexpr Language kC{"cc", "SNARL_CC", "gcc"}, kCxx{"c++", "SNARL_CXX", "g++"};

std::string help_of(const Language& language) {
  return fmt::format(
             R"(usage: snarl {0} [--with=COMPILER] COMPILER-OPTIONS FILES

Calls the compiler with its own options, and with those that turn memory accesses, atomic operations and
function entries into schedule points. What it makes runs as always without snarl, a little slower.
The compiler is {1}, or {2}, or what --with says.
)",
             language.verb, language.fallback, std::string("$") + language.variable) +
         options_help(kCompile) +
         fmt::format(R"(
Examples:
  snarl {0} -O1 -g x.c -o x && snarl run -- ./x
  make CC="snarl cc" CXX="snarl c++"
  cmake -DCMAKE_TOOLCHAIN_FILE=.../SnarlInstrument.cmake ..
)",
                     language.verb);
}

std::string compiler_of(const Language& language, Words& words) {
  constexpr std::string_view kWith = "--with=";
  if (!words.empty() && words[0].starts_with(kWith)) {
    const std::string compiler = words[0].substr(kWith.size());
    words.erase(words.begin());
    return compiler;
  }
  for (const char* variable : {language.variable, "SNARL_WITH"})
    if (const char* compiler = std::getenv(variable); compiler != nullptr && *compiler != '\0') return compiler;
  return language.fallback;
}

// `cc` may be either: what it is a link to says which.
bool is_clang(const std::string& compiler) {
  if (compiler.find("clang") != compiler.npos) return true;
  const std::string path = explore::find_program(compiler, search_path());
  std::error_code error;
  return std::filesystem::canonical(path, error).string().find("clang") != std::string::npos;
}

int become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  os::give_back_sigpipe();
  execvp(argv[0], argv.data());
  const int code = errno == ENOENT ? 127 : 126;
  return complain({fmt::format("can't start the compiler {}: {}", command[0], std::strerror(errno)),
                   "--with=COMPILER names another", code});
}

int compile(const Language& language, Words words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h") {
    put(help_of(language));
    return words.empty() ? 2 : 0;
  }
  if (const std::string word = excluded_sanitizer(words); !word.empty())
    return complain({word + " and the hooks for memory points exclude each other",
                     "build with the compiler itself: snarl run takes such a program as it is", 2});
  CompileTools tools;
  tools.compiler = compiler_of(language, words);
  tools.clang = is_clang(tools.compiler);
  Expected<std::string> hooks = find_hooks();
  if (!hooks) return complain(hooks.error());
  tools.hooks = *hooks;
  tools.stand_ins = std::filesystem::path(*hooks).parent_path() / "instrument";
  return become(compile_command(words, tools));
}

}  // namespace

std::string cc_help() { return help_of(kC); }
std::string cxx_help() { return help_of(kCxx); }
int cc_verb(const Words& words) { return compile(kC, words); }
int cxx_verb(const Words& words) { return compile(kCxx, words); }

}  // namespace snarl::cli
