#include "runtime/trace/groups.h"

#include <unwind.h>

#include "runtime/state/state.h"
#include "runtime/trace/modules.h"

namespace snarl::runtime {
namespace {

struct Search {
  uint64_t pc;
  uint64_t* callers;
  size_t found = 0;
  bool reached = false;  // the frame of `pc`
};

_Unwind_Reason_Code visit(_Unwind_Context* context, void* data) {
  Search& search = *static_cast<Search*>(data);
  const uint64_t address = _Unwind_GetIP(context);
  if (search.reached && is_in_runtime(address))
    return _URC_END_OF_STACK;  // what called the program differs on gates and fibers
  if (search.reached) search.callers[search.found++] = address;
  search.reached |= address == search.pc;
  return search.found == MetGroup::kCallers ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// Up to where we called the program. By the unwind tables: most programs have no frame pointers. About a microsecond
// per frame. Where the tables end, or don't know the place, a context is its place.
void callers_of(uint64_t pc, uint64_t (&callers)[MetGroup::kCallers]) {
  Search search{pc, callers};
  _Unwind_Backtrace(visit, &search);
}

}  // namespace

conduct::GroupSources group_sources() {
  wire::Layout& wire = *engine::shared;
  return {wire.met_groups, &wire.state.met_groups, wire.command.settings.listed_groups, place_name, callers_of};
}

}  // namespace snarl::runtime
