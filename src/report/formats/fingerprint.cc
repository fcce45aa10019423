#include "report/formats/fingerprint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

#include "base/hash.h"
#include "report/text/act_words.h"
#include "report/text/signal_name.h"
#include "report/text/thread_words.h"

namespace snarl::report {
namespace {

// "transfer" in "bank.cc". A symbol with its offset loses the offset.
std::string stable(const Location& place) {
  const std::string file = place.file.substr(place.file.rfind('/') + 1);
  const std::string function = place.function.substr(0, place.function.find("+0x"));
  return function + " " + (file.empty() ? place.module : file);
}

bool is_letter(const Finding& finding, const FindingAct& act) {
  return act.object < finding.objects.size() && finding.objects[act.object].letter;
}

// What each thread that can't go on waits for, and where.
std::vector<std::string> waits_of(const Finding& finding) {
  const ActWords words(finding.objects);
  std::vector<std::string> result;
  for (const FindingThread& thread : finding.threads) {
    if (thread.state != ThreadState::kBlocked || thread.holds.empty()) continue;
    const std::string awaited = awaited_text(thread, words);
    const bool named = !is_letter(finding, thread.act) && awaited.find_first_of("0123456789") == std::string::npos;
    result.push_back(fmt::format("{} for {}", stable(thread.place), named ? awaited : ""));
  }
  std::ranges::sort(result);
  return result;
}

}  // namespace

std::string fingerprint(const Finding& finding) {
  const std::string signal = failed_by(finding, OutcomeKind::kSignal) ? signal_name(finding.signal) : "";
  std::string text = std::string(kind_of(finding)) + "\n" + signal + "\n" + stable(finding.place) + "\n";
  for (const FindingDeed& deed : finding.deeds) text += stable(deed.place) + "\n";
  if (finding.deeds.empty())
    for (const std::string& wait : waits_of(finding)) text += wait + "\n";
  return fmt::format("{:016x}", hash_text(text));
}

}  // namespace snarl::report
