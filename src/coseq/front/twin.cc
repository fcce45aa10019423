#include "coseq/front/twin.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <filesystem>
#include <fstream>

#include "coseq/front/mark.h"
#include "coseq/front/places.h"

namespace snarl::coseq {
namespace {

// Without snarl there is no such function, and the point is none.
constexpr const char* kPoint = R"(extern void snarl_point(const char*) __attribute__((weak));
void snarl_twin_point(const char* name) {
  if (snarl_point) snarl_point(name);
}
)";

const char* word_for(const llvm::Instruction& access) {
  if (llvm::isa<llvm::LoadInst>(access)) return "read";
  if (llvm::isa<llvm::StoreInst>(access)) return "write";
  return llvm::isa<llvm::MemIntrinsic>(access) ? "copy" : "update";
}

void add_points(llvm::Instruction& access, llvm::FunctionCallee point) {
  const SourcePlace place = place_of(access);
  const std::string name =
      fmt::format("{} {}:{}", word_for(access), std::filesystem::path(place.file).filename().string(), place.line);
  llvm::IRBuilder<> before(&access);
  before.SetCurrentDebugLocation(access.getDebugLoc());
  before.CreateCall(point, before.CreateGlobalStringPtr(name));
  if (!llvm::isa<llvm::AtomicRMWInst>(access) && !llvm::isa<llvm::AtomicCmpXchgInst>(access)) return;
  llvm::IRBuilder<> after(access.getNextNode());
  after.SetCurrentDebugLocation(access.getDebugLoc());
  after.CreateCall(point, after.CreateGlobalStringPtr("after " + name));
}

}  // namespace

Status make_twin(const llvm::Module& module, const Sources& sources) {
  const std::unique_ptr<llvm::Module> twin = llvm::CloneModule(module);
  std::vector<llvm::Instruction*> accesses;
  for (llvm::Function& function : *twin)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block)
        if (is_point(instruction)) accesses.push_back(&instruction);
  llvm::LLVMContext& context = twin->getContext();
  const llvm::FunctionCallee point = twin->getOrInsertFunction(
      "snarl_twin_point",
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {llvm::Type::getInt8PtrTy(context)}, false));
  for (llvm::Instruction* access : accesses) add_points(*access, point);

  const std::string bitcode = sources.scratch + "/twin.bc", helper = sources.scratch + "/twin_point.c";
  std::error_code error;
  llvm::raw_fd_ostream file(bitcode, error);
  if (error) return Error{"can't write " + bitcode, error.message()};
  llvm::WriteBitcodeToFile(*twin, file);
  file.close();
  std::ofstream(helper) << kPoint;
  std::vector<std::string> command = {"clang-14", "-O1", "-g", "-w", "-pthread", bitcode, helper, "-o", sources.twin};
  for (const std::string& option : sources.options)
    if (option.starts_with("-l") || option.starts_with("-L")) command.push_back(option);
  command.insert(command.end(), {"-lstdc++", "-lm"});
  if (run_command(command) != 0)
    return Error{"the native twin can't be linked", "give its libraries (-l...) behind the files", 2};
  return Done{};
}

}  // namespace snarl::coseq
