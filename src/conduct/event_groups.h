// Names of the groups into which the noise makers put events, and the list of those that a run met.
//
// A place is named after its file and offset, a context after its place and the callers of that place, a variable like
// an object (conduct/object_names.h). Never called concurrently.
#pragma once

#include <span>

#include "base/arena.h"
#include "base/hash.h"
#include "conduct/object_names.h"
#include "schedule/access.h"
#include "schedule/run.h"

namespace snarl::conduct {

// Fills in the return addresses of the functions that the calling thread's place `pc` was called from.
using Callers = void (*)(uint64_t pc, uint64_t (&callers)[MetGroup::kCallers]);

// What the tested process can tell about its events.
struct GroupSources {
  std::span<MetGroup> room = {};  // where the groups met are listed; what does not fit is not
  uint32_t* met = nullptr;        // how many are listed; null: not wanted
  uint32_t learn = 0;             // which kinds: 1 << GroupBy
  StaticName place_name = nullptr;
  Callers callers = nullptr;  // null: contexts are places
};

class EventGroups {
 public:
  static constexpr size_t kRoom = 4096;  // places of one run, and groups listed; those beyond are named, but not listed

  // `wanted`: the kind that arrived() is asked for. Only what is needed has a table, because clearing tables is most of
  // a short run.
  [[gnu::noinline]] void begin(Arena& arena, const GroupSources& sources, GroupBy wanted) {
    sources_ = sources;
    const bool learns = sources_.met != nullptr && sources_.learn != 0;
    const uint32_t kinds = sources_.learn | 1u << static_cast<uint32_t>(wanted);
    const bool variables = (kinds >> static_cast<uint32_t>(GroupBy::kVariable) & 1) != 0;
    const bool places = (kinds & ~(1u << static_cast<uint32_t>(GroupBy::kVariable))) != 0;
    places_ = arena.array<Place>(places ? kRoom : 0);
    listed_ = arena.array<uint64_t>(learns ? 2 * kRoom : 0);
    places_used_ = listed_used_ = 0;
    if (variables) objects_.begin(arena, sources_.place_name);
    if (sources_.met != nullptr) *sources_.met = 0;
  }

  void spawned(ThreadId t) { objects_.spawned(t); }

  // The name of the group of the wanted kind that the event of thread `t` is in; 0: none. Lists it, and the groups of
  // the other kinds that are to be learned.
  uint64_t arrived(GroupBy wanted, const Op& op, ThreadId t, uint64_t thread_name) {
    if (op.pc == 0) return 0;  // a thread's start and end
    const uint64_t group = name(wanted, op, t, thread_name);
    for (size_t by = 0; by < kGroupings; ++by)
      if (is_learned(static_cast<GroupBy>(by)) && static_cast<GroupBy>(by) != wanted)
        name(static_cast<GroupBy>(by), op, t, thread_name);
    return group;
  }

 private:
  struct Place {
    uint64_t pc = 0;
    uint64_t name = 0;
  };

  bool is_learned(GroupBy by) const { return (sources_.learn >> static_cast<size_t>(by) & 1) != 0; }

  uint64_t name(GroupBy by, const Op& op, ThreadId t, uint64_t thread_name) {
    if (by == GroupBy::kVariable) {
      const uint64_t object = concerned_object(op);
      return met(by, objects_.name(object, t, thread_name), object);
    }
    const uint64_t place = place_of(op.pc);
    if (by == GroupBy::kPlace || sources_.callers == nullptr || place == 0) return place;
    return context_of(op.pc, place);
  }

  uint64_t place_of(uint64_t pc) {
    size_t at = mix64(pc) % kRoom;
    for (; places_[at].pc != 0; at = (at + 1) % kRoom)
      if (places_[at].pc == pc) return places_[at].name;
    const uint64_t name = sources_.place_name == nullptr ? 0 : sources_.place_name(pc);
    if (places_used_ == kRoom / 2) return name;  // half full, so that a search is short
    ++places_used_;
    places_[at] = {pc, name};
    return met(GroupBy::kPlace, name, pc);
  }

  uint64_t context_of(uint64_t pc, uint64_t place) {
    uint64_t callers[MetGroup::kCallers] = {};
    sources_.callers(pc, callers);
    uint64_t name = place;
    for (uint64_t caller : callers)
      if (caller != 0) name = combine(name, sources_.place_name(caller));
    return met(GroupBy::kContext, name, pc, callers);
  }

  uint64_t met(GroupBy by, uint64_t name, uint64_t address, std::span<const uint64_t> callers = {}) {
    if (name == 0 || listed_.empty() || !is_learned(by)) return name;
    if (*sources_.met == sources_.room.size() || !is_new(combine(name, static_cast<uint64_t>(by)) | 1)) return name;
    MetGroup& group = sources_.room[*sources_.met];
    group = {.name = name, .address = address, .by = by};
    for (size_t i = 0; i < callers.size(); ++i) group.callers[i] = callers[i];
    ++*sources_.met;  // last: the process may end at any time
    return name;
  }

  bool is_new(uint64_t key) {
    size_t at = mix64(key) % listed_.size();
    for (; listed_[at] != 0; at = (at + 1) % listed_.size())
      if (listed_[at] == key) return false;
    if (listed_used_ == listed_.size() / 2) return false;
    ++listed_used_;
    listed_[at] = key;
    return true;
  }

  GroupSources sources_;
  ObjectNames objects_;         // a separate one: what others count must not depend on what is grouped
  std::span<Place> places_;     // open-addressed
  std::span<uint64_t> listed_;  // open-addressed, hashes of kind and name
  size_t places_used_ = 0, listed_used_ = 0;
};

}  // namespace snarl::conduct
