#include "coseq/front/rewrite.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>
#include <vector>

#include "coseq/models/lane.h"

namespace snarl::coseq {
namespace {

constexpr const char* kWithVariableArguments[] = {
    "printf", "fprintf", "dprintf", "snprintf",       "sprintf",         "scanf",           "fscanf",
    "sscanf", "open",    "open64",  "__isoc99_scanf", "__isoc99_fscanf", "__isoc99_sscanf", "syscall"};

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

// An array of variable length becomes a block of the models', which knows its bounds (models/stack.c).
void rewrite(llvm::AllocaInst& array) {
  llvm::Module& module = *array.getModule();
  llvm::IRBuilder<> builder(&array);
  const uint64_t element = module.getDataLayout().getTypeAllocSize(array.getAllocatedType());
  llvm::Value* count = builder.CreateZExtOrTrunc(array.getArraySize(), builder.getInt64Ty());
  llvm::Value* size = builder.CreateMul(count, builder.getInt64(element));
  const llvm::FunctionCallee make =
      module.getOrInsertFunction("snarl_stack_take", builder.getInt8PtrTy(), builder.getInt64Ty());
  llvm::CallInst* block = builder.CreateCall(make, {size});
  block->setDebugLoc(array.getDebugLoc());
  array.replaceAllUsesWith(builder.CreateBitCast(block, array.getType()));
  array.eraseFromParent();
}

void give_blocks(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> arrays;
  std::vector<llvm::IntrinsicInst*> marks;
  std::vector<llvm::ReturnInst*> returns;
  for (llvm::BasicBlock& block : function)
    for (llvm::Instruction& instruction : block) {
      if (auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction); array != nullptr && !array->isStaticAlloca())
        arrays.push_back(array);
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == llvm::Intrinsic::stacksave ||
            call->getIntrinsicID() == llvm::Intrinsic::stackrestore)
          marks.push_back(call);
      if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) returns.push_back(end);
    }
  if (arrays.empty()) {  // all of them have a constant size
    for (llvm::IntrinsicInst* mark : marks) {
      if (!mark->getType()->isVoidTy()) mark->replaceAllUsesWith(llvm::Constant::getNullValue(mark->getType()));
      mark->eraseFromParent();
    }
    return;
  }
  llvm::Module& module = *function.getParent();
  llvm::Type* pointer = llvm::Type::getInt8PtrTy(function.getContext());
  const llvm::FunctionCallee save = module.getOrInsertFunction("snarl_stack_save", pointer);
  const llvm::FunctionCallee restore =
      module.getOrInsertFunction("snarl_stack_restore", llvm::Type::getVoidTy(function.getContext()), pointer);
  llvm::IRBuilder<> begin(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::Value* before = begin.CreateCall(save);
  for (llvm::AllocaInst* array : arrays) rewrite(*array);
  for (llvm::ReturnInst* end : returns) llvm::IRBuilder<>(end).CreateCall(restore, {before});
  for (llvm::IntrinsicInst* mark : marks) {
    llvm::IRBuilder<> builder(mark);
    if (mark->getIntrinsicID() == llvm::Intrinsic::stacksave)
      mark->replaceAllUsesWith(builder.CreateCall(save));
    else
      builder.CreateCall(restore, {mark->getArgOperand(0)});
    mark->eraseFromParent();
  }
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
  for (const char* name : kWithVariableArguments) {
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

void give_variable_arrays_blocks(llvm::Module& module) {
  for (llvm::Function& function : module) give_blocks(function);
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
