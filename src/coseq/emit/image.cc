#include "coseq/emit/image.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>
#include <cstring>

#include "coseq/models/lane.h"

namespace snarl::coseq {
namespace {

constexpr uint64_t kRedZone = 32;  // behind each global; a multiple of 8, so that shadow bytes belong to one of them

uint64_t rounded(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

}  // namespace

Image::Image(const llvm::Module& module, const std::map<const llvm::Function*, uint32_t>& functions, Refusals& refusals)
    : layout_(module.getDataLayout()), functions_(functions), refusals_(refusals) {
  for (const llvm::GlobalVariable& variable : module.globals())
    if (!variable.getName().startswith("llvm.")) place(variable);
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.hasInitializer() || variable.getName().startswith("llvm.")) continue;
    const uint32_t at = addresses_.at(&variable);
    const bool own = variable.isThreadLocal(), constant = !own && variable.isConstant();
    std::vector<uint8_t>& bytes = own ? thread_locals_ : constant ? constants_ : globals_;
    write(bytes, at - (own ? 0 : constant ? kLaneConstants : kLaneGlobals), *variable.getInitializer(), variable);
  }
  constexpr uint64_t kMost = kLaneConstants - kLaneGlobals;
  if (globals_.size() > kMost || constants_.size() > kMost || thread_locals_.size() > 0x10000)
    refusals_.add("global variables",
                  fmt::format("need {} bytes, {} constant and {} in each thread", globals_.size(), constants_.size(),
                              thread_locals_.size()),
                  fmt::format("a lane has room for {}, {} and {}: make arrays smaller", kMost, kMost, 0x10000));
}

uint32_t Image::address(const llvm::GlobalVariable& variable) const {
  const auto found = addresses_.find(&variable);
  return found == addresses_.end() ? 0 : found->second;
}

void Image::place(const llvm::GlobalVariable& variable) {
  if (!variable.hasInitializer()) {
    refusals_.add(variable.getName().str(), "a variable that no file of the program defines",
                  "give all source files; of libc there are stdin, stdout, stderr and errno");
    return;
  }
  const bool own = variable.isThreadLocal(), constant = !own && variable.isConstant();
  std::vector<uint8_t>& bytes = own ? thread_locals_ : constant ? constants_ : globals_;
  const uint64_t size = layout_.getTypeAllocSize(variable.getValueType());
  const uint64_t align = std::max<uint64_t>(16, variable.getAlign() ? variable.getAlign()->value() : 1);
  const uint64_t at = rounded(bytes.size(), align);
  const uint64_t end = at + rounded(size, 8) + (own ? 0 : kRedZone);
  addresses_[&variable] = static_cast<uint32_t>(at + (own ? 0 : constant ? kLaneConstants : kLaneGlobals));
  if (end > kLaneConstants) return;  // too large, and refused
  bytes.resize(end);
  if (!own) names_.push_back({variable.getName().str(), addresses_[&variable], static_cast<uint32_t>(size)});
}

void Image::write(std::vector<uint8_t>& bytes, uint64_t at, const llvm::Constant& value,
                  const llvm::GlobalVariable& of) {
  const uint64_t size = layout_.getTypeStoreSize(value.getType());
  if (at + size > bytes.size() || value.isNullValue() || llvm::isa<llvm::UndefValue>(value)) return;
  const auto put = [&](uint64_t word, uint64_t count) { std::memcpy(&bytes[at], &word, count); };
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value); number != nullptr && size <= 8)
    return put(number->getZExtValue(), size);
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&value); real != nullptr && size <= 8)
    return put(real->getValueAPF().bitcastToAPInt().getZExtValue(), size);
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&value)) {
    const llvm::StringRef raw = data->getRawDataValues();
    std::memcpy(&bytes[at], raw.data(), raw.size());
    return;
  }
  if (const auto* structure = llvm::dyn_cast<llvm::ConstantStruct>(&value)) {
    const llvm::StructLayout* places = layout_.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i)
      write(bytes, at + places->getElementOffset(i), *structure->getOperand(i), of);
    return;
  }
  if (const auto* array = llvm::dyn_cast<llvm::ConstantArray>(&value)) {
    const uint64_t step = layout_.getTypeAllocSize(array->getType()->getElementType());
    for (unsigned i = 0; i < array->getNumOperands(); ++i) write(bytes, at + i * step, *array->getOperand(i), of);
    return;
  }
  const llvm::Value* whole = &value;
  if (const auto* cast = llvm::dyn_cast<llvm::ConstantExpr>(whole);
      cast && cast->getOpcode() == llvm::Instruction::PtrToInt)
    whole = cast->getOperand(0);
  if (whole->getType()->isPointerTy()) {
    llvm::APInt offset(64, 0);
    const llvm::Value* base = whole->stripAndAccumulateConstantOffsets(layout_, offset, true);
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(base); variable && !variable->isThreadLocal())
      return put(static_cast<uint32_t>(address(*variable) + offset.getSExtValue()), 8);
    if (const auto* function = llvm::dyn_cast<llvm::Function>(base))
      if (const auto found = functions_.find(function); found != functions_.end())
        return put(kLaneFunctions + found->second, 8);
    if (const auto* number = llvm::dyn_cast<llvm::ConstantExpr>(base);
        number && number->getOpcode() == llvm::Instruction::IntToPtr)
      if (const auto* word = llvm::dyn_cast<llvm::ConstantInt>(number->getOperand(0)))
        return put(word->getZExtValue() + offset.getZExtValue(), 8);
  }
  refusals_.add(of.getName().str(), "an initial value of a global that can't be translated", "assign it in main");
}

}  // namespace snarl::coseq
