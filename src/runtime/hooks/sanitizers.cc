#include "runtime/hooks/sanitizers.h"

#include <type_traits>

#include "base/state_marks.h"
#include "runtime/patch/empty_function.h"
#include "runtime/patch/memory.h"
#include "runtime/platform/loaded_file.h"
#include "runtime/platform/sanitizer_runtimes.h"
#include "runtime/platform/text.h"
#include "runtime/run/ending.h"
#include "runtime/state/state.h"
#include "runtime/state/turn.h"

namespace snarl::runtime {
namespace {

// What the sanitizers' interface (sanitizer/asan_interface.h, ubsan's on_report) offers; null: it is not there.
struct Interface {
  uint64_t asan_on_error;  // empty functions, for others to define: called before anything is printed
  uint64_t ubsan_on_report;
  void (*set_report_callback)(void (*)(const char*));  // ASan's: called when all is printed
  void (*set_death_callbacks[4])(void (*)());          // of each file with a sanitizer
  const char* (*description)();
  void* (*report_pc)();
  int (*access_is_write)();
  size_t (*access_size)();
  void (*ubsan_data)(const char** kind, const char** message, const char** file, unsigned* line, unsigned* column,
                     char** address);
};
SNARL_PROCESS_STATE Interface calls;

SNARL_RUN_STATE char said[512];  // UBSan's last error

template <typename F>
void look_up(const LoadedFile& file, const char* name, F& function) {
  const Elf64_Sym* symbol = file.find(SymbolName(name));
  if (symbol == nullptr || symbol->st_shndx == SHN_UNDEF || function != F{}) return;
  if constexpr (std::is_pointer_v<F>)
    function = reinterpret_cast<F>(file.address_of(*symbol));
  else
    function = file.address_of(*symbol);
}

int look_into(dl_phdr_info* info, size_t, void*) {
  const LoadedFile file(*info);
  look_for_sanitizer_runtime(file);
  look_up(file, "__asan_on_error", calls.asan_on_error);
  look_up(file, "__ubsan_on_report", calls.ubsan_on_report);
  look_up(file, "__asan_set_error_report_callback", calls.set_report_callback);
  for (auto& set : calls.set_death_callbacks) {
    if (set != nullptr) continue;
    look_up(file, "__sanitizer_set_death_callback", set);
    break;
  }
  look_up(file, "__asan_get_report_description", calls.description);
  look_up(file, "__asan_get_report_pc", calls.report_pc);
  look_up(file, "__asan_get_report_access_type", calls.access_is_write);
  look_up(file, "__asan_get_report_access_size", calls.access_size);
  look_up(file, "__ubsan_get_current_report_data", calls.ubsan_data);
  return 0;
}

// From here on the thread is ours: its calls are not points, and neither the watchdog nor the explorer takes it for
// stuck.
void hold_turn(Thread& self) {
  ++self.inside;
  turn::enter(self);
  engine::shared->state.on_fibers.waits = 1;
}

[[noreturn]] void end_reported(Thread& self, uint64_t pc, const char* what) {
  wire::State& state = engine::shared->state;
  state.failing_thread = self.ordinal;
  state.fault_pc = pc;  // where its stack begins
  write_threads(self);
  state.fault_pc = 0;
  fail_run(self, OutcomeKind::kCheck, what);
}

void on_asan_error() {
  if (Thread* self = current) hold_turn(*self);
}

void on_asan_report(const char*) {
  Thread* self = current;
  if (self == nullptr) return;
  TextWriter line(said);
  line << "AddressSanitizer: " << (calls.description == nullptr ? "error" : calls.description());
  const uint64_t size = calls.access_size == nullptr ? 0 : calls.access_size();
  if (size != 0 && calls.access_is_write != nullptr)
    line << (calls.access_is_write() != 0 ? ", write of " : ", read of ") << size << (size == 1 ? " byte" : " bytes");
  end_reported(*self, calls.report_pc == nullptr ? 0 : reinterpret_cast<uint64_t>(calls.report_pc()), said);
}

// "UndefinedBehaviorSanitizer: signed-integer-overflow, signed integer overflow: ... (f.cc:3)"
void on_ubsan_report() {
  const char *kind = nullptr, *message = nullptr, *file = nullptr;
  unsigned line = 0, column = 0;
  char* address = nullptr;
  calls.ubsan_data(&kind, &message, &file, &line, &column, &address);
  TextWriter(said) << "UndefinedBehaviorSanitizer: " << kind << ", " << message << " (" << file << ":" << uint64_t{line}
                   << ")";
}

// The sanitizer ends the process because of what it has said.
void on_death() {
  Thread* self = current;
  if (self == nullptr || said[0] == '\0') return;
  hold_turn(*self);
  end_reported(*self, 0, said);
}

}  // namespace

void look_for_sanitizers() {
  dl_iterate_phdr(look_into, nullptr);
  const bool any = calls.asan_on_error != 0 || calls.ubsan_on_report != 0;
  if (!any || !patch::may_change_code()) return;
  if (calls.set_report_callback != nullptr && patch::lead_empty_function(calls.asan_on_error, on_asan_error))
    calls.set_report_callback(on_asan_report);
  if (calls.ubsan_data == nullptr || !patch::lead_empty_function(calls.ubsan_on_report, on_ubsan_report)) return;
  for (auto set : calls.set_death_callbacks)
    if (set != nullptr) set(on_death);
}

}  // namespace snarl::runtime
