#include "runtime/patch/stepping.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>

#include "base/state_marks.h"
#include "runtime/patch/memory.h"
#include "runtime/patch/room.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime::patch::stepping {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kLongest = 15;                   // an instruction
constexpr greg_t kTrapFlag = 0x100, kFetch = 0x10;  // of the flags; of a page fault's error code
constexpr uint32_t kMostSites = 1 << 20, kMostPages = 1 << 18, kMostOpen = 4;

SNARL_PROCESS_STATE Site* sites = nullptr;      // by address, but for those since order()
SNARL_PROCESS_STATE uint64_t* pages = nullptr;  // likewise
SNARL_PROCESS_STATE uint32_t site_count = 0, page_count = 0;
SNARL_PROCESS_STATE bool begun = false;     // all of their pages are closed
SNARL_PROCESS_STATE bool watching = false;  // some are

SNARL_PROCESS_STATE uint64_t open_pages[kMostOpen];
SNARL_PROCESS_STATE uint32_t open_count = 0;
SNARL_PROCESS_STATE uint64_t stepped_from = 0;      // the instruction that is being stepped
SNARL_PROCESS_STATE const Site* passing = nullptr;  // it is this site's, and the point before it was made

uint64_t page_of(uint64_t address) { return address & ~(kPage - 1); }

bool is_stepped_page(uint64_t address) { return std::binary_search(pages, pages + page_count, page_of(address)); }

const Site* first_from(uint64_t address) {
  return std::lower_bound(sites, sites + site_count, address, [](const Site& s, uint64_t a) { return s.address < a; });
}

const Site* site_at(uint64_t address) {
  const Site* at = first_from(address);
  return at != sites + site_count && at->address == address ? at : nullptr;
}

void set_executable(uint64_t page, bool executable) {
  protect(page, page + kPage, PROT_READ | (executable ? PROT_EXEC : PROT_NONE));
}

bool is_open(uint64_t address) {
  for (uint32_t i = 0; i < open_count; ++i)
    if (open_pages[i] == page_of(address)) return true;
  return false;
}

void close_pages() {
  while (open_count > 0) set_executable(open_pages[--open_count], false);
}

void open_page(uint64_t address) {
  if (is_open(address)) return;
  if (open_count == kMostOpen) close_pages();
  open_pages[open_count++] = page_of(address);
  set_executable(page_of(address), true);
}

class Context {
 public:
  explicit Context(void* context) : registers_(static_cast<ucontext_t*>(context)->uc_mcontext.gregs) {}

  uint64_t pc() const { return static_cast<uint64_t>(registers_[REG_RIP]); }
  bool is_fetch() const { return (registers_[REG_ERR] & kFetch) != 0; }

  // At full speed, with all pages closed.
  void run_from(uint64_t pc) {
    close_pages();
    registers_[REG_RIP] = static_cast<greg_t>(pc);
    registers_[REG_EFL] &= ~kTrapFlag;
  }

  // One instruction.
  void step_from(uint64_t pc) {
    stepped_from = pc;
    registers_[REG_RIP] = static_cast<greg_t>(pc);
    registers_[REG_EFL] |= kTrapFlag;
  }

  // The thread is about to execute what is at `pc`.
  void come_to(uint64_t pc) {
    if (!is_stepped_page(pc)) return run_from(pc);
    const Site* site = site_at(pc);
    if (site != nullptr && site->before != 0) return run_from(site->before);
    if (!is_open(pc)) close_pages(), open_page(pc);
    step_from(pc);
  }

  void pass(const Site& site) {
    passing = &site;
    open_page(site.address);
    step_from(site.address);
  }

 private:
  greg_t* registers_;
};

// An instruction at `from` was executed, and `to` comes next. If a site lies inside of it, the site is not an
// instruction. How long it was, the explorer finds out.
void look_for_sites_inside(uint64_t from, uint64_t to) {
  wire::Layout& wire = *engine::shared;
  for (const Site* site = first_from(from + 1); site != sites + site_count && site->address < from + kLongest; ++site) {
    if (to > from && to <= site->address) return;
    for (uint32_t i = 0; i < wire.state.straddles; ++i)
      if (wire.straddles[i].pc == from && wire.straddles[i].site == site->address) return;
    if (wire.state.straddles == wire::kMaxStraddles) return;
    wire.straddles[wire.state.straddles++] = {from, site->address};
  }
}

void on_step(Context& context) {
  const uint64_t pc = context.pc();
  const Site* passed = passing;
  passing = nullptr;
  look_for_sites_inside(stepped_from, pc);
  if (passed != nullptr && passed->after != 0 && pc == passed->address + passed->length)
    return context.run_from(passed->after);
  context.come_to(pc);
}

// A stub ends with an int3 and the number of its site. `before`: it was the stub before the site.
const Site* site_of_stub(uint64_t trap, bool& before) {
  uint64_t number = 0;
  raw::copy(&number, reinterpret_cast<const void*>(trap + 1), sizeof number);
  before = (number & 1) == 0;
  return site_at(number >> 1);
}

template <typename T>
T* map(uint64_t count) {
  const long at = raw::call(SYS_mmap, 0, count * sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at < 0 ? nullptr : reinterpret_cast<T*>(at);
}

}  // namespace

bool reserve() {
  if (sites == nullptr) sites = map<Site>(kMostSites);
  if (pages == nullptr) pages = map<uint64_t>(kMostPages);
  return sites != nullptr && pages != nullptr;
}

bool is_on() { return site_count != 0; }

bool add(const Site& site) {
  if (site_count == kMostSites || page_count + 2 > kMostPages) return false;
  sites[site_count++] = site;
  pages[page_count++] = page_of(site.address);
  pages[page_count++] = page_of(site.address + site.length - 1);
  return true;
}

void order() {
  std::sort(sites, sites + site_count, [](const Site& a, const Site& b) { return a.address < b.address; });
  std::sort(pages, pages + page_count);
  page_count = static_cast<uint32_t>(std::unique(pages, pages + page_count) - pages);
  if (begun) begun = false, begin();
  for (uint32_t i = 0; i < site_count && !begun; ++i)
    if (sites[i].emulated) watching = true, set_executable(page_of(sites[i].address), false);
}

void begin() {
  if (begun || !is_on()) return;
  begun = watching = true;
  for (uint32_t i = 0; i < page_count; ++i) set_executable(pages[i], false);
}

void end() {
  if (!watching) return;
  begun = watching = false;
  for (uint32_t i = 0; i < page_count; ++i) set_executable(pages[i], true);
}

bool on_fault(const siginfo_t& info, void* context) {
  Context at(context);
  const auto address = reinterpret_cast<uint64_t>(info.si_addr);
  if (!watching || !at.is_fetch() || !is_stepped_page(address) || is_open(address)) return false;
  if (is_stepped_page(at.pc()) && !is_open(at.pc())) return at.come_to(at.pc()), true;
  open_page(address);  // the instruction ends on the next page
  at.step_from(at.pc());
  return true;
}

bool on_trap(const siginfo_t& info, void* context) {
  Context at(context);
  if (!watching) return false;
  if (info.si_code == TRAP_TRACE) return on_step(at), true;
  if (original(at.pc() - 1) == at.pc() - 1) return false;  // not in a stub
  bool before = false;
  const Site* site = site_of_stub(at.pc() - 1, before);
  if (site == nullptr) return false;
  before ? at.pass(*site) : at.come_to(site->address + site->length);
  return true;
}

}  // namespace snarl::runtime::patch::stepping
