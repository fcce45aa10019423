// For tests: compiles a small source into a fresh folder and finds marks in it.
//
// A mark is an assembler label that the source puts where a test wants to look: `MARK(name)`. The folder is removed at
// the end. A missing gcc fails the test; clang is tested if it is installed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace snarl::symbolize {

// The output of a shell command; the test fails if the command does.
std::string run_command(const std::string& command);

// g++ (or $SNARL_TEST_CXX), and clang++ if it is installed.
std::vector<std::string> test_compilers();

class TestProgram {
 public:
  TestProgram();
  ~TestProgram();
  TestProgram(const TestProgram&) = delete;
  TestProgram& operator=(const TestProgram&) = delete;

  // Writes `source` as main.cc, with MARK defined in a header of its own, and links it to `prog`.
  void compile(const std::string& compiler, const std::string& flags, std::string_view source);

  std::string folder() const { return folder_; }
  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  std::string program() const { return path("prog"); }
  std::string source() const { return path("main.cc"); }

  uint64_t symbol(const std::string& name) const;  // an address by `nm`; the test fails without it
  int line_of(const std::string& text) const;      // the 1-based line of main.cc that has `text`
  int column_of(const std::string& text) const;    // and the 1-based column where it begins

 private:
  std::string folder_;
  std::string text_;
};

// The same, but compiled only once per test program for the same arguments.
// `command` is the compiler and its flags: "g++ -g -O2". Don't change its files.
const TestProgram& compiled_once(const std::string& command, std::string_view source);

}  // namespace snarl::symbolize
