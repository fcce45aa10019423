#include "coseq/host/lane.h"

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/time.h>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "base/state_marks.h"

namespace snarl::coseq {
namespace {

constexpr size_t kReserved = kLaneShadow + (size_t{1} << 32) / 8 + 4096;
constexpr uint32_t kMainArguments = kLaneHeader + 0x10000;

Lane* the_lane = nullptr;  // process-wide: faults and the alarm find it here

void end_lane(uint32_t status, uint32_t info, uint32_t detail, uint32_t place) {
  the_lane->end(status, info, detail, place);
}

uint32_t format_double(char* to, uint32_t room, const char* spec, double value) {
  const int length = std::snprintf(to, room, spec, value);
  return length < 0 ? 0 : static_cast<uint32_t>(length) < room ? static_cast<uint32_t>(length) : room - 1;
}

double parse_double(const char* text, uint32_t* length) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  *length = static_cast<uint32_t>(end - text);
  return value;
}

uint64_t hash_bytes(const void* bytes, uint64_t size, uint64_t seed) { return std::_Hash_bytes(bytes, size, seed); }

uint64_t rehash(void* policy, uint64_t buckets, uint64_t elements, uint64_t more) {
  auto* own = static_cast<std::__detail::_Prime_rehash_policy*>(policy);
  if (elements == ~uint64_t{0}) return own->_M_next_bkt(buckets);
  const auto [wanted, many] = own->_M_need_rehash(buckets, elements, more);
  return wanted ? many : 0;
}

}  // namespace

// What the kernel tells: wild pointers that no shadow byte forbids, and that time passes.
struct LaneSignals {
  static void on_fault(int number, siginfo_t* info, void*) {
    Lane* lane = the_lane;
    if (lane == nullptr || !lane->inside_) {
      std::signal(number, SIG_DFL);
      return;
    }
    const auto* at = static_cast<const uint8_t*>(info->si_addr);
    if (number == SIGFPE) lane->end(kLaneDivision, 0, 0, ~0u);
    lane->end(kLaneBadAccess, static_cast<uint32_t>(at - lane->memory_), 0, ~0u);
  }

  static void on_alarm(int) {
    Lane* lane = the_lane;
    if (lane == nullptr || !lane->inside_) return;
    if (lane->seen_entries_ == lane->entries_) lane->end(kLaneComputes, 0, 0, ~0u);
    lane->seen_entries_ = lane->entries_;
  }

  static void install() {
    struct sigaction action = {};
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    action.sa_sigaction = on_fault;
    for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(number, &action, nullptr);
    struct sigaction alarm = {};
    alarm.sa_flags = SA_RESTART | SA_NODEFER;
    alarm.sa_handler = on_alarm;
    sigaction(SIGVTALRM, &alarm, nullptr);
    watch();
  }
  static void watch() {
    constexpr itimerval kEach{{2, 0}, {2, 0}};  // of CPU time: a thread that comes to no point for so long does not
    setitimer(ITIMER_VIRTUAL, &kEach, nullptr);
  }
};

Expected<std::unique_ptr<Lane>> Lane::open(const std::string& library, const std::vector<std::string>& arguments,
                                           const Inputs& inputs) {
  std::unique_ptr<Lane> lane(new Lane);
  lane->library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (lane->library_ == nullptr) return Error{std::string("the compiled program can't be loaded: ") + dlerror()};
  lane->program_ = static_cast<const LaneProgram*>(dlsym(lane->library_, "lane_program"));
  if (lane->program_ == nullptr || lane->program_->version != kLaneVersion)
    return Error{library + " was compiled by another version of snarl", "compile it again"};
  *lane->program_->host = {end_lane, format_double, nullptr, parse_double, hash_bytes, rehash};
  void* memory = mmap(nullptr, kReserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return Error{"no room for a lane: 5 GB of addresses are needed", "raise ulimit -v"};
  lane->memory_ = static_cast<uint8_t*>(memory);
  madvise(memory, kReserved, MADV_NOHUGEPAGE);  // little of it is used
  lane->write_start(arguments);
  mprotect(memory, kLaneHeader, PROT_NONE);
  mprotect(lane->memory_ + kLaneOutput + kLaneOutputSize, kLaneShadow - kLaneOutput - kLaneOutputSize, PROT_NONE);
  if (Status placed = place_inputs(inputs, lane->memory_); !placed) return placed.error();
  the_lane = lane.get();
  LaneSignals::install();
  return lane;
}

void Lane::watch_races() {
  races_ = std::make_unique<Races>(*this);
  program_->host->tell = Races::tell;
}

void Lane::adopt() { LaneSignals::watch(); }

Lane::~Lane() {
  if (the_lane == this) the_lane = nullptr;
  if (memory_ != nullptr) munmap(memory_, kReserved);
  if (library_ != nullptr) dlclose(library_);
}

// What no schedule changes: constants, arguments, and which bytes around globals nobody may touch.
void Lane::write_start(const std::vector<std::string>& arguments) {
  uint8_t* shadow = memory_ + kLaneShadow;
  std::memset(shadow, kShadowNull, kLaneHeader / 8);
  std::memcpy(memory_ + kLaneConstants, program_->constants, program_->constants_size);
  std::memset(shadow + kLaneGlobals / 8, kShadowGlobal, (program_->globals_size + 64) / 8);
  std::memset(shadow + kLaneConstants / 8, kShadowGlobal, (program_->constants_size + 64) / 8);
  for (uint32_t i = 0; i < program_->name_count; ++i) {
    const LaneGlobal& global = program_->names[i];
    std::memset(shadow + global.address / 8, 0, global.size / 8);
    if (global.size % 8 != 0) shadow[(global.address + global.size) / 8] = global.size % 8;
  }
  locals_size_ = (uint64_t{program_->thread_locals_size} + 63) / 64 * 64 + 64;
  uint32_t text = kMainArguments + 8 * (static_cast<uint32_t>(arguments.size()) + 1);
  for (size_t i = 0; i < arguments.size() && text + arguments[i].size() < kLaneGlobals; ++i) {
    *reinterpret_cast<uint64_t*>(memory_ + kMainArguments + 8 * i) = text;
    std::memcpy(memory_ + text, arguments[i].c_str(), arguments[i].size() + 1);
    text += static_cast<uint32_t>(arguments[i].size()) + 1;
  }
  start_.living = start_.created = start_.slots = 1;
  start_.heap = kLaneHeap;
  start_.argument_count = arguments.size();
  start_.arguments = kMainArguments;
}

void Lane::reset() {
  LaneHeader& h = header();
  if (h.heap > kLaneHeap) std::memset(memory_ + kLaneShadow + kLaneHeap / 8, 0, (h.heap - kLaneHeap) / 8 + 8);
  const size_t used = h.slots < 1 ? 1 : h.slots;
  std::memcpy(&h, &start_, offsetof(LaneHeader, threads));
  std::memset(h.threads, 0, used * sizeof(LaneThread));
  h.threads[0].pc = program_->main_pc;
  h.threads[0].frame = kLaneStacks;
  h.threads[0].state = kThreadLives;
  std::memset(memory_ + kLaneStacks, 0, 16);
  std::memcpy(memory_ + kLaneGlobals, program_->globals, program_->globals_size);
  std::memcpy(memory_ + kLaneThreadLocals, program_->thread_locals, program_->thread_locals_size);
  failed_at_ = -1;
  if (races_ != nullptr) races_->begin(thorough_);
}

void Lane::end(uint32_t status, uint32_t info, uint32_t detail, uint32_t place) {
  LaneHeader& h = header();
  h.status = status;
  h.info = info;
  h.detail = detail;
  failed_at_ = place == ~0u ? -1 : static_cast<int64_t>(place);
  std::longjmp(ended_, 1);
}

bool Lane::holds(uint32_t slot, uint32_t condition, uint32_t at) {
  switch (condition) {
    case kLaneAlways: return true;
    case kLaneZero: return word(at) == 0;
    case kLaneNonzero: return word(at) != 0;
    case kLanePositive: return static_cast<int32_t>(word(at)) > 0;
    case kLaneNotOne: return word(at) != 1;
    case kLaneNotNegative: return static_cast<int32_t>(word(at)) >= 0;
    case kLaneWoken:
      return thread(slot).woken != 0 || (*reinterpret_cast<const uint64_t*>(memory_ + at) >> slot & 1) != 0;
    default: return thread(slot).woken != 0;
  }
}

bool Lane::may_go(uint32_t slot) {
  const LaneThread& t = thread(slot);
  return (t.woken == kWokenByDeadline || holds(slot, t.condition, t.word)) && holds(slot, t.condition2, t.word2);
}

std::string Lane::text_at(uint32_t address) const {
  std::string text;
  for (; address >= kLaneGlobals && address < kLaneOutput && memory_[address] != 0 && text.size() < 4096; ++address)
    text += static_cast<char>(memory_[address]);
  return text;
}

std::string Lane::output() const {
  const uint32_t size = reinterpret_cast<const LaneHeader*>(memory_ + kLaneHeader)->output;
  return std::string(reinterpret_cast<const char*>(memory_) + kLaneOutput, size);
}

// The parts of the arena that a schedule may have changed, as (address, size): the header first.
template <typename Visit>
void Lane::each_part(const LaneHeader& h, Visit visit) {
  visit(kLaneGlobals, program_->globals_size);
  for (uint32_t slot = 0; slot < h.slots; ++slot) {
    if (h.threads[slot].state != kThreadLives) continue;
    visit(static_cast<uint32_t>(kLaneThreadLocals + slot * locals_size_), program_->thread_locals_size);
    const uint32_t stack = kLaneStacks + slot * kLaneStackStride;
    visit(stack, h.threads[slot].frame - stack + program_->largest_frame);
  }
  visit(kLaneHeap, h.heap - kLaneHeap);
  visit(kLaneOutput, h.output);
}

void Lane::save(std::vector<uint8_t>& to) {
  const LaneHeader& h = header();
  const size_t head = offsetof(LaneHeader, threads) + h.slots * sizeof(LaneThread);
  to.assign(reinterpret_cast<const uint8_t*>(&h), reinterpret_cast<const uint8_t*>(&h) + head);
  const auto add = [&](uint64_t at, size_t size) { to.insert(to.end(), memory_ + at, memory_ + at + size); };
  each_part(h, add);
  add(kLaneShadow + kLaneHeap / 8, (h.heap - kLaneHeap) / 8);
}

void Lane::restore(const std::vector<uint8_t>& from) {
  LaneHeader& h = header();
  const uint32_t old_slots = h.slots, old_heap = h.heap;
  const auto* saved = reinterpret_cast<const LaneHeader*>(from.data());
  const size_t head = offsetof(LaneHeader, threads) + saved->slots * sizeof(LaneThread);
  const uint8_t* at = from.data();
  const auto take = [&](uint64_t to, size_t size) {
    std::memcpy(memory_ + to, at, size);
    at += size;
  };
  take(kLaneHeader, head);
  for (uint32_t slot = h.slots; slot < old_slots; ++slot) h.threads[slot] = {};
  each_part(h, take);
  if (old_heap > h.heap) std::memset(memory_ + kLaneShadow + h.heap / 8, 0, (old_heap - h.heap) / 8);
  take(kLaneShadow + kLaneHeap / 8, (h.heap - kLaneHeap) / 8);
  failed_at_ = -1;
}

}  // namespace snarl::coseq
