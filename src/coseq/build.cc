#include "coseq/build.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "coseq/emit/emitter.h"

namespace snarl::coseq {
namespace {

namespace fs = std::filesystem;

std::string told(const std::vector<Refusal>& refusals) {
  std::string text =
      fmt::format("lanes can't take this program, for {} reason{}:", refusals.size(), refusals.size() == 1 ? "" : "s");
  for (const Refusal& refusal : refusals)
    text += fmt::format("\n  {}: {} ({})", refusal.place, refusal.what, refusal.advice);
  return text;
}

Status write(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) return Error{"can't write " + path, "is the disk full?"};
  return Done{};
}

}  // namespace

Expected<std::string> build_lane(const Sources& sources, const std::string& keep, std::string* bodies) {
  llvm::LLVMContext context;
  Expected<std::unique_ptr<llvm::Module>> module = read_program(sources, context);
  if (!module) return module.error();
  Refusals refusals;
  const Emitted emitted = Emitter(**module, refusals).emit();
  if (!refusals.all().empty()) return Error{told(refusals.all()), "snarl run takes any program", 4};
  if (bodies != nullptr) *bodies = Emitter(**module, refusals, Recursion::kFlattened).emit().bodies;
  std::string folder = sources.scratch;
  if (!keep.empty()) {
    std::error_code error;
    fs::create_directories(keep, error);
    if (error) return Error{"can't make " + keep + ": " + error.message(), "", 2};
    folder = keep;
  }
  const std::string code = folder + "/lane.c", library = sources.scratch + "/lane.so";
  if (Status written = write(code, emitted.code); !written) return written.error();
  std::vector<std::string> command = {"clang-14",
                                      "-std=gnu11",
                                      "-O2",
                                      "-w",
                                      "-fPIC",
                                      "-shared",
                                      "-fno-strict-aliasing",
                                      "-fwrapv",
                                      "-ffp-contract=off",
                                      "-fno-stack-protector",
                                      "-I",
                                      sources.models + "/../..",
                                      "-o",
                                      library,
                                      code,
                                      "-lm"};
  if (sources.counts_cost) command.push_back("-DLANE_COUNTS_COST");
  if (sources.tells) command.push_back("-DLANE_TELLS");
  const int failed = run_command(command);
  if (failed == 127) return Error{"the compiler clang-14 can't be started", "install the package clang-14", 125};
  if (failed != 0)
    return Error{"the emitted code can't be compiled", "this is a bug of snarl: --emit FOLDER keeps the code"};
  return library;
}

}  // namespace snarl::coseq
