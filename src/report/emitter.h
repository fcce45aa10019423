// Where the results of an exploration go: a terminal, a folder, a file of some format. One class per output; a table
// says which there are (cli/emitters.h).
//
// An emitter only writes: it is told of findings that are complete, and what it does changes nothing for the others.
// Told by any of the explorer's threads, one call at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "report/ending.h"
#include "report/finding.h"
#include "report/progress.h"
#include "report/summary.h"

namespace snarl::report {

// What was recorded of a failing run, besides what is said about it: file contents.
struct Evidence {
  std::string schedule;
  std::string in;  // what the program read; empty: nothing, or too much
  std::string out, err;
  std::string replay_script;
  std::string directive = {};  // the cause, for -p obey; empty: it is not known
  std::string mark;            // explore/campaign/mark.h; empty: there is none
};

struct Found {
  const Finding& finding;
  const Evidence& evidence;
};

class Emitter {
 public:
  virtual ~Emitter() = default;

  // Ten times per second at most.
  virtual void progress(const Progress&) {}
  virtual Status finding(const Found&) { return Done{}; }
  // The finding could not be stored, so what is shown of it is all that will be left.
  virtual void lost(const Found&) {}
  // The last call. If there is a problem, its message for people comes after it.
  virtual Status end(const Summary&, const Ending&) { return Done{}; }
};

// Tells all of them, in their order. The first error is the result.
class Emitters {
 public:
  void add(std::unique_ptr<Emitter> emitter) { all_.push_back(std::move(emitter)); }

  void progress(const Progress& progress) {
    for (const auto& emitter : all_) emitter->progress(progress);
  }
  // After an error the others are not told of a finding, but of a lost one: there is no folder to look at.
  Status finding(const Found& found) {
    for (const auto& emitter : all_) {
      const Status told = emitter->finding(found);
      if (told) continue;
      for (const auto& other : all_) other->lost(found);
      return told;
    }
    return Done{};
  }
  // All are told, so that a full disk does not keep the report from being shown.
  Status end(const Summary& summary, const Ending& ending) {
    Status result = Done{};
    for (const auto& emitter : all_)
      if (Status told = emitter->end(summary, ending); !told && result) result = told;
    return result;
  }

 private:
  std::vector<std::unique_ptr<Emitter>> all_;
};

}  // namespace snarl::report
