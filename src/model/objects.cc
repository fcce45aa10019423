#include "model/objects.h"

#include <new>

namespace snarl::model {

void ObjectTable::begin() {
  count_ = 0;
  last_ = nullptr;
  sweep_at_ = kFirstSweep;
  use_slots(2 * kFirstSweep);
}

uint32_t ObjectTable::home(uint64_t address) { return static_cast<uint32_t>(address * 0x9e3779b97f4a7c15 >> 40); }

void ObjectTable::use_slots(uint32_t count) {
  mask_ = count - 1;
  slots_ = count == 2 * kFirstSweep ? few_slots_ : many_slots_.data();
  for (uint32_t i = 0; i < count; ++i) slots_[i] = 0;
}

Object* ObjectTable::search(uint64_t address) {
  for (uint32_t at = home(address);; ++at) {
    const uint32_t entry = slots_[at & mask_];
    if (entry == 0) return nullptr;
    if (objects_[entry - 1].address == address) return last_ = &objects_[entry - 1];
  }
}

Object* ObjectTable::search_or_make(uint64_t address) {
  if (Object* object = search(address)) return object;
  if (count_ == sweep_at_) sweep();
  if (count_ == kCapacity) return nullptr;
  Object& object = *new (objects_.data() + count_) Object;  // not Object(), which would clear all words of its sets
  object.address = address;
  met_.add(address);
  insert(count_++);
  return last_ = &object;
}

void ObjectTable::insert(uint32_t entry) {
  uint32_t at = home(objects_[entry].address);
  while (slots_[at & mask_] != 0) ++at;
  slots_[at & mask_] = static_cast<uint16_t>(entry + 1);
}

// Drops the idle entries; if few were idle, lets the table grow before the next sweep,
// so that sweeping costs a constant per entry made.
void ObjectTable::sweep() {
  last_ = nullptr;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    if (objects_[i].is_idle()) continue;
    if (kept != i) objects_[kept] = objects_[i];
    ++kept;
  }
  count_ = kept;
  while (sweep_at_ < kCapacity && count_ * 2 > sweep_at_) sweep_at_ *= 2;
  use_slots(2 * sweep_at_);
  for (uint32_t i = 0; i < count_; ++i) insert(i);
}

}  // namespace snarl::model
