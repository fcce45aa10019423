// Names of the sites at which threads access objects, for policies that choose by them (schedule/site_pair.h).
//
// A site is named after the file and offset of its place and the kind of its operation. A synchronisation call is named
// after its caller as well: otherwise all locks that are taken through one wrapper would be one site.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/dense_index.h"
#include "base/hash.h"
#include "conduct/object_names.h"
#include "schedule/access.h"
#include "schedule/operation.h"

namespace snarl::conduct {

// Where the function that holds `pc` was called from, by the thread that has the turn; 0: nobody knows.
using CallerOf = uint64_t (*)(uint64_t pc);

// What the tested process can tell about sites.
struct SiteSources {
  StaticName place_name = nullptr;  // null: addresses mean the same in every run
  CallerOf caller = nullptr;        // null: calls have no callers
};

class Sites {
 public:
  static constexpr size_t kRoom = 2048;  // sites of one run; those beyond have no name

  [[gnu::noinline]] void begin(Arena& arena, const SiteSources& sources) {
    sources_ = sources;
    index_ = &arena.room<Index>(1)[0];
    index_->clear();
    sites_ = arena.room<Site>(kRoom);
    used_ = 0;
  }

  // The name of the site that the thread with the turn is at; 0: the operation accesses nothing.
  uint64_t name(const Op& op) {
    if (access_of(op) == Access::kNone || op.pc == 0) return 0;
    const bool calls = sources_.caller != nullptr && !is_memory_access(op.kind);
    const Site site{op.pc, calls ? sources_.caller(op.pc) : 0, 0, op.kind};
    const uint64_t hash = spread(site.pc + static_cast<uint64_t>(site.kind)) ^ spread(~site.caller);
    const auto is_it = [&](size_t i) {
      return sites_[i].pc == site.pc && sites_[i].caller == site.caller && sites_[i].kind == site.kind;
    };
    const size_t at = index_->find(hash, is_it);
    return __builtin_expect(at != Index::kNone, 1) ? sites_[at].name : add(site, hash, is_it);
  }

 private:
  using Index = DenseIndex<2 * kRoom>;

  struct Site {
    uint64_t pc = 0;
    uint64_t caller = 0;
    uint64_t name = 0;
    OpKind kind = OpKind::kNone;
  };

  template <typename IsIt>
  [[gnu::noinline]] uint64_t add(Site site, uint64_t hash, const IsIt& is_it) {
    if (used_ == kRoom) return 0;
    site.name = combine(combine(place(site.pc), place(site.caller)), static_cast<uint64_t>(site.kind));
    index_->find_or_add(hash, used_, is_it);
    sites_[used_++] = site;
    return site.name;
  }

  uint64_t place(uint64_t pc) const { return pc == 0 || sources_.place_name == nullptr ? pc : sources_.place_name(pc); }

  SiteSources sources_;
  Index* index_ = nullptr;
  std::span<Site> sites_;
  size_t used_ = 0;
};

}  // namespace snarl::conduct
