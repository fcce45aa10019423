// System calls without libc: they keep errno, take no lock and are seen by no interposer.
// Results are the kernel's: a negative errno on failure.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace snarl::runtime::raw {

template <typename T>
inline long word(T value) {
  return (long)value;  // NOLINT: pointers and integers of every kind
}

template <typename... Args>
inline long call(long number, Args... args) {
  long argument[6] = {word(args)...};
  register long r10 asm("r10") = argument[3];
  register long r8 asm("r8") = argument[4];
  register long r9 asm("r9") = argument[5];
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(argument[0]), "S"(argument[1]), "d"(argument[2]), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline void futex_wait(const uint32_t* address, uint32_t value) {
  call(SYS_futex, address, FUTEX_WAIT_PRIVATE, value, 0);
}
inline void futex_wake(const uint32_t* address) { call(SYS_futex, address, FUTEX_WAKE_PRIVATE, 1); }

// Pages that are about to be written, all at once instead of by a fault each. A kernel before Linux 5.14 does not.
inline void make_ready_to_write(unsigned long begin, unsigned long end) {
  constexpr int kPopulateWrite = 23;  // MADV_POPULATE_WRITE
  call(SYS_madvise, begin, end - begin, kPopulateWrite);
}

// Advice on many parts of this process, in few calls; for a kernel before Linux 6.14, which takes each alone, and where
// the call fails, alone(begin, end) is called for each.
template <typename Alone>
inline void advise(const iovec* parts, unsigned long count, int advice, Alone alone) {
  constexpr int kThisProcess = -10000;         // PIDFD_SELF
  constexpr unsigned long kMostAtOnce = 1024;  // UIO_MAXIOV
  for (unsigned long at = 0; at < count; at += kMostAtOnce) {
    const unsigned long now = count - at < kMostAtOnce ? count - at : kMostAtOnce;
    long size = 0;
    for (unsigned long i = at; i < at + now; ++i) size += static_cast<long>(parts[i].iov_len);
    if (call(SYS_process_madvise, kThisProcess, parts + at, now, advice, 0) == size) continue;
    for (unsigned long i = at; i < at + now; ++i) {
      const auto begin = reinterpret_cast<unsigned long>(parts[i].iov_base);
      alone(begin, begin + parts[i].iov_len);
    }
  }
}

// The same as above for many parts.
inline void make_ready_to_write(const iovec* parts, unsigned long count) {
  constexpr int kPopulateWrite = 23;
  advise(parts, count, kPopulateWrite, [](unsigned long begin, unsigned long end) { make_ready_to_write(begin, end); });
}

[[noreturn]] inline void exit_group(int code) {
  for (;;) call(SYS_exit_group, code);
}

// Compilers turn loops into calls of memset and memcpy, which sanitizers intercept; these stay what they are. The
// processor takes thirty cycles to begin a string instruction: a few words are faster one by one.
constexpr unsigned long kFewBytes = 256;

// Calls move(at, n) for parts of `size` bytes, the largest first: n of them at that offset, a number that the compiler
// knows.
template <typename Move>
[[gnu::always_inline]] inline void move_few(unsigned long size, Move move) {
  unsigned long at = 0;
  const auto move_all = [&](auto n) __attribute__((always_inline)) {
    for (; at + n <= size; at += n) {
      move(at, n);
      asm volatile("" : "+r"(at) : : "memory");  // nor is the loop unrolled: it is short
    }
  };
  move_all(std::integral_constant<unsigned long, 16>());
  move_all(std::integral_constant<unsigned long, 8>());
  move_all(std::integral_constant<unsigned long, 4>());
  move_all(std::integral_constant<unsigned long, 1>());
}
inline void fill(void* to, unsigned char value, unsigned long size) {
  if (size > kFewBytes) {
    asm volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
    return;
  }
  const uint64_t word = value * 0x0101010101010101, words[] = {word, word};
  move_few(size, [&](unsigned long at, auto n) { __builtin_memcpy(static_cast<char*>(to) + at, words, n); });
}
inline void copy(void* to, const void* from, unsigned long size) {
  if (__builtin_constant_p(size) && size <= 64) {  // a few instructions, never a call
    __builtin_memcpy(to, from, size);
    return;
  }
  if (size > kFewBytes) {
    asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    return;
  }
  move_few(size, [=](unsigned long at, auto n) {
    __builtin_memcpy(static_cast<char*>(to) + at, static_cast<const char*>(from) + at, n);
  });
}

// As fill() with zeros, without a loop.
template <unsigned long kSize>
[[gnu::always_inline]] inline void clear(void* to) {
  static_assert(kSize >= 16 && kSize <= kFewBytes);
  const uint64_t zeros[2] = {};
  const auto clear_at = [&](unsigned long at) { __builtin_memcpy(static_cast<char*>(to) + at, zeros, sizeof zeros); };
  [&]<unsigned long... kNth>(std::integer_sequence<unsigned long, kNth...>) __attribute__((always_inline)) {
    (clear_at(kNth * 16), ...);
  }
  (std::make_integer_sequence<unsigned long, kSize / 16>());
  if (kSize % 16 != 0) clear_at(kSize - 16);  // of the last ones, some again
}

// Decimal digits, without a zero at the end. value >= 0.
inline void put_number(char*& to, int value) {
  char digits[12];
  int count = 0;
  do digits[count++] = static_cast<char>('0' + value % 10);
  while ((value /= 10) != 0);
  while (count > 0) *to++ = digits[--count];
}

}  // namespace snarl::runtime::raw
