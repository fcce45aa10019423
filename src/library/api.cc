// The C interface of the library, and how the library comes to life.
#include <dlfcn.h>
#include <snarl/c.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "library/explore_body.h"
#include "library/sometimes.h"
#include "runtime/platform/real.h"
#include "runtime/state/thread.h"

#define SNARL_API extern "C" __attribute__((visibility("default")))

namespace snarl::library {
namespace {

__attribute__((constructor)) void on_load() { runtime::resolve_real(); }

// Hooks work only in front of libc: a program that got the library by way of another may have it behind.
bool hooks_are_in_front() {
  Dl_info hook, self;
  return dladdr(dlsym(RTLD_DEFAULT, "pthread_mutex_lock"), &hook) != 0 &&
         dladdr(reinterpret_cast<void*>(&hooks_are_in_front), &self) != 0 && hook.dli_fbase == self.dli_fbase;
}

// `snarl run` controls this process already.
bool is_preloaded() {
  Dl_info hook;
  return dladdr(dlsym(RTLD_DEFAULT, "pthread_mutex_lock"), &hook) != 0 &&
         std::strstr(hook.dli_fname, "libsnarl_rt.so") != nullptr;
}

BodyResult run_once(const runtime::Body& body, const char* note) {
  body.call(body.data);
  BodyResult result;
  result.schedules = 1;
  result.reset = "none";
  result.note = note;
  result.tested = "1 schedule, not chosen here";
  return result;
}

Expected<BodyResult> replay(const Settings& settings, SharedMemory memory, const runtime::Body& body) {
  const Expected<Replay> recorded = parse_replay_string(settings.replay);
  if (!recorded) return recorded.error();
  if (recorded->test == test_hash(settings.name)) return replay_body(settings, memory, body, *recorded);
  BodyResult other;
  other.note = "the replay string is another test's: nothing was run";
  return other;
}

// As SNARL_TEST names it: what stands in the body is expected of this test.
std::string function_of(const std::string& test) {
  const size_t dot = test.find('.');
  return dot == test.npos ? "" : test.substr(0, dot) + "_" + test.substr(dot + 1) + "_Snarl::";
}

Expected<BodyResult> explore(const snarl_options& options, const runtime::Body& body) {
  if (is_preloaded()) return run_once(body, "snarl run controls this program: the body ran once, under its schedule");
  if (!hooks_are_in_front())
    return Error{"libsnarl is behind libc: the program must be linked with it itself, before other libraries", {}, 4};
  const Expected<Settings> settings = read_settings(options);
  if (!settings) return settings.error();
  const Expected<SharedMemory> memory = SharedMemory::get();
  if (!memory) return memory.error();
  begin_sometimes();
  Expected<BodyResult> result =
      settings->replay.empty() ? explore_body(*settings, *memory, body) : replay(*settings, *memory, body);
  if (result && result->passed && settings->replay.empty()) result->note += never_true(function_of(settings->name));
  return result;
}

BodyResult result_of(const Error& error) {
  BodyResult result;
  result.passed = false;
  result.kind = "error";
  result.summary = "snarl: " + error.message;
  result.report = result.summary + "\n" + (error.hint.empty() ? "" : "hint: " + error.hint + "\n");
  return result;
}

void give(std::unique_ptr<BodyResult> from, size_t size, snarl_result& to) {
  to.passed = from->passed;
  to.schedules = from->schedules;
  to.distinct = from->distinct;
  to.seconds = from->seconds;
  to.threads = from->threads;
  to.steps = from->steps;
  to.kind = from->kind.c_str();
  to.summary = from->summary.c_str();
  to.report = from->report.c_str();
  to.replay = from->replay.c_str();
  to.reset = from->reset.c_str();
  to.reset_why = from->reset_why.c_str();
  to.switching = from->switching.c_str();
  to.note = from->note.c_str();
  if (size >= sizeof to) to.points = from->points.c_str(), to.tested = from->tested.c_str();
  to.keep = from.release();
}

// Callers that were compiled before the last fields were there don't say it.
size_t result_size(const snarl_options& options) { return options.size >= sizeof options ? options.result_size : 0; }

}  // namespace

SNARL_API void snarl_explore(const snarl_options* options, void (*call)(void*), void* data, snarl_result* result) {
  const runtime::Body body{call, data};
  Expected<BodyResult> explored = runtime::current != nullptr
                                      ? run_once(body, "already inside a schedule: the body ran once, as a part of it")
                                      : explore(*options, body);
  give(std::make_unique<BodyResult>(explored ? std::move(*explored) : result_of(explored.error())),
       result_size(*options), *result);
}

SNARL_API void snarl_free(snarl_result* result) {
  delete static_cast<BodyResult*>(result->keep);
  std::memset(result, 0, offsetof(snarl_result, points));  // older callers have no more
}

SNARL_API void snarl_fail(int kind, const char* why) {
  if (runtime::current != nullptr) runtime::fail_body(kind == 0 ? OutcomeKind::kCheck : OutcomeKind::kException, why);
  std::fprintf(stderr, "%s\n", why);
  std::abort();
}

}  // namespace snarl::library
