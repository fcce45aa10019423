#include "symbolize/test_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace snarl::symbolize {
namespace {

constexpr std::string_view kMarkHeader =
    "#pragma once\n#define MARK(name) asm volatile(\".globl mark_\" #name \"\\nmark_\" #name \": nop\" ::: "
    "\"memory\")\n";

bool is_installed(const std::string& tool) {
  return std::system(("command -v " + tool + " > /dev/null 2>&1").c_str()) == 0;
}

}  // namespace

std::string run_command(const std::string& command) {
  std::string output;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (pipe && fgets(buffer.data(), static_cast<int>(buffer.size()), pipe)) output += buffer.data();
  const int status = pipe ? pclose(pipe) : -1;
  EXPECT_EQ(status, 0) << command << "\n" << output;
  return output;
}

std::vector<std::string> test_compilers() {
  const char* chosen = std::getenv("SNARL_TEST_CXX");
  std::vector<std::string> compilers = {chosen ? chosen : (is_installed("g++") ? "g++" : "c++")};
  if (is_installed("clang++")) compilers.push_back("clang++");
  return compilers;
}

TestProgram::TestProgram() {
  std::string pattern = (std::filesystem::temp_directory_path() / "snarl_symbolize_XXXXXX").string();
  EXPECT_NE(mkdtemp(pattern.data()), nullptr);
  folder_ = std::filesystem::canonical(pattern).string();
}

TestProgram::~TestProgram() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

void TestProgram::compile(const std::string& compiler, const std::string& flags, std::string_view source_text) {
  text_ = source_text;
  std::ofstream(path("mark.h")) << kMarkHeader;
  std::ofstream(source()) << text_;
  run_command("cd " + folder_ + " && " + compiler + " -std=c++20 -include mark.h " + flags +
              " -o prog main.cc -lpthread");
}

uint64_t TestProgram::symbol(const std::string& name) const {
  std::istringstream lines(run_command("nm " + program()));
  std::string address;
  std::string type;
  std::string found;
  for (std::string line; std::getline(lines, line);) {
    if (std::istringstream(line) >> address >> type >> found && found == name) return std::stoull(address, nullptr, 16);
  }
  ADD_FAILURE() << "no symbol " << name;
  return 0;
}

int TestProgram::line_of(const std::string& text) const {
  const size_t at = text_.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

const TestProgram& compiled_once(const std::string& command, std::string_view source) {
  static std::map<std::pair<std::string, std::string>, TestProgram> programs;
  const auto [at, added] = programs.try_emplace({command, std::string(source)});
  const size_t space = command.find(' ');
  if (added) at->second.compile(command.substr(0, space), command.substr(space + 1), source);
  return at->second;
}

int TestProgram::column_of(const std::string& text) const {
  const size_t at = text_.find(text);
  const size_t line = text_.rfind('\n', at);
  return static_cast<int>(line == std::string::npos ? at + 1 : at - line);
}

}  // namespace snarl::symbolize
