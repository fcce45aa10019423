#include "record/count_tables.h"

#include <algorithm>
#include <utility>

namespace snarl::record {
namespace {

uint64_t key_of(const ThreadCount& count) { return count.name; }
std::pair<uint64_t, uint64_t> key_of(const ObjectCount& count) { return {count.object, count.thread}; }

template <typename T>
bool in_order(const T& a, const T& b) {
  return key_of(a) < key_of(b);
}

// Sorts, and keeps of equal keys the one with the most events.
template <typename T>
void normalize(std::vector<T>& counts) {
  std::sort(counts.begin(), counts.end(),
            [](const T& a, const T& b) { return key_of(a) != key_of(b) ? in_order(a, b) : a.events > b.events; });
  const auto same = [](const T& a, const T& b) { return key_of(a) == key_of(b); };
  counts.erase(std::unique(counts.begin(), counts.end(), same), counts.end());
}

template <typename T, size_t N>
std::vector<T> filled(const T (&table)[N]) {
  std::vector<T> counts;
  for (const T& entry : table)
    if (const T copy = entry; copy.events != 0) counts.push_back(copy);
  return counts;
}

}  // namespace

void CountTables::merge(const CountTables& other) {
  threads.insert(threads.end(), other.threads.begin(), other.threads.end());
  objects.insert(objects.end(), other.objects.begin(), other.objects.end());
  normalize(threads);
  normalize(objects);
}

CountTables read_counts(const wire::Layout& layout) {
  CountTables counts;
  counts.merge({filled(layout.counted_threads), filled(layout.counted_objects)});
  constexpr uint64_t kMost = uint64_t{1} << 40;  // sums of them fit into 64 bits whatever the process wrote
  for (ThreadCount& count : counts.threads) count.events = std::min(count.events, kMost);
  for (ObjectCount& count : counts.objects) count.events = std::min(count.events, kMost);
  return counts;
}

void write_counts(const CountTables& counts, wire::Layout& layout) {
  layout.command.thread_counts =
      static_cast<uint32_t>(std::min<size_t>(counts.threads.size(), wire::kMaxCountedThreads));
  layout.command.object_counts =
      static_cast<uint32_t>(std::min<size_t>(counts.objects.size(), wire::kMaxCountedObjects));
  std::copy_n(counts.threads.begin(), layout.command.thread_counts, layout.thread_counts);
  std::copy_n(counts.objects.begin(), layout.command.object_counts, layout.object_counts);
}

}  // namespace snarl::record
