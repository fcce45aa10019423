#include "explore/confirm.h"

#include <memory>

#include "explore/diagnose.h"
#include "explore/policy_spec.h"
#include "explore/replay.h"

namespace snarl {

Confirmation confirm(const RunRecord& failed, const Setup& setup, Guard& guard, int cpu, int stop_fd) {
  FindingContext context;
  context.policy = to_string(failed.policy);
  context.program = setup.target.program;
  context.argv = setup.target.argv;
  auto schedule = std::make_shared<const Schedule>(schedule_of(failed, context, 1));
  Expected<RunRecord> again = replay(std::move(schedule), setup, guard, cpu, stop_fd);
  Confirmation result;
  if (!again) return result;
  result.confirmed = choose_subject(*again, signature_of(failed));
  result.replay = std::move(*again);
  return result;
}

}  // namespace snarl
