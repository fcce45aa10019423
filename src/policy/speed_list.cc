#include "policy/speed_list.h"

namespace snarl::policy {
namespace {

constexpr int kMostDigits = 15;  // of a number: a double holds them exactly

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// libc's own functions may take locks, which are not ours to take in a tested process.
bool read_whole(const char*& at, uint64_t& value) {
  const char* begin = at;
  for (value = 0; is_digit(*at) && at - begin < kMostDigits; ++at)
    value = value * 10 + static_cast<uint64_t>(*at - '0');
  return at != begin && !is_digit(*at);
}

// Digits, and perhaps a point and digits.
bool read_decimal(const char*& at, double& value) {
  uint64_t digits = 0;
  uint64_t scale = 1;
  bool any = false, fraction = false;
  for (int n = 0; is_digit(*at) || (*at == '.' && !fraction); ++at) {
    if (*at == '.') {
      fraction = true;
      continue;
    }
    if (++n > kMostDigits) return false;
    digits = digits * 10 + static_cast<uint64_t>(*at - '0');
    scale *= fraction ? 10 : 1;
    any = true;
  }
  value = static_cast<double>(digits) / static_cast<double>(scale);
  return any;
}

}  // namespace

bool SpeedList::read_speeds(const char*& at) {
  for (;; ++at) {
    if (count_ == kMostSpeeds) return false;
    double& speed = speeds_[count_++];
    if (!read_decimal(at, speed) || speed <= 0 || speed > 1) return false;
    if (*at != ',') return true;
  }
}

bool SpeedList::read(const char* text) {
  parts_ = count_ = 0;
  for (const char* at = text;; ++at) {
    if (parts_ == kMostParts) return false;
    Part& part = part_[parts_++];
    part = {.begin = static_cast<uint8_t>(count_)};
    if (parts_ > 1) {
      if (!read_whole(at, part.from) || part.from <= part_[parts_ - 2].from || *at++ != ':') return false;
    }
    if (!read_speeds(at)) return false;
    part.end = static_cast<uint8_t>(count_);
    if (*at == '\0') return true;
    if (*at != '@') return false;
  }
}

bool BasisList::read(const char* text) {
  count_ = 0;
  if (text[0] == 'a' && text[1] == 'u' && text[2] == 't' && text[3] == 'o' && text[4] == '\0') return true;
  for (const char* at = text;; ++at) {
    uint64_t thread = 0;
    if (count_ == kMostBasis || !read_whole(at, thread) || thread > UINT32_MAX) return false;
    for (const uint32_t other : threads())
      if (other == thread) return false;
    threads_[count_++] = static_cast<uint32_t>(thread);
    if (*at == '\0') return count_ > 1;
    if (*at != ',') return false;
  }
}

bool is_speed_list(const char* text) { return SpeedList().read(text); }
bool is_basis_list(const char* text) { return BasisList().read(text); }

}  // namespace snarl::policy
