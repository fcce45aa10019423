#include "schedule/replay_string.h"

#include <algorithm>

#include "base/hash.h"
#include "schedule/rules_version.h"

namespace snarl {
namespace {

constexpr std::string_view kPrefix = "SN2-";
static_assert(kRulesVersion == 2, "the prefix says which version of the rules the steps are counted by");
constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";  // base64url

// Bytes to come: small numbers take one.
class Packer {
 public:
  void number(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string take() {
    const uint64_t sum = hash_text(bytes_);
    bytes_ += static_cast<char>(sum);
    bytes_ += static_cast<char>(sum >> 8);
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) break;
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    good_ = false;
    return 0;
  }
  bool good() const { return good_; }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
  bool good_ = true;
};

// The two high bits, which make a timer or an alarm of it, come low: a small number stays small.
uint64_t packed(uint32_t ordinal) { return uint64_t{ordinal & ~(kTimerBit | kAlarmBit)} << 2 | ordinal >> 30; }
uint32_t unpacked(uint64_t number) { return static_cast<uint32_t>(number >> 2) | static_cast<uint32_t>(number << 30); }

std::string encode(std::string_view bytes) {
  std::string text;
  uint32_t bits = 0;
  int held = 0;
  for (char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) text += kDigits[bits >> (held - 6) & 63];
  }
  if (held > 0) text += kDigits[bits << (6 - held) & 63];
  return text;
}

bool decode(std::string_view text, std::string& bytes) {
  uint32_t bits = 0;
  int held = 0;
  for (char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) return false;
    bits = bits << 6 | static_cast<uint32_t>(digit);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held);
  }
  return true;
}

// Places are in order: those of one file follow each other, each by its distance from the one before.
void pack_points(const Replay& replay, Packer& packer) {
  packer.number(replay.points);
  packer.number(replay.places.size());
  SharedPlace last;
  for (const SharedPlace& place : replay.places) {
    const bool other = place.module != last.module;
    packer.number((place.offset - (other ? 0 : last.offset)) << 1 | other);
    if (other) packer.number(place.module);
    last = place;
  }
}

void unpack_points(Unpacker& unpacker, Replay& replay) {
  replay.points = static_cast<PointSet>(unpacker.number());
  const uint64_t count = unpacker.number();
  SharedPlace last;
  for (uint64_t i = 0; i < count && unpacker.good(); ++i) {
    const uint64_t distance = unpacker.number();
    if ((distance & 1) != 0) last = {unpacker.number(), 0};
    last.offset += distance >> 1;
    replay.places.push_back(last);
  }
}

Error not_ours(std::string_view text) {
  const bool other = text.size() > 4 && text.starts_with("SN") && text[2] >= '0' && text[2] <= '9' && text[3] == '-';
  if (!other) return {"that is no replay string: it begins with SN2-", {}, 2};
  return {"the replay string is of version " + std::string(1, text[2]) +
              " of the step rules, but this snarl follows version 2",
          "use the snarl that printed it, or run the test again to find the failure by the present rules", 2};
}

Error damaged() {
  return {"the replay string is damaged: a part of it is missing or was changed",
          "copy it from the report as it stands", 2};
}

}  // namespace

uint16_t test_hash(std::string_view name) { return static_cast<uint16_t>(hash_text(name)); }

std::string to_replay_string(const Replay& replay) {
  Packer packer;
  packer.number(replay.seed);
  packer.number(replay.index);
  packer.number(replay.test);
  packer.number(replay.switches.size());
  Step step = 0;
  uint32_t running = 0;
  for (const Decision& d : replay.switches) {
    const bool other = d.from != running;
    packer.number(d.step - step);
    packer.number(packed(d.to) << 1 | other);
    if (other) packer.number(packed(d.from));
    packer.number(static_cast<uint64_t>(d.kind));
    step = d.step;
    running = d.to;
  }
  pack_points(replay, packer);
  return std::string(kPrefix) + encode(packer.take());
}

Expected<Replay> parse_replay_string(std::string_view text) {
  if (!text.starts_with(kPrefix)) return not_ours(text);
  std::string bytes;
  if (!decode(text.substr(kPrefix.size()), bytes) || bytes.size() < 2) return damaged();
  const uint64_t sum = hash_text(std::string_view(bytes).substr(0, bytes.size() - 2));
  if (bytes[bytes.size() - 2] != static_cast<char>(sum) || bytes.back() != static_cast<char>(sum >> 8))
    return damaged();
  bytes.resize(bytes.size() - 2);
  Unpacker unpacker(bytes);
  Replay replay{unpacker.number(), unpacker.number(), static_cast<uint16_t>(unpacker.number()), {}};
  const uint64_t count = unpacker.number();
  Step step = 0;
  uint32_t running = 0;
  for (uint64_t i = 0; i < count && unpacker.good(); ++i) {
    Decision d;
    step = d.step = step + unpacker.number();
    const uint64_t to = unpacker.number();
    d.from = (to & 1) != 0 ? unpacked(unpacker.number()) : running;
    running = d.to = unpacked(to >> 1);
    d.kind = static_cast<OpKind>(std::min<uint64_t>(unpacker.number(), static_cast<uint64_t>(OpKind::kCount) - 1));
    replay.switches.push_back(d);
  }
  unpack_points(unpacker, replay);
  if (!unpacker.good() || !unpacker.at_end()) return damaged();
  return replay;
}

}  // namespace snarl
