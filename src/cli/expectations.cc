#include "cli/expectations.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/interrupt.h"
#include "cli/values.h"
#include "explore/execute/uncontrolled.h"
#include "explore/execute/worker.h"
#include "os/read_file.h"
#include "os/system.h"
#include "record/output_check.h"

namespace snarl::cli {
namespace {

constexpr int kOurs = 125;  // the exit code of a runtime that failed

Status read_exit(const Arguments& arguments, Expectations& expected) {
  Expected<uint64_t> code = parse_count(arguments.label("expect-exit"), arguments.get("expect-exit"), 0, 255);
  if (!code) return code.error();
  if (*code == kOurs)
    return Error{fmt::format("{}: exit code 125 says that snarl failed", arguments.label("expect-exit")), {}, 2};
  expected.exit_code = static_cast<int>(*code);
  return Done{};
}

Status read_output(const Arguments& arguments, Expectations& expected) {
  if (!arguments.has("expect-output")) return Done{};
  const std::string file = arguments.get("expect-output");
  Expected<std::string> text = os::read_file(file, 2);
  if (!text) return text.error();
  if (text->size() > Expectations::kMostOutput)
    return Error{fmt::format("{} is larger than 16 MiB, the most that is expected", file), {}, 2};
  expected.output = std::move(*text);
  return Done{};
}

Status read_forbidden(const Arguments& arguments, Expectations& expected) {
  expected.forbidden = arguments.all("fail-on");
  if (expected.forbidden.size() > Expectations::kMostPatterns)
    return Error{fmt::format("more than {} patterns to fail on", Expectations::kMostPatterns),
                 "one may have alternatives: 'lost|corrupt'", 2};
  for (const std::string& text : expected.forbidden)
    if (const Expected<record::Pattern> pattern = record::Pattern::compile(text); !pattern)
      return Error{fmt::format("{}: {}", arguments.label("fail-on"), pattern.error().message), pattern.error().hint, 2};
  return Done{};
}

// What stands in a file or in the environment is for runs that are judged.
Status check_once(const Arguments& arguments) {
  for (const char* name : {"expect-output", "expect-same-output", "expect-exit", "fail-on"})
    if (const Given* given = arguments.given(name); given != nullptr && given->source == Source::kFlag && !given->off)
      return Error{fmt::format("--once and --{} exclude each other", name),
                   "--once passes the program's own output and exit code through, and judges neither", 2};
  return Done{};
}

}  // namespace

Status read_expectations(const Arguments& arguments, RunOptions& options) {
  Expectations expected;
  options.same_output = arguments.has("expect-same-output");
  if (options.same_output && arguments.has("expect-output"))
    return Error{"--expect-output and --expect-same-output exclude each other", "give one of them", 2};
  if (arguments.has("once"))
    if (Status once = check_once(arguments); !once) return once;
  for (const Status& status :
       {read_exit(arguments, expected), read_output(arguments, expected), read_forbidden(arguments, expected)})
    if (!status) return status.error();
  if (expected != Expectations()) options.expectations = std::make_shared<const Expectations>(std::move(expected));
  return Done{};
}

Status learn_output(Session& session, os::Guard& guard) {
  if (!session.options.same_output) return Done{};
  Interrupt interrupt;
  const double began = os::now_seconds();
  explore::Workers workers(guard);
  Expected<std::string> output = explore::uncontrolled_output(session.setup, workers, interrupt.fd());
  if (interrupt.taken() != 0) return Error{"interrupted", {}, 128 + interrupt.taken()};
  if (!output) return output.error();
  Expectations expected = session.setup.expectations == nullptr ? Expectations() : *session.setup.expectations;
  expected.output = std::move(*output);
  session.setup.expectations = std::make_shared<const Expectations>(std::move(expected));
  session.options.seconds = std::max(session.options.seconds - (os::now_seconds() - began), 0.0);
  return Done{};
}

int judged_exit_code(const RunOptions& options, int exit_code) {
  const int expected = options.expectations == nullptr ? 0 : options.expectations->exit_code;
  if (exit_code == expected) return 0;
  return exit_code == 0 ? 1 : exit_code;
}

}  // namespace snarl::cli
