#include "runtime/watch/fingerprint.h"

#include <cpuid.h>
#include <fcntl.h>

#include "runtime/platform/guard_pages.h"
#include "runtime/platform/memory_map.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime::fingerprint {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kRedZone = 128;             // below a stack's top, of which its thread may make use (System V ABI)
constexpr uint64_t kMostPages = 1u << 14;      // 64 MB, about 20 ms
constexpr uint64_t kMostAddresses = 1u << 18;  // pages that may turn out not to be there: 1 GB

// Good enough to tell apart what differs, and fast: nobody chooses memory so that it fails.
uint64_t mixed(uint64_t h, uint64_t word) {
  h = (h ^ word) * 0x9e3779b97f4a7c15;
  return h ^ (h >> 29);
}

// What the kernel writes of the x87 and SSE registers: a loop may keep all that it changes in them.
struct FloatRegisters {
  uint64_t control[4], stack[16], xmm[32];
};
static_assert(sizeof(FloatRegisters) == 32 + 128 + 256);

uint64_t with_bytes(uint64_t hash, const char* bytes, uint64_t size) {
  for (uint64_t at = 0; at + 8 <= size; at += 8) {
    uint64_t word;
    raw::copy(&word, bytes + at, sizeof word);
    hash = mixed(hash, word);
  }
  return hash;
}

// The larger registers (AVX and its like) follow, each kind where the processor says, if it is in use.
uint64_t with_vectors(uint64_t hash, const char* area) {
  constexpr uint64_t kTold = 464, kHeader = 512;  // what the kernel says of the area; which kinds are in use
  constexpr uint32_t kMagic = 0x46505853;
  uint32_t magic;
  uint64_t kinds;
  raw::copy(&magic, area + kTold, sizeof magic);
  if (magic != kMagic) return hash;
  raw::copy(&kinds, area + kHeader, sizeof kinds);
  for (uint32_t kind = 2; kind < 32; ++kind) {
    uint32_t size = 0, offset = 0, unused = 0, unused2 = 0;
    const bool used = (kinds >> kind & 1) != 0;
    if (used && __get_cpuid_count(0xd, kind, &size, &offset, &unused, &unused2) != 0)
      hash = with_bytes(hash, area + offset, size);
  }
  return mixed(hash, kinds);
}

class Memory {
 public:
  explicit Memory(const Stacks& stacks)
      : stacks_(stacks), file_(raw::call(SYS_open, "/proc/self/pagemap", O_RDONLY | O_CLOEXEC, 0)) {
    known_ = file_ >= 0;
  }
  ~Memory() { raw::call(SYS_close, file_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void add(const memory_map::Area& area) {
    if (!area.reads || !area.writes || is_wire(area) || is_in_runtime(area.begin)) return;
    if (!area.is_private || (addresses_ += (area.end - area.begin) / kPage) > kMostAddresses) known_ = false;
    if (known_) add_parts(area.begin, area.end);
  }

  uint64_t result() const { return known_ && pages_ <= kMostPages ? hash_ | 1 : 0; }

 private:
  static bool is_wire(const memory_map::Area& area) {
    const auto wire = reinterpret_cast<uint64_t>(engine::shared);
    return area.begin <= wire && wire < area.end;
  }

  // Stacks may lie side by side in an area, with marked guards between them, which must not be read.
  void add_parts(uint64_t begin, uint64_t end) {
    constexpr uint64_t kAtOnce = 128;
    uint64_t entries[kAtOnce];
    uint64_t part = begin;
    for (uint64_t at = begin; at < end && known_;) {
      const uint64_t left = (end - at) / kPage;
      const long got = raw::call(SYS_pread64, file_, entries, 8 * (left < kAtOnce ? left : kAtOnce), at / kPage * 8);
      known_ = got >= 8;
      for (long i = 0; i < got / 8; ++i, at += kPage) {
        if (!guard_pages::is_marked(entries[i])) continue;
        add_pages(begin_in(part, at), at);
        part = at + kPage;
      }
    }
    add_pages(begin_in(part, end), end);
  }

  // What lies below the top of a stack is nobody's, and has our own frames.
  uint64_t begin_in(uint64_t begin, uint64_t end) const {
    for (uint32_t i = 0; i < stacks_.count; ++i)
      if (const uint64_t top = stacks_.tops[i] - kRedZone; top > begin && top < end) begin = top & ~uint64_t{7};
    return begin;
  }

  // A page that is not there has never been touched, or was taken out whole, and holds what it held.
  void add_pages(uint64_t begin, uint64_t end) {
    constexpr uint64_t kAtOnce = 128, kPresent = uint64_t{1} << 63, kOut = uint64_t{1} << 62;
    uint64_t entries[kAtOnce];
    while (begin < end && known_) {
      const uint64_t first = begin / kPage, left = (end + kPage - 1) / kPage - first;
      const long got = raw::call(SYS_pread64, file_, entries, 8 * (left < kAtOnce ? left : kAtOnce), first * 8);
      known_ = got >= 8;
      for (long i = 0; i < got / 8; ++i) {
        const uint64_t next = (begin / kPage + 1) * kPage;
        if ((entries[i] & (kPresent | kOut)) != 0 && pages_++ < kMostPages) add_words(begin, next < end ? next : end);
        begin = next;
      }
    }
  }

  void add_words(uint64_t begin, uint64_t end) {
    hash_ = mixed(hash_, begin);
    for (uint64_t at = begin; at < end; at += 8) hash_ = mixed(hash_, *reinterpret_cast<const volatile uint64_t*>(at));
  }

  const Stacks& stacks_;
  long file_;
  uint64_t hash_ = 0, pages_ = 0, addresses_ = 0;
  bool known_ = false;
};

}  // namespace

uint64_t of_registers(const ucontext_t& stopped) {
  uint64_t hash = 0;
  for (int i = REG_R8; i <= REG_EFL; ++i) hash = mixed(hash, static_cast<uint64_t>(stopped.uc_mcontext.gregs[i]));
  if (stopped.uc_mcontext.fpregs == nullptr) return hash;
  const auto* area = reinterpret_cast<const char*>(stopped.uc_mcontext.fpregs);
  return with_vectors(with_bytes(hash, area, sizeof(FloatRegisters)), area);
}

uint64_t of_memory(const Stacks& stacks) {
  Memory memory(stacks);
  const bool told = memory_map::for_each(
      [](const memory_map::Area& area, void* data) { static_cast<Memory*>(data)->add(area); }, &memory);
  return told ? memory.result() : 0;
}

}  // namespace snarl::runtime::fingerprint
