#include "coseq/front/front.h"

#include <fmt/format.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <filesystem>

#include "coseq/front/mark.h"
#include "coseq/front/rewrite.h"
#include "coseq/front/twin.h"

namespace snarl::coseq {
namespace {

namespace fs = std::filesystem;

constexpr const char* kModels[] = {"threads.c", "sync.c",  "c11.c",  "cxx.c",   "heap.c",  "string.c", "stdlib.c",
                                   "process.c", "print.c", "scan.c", "files.c", "futex.c", "stack.c"};

bool is_bitcode(const std::string& file) {
  const std::string suffix = fs::path(file).extension();
  return suffix == ".bc" || suffix == ".ll";
}

bool is_cxx(const std::string& file) {
  const std::string suffix = fs::path(file).extension();
  return suffix == ".cc" || suffix == ".cpp" || suffix == ".cxx" || suffix == ".C";
}

// -O1 without its passes: for the optimiser functions without "optnone", which nothing was done to yet.
Expected<std::string> compile(const std::string& file, const std::vector<std::string>& options, const Sources& sources,
                              size_t number) {
  const std::string out = fmt::format("{}/unit{}.bc", sources.scratch, number);
  std::vector<std::string> command = {is_cxx(file) ? "clang++-14" : "clang-14",
                                      "-O1",
                                      "-Xclang",
                                      "-disable-llvm-passes",
                                      "-g",
                                      "-emit-llvm",
                                      "-c",
                                      "-U_FORTIFY_SOURCE",
                                      "-D_FORTIFY_SOURCE=0",
                                      "-fno-stack-protector",
                                      "-ffp-contract=off"};
  // libstdc++ as source, not as what its library was compiled to.
  if (is_cxx(file)) command.insert(command.end(), {"-std=c++20", "-fno-exceptions", "-D_GLIBCXX_EXTERN_TEMPLATE=0"});
  if (const auto own = sources.own_options.find(file); own != sources.own_options.end())
    command.insert(command.end(), own->second.begin(), own->second.end());
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-o", out, file});
  const int code = run_command(command);
  if (code == 127)
    return Error{"the compiler " + command[0] + " can't be started", "install the package clang-14", 125};
  if (code != 0) return Error{file + " can't be compiled", "the compiler's own message says why", 2};
  return out;
}

Expected<std::unique_ptr<llvm::Module>> load(const std::string& file, llvm::LLVMContext& context) {
  llvm::SMDiagnostic problem;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(file, problem, context);
  if (module == nullptr)
    return Error{fmt::format("{} can't be read: {}", file, problem.getMessage().str()),
                 "it must be bitcode or text of LLVM 14", 2};
  return module;
}

Status link(std::unique_ptr<llvm::Module>& all, std::unique_ptr<llvm::Module> part, const std::string& name) {
  if (all == nullptr) {
    all = std::move(part);
    return Done{};
  }
  if (llvm::Linker::linkModules(*all, std::move(part)))
    return Error{name + " can't be linked with the files before it", "each function may be defined once", 2};
  return Done{};
}

enum class Passes { kBeforeMarking, kAfter };

Status optimise(llvm::Module& module, Passes which) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopUnrolling = tuning.LoopInterleaving = false;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager groups;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(nullptr, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(groups);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, groups, modules);
  llvm::ModulePassManager passes;
  if (which == Passes::kAfter) {
    passes = builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2);
    if (llvm::Error error = builder.parsePassPipeline(passes, "function(scalarizer,dce),globaldce"))
      return Error{"LLVM: " + toString(std::move(error)), "is it LLVM 14?", 125};
  } else if (llvm::Error error = builder.parsePassPipeline(
                 passes, "function(sroa,simplifycfg),cgscc(inline),function(sroa,instsimplify,adce),globaldce")) {
    return Error{"LLVM: " + toString(std::move(error)), "is it LLVM 14?", 125};
  }
  passes.run(module, modules);
  return Done{};
}

// None of these passes merges accesses of shared memory: how many there are is decided before the optimiser looks.
Status mark(llvm::Module& module) {
  llvm::internalizeModule(module, [](const llvm::GlobalValue& value) { return value.getName() == "main"; });
  // A load that the program makes only sometimes stays so: made always, it would be an access that may race.
  for (llvm::Function& function : module) function.addFnAttr(llvm::Attribute::SanitizeThread);
  if (Status done = optimise(module, Passes::kBeforeMarking); !done) return done;
  for (llvm::Function& function : module) function.removeFnAttr(llvm::Attribute::SanitizeThread);
  mark_shared(module);
  return Done{};
}

Status add_models(std::unique_ptr<llvm::Module>& module, const Sources& sources) {
  size_t number = 1000;
  for (const char* model : kModels) {
    const fs::path source = sources.models + "/" + model;
    Expected<std::string> unit = fs::path(source).replace_extension(".bc").string();
    if (!fs::exists(*unit))  // the build had no clang-14
      unit = compile(source, {"-ffreestanding", "-fno-builtin", "-w", "-g0", "-I" + sources.models + "/../.."}, sources,
                     number++);
    if (!unit) return unit.error();
    Expected<std::unique_ptr<llvm::Module>> part = load(*unit, module->getContext());
    if (!part) return part.error();
    mark_none(**part);
    if (Status linked = link(module, std::move(*part), model); !linked) return linked;
  }
  return Done{};
}

}  // namespace

Expected<std::unique_ptr<llvm::Module>> read_program(const Sources& sources, llvm::LLVMContext& context) {
  std::unique_ptr<llvm::Module> module;
  size_t number = 0;
  for (const std::string& file : sources.files) {
    Expected<std::string> unit = file;
    if (!is_bitcode(file)) unit = compile(file, sources.options, sources, number++);
    if (!unit) return unit.error();
    Expected<std::unique_ptr<llvm::Module>> part = load(*unit, context);
    if (!part) return part.error();
    if (Status linked = link(module, std::move(*part), file); !linked) return linked.error();
  }
  llvm::Function* main = module->getFunction("main");
  if (main == nullptr || main->isDeclaration())
    return Error{"no file defines main", "give all source files of the program", 2};
  if (Status marked = mark(*module); !marked) return marked.error();
  if (!sources.twin.empty())
    if (Status made = make_twin(*module, sources); !made) return made.error();
  give_variable_arrays_blocks(*module);
  if (Status passed = pass_variable_arguments_as_array(*module); !passed) return passed.error();
  if (Status added = add_models(module, sources); !added) return added.error();
  add_begin(*module);
  llvm::internalizeModule(*module, [](const llvm::GlobalValue& value) { return value.getName() == kBegin; });
  if (Status done = optimise(*module, Passes::kAfter); !done) return done.error();
  return module;
}

}  // namespace snarl::coseq
