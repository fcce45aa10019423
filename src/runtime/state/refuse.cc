#include "runtime/state/refuse.h"

#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/text.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

wire::State& state() { return engine::shared->state; }

}  // namespace

SNARL_PROCESS_STATE void (*takes_over)() = nullptr;

void end_process() {
  state().phase.store(wire::Phase::kEnded, std::memory_order_release);
  if (takes_over != nullptr) takes_over();
  raw::exit_group(0);
}

void refuse(const char* why) {
  state().outcome = OutcomeKind::kRefused;
  set_message(why);
  end_process();
}

void set_message(const char* text) { TextWriter(state().message) << text; }

void set_assertion(const char* expression, const char* file, unsigned line, const char* function) {
  state().outcome = OutcomeKind::kAssert;
  TextWriter(state().message) << file << ":" << line << ": " << function << ": Assertion `" << expression
                              << "' failed.";
}

}  // namespace snarl::runtime
