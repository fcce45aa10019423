#include "scan/spin_loop.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "scan/plain_step.h"

namespace snarl::scan {
namespace {

constexpr uint8_t kRsp = 4;
constexpr uint64_t kRedZone = 128;        // below a stack's top, of which its thread may make use (System V ABI)
constexpr uint64_t kOwnStack = 64 << 10;  // above its top: most likely the thread's own; only a preference
constexpr uint64_t kMostPushed = 8;
constexpr uint64_t kObject = 4096;  // a load so near to where a pointer points may go through it

struct Access {
  size_t step = 0;
  uint64_t address = 0;
};

class Round {
 public:
  // False: some instruction is not plain, or its bytes are not known.
  bool decode(std::span<const SpinStep> both, const std::function<std::string_view(uint64_t)>& code) {
    both_ = both;
    length_ = both.size() / 2;
    for (const SpinStep& step : both_.first(length_)) {
      const auto plain = plain_step(code(step.pc));
      if (!plain) return false;
      plain_.push_back(*plain);
    }
    return true;
  }

  // Follows both rounds: after the first, all memory that a round gives a value is known.
  bool repeats_for_ever() {
    for (size_t i = 0; i < both_.size(); ++i)
      if (!follow(i) && i >= length_) return false;
    return true;
  }

  std::optional<SpinLoop> choose() const {
    std::map<uint64_t, std::set<uint64_t>> addresses;  // by pc
    std::vector<Access> loads;
    for (size_t i = 0; i < length_; ++i) {
      if (!is_fit(i)) continue;
      loads.push_back({i, address_of(i)});
      addresses[both_[i].pc].insert(loads.back().address);
    }
    std::erase_if(loads, [&](const Access& a) { return addresses[both_[a.step].pc].size() > kMostSpinAddresses; });
    const auto rank = [&](const Access& a) {
      return std::tuple(is_way_to_another(a, loads), is_near_own_stack(a.address), both_[a.step].pc);
    };
    const auto best = std::ranges::min_element(loads, {}, rank);
    if (best == loads.end()) return std::nullopt;
    return SpinLoop{end_of(best->step), end_of(in_own_function(best->step))};
  }

 private:
  uint64_t stack_at(size_t i) const { return both_[i].registers[kRsp]; }
  uint64_t end_of(size_t i) const { return both_[i].pc + plain_[i].length; }

  // Thread-local memory, which has no address here, is nobody else's.
  bool has_address(size_t i) const { return plain_[i % length_].operand.segment == wire::Segment::kNone; }

  uint64_t address_of(size_t i) const {
    const PlainStep& step = plain_[i % length_];
    const wire::Operand& operand = step.operand;
    const auto value = [&](uint8_t number) { return number < 16 ? both_[i].registers[number] : 0; };
    const uint64_t base = operand.base == wire::kRip ? both_[i].pc + step.length : value(operand.base);
    return base + (value(operand.index) << operand.scale) + static_cast<uint64_t>(int64_t{operand.displacement});
  }

  // False: memory has a value now that may differ from round to round.
  bool follow(size_t i) {
    const PlainStep& step = plain_[i % length_];
    if (step.copies) return false;
    if (step.pushes) {
      const uint64_t top = stack_at((i + 1) % both_.size());
      if (stack_at(i) - top > kMostPushed) return false;
      for (uint64_t byte = top; byte < stack_at(i); ++byte) known_.insert(byte);
    }
    if (!step.writes) return true;
    if (!has_address(i)) return !step.reads;
    const uint64_t begin = address_of(i);
    for (uint64_t byte = begin; byte < begin + step.size; ++byte) {
      if (step.reads && !known_.contains(byte)) return false;
      known_.insert(byte);
    }
    return true;
  }

  // Waits for somebody else's write: the round itself does not write there.
  bool is_fit(size_t i) const {
    if (!plain_[i].loads() || !has_address(i) || plain_[i].size == 0 || plain_[i].size > 8) return false;
    return !known_.contains(address_of(i));
  }

  // Its value is the address of what another one reads.
  bool is_way_to_another(const Access& a, const std::vector<Access>& loads) const {
    const uint8_t to = plain_[a.step].to;
    if (to == wire::kNoRegister || plain_[a.step].size != 8) return false;
    const uint64_t value = both_[a.step + 1].registers[to];
    return std::ranges::any_of(loads, [&](const Access& other) {
      return both_[other.step].pc != both_[a.step].pc && other.address - value < kObject;
    });
  }

  bool is_near_own_stack(uint64_t address) const {
    uint64_t top = stack_at(0);
    for (size_t i = 1; i < length_; ++i) top = std::min(top, stack_at(i));
    return address - (top - kRedZone) < kOwnStack;
  }

  // The last step at or before that one in the outermost function of the round.
  size_t in_own_function(size_t step) const {
    uint64_t outermost = 0;
    for (size_t i = 0; i < length_; ++i) outermost = std::max(outermost, stack_at(i));
    while (stack_at(step) != outermost) step = (step + length_ - 1) % length_;
    return step;
  }

  std::span<const SpinStep> both_;
  size_t length_ = 0;
  std::vector<PlainStep> plain_;        // of a round
  std::unordered_set<uint64_t> known_;  // bytes whose value the round's registers say
};

}  // namespace

std::optional<SpinLoop> find_spin_loop(std::span<const SpinStep> steps,
                                       const std::function<std::string_view(uint64_t)>& code) {
  for (size_t length = 1; 2 * length <= steps.size(); ++length) {
    const auto both = steps.last(2 * length);
    if (both[0] != both[length] || !std::ranges::equal(both.first(length), both.last(length))) continue;
    // A loop inside of it may count in memory, with the same registers in two of its rounds: then it is a longer one.
    Round round;
    if (round.decode(both, code) && round.repeats_for_ever()) return round.choose();
  }
  return std::nullopt;
}

}  // namespace snarl::scan
