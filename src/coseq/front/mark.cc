#include "coseq/front/mark.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace snarl::coseq {
namespace {

bool is_own_thread_local(const llvm::GlobalVariable& variable) {
  if (!variable.isThreadLocal()) return false;
  for (const llvm::User* user : variable.users()) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (store != nullptr && store->getValueOperand() != &variable) continue;
    if (!llvm::isa<llvm::LoadInst>(user)) return false;  // its address may go anywhere
  }
  return true;
}

bool is_own(const llvm::Value* pointer) {
  const llvm::Value* object = llvm::getUnderlyingObject(pointer, 32);
  // A table of virtual functions, which is constant.
  if (const auto* table = llvm::dyn_cast<llvm::LoadInst>(object))
    if (const llvm::MDNode* kind = table->getMetadata(llvm::LLVMContext::MD_tbaa); kind && kind->isTBAAVtableAccess())
      return true;
  if (llvm::isa<llvm::AllocaInst>(object)) return !llvm::PointerMayBeCaptured(object, false, true);
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(object))
    return variable->isConstant() || is_own_thread_local(*variable);
  const auto* call = llvm::dyn_cast<llvm::CallBase>(object);
  return call != nullptr && call->returnDoesNotAlias() && !llvm::PointerMayBeCaptured(call, false, true);
}

void mark(llvm::Instruction& instruction) {
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->isAtomic()) load->setVolatile(!is_own(load->getPointerOperand()));
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (!store->isAtomic()) store->setVolatile(!is_own(store->getPointerOperand()));
  } else if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    bool shared = !is_own(block->getRawDest());
    if (auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(block)) shared |= !is_own(transfer->getRawSource());
    block->setVolatile(llvm::ConstantInt::getBool(block->getContext(), shared));
  }
}

}  // namespace

// pthread_spinlock_t is volatile as libc declares it: what a model does to it belongs to the model's own step.
void mark_none(llvm::Module& model) {
  for (llvm::Function& function : model)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) load->setVolatile(false);
        if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) store->setVolatile(false);
      }
}

void mark_shared(llvm::Module& module) {
  mark_none(module);  // the program's own volatile: of a local variable that goes nowhere it means nothing to others
  for (llvm::Function& function : module)
    for (llvm::BasicBlock& block : function)
      for (llvm::Instruction& instruction : block) mark(instruction);
}

bool is_point(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isVolatile() || load->isAtomic();
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isVolatile() || store->isAtomic();
  if (llvm::isa<llvm::AtomicRMWInst>(instruction) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction)) return true;
  if (const auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) return block->isVolatile();
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && (callee->getName() == "snarl_lane_point" || callee->getName() == "snarl_lane_await");
}

}  // namespace snarl::coseq
