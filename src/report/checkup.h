// What `snarl doctor` learned of a program, as data (schema snarl.doctor/1,
// docs/formats/doctor-json.md). Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/summary.h"

namespace snarl::report {

constexpr const char* kCheckupSchema = "snarl.doctor/1";

// The file that is executed.
struct ProgramFacts {
  std::string path;
  std::string script = {};  // if it is only the interpreter of this one
  std::string linking;      // "dynamic", "static"; "" if it is no ELF file
  bool pie = false;
  bool symbols = false;
  bool debug_info = false;
  std::string build_id = {};
  std::vector<std::string> sanitizers = {};  // "address", "thread", "memory", "undefined"
  std::vector<std::string> runtimes = {};    // "Go", "Rust", "OpenMP"
};

// What a module (the program or a library) brings along that concerns us.
struct ModuleFacts {
  std::string name;
  std::string path;
  std::vector<std::string> brings;  // "threads", "futex calls", "inline system calls"
};

struct CheckupEffect {
  std::string kind;  // "writes", "connects to", ...
  std::string what;
  uint64_t times = 0;
};

struct CheckupCall {
  std::string module;
  std::string call;
  uint64_t times = 0;
};

// The run without control, of which every system call was looked at.
struct ObservedRun {
  std::string could_not = {};  // why it was not looked at
  std::string ended;           // "exit code 0", "signal 6", "not within 4 s"; "" if there was no run
  double seconds = 0;
  uint32_t threads = 0;
  std::vector<CheckupEffect> effects;
  uint64_t more_effects = 0;
  std::vector<CheckupCall> inline_calls;
};

// One schedule under control.
struct ControlledRun {
  std::string outcome;  // as in findings; "" if there was no run
  double seconds = 0;
  uint32_t threads = 0;
  Step steps = 0;
  bool repeatable = true;  // false: the watchdog had a say
};

struct Checkup {
  std::string version;
  std::vector<std::string> command;
  bool testable = false;
  std::string verdict;  // a sentence
  std::string hint;     // what to do
  ProgramFacts program;
  std::vector<ModuleFacts> modules;  // only those that bring something
  Chosen switching;
  Chosen reset;
  ObservedRun observed;
  ControlledRun controlled;
  std::vector<std::string> notes;  // sentences: what to expect
};

nlohmann::json to_json(const Checkup& checkup);
Expected<Checkup> checkup_from_json(const nlohmann::json& json);
std::string checkup_json_text(const Checkup& checkup);

}  // namespace snarl::report
