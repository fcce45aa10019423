#include "cli/verbs.h"

namespace snarl::cli {
namespace {

constexpr VerbInfo kVerbs[] = {
    {"run", kRun, "run a program under many schedules and report its failures", run_verb, run_help},
    {"replay", kReplay, "run a recorded failure again", replay_verb, replay_help},
    {"explain", kExplain, "say which orders of events make a recorded failure happen", explain_verb, explain_help},
    {"minimize", kMinimize, "look for the shortest schedule of a recorded failure", minimize_verb, minimize_help},
    {"predict", kPredict, "look for races of other schedules in the trace of a recorded one", predict_verb,
     predict_help},
    {"classify", kClassify, "say at which places a switch helps a failure, and where it hides it", classify_verb,
     classify_help},
    {"policies", kPolicies, "list how the next thread can be chosen", policies_verb, policies_help},
    {"doctor", kDoctor, "say whether and how a program can be tested", doctor_verb, doctor_help},
    {"lanes", kLanes, "compile a program to a state machine and explore millions of schedules", lanes_verb, lanes_help},
    {"cc", kCompile, "compile C so that its memory accesses are schedule points", cc_verb, cc_help},
    {"c++", kCompile, "compile C++ so that its memory accesses are schedule points", cxx_verb, cxx_help},
    {"demo", kDemo, "find, replay and show a first bug", demo_verb, demo_help},
};

}  // namespace

std::span<const VerbInfo> verb_table() { return kVerbs; }

const VerbInfo* verb_named(std::string_view name) {
  for (const VerbInfo& verb : kVerbs)
    if (name == verb.name) return &verb;
  return nullptr;
}

}  // namespace snarl::cli
