// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104), for the marks of findings. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace snarl::explore {

using Digest = std::array<uint8_t, 32>;

Digest sha256(std::string_view bytes);
Digest hmac_sha256(std::string_view key, std::string_view bytes);

// Takes as long whether they differ early, late or not at all.
bool is_same(const Digest& a, const Digest& b);

// In lower-case hex digits.
std::string hex_of(const Digest& digest);

}  // namespace snarl::explore
