#include "explore/campaign/classify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "cli/configuration.h"
#include "cli/expectations.h"
#include "cli/installation.h"
#include "cli/interrupt.h"
#include "cli/one_thread.h"
#include "cli/print_config.h"
#include "cli/progress.h"
#include "cli/session.h"
#include "cli/terminal.h"
#include "cli/verbs.h"
#include "explain/group_names.h"
#include "explore/campaign/explorer.h"
#include "explore/execute/worker.h"
#include "os/core_claims.h"
#include "os/cores.h"
#include "os/keeper.h"

namespace snarl::cli {

std::string classify_help() {
  return R"(usage: snarl classify [OPTIONS] -- PROGRAM [ARGUMENTS]

Runs PROGRAM with noise (forced switches) in random halves of its places, and tells for each place whether noise there
makes a failure likelier (good), less likely (bad) or neither (neutral), with exact intervals. Good places are where the
failure comes about: look there first. PROGRAM should fail now and then; see snarl run.
)" + options_help(kClassify) +
         R"(
Examples:
  snarl classify -- ./bank
  snarl classify -n 10000 -p noise-separating:make=switch,group=variable -- ./bank
  snarl classify --json -- ./bank > places.json

Exit code: 0 the table was printed, 2 wrong usage, 4 nothing to test or no failure, 125 snarl failed, 126 and 127
program not executable or not found, 128+n ended by signal n.
)";
}

namespace {

constexpr uint64_t kSchedules = 2000;

// Failures are counted, not kept.
class Counting final : public explore::Observer {
 public:
  explicit Counting(bool live) : line_(live) {}
  void on_progress(const report::Progress& progress) override { line_.show(progress); }
  Expected<explore::Judgement> on_failure(const explore::FailedRun&) override { return explore::Judgement::kFinding; }
  void on_note(const record::RunRecord&, const std::string&) override {}
  ProgressLine& line() { return line_; }

 private:
  ProgressLine line_;
};

Expected<Session> prepare_to_classify(const Arguments& arguments) {
  Expected<Session> session = prepare(arguments);
  if (!session) return session.error();
  explore::CampaignPlan& plan = session->options.plan;
  if (plan.policies.size() != 1) return Error{"one policy at a time is classified with", "give one -p", 2};
  if (Status checked = explore::check_classifies(plan.policies[0]); !checked) return checked.error();
  plan.keep_going = true;
  if (arguments.has("schedules") || arguments.has("for")) return session;
  plan.schedules = kSchedules;
  session->options.seconds = std::numeric_limits<double>::infinity();
  return session;
}

explore::SubsetRuns runs_of(const Session& session, const explore::Exploration& exploration) {
  const explore::CampaignPlan& plan = session.options.plan;
  return {plan.policies[0], plan.seed, exploration.indices, exploration.missing, exploration.failing_at};
}

int classify_with(const Session& session, os::Guard& guard) {
  Interrupt interrupt;
  const explore::ExploreOptions options{session.options.plan, session.options.seconds, session.options.cpus,
                                        interrupt.fd(), session.options.after_finding};
  Counting counting(has_live_lines(STDERR_FILENO));
  explore::Workers workers(guard);
  const explore::Exploration exploration = explore::explore(session.setup, options, workers, counting);
  counting.line().clear();
  if (exploration.error) return complain(*exploration.error);
  if (exploration.one_thread) return complain(one_thread_error(session.setup.target, exploration));
  std::error_code unknown;
  explain::GroupText text(std::filesystem::current_path(unknown));
  const report::Classification result = explore::classify(runs_of(session, exploration), exploration.groups, text);
  if (!put(session.options.json ? report::classification_json(result) : report::classification_text(result)))
    return complain({"can't write to the standard output"});
  if (exploration.interrupted) return 128 + interrupt.taken();
  if (result.failing == 0)
    return complain({fmt::format("none of {} schedules failed, so nothing can be told of any place", result.schedules),
                     "find a failure with snarl run first, then give it as many schedules (-n) as that took, and more",
                     4});
  return 0;
}

}  // namespace

int classify_verb(const Words& words) {
  Expected<Arguments> arguments = read_arguments(kClassify, words);
  if (!arguments) return complain(arguments.error());
  if (const std::optional<int> code = answered(*arguments, classify_help, check_session)) return *code;
  if (Status taken = take_program(*arguments, "classify"); !taken) return complain(taken.error());
  tell(misspelt_variables(own_environment()));
  Expected<Session> session = prepare_to_classify(*arguments);
  if (!session) return complain(session.error());
  os::begin_below_keeper();
  const os::CoreClaims claims(os::allowed_cores(), session->options.cpus.size());
  session->options.cpus = claims.cores();
  Expected<os::Guard> guard = os::Guard::start();
  if (!guard) return complain(guard.error());
  Expected<os::StandardInput> input = prepare_input();
  if (!input) return complain(input.error());
  session->setup.input = &*input;
  if (Status learned = learn_output(*session, *guard); !learned) return complain(learned.error());
  return classify_with(*session, *guard);
}

}  // namespace snarl::cli
