#include "runtime/patch/trampolines.h"

#include <cstddef>

#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"

namespace snarl::runtime::patch {
namespace {

// Bytes at most: a point on its fast path and its slow one, a moved instruction, a block's own words, a jump.
constexpr uint64_t kPointBytes = 112, kMovedBytes = 20, kHeaderBytes = 16, kJump = 5;

void write64(uint8_t* to, uint64_t value) { raw::copy(to, &value, sizeof value); }

// The same for every thread: `current` has a fixed distance from the thread's block.
uint32_t offset_of_current() {
  uint64_t block;
  asm("mov %%fs:0, %0" : "=r"(block));
  return static_cast<uint32_t>(reinterpret_cast<uint64_t>(&current) - block);
}

OpKind kind_of(wire::PatchPoint point) {
  switch (point) {
    case wire::PatchPoint::kStore: return OpKind::kAtomicStore;
    case wire::PatchPoint::kFence: return OpKind::kFence;
    case wire::PatchPoint::kPause: return OpKind::kPause;
    case wire::PatchPoint::kLoad: return OpKind::kAtomicLoad;
    default: return OpKind::kAtomicRmw;
  }
}

}  // namespace

Trampolines::Trampolines(uint8_t* block, uint64_t bytes, Moved* moved, uint32_t most_moved, bool atomics)
    : at_(block), end_(block + bytes), moved_(moved), most_moved_(most_moved), atomics_(atomics) {
  begin();
}

uint64_t Trampolines::bytes_for(const wire::Patch* patches, uint32_t count) {
  uint64_t bytes = kHeaderBytes;
  for (uint32_t i = 0; i < count; ++i) {
    bytes += kJump;
    for (uint8_t k = 0; k < patches[i].count; ++k) {
      const wire::PatchedInstruction& one = patches[i].instructions[k];
      bytes += kMovedBytes + (one.point == wire::PatchPoint::kNone ? 0 : 2 * kPointBytes) +
               (one.named.use == FunctionUse::kNone ? 0 : kPointBytes);
    }
  }
  return bytes;
}

void Trampolines::begin() {
  slow_path_ = at_;
  write64(at_, reinterpret_cast<uint64_t>(&snarl_patch_slow_path));
  allowance_ = at_ + 8;
  write64(at_ + 8, reinterpret_cast<uint64_t>(&engine::allowance));
  at_ += kHeaderBytes;
}

void Trampolines::put32(uint32_t value) {
  raw::copy(at_, &value, sizeof value);
  at_ += sizeof value;
}

// Of the four bytes at `at`, which end an instruction.
bool Trampolines::displacement(uint8_t* at, uint64_t target) {
  const auto distance = static_cast<int64_t>(target - reinterpret_cast<uint64_t>(at + 4));
  const auto near = static_cast<int32_t>(distance);
  raw::copy(at, &near, sizeof near);
  return good_ &= near == distance;
}

void Trampolines::jump_to(uint64_t target) {
  put(0xe9);
  at_ += 4;
  displacement(at_ - 4, target);
}

uint64_t Trampolines::add(const wire::Patch& patch, uint64_t bias) {
  if (static_cast<uint64_t>(end_ - at_) < bytes_for(&patch, 1) - kHeaderBytes) return 0;
  uint8_t* const start = at_;
  const uint32_t moved_before = moved_count_;
  good_ = true;
  slow_count_ = 0;
  uint64_t from = patch.address + bias;
  const uint8_t* bytes = patch.bytes;
  for (uint8_t i = 0; i < patch.count; ++i) {
    const wire::PatchedInstruction& one = patch.instructions[i];
    if (one.named.use != FunctionUse::kNone) named_point(one, from);
    const bool is_site = wire::has_point(one, atomics_);
    if (is_site ? !site(one, bytes, from) : !move(one, bytes, from)) good_ = false;
    from += one.length;
    bytes += one.length;
  }
  jump_to(from);
  for (uint32_t i = 0; i < slow_count_; ++i) finish_slow(slow_[i]);
  if (good_) return reinterpret_cast<uint64_t>(start);
  at_ = start;
  moved_count_ = moved_before;
  return 0;
}

// The instruction with its points. Where the runtime does what it does, control continues behind it.
bool Trampolines::site(const wire::PatchedInstruction& one, const uint8_t* bytes, uint64_t from) {
  Slow& before = slow_[slow_count_];
  instruction_point(one, from, false);
  if (!move(one, bytes, from)) return false;
  if (wire::is_emulated(one.point)) before.back = at_;
  if (one.after) instruction_point(one, from, true);
  return true;
}

uint64_t Trampolines::add_stub(const wire::PatchedInstruction& instruction, const uint8_t* bytes, uint64_t from,
                               bool after) {
  wire::PatchedInstruction one = instruction;
  one.flags_before = one.flags_after = true;
  const bool is_named = !after && one.named.use != FunctionUse::kNone;
  const bool is_site = wire::has_point(one, atomics_);
  const bool emulated = is_site && wire::is_emulated(one.point);
  const uint32_t moves = emulated ? 2 : 1;  // the way back, and the instruction where it is emulated
  const uint64_t most = (is_named ? kPointBytes : 0) + (is_site ? kPointBytes : 0) + moves * kMovedBytes;
  if (static_cast<uint64_t>(end_ - at_) < most || most_moved_ - moved_count_ < moves) return 0;
  uint8_t* const start = at_;
  moved_[moved_count_++] = {reinterpret_cast<uint64_t>(at_), from};
  good_ = true;
  slow_count_ = 0;
  if (is_named) named_point(one, from);
  if (emulated && !site(one, bytes, from)) good_ = false;
  if (is_site && !emulated) instruction_point(one, from, after);
  put(0xcc);
  write64(at_, 2 * from + (after || emulated ? 1 : 0));
  at_ += sizeof from;
  for (uint32_t i = 0; i < slow_count_; ++i) finish_slow(slow_[i]);
  return good_ ? reinterpret_cast<uint64_t>(start) : 0;
}

bool Trampolines::move(const wire::PatchedInstruction& one, const uint8_t* bytes, uint64_t from) {
  if (moved_count_ == most_moved_) return false;
  moved_[moved_count_++] = {reinterpret_cast<uint64_t>(at_), from};
  const uint64_t end = from + one.length;
  if (one.fixup == wire::Fixup::kBranch || one.fixup == wire::Fixup::kJump) {
    const bool is_short = bytes[0] != 0x0f && bytes[0] != 0xe9;
    int32_t distance = static_cast<int8_t>(bytes[one.length - 1]);
    if (!is_short) raw::copy(&distance, bytes + one.length - 4, sizeof distance);
    const int condition = bytes[is_short ? 0 : 1] & 0x0f;
    if (one.fixup == wire::Fixup::kJump) return jump_to(end + static_cast<uint64_t>(int64_t{distance})), good_;
    put(0x0f, 0x80 | condition);
    at_ += 4;
    return displacement(at_ - 4, end + static_cast<uint64_t>(int64_t{distance}));
  }
  raw::copy(at_, bytes, one.length);
  uint8_t* const written = at_;
  at_ += one.length;
  if (one.fixup != wire::Fixup::kDisplacement) return true;
  int32_t old;
  raw::copy(&old, bytes + one.fixup_at, sizeof old);
  const uint64_t target = end + static_cast<uint64_t>(int64_t{old});
  const auto distance = static_cast<int64_t>(target - reinterpret_cast<uint64_t>(at_));
  const auto near = static_cast<int32_t>(distance);
  raw::copy(written + one.fixup_at, &near, sizeof near);
  return near == distance;
}

// A function is called and returns with flags that mean nothing. Locks ask always: their threads may have to wait.
void Trampolines::named_point(const wire::PatchedInstruction& one, uint64_t from) {
  point({from + one.length, OpKind::kFunction, false, 0, {}, one.named}, false, is_lock(one.named.use));
}

// A pause says that the thread can't go on by itself. What is emulated is no step, but the runtime is always asked.
void Trampolines::instruction_point(const wire::PatchedInstruction& one, uint64_t from, bool after) {
  const bool flags = after ? one.flags_after : one.flags_before;
  const bool emulated = wire::is_emulated(one.point);
  point({from + one.length,
         kind_of(one.point),
         after,
         one.size,
         one.operand,
         {},
         emulated ? one.point : wire::PatchPoint::kNone},
        flags, emulated || one.point == wire::PatchPoint::kPause);
}

// A thread that is not ours, or that is in our own code, passes. Others take a step, and the conductor is asked
// only when the allowance is used up, unless it is to be asked always.
void Trampolines::point(const Point& what, bool flags, bool always_asks) {
  Slow& slow = slow_[slow_count_++];
  slow.keeps_flags = flags;
  slow.point = add_point(what);
  put(0x48, 0x8d, 0x64, 0x24, 0x80);             // lea -128(%rsp), %rsp
  put(0x50);                                     // push %rax
  if (flags) put(0x9f, 0x0f, 0x90, 0xc0, 0x50);  // lahf; seto %al; push %rax
  put(0x64, 0x48, 0x8b, 0x04, 0x25);             // mov %fs:current, %rax
  put32(offset_of_current());
  put(0x48, 0x85, 0xc0, 0x74, 0);  // test %rax, %rax; je pass
  uint8_t* const pass = at_;
  if (always_asks) {
    put(0xe9);  // jmp slow
  } else {
    put(0x48, 0x8b, 0x05);  // mov allowance(%rip), %rax
    at_ += 4;
    displacement(at_ - 4, reinterpret_cast<uint64_t>(allowance_));
    put(0x48, 0x83, 0x28, 1);  // subq $1, (%rax)
    put(0x0f, 0x88);           // js slow
  }
  slow.jump = at_;
  at_ += 4;
  pass[-1] = static_cast<uint8_t>(at_ - pass);
  if (flags) put(0x58, 0x04, 0x7f, 0x9e);  // pop %rax; add $127, %al; sahf
  put(0x58);                               // pop %rax
  put(0x48, 0x8d, 0xa4, 0x24);             // lea 128(%rsp), %rsp
  put32(128);
  slow.back = at_;
}

void Trampolines::finish_slow(const Slow& slow) {
  displacement(slow.jump, reinterpret_cast<uint64_t>(at_));
  if (slow.keeps_flags) put(0x58, 0x04, 0x7f, 0x9e);
  put(0x58);  // pop %rax: everything is as it was, but for the red zone
  put(0x68);  // push $point
  put32(slow.point);
  put(0xff, 0x15);  // call *slow_path(%rip)
  at_ += 4;
  displacement(at_ - 4, reinterpret_cast<uint64_t>(slow_path_));
  put(0x48, 0x8d, 0xa4, 0x24);  // lea 136(%rsp), %rsp
  put32(136);
  jump_to(reinterpret_cast<uint64_t>(slow.back));
}

}  // namespace snarl::runtime::patch
