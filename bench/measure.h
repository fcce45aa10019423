// What the tables have in common: running snarl on a program, and a row.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace snarl::bench {

struct Output {
  std::string text;  // what it wrote to its standard output
  double seconds = 0;
  double cpu_seconds = 0;  // of all its processes
  long peak_kb = 0;        // resident memory of the largest of its processes, snarl included
  bool good = false;       // exit code 0
};

// `snarl ARGUMENTS -- PROGRAM WORDS`, for two minutes at most; the programs stand beside us.
Output snarl(const std::string& arguments, const std::string& program, const std::string& words = {});

// `snarl ARGUMENTS`, which may say where its other output goes.
Output tool(const std::string& arguments);

// `snarl run ARGUMENTS` with its summary; discarded JSON if there is none. May be called from any thread.
nlohmann::json explore(const std::string& arguments, const std::string& program, const std::string& words = {});

// Whether that program stands beside us.
bool is_there(const std::string& program);

// The program without snarl.
Output alone(const std::string& program, const std::string& words = {});

// The same with what it prints.
Output answer_of(const std::string& program, const std::string& words = {});

// Lines of a name and a number: the smallest of each name is kept.
using Smallest = std::map<std::string, double>;
void keep_smallest(Smallest& best, const std::string& lines);

// Nanoseconds per point, as the program itself measured it under that policy; the best of `times`.
double nanoseconds_each(const std::string& program, const std::string& words, const std::string& policy, int times = 5);

// A measurement and its limit; `ratio` is the part of the limit that is used up: above 1 it is missed.
void row(const std::string& what, const std::string& measured, const std::string& limit, double ratio);
// Without a limit.
void row(const std::string& what, const std::string& measured);
// A measurement that could not be made.
void failed(const std::string& what);

int missed();  // rows above their limit, or failed

}  // namespace snarl::bench
