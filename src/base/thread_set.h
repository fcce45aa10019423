// A set of thread slots, timers included: a bitset that knows which of its words are not empty. It never reads, clears
// or copies the others, so with few threads a set of all slots costs as much as one of 64.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "base/ids.h"

namespace snarl {

class ThreadSet {
 public:
  constexpr ThreadSet() {}  // NOLINT: leaves words_ alone on purpose
  ThreadSet(const ThreadSet& other) { *this = other; }
  ThreadSet& operator=(const ThreadSet& other) {
    used_ = other.used_;
    for (uint64_t u = used_; u != 0; u &= u - 1) words_[__builtin_ctzll(u)] = other.words_[__builtin_ctzll(u)];
    return *this;
  }

  bool has(ThreadId t) const { return ((words_[t / 64] & counts(t / 64)) >> (t % 64) & 1) != 0; }
  void add(ThreadId t) {
    words_[t / 64] = (words_[t / 64] & counts(t / 64)) | bit(t);
    used_ |= uint64_t{1} << (t / 64);
  }
  void remove(ThreadId t) {
    if (__builtin_expect(used_ == 0, 1)) return;  // most sets are empty most of the time
    take_out(t);                                  // harmless in a word that does not count
  }
  // Removes a member, from a set that is hardly ever empty.
  void take_out(ThreadId t) {
    words_[t / 64] &= ~bit(t);
    used_ &= ~(static_cast<uint64_t>(words_[t / 64] == 0) << (t / 64));
  }
  void put(ThreadId t, bool in) { in ? add(t) : remove(t); }
  void clear() { used_ = 0; }

  bool empty() const { return used_ == 0; }
  int size() const {
    int n = 0;
    for (uint64_t u = used_; u != 0; u &= u - 1) n += __builtin_popcountll(words_[__builtin_ctzll(u)]);
    return n;
  }
  ThreadId first() const { return empty() ? kNoThread : id(__builtin_ctzll(used_)); }

  // The first slot below `end`, a multiple of 64, that is not a member; kNoThread if all are.
  ThreadId first_absent(int end) const {
    if (const uint64_t absent = ~(words_[0] & counts(0)); __builtin_expect(absent != 0, 1))
      return static_cast<ThreadId>(__builtin_ctzll(absent));
    return first_absent_from(1, end);
  }

  // The member with the greatest value(ThreadId); of several, the first. The set is not empty.
  template <typename Value>
  [[gnu::always_inline]] ThreadId greatest(Value&& value) const {
    uint64_t used = used_;
    int word = __builtin_ctzll(used);
    uint64_t others = words_[word] & (words_[word] - 1);
    ThreadId best = id(word);
    auto most = value(best);
    for (;;) {
      for (; others != 0; others &= others - 1) {
        const auto t = static_cast<ThreadId>(word * 64 + __builtin_ctzll(others));
        const auto its = value(t);
        best = its > most ? t : best;  // without a branch, which could not be predicted
        most = its > most ? its : most;
      }
      used &= used - 1;
      if (__builtin_expect(used == 0, 1)) return best;  // few programs have more than 64 threads
      word = __builtin_ctzll(used);
      others = words_[word];
    }
  }

  // The member that has `rank` smaller members. rank < size().
  ThreadId nth(int rank) const {
    for (uint64_t u = used_; u != 0; u &= u - 1) {
      const int word = __builtin_ctzll(u);
      const int here = __builtin_popcountll(words_[word]);
      if (rank < here) return nth_in_word(word, rank);
      rank -= here;
    }
    return kNoThread;
  }

  // Calls f(ThreadId) for each member in increasing order. f must not change this set.
  template <typename F>
  void for_each(F&& f) const {
    for_each_in(used_, f, [](int) { return ~uint64_t{0}; });
  }
  // The same for those below `end`, a multiple of 64.
  template <typename F>
  void for_each_below(int end, F&& f) const {
    for_each_in(used_ & low_words(end), f, [](int) { return ~uint64_t{0}; });
  }
  // The same for those that are not in `other`.
  template <typename F>
  void for_each_outside(const ThreadSet& other, F&& f) const {
    for_each_in(used_, f, [&](int word) { return ~(other.words_[word] & other.counts(word)); });
  }

  // Makes all of `others` members, or none of them.
  void add_all(const ThreadSet& others) {
    for (uint64_t u = others.used_; u != 0; u &= u - 1) {
      const int word = __builtin_ctzll(u);
      words_[word] = (words_[word] & counts(word)) | others.words_[word];
    }
    used_ |= others.used_;
  }
  void remove_all(const ThreadSet& others) {
    for (uint64_t u = used_ & others.used_; u != 0; u &= u - 1) {
      const int word = __builtin_ctzll(u);
      words_[word] &= ~others.words_[word];
      used_ &= ~(static_cast<uint64_t>(words_[word] == 0) << word);
    }
  }

  // The members that are also in `other`, and those that are not.
  ThreadSet common(const ThreadSet& other) const {
    ThreadSet result;
    for (uint64_t u = used_ & other.used_; u != 0; u &= u - 1)
      result.assign(__builtin_ctzll(u), words_[__builtin_ctzll(u)] & other.words_[__builtin_ctzll(u)]);
    return result;
  }
  ThreadSet minus(const ThreadSet& other) const {
    ThreadSet result;
    for (uint64_t u = used_; u != 0; u &= u - 1) {
      const int word = __builtin_ctzll(u);
      result.assign(word, words_[word] & ~((other.used_ >> word & 1) != 0 ? other.words_[word] : 0));
    }
    return result;
  }
  // Are all members below `end`, a multiple of 64, also in `other`?
  bool is_within(const ThreadSet& other, int end) const {
    for (uint64_t u = used_ & low_words(end); u != 0; u &= u - 1) {
      const int word = __builtin_ctzll(u);
      if ((words_[word] & ~(other.words_[word] & other.counts(word))) != 0) return false;
    }
    return true;
  }
  bool intersects(const ThreadSet& other) const {
    for (uint64_t u = used_ & other.used_; u != 0; u &= u - 1)
      if (words_[__builtin_ctzll(u)] & other.words_[__builtin_ctzll(u)]) return true;
    return false;
  }

 private:
  static constexpr int kWords = kMaxSlots / 64;
  static_assert(kWords <= 64, "used_ has one bit per word");

  template <typename F, typename Mask>
  [[gnu::always_inline]] void for_each_in(uint64_t used, F&& f, Mask&& mask) const {
    for (; used != 0; used &= used - 1) {
      const int word = __builtin_ctzll(used);
      for (uint64_t w = words_[word] & mask(word); w != 0; w &= w - 1)
        f(static_cast<ThreadId>(word * 64 + __builtin_ctzll(w)));
    }
  }
  [[gnu::noinline]] ThreadId first_absent_from(int word, int end) const {
    for (; word < end / 64; ++word)
      if (const uint64_t absent = ~(words_[word] & counts(word)); absent != 0)
        return static_cast<ThreadId>(word * 64 + __builtin_ctzll(absent));
    return kNoThread;
  }
  static constexpr uint64_t low_words(int end) { return (uint64_t{1} << (end / 64)) - 1; }
  uint64_t counts(int word) const { return -(used_ >> word & 1); }  // all bits, or none
  static uint64_t bit(ThreadId t) { return uint64_t{1} << (t % 64); }
  ThreadId id(int word) const { return static_cast<ThreadId>(word * 64 + __builtin_ctzll(words_[word])); }
  ThreadId nth_in_word(int word, int rank) const {
    uint64_t w = words_[word];
    if (__builtin_expect(rank >= 8, 0)) w = without_low_half(w, rank);
    while (rank-- > 0) w &= w - 1;
    return static_cast<ThreadId>(word * 64 + __builtin_ctzll(w));
  }
  // Leaves the low half out, a quarter and an eighth, as long as what is sought lies above it.
  static uint64_t without_low_half(uint64_t w, int& rank) {
    int from = 0;
    for (const int width : {32, 16, 8}) {
      const uint64_t low = ((uint64_t{1} << width) - 1) << from;
      const int below = __builtin_popcountll(w & low);
      if (rank < below) continue;
      rank -= below;
      w &= ~low;
      from += width;
    }
    return w;
  }
  void assign(int word, uint64_t bits) {
    words_[word] = bits;
    if (bits != 0) used_ |= uint64_t{1} << word;
  }

  uint64_t used_ = 0;  // bit w is set if and only if words_[w] counts, and then it is not 0
  uint64_t words_[kWords];
};

}  // namespace snarl
