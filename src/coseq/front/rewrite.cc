#include "coseq/front/rewrite.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <vector>

#include "coseq/models/lane.h"

namespace snarl::coseq {
namespace {

constexpr const char* kPrinters[] = {"printf", "fprintf", "dprintf", "snprintf", "sprintf"};

void rewrite(llvm::CallBase& call, llvm::Function& printer) {
  const unsigned fixed = printer.getFunctionType()->getNumParams(), count = call.arg_size() - fixed;
  llvm::IRBuilder<> at_entry(&*call.getFunction()->getEntryBlock().getFirstInsertionPt());
  llvm::Type* word = at_entry.getInt64Ty();
  llvm::ArrayType* words = llvm::ArrayType::get(word, count == 0 ? 1 : count);
  llvm::Value* array = at_entry.CreateAlloca(words);
  llvm::IRBuilder<> builder(&call);
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value* value = call.getArgOperand(fixed + i);
    llvm::Value* slot = builder.CreateConstInBoundsGEP2_64(words, array, 0, i);
    if (value->getType()->isIntegerTy()) value = builder.CreateZExtOrTrunc(value, word);
    builder.CreateStore(value, builder.CreateBitCast(slot, value->getType()->getPointerTo()));
  }
  std::vector<llvm::Type*> types(printer.getFunctionType()->param_begin(), printer.getFunctionType()->param_end());
  types.push_back(word->getPointerTo());
  std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_begin() + fixed);
  arguments.push_back(builder.CreateConstInBoundsGEP2_64(words, array, 0, 0));
  llvm::FunctionCallee callee = call.getModule()->getOrInsertFunction(
      ("snarl_" + printer.getName()).str(), llvm::FunctionType::get(call.getType(), types, false));
  llvm::CallInst* replaced = builder.CreateCall(callee, arguments);
  replaced->setDebugLoc(call.getDebugLoc());
  call.replaceAllUsesWith(replaced);
  call.eraseFromParent();
}

// What runs before main, in its order.
std::vector<llvm::Function*> constructors(const llvm::Module& module) {
  std::vector<std::pair<uint64_t, llvm::Function*>> found;
  const llvm::GlobalVariable* table = module.getGlobalVariable("llvm.global_ctors");
  const auto* list = table == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantArray>(table->getInitializer());
  for (unsigned i = 0; list != nullptr && i < list->getNumOperands(); ++i) {
    const auto* entry = llvm::cast<llvm::ConstantStruct>(list->getOperand(i));
    auto* function = llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts());
    if (function != nullptr)
      found.emplace_back(llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), function);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<llvm::Function*> functions;
  for (const auto& [priority, function] : found) functions.push_back(function);
  return functions;
}

}  // namespace

Status pass_variable_arguments_as_array(llvm::Module& module) {
  for (const char* name : kPrinters) {
    llvm::Function* printer = module.getFunction(name);
    if (printer == nullptr || !printer->isDeclaration()) continue;
    std::vector<llvm::CallBase*> calls;
    for (llvm::User* user : printer->users())
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(user); call != nullptr && call->getCalledFunction() == printer)
        calls.push_back(call);
    for (llvm::CallBase* call : calls) rewrite(*call, *printer);
  }
  return Done{};
}

void add_begin(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* nothing = llvm::Type::getVoidTy(context);
  llvm::Type* pointer = llvm::Type::getInt8PtrTy(context);
  llvm::Function* begin = llvm::Function::Create(llvm::FunctionType::get(nothing, {pointer}, false),
                                                 llvm::Function::ExternalLinkage, kBegin, module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", begin));
  for (llvm::Function* constructor : constructors(module)) builder.CreateCall(constructor);
  llvm::Function* main = module.getFunction("main");
  std::vector<llvm::Value*> arguments;
  const unsigned words[] = {offsetof(LaneHeader, argument_count), offsetof(LaneHeader, arguments)};
  for (unsigned i = 0; i < main->arg_size(); ++i) {
    llvm::Type* type = main->getFunctionType()->getParamType(i);
    if (i >= 2) {
      arguments.push_back(llvm::Constant::getNullValue(type));
      continue;
    }
    llvm::Value* address = builder.CreateIntToPtr(builder.getInt64(kLaneHeader + words[i]), type->getPointerTo());
    arguments.push_back(builder.CreateLoad(type, address));
  }
  llvm::Value* code = builder.CreateCall(main->getFunctionType(), main, arguments);
  if (code->getType()->isVoidTy()) code = builder.getInt32(0);
  llvm::FunctionCallee exit = module.getOrInsertFunction("exit", nothing, builder.getInt32Ty());
  builder.CreateCall(exit, {code});
  builder.CreateUnreachable();
}

}  // namespace snarl::coseq
