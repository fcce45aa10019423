#include "coseq/strategy/catalog.h"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <limits>

#include "coseq/strategy/act.h"
#include "coseq/strategy/pct.h"
#include "coseq/strategy/uact.h"

namespace snarl::coseq {
namespace {

constexpr uint64_t kMost = std::numeric_limits<unsigned>::max();  // LanePlan::points

struct Parameter {
  const char* name;
  uint64_t value, least, most;
  bool quiet = false;  // not shown while it is 0
  bool power_of_two = false;
};

struct Row {
  StrategyInfo info;
  std::vector<Parameter> parameters;
  std::unique_ptr<Strategy> (*make)(const std::vector<Parameter>&);
};

template <typename S>
std::unique_ptr<Strategy> make(const std::vector<Parameter>&) {
  return std::make_unique<S>();
}

const std::vector<Row>& rows() {
  static const Parameter kDepth{"depth", 3, 1, kPlanChanges + 1}, kThreads{"threads", 0, 0, kPlanThreads, true},
      kSteps{"steps", 0, 0, kMost, true};
  static const std::vector<Row> kRows = {
      {{"random", "at every point, each enabled thread is equally likely to run next"}, {}, make<RandomStrategy>},
      {{"pct", "random priorities; depth - 1 random steps lower the running thread"},
       {kDepth, kThreads, kSteps},
       make<PctStrategy>},
      {{"ppct", "as pct, but of the threads above priority d any takes the next step, each equally likely"},
       {kDepth, kThreads, kSteps},
       make<PpctStrategy>},
      {{"uact", "pct in groups of lanes, which share their priorities and part as late as possible"},
       {kDepth, kThreads, kSteps, {"lanes", 32, 2, 4096, false, true}},
       [](const std::vector<Parameter>& given) -> std::unique_ptr<Strategy> {
         return std::make_unique<Uact>(static_cast<uint32_t>(given[3].value));
       }},
      {{"act", "delayed divergence as printed in the paper of SINECOSEQ, for comparison: no guarantee"},
       {kDepth, kThreads, kSteps, {"lanes", 32, 2, 4096, false, true}},
       [](const std::vector<Parameter>& given) -> std::unique_ptr<Strategy> {
         return std::make_unique<Act>(static_cast<uint32_t>(given[3].value), static_cast<uint32_t>(given[0].value));
       }},
  };
  return kRows;
}

Error wrong(std::string_view text, const std::string& why) {
  std::string names;
  for (const Row& row : rows()) names += (names.empty() ? "" : ", ") + std::string(row.info.name);
  return Error{fmt::format("-p {}: {}", text, why), "lanes have " + names + "; snarl run has more", 2};
}

Status set(std::vector<Parameter>& parameters, std::string_view text, std::string_view word) {
  const size_t equals = word.find('=');
  for (Parameter& one : parameters) {
    if (equals == word.npos || word.substr(0, equals) != one.name) continue;
    const std::string_view digits = word.substr(equals + 1);
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || value < one.least || value > one.most)
      return wrong(text, fmt::format("{} is a whole number in {}..{}", one.name, one.least, one.most));
    if (one.power_of_two && !std::has_single_bit(value))
      return wrong(text, fmt::format("{} is a power of two", one.name));
    one.value = value;
    return Done{};
  }
  std::string names;
  for (const Parameter& one : parameters) names += (names.empty() ? "" : ", ") + std::string(one.name);
  return wrong(text,
               names.empty() ? "it has no parameters" : fmt::format("its parameters are {} (NAME=NUMBER)", names));
}

uint64_t value_of(const std::vector<Parameter>& parameters, std::string_view name, uint64_t otherwise) {
  for (const Parameter& one : parameters)
    if (one.name == name) return one.value;
  return otherwise;
}

}  // namespace

Expected<Chosen> parse_strategy(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(':'));
  for (const Row& row : rows()) {
    if (row.info.name != name) continue;
    std::vector<Parameter> parameters = row.parameters;
    std::string_view rest = text.substr(name.size());
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::string_view word = rest.substr(0, rest.find(','));
      if (Status good = set(parameters, text, word); !good) return good.error();
      rest.remove_prefix(word.size());
    }
    Chosen chosen;
    chosen.text = name;
    for (const Parameter& one : parameters)
      if (!one.quiet || one.value != 0)
        chosen.text += fmt::format("{}{}={}", chosen.text == name ? ':' : ',', one.name, one.value);
    chosen.depth = static_cast<uint32_t>(value_of(parameters, "depth", 1));
    chosen.threads = static_cast<uint32_t>(value_of(parameters, "threads", 0));
    chosen.steps = value_of(parameters, "steps", 0);
    chosen.strategy = row.make(parameters);
    return chosen;
  }
  return wrong(text, "there is no such strategy");
}

std::vector<StrategyInfo> strategy_catalog() {
  std::vector<StrategyInfo> infos;
  for (const Row& row : rows()) infos.push_back(row.info);
  return infos;
}

}  // namespace snarl::coseq
