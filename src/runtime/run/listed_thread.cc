#include "runtime/run/listed_thread.h"

#include "base/anew.h"
#include "runtime/state/state.h"

namespace snarl::runtime::engine {

wire::Thread* entry_of(const Thread& thread) {
  return thread.ordinal < kMaxThreads ? &shared->threads[thread.ordinal] : nullptr;
}

[[gnu::noinline]] void list_thread(const Thread& thread, uint64_t start_pc) {
  const model::Model& model = conductor().model();
  shared->state.created = model.created();
  if (!under_way.on_fibers) shared->state.at_once = model.most_at_once();
  shared->state.on_fibers.live = static_cast<uint32_t>(model.live_count());
  wire::Thread* entry = entry_of(thread);
  if (entry == nullptr) return;
  make_anew(*entry);
  entry->phase = wire::ThreadPhase::kLive;
  entry->ordinal = thread.ordinal;
  entry->name = model.name(thread.id);
  entry->start_pc = start_pc;
  if (thread.ordinal != 0) {  // not main
    entry->creator = model.creator(thread.id);
    entry->create_pc = model.create_pc(thread.id);
  }
  shared->state.threads = thread.ordinal + 1;
}

}  // namespace snarl::runtime::engine
