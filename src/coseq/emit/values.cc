// Values as expressions of the emitted C.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "coseq/emit/emitter.h"
#include "coseq/emit/types.h"
#include "coseq/models/lane.h"

namespace snarl::coseq {

std::string Emitter::variable(const llvm::Value* value) {
  return names_.try_emplace(value, fmt::format("v{}", names_.size())).first->second;
}

std::string Emitter::number_of(const llvm::ConstantInt& number) const {
  if (number.getBitWidth() > 64) return "0";
  return fmt::format("{}{}", number.getZExtValue(), number.getBitWidth() <= 32 ? "u" : "ul");
}

std::string Emitter::masked(llvm::Type* type, const std::string& expression) const {
  const unsigned bits = bits_of(type);
  if (bits == 8 || bits == 16 || bits == 32 || bits == 64 || !type->isIntegerTy()) return expression;
  return fmt::format("(({}) & {}ul)", expression, (1ul << bits) - 1);
}

std::string Emitter::as_signed(const llvm::Value* operand) {
  const unsigned bits = bits_of(operand->getType());
  std::string type = c_type(operand->getType());
  if (type.empty()) return "0";
  type[0] = 'i';
  const unsigned wide = bits <= 8 ? 8 : bits <= 16 ? 16 : bits <= 32 ? 32 : 64;
  if (bits == wide) return fmt::format("({}){}", type, value(operand));
  return fmt::format("(({0})(({0})((u64){1} << {2}) >> {2}))", type, value(operand), wide - bits);
}

std::string Emitter::element_address(const llvm::GEPOperator& address) {
  int64_t constant = 0;
  std::string text = value(address.getPointerOperand());
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    const llvm::Value* index = step.getOperand();
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const unsigned member = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
      constant += static_cast<int64_t>(layout_.getStructLayout(structure)->getElementOffset(member));
      continue;
    }
    const int64_t size = static_cast<int64_t>(layout_.getTypeAllocSize(step.getIndexedType()));
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(index))
      constant += number->getSExtValue() * size;
    else
      text += fmt::format(" + (u32)({}) * {}u", as_signed(index), size);
  }
  if (constant != 0) text += fmt::format(" + {}u", static_cast<uint32_t>(constant));
  return "(u32)(" + text + ")";
}

std::string Emitter::constant_expression(const llvm::ConstantExpr& expression) {
  const auto operand = [&](unsigned i) { return value(expression.getOperand(i)); };
  const std::string type = c_type(expression.getType());
  switch (expression.getOpcode()) {
    case llvm::Instruction::GetElementPtr: return element_address(llvm::cast<llvm::GEPOperator>(expression));
    case llvm::Instruction::BitCast:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::ZExt: return masked(expression.getType(), fmt::format("({})({})", type, operand(0)));
    case llvm::Instruction::Add:
      return masked(expression.getType(), fmt::format("({})({} + {})", type, operand(0), operand(1)));
    case llvm::Instruction::Sub:
      return masked(expression.getType(), fmt::format("({})({} - {})", type, operand(0), operand(1)));
    case llvm::Instruction::Select: return fmt::format("({} ? {} : {})", operand(0), operand(1), operand(2));
    case llvm::Instruction::ICmp:
      if (expression.getPredicate() == llvm::CmpInst::ICMP_EQ) return fmt::format("({} == {})", operand(0), operand(1));
      if (expression.getPredicate() == llvm::CmpInst::ICMP_NE) return fmt::format("({} != {})", operand(0), operand(1));
      break;
    default: break;
  }
  const std::string what = std::string("a constant expression: ") + expression.getOpcodeName();
  if (function_ == nullptr)
    refusals_.add("a global variable", what, "compute it in a function");
  else
    refusals_.add(function_->front().front(), what, "compute it in steps");
  return "0";
}

std::string Emitter::constant_leaf(const llvm::Constant& constant) {
  if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&constant)) return number_of(*number);
  if (const auto* real = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
    const llvm::APInt bits = real->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 64) return "0";
    return fmt::format("lane_f{}({:#x}ul)", bits.getBitWidth(), bits.getZExtValue());
  }
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(&constant)) {
    if (!image_.is_thread_local(*global)) return fmt::format("{}u", image_.address(*global));
    return fmt::format("(tls + {}u)", image_.address(*global));
  }
  if (const auto* function = llvm::dyn_cast<llvm::Function>(&constant)) {
    const auto found = functions_.find(function);
    if (found != functions_.end()) return fmt::format("{}u", kLaneFunctions + found->second);
    const std::string what = "the address of " + function->getName().str() + ", which nobody defines";
    if (function_ == nullptr)
      refusals_.add("a global variable", what, "give its source file");
    else
      refusals_.add(function_->front().front(), what, "give its source file");
    return "0u";
  }
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&constant)) return value(alias->getAliasee());
  if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) return constant_expression(*expression);
  return "0";  // null, undefined, poison
}

std::vector<std::string> Emitter::parts(const llvm::Value* value) {
  const std::vector<Leaf> leaves = leaves_of(value->getType(), layout_);
  if (const auto* own = llvm::dyn_cast<llvm::AllocaInst>(value))
    if (const auto found = frame_.variables.find(own); found != frame_.variables.end())
      return {fmt::format("(fp + {}u)", found->second)};
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    if (!value->getType()->isAggregateType()) return {constant_leaf(*constant)};
    std::vector<std::string> result;
    const unsigned count = value->getType()->isStructTy()
                               ? value->getType()->getStructNumElements()
                               : static_cast<unsigned>(value->getType()->getArrayNumElements());
    for (unsigned i = 0; i < count; ++i)
      for (std::string& part : parts(constant->getAggregateElement(i))) result.push_back(std::move(part));
    return result;
  }
  const std::string name = variable(value);
  if (!value->getType()->isAggregateType()) return {name};
  std::vector<std::string> result;
  for (size_t i = 0; i < leaves.size(); ++i) result.push_back(fmt::format("{}_{}", name, i));
  return result;
}

}  // namespace snarl::coseq
