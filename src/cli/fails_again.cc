#include "cli/fails_again.h"

#include "explain/signature.h"

namespace snarl::cli {
namespace {

bool choose_kind(record::RunRecord& record, const std::string& kind) {
  for (const record::Failure& failure : explain::failures_of(record)) {
    record.failure = failure;
    if (explain::kind_of(record) == kind) return true;
  }
  record.failure = {};
  return false;
}

}  // namespace

bool fails_again(record::RunRecord& record, const Schedule& schedule, bool same_build) {
  const bool any_place = schedule.signature.empty() || !same_build;
  return any_place ? choose_kind(record, schedule.failure) : explain::choose_failure(record, schedule.signature);
}

}  // namespace snarl::cli
