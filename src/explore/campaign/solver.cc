#include "explore/campaign/solver.h"

#include <dlfcn.h>

#include <memory>

namespace snarl::explore {
namespace {

constexpr const char* kLibrary = "libz3.so.4";  // the version of its interface

// The functions that we call, by their C interface, which is stable.
struct Z3 {
  void* (*mk_config)();
  void (*del_config)(void*);
  void* (*mk_context)(void*);
  void (*del_context)(void*);
  void (*set_error_handler)(void*, void*);
  const char* (*eval_smtlib2_string)(void*, const char*);
};

template <typename F>
bool find(void* library, const char* name, F*& function) {
  function = reinterpret_cast<F*>(dlsym(library, name));
  return function != nullptr;
}

// Never unloaded: it keeps threads and memory of its own.
const Z3* z3() {
  static const auto loaded = []() -> std::unique_ptr<Z3> {
    void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return nullptr;
    auto z3 = std::make_unique<Z3>();
    const bool has_all =
        find(library, "Z3_mk_config", z3->mk_config) && find(library, "Z3_del_config", z3->del_config) &&
        find(library, "Z3_mk_context", z3->mk_context) && find(library, "Z3_del_context", z3->del_context) &&
        find(library, "Z3_set_error_handler", z3->set_error_handler) &&
        find(library, "Z3_eval_smtlib2_string", z3->eval_smtlib2_string);
    return has_all ? std::move(z3) : nullptr;
  }();
  return loaded.get();
}

}  // namespace

// Without its own error handler, which ends the process.
detect::Solver load_solver() {
  const Z3* library = z3();
  if (library == nullptr) return {};
  void* config = library->mk_config();
  const std::shared_ptr<void> context(library->mk_context(config), library->del_context);
  library->del_config(config);
  library->set_error_handler(context.get(), nullptr);
  return [library, context](const std::string& commands) {
    const char* answer = library->eval_smtlib2_string(context.get(), commands.c_str());
    return answer == nullptr ? std::string() : std::string(answer);
  };
}

}  // namespace snarl::explore
