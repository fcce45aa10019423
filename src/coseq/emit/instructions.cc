// Instructions as statements of the emitted C.
#include <fmt/format.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include "coseq/emit/emitter.h"
#include "coseq/emit/types.h"
#include "coseq/front/mark.h"
#include "coseq/models/lane.h"
#include "schedule/memory_order.h"
#include "schedule/operation.h"

namespace snarl::coseq {
namespace {

constexpr const char* kScalars = "lanes have integers of up to 64 bits, pointers, float and double";

uint32_t kind_number(OpKind kind) { return static_cast<uint32_t>(kind); }

MemoryOrder order_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic: return MemoryOrder::kNone;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return MemoryOrder::kRelaxed;
    case llvm::AtomicOrdering::Acquire: return MemoryOrder::kAcquire;
    case llvm::AtomicOrdering::Release: return MemoryOrder::kRelease;
    case llvm::AtomicOrdering::AcquireRelease: return MemoryOrder::kAcquireRelease;
    case llvm::AtomicOrdering::SequentiallyConsistent: return MemoryOrder::kSequential;
  }
  return MemoryOrder::kSequential;
}

uint32_t order_of(const llvm::Instruction& access) {
  MemoryOrder order = MemoryOrder::kNone;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) order = order_of(load->getOrdering());
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) order = order_of(store->getOrdering());
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&access)) order = order_of(update->getOrdering());
  if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&access)) order = order_of(swap->getSuccessOrdering());
  return static_cast<uint32_t>(order);
}

}  // namespace

void Emitter::spill(const Values& values) {
  for (const llvm::Value* value : values) {
    if (llvm::isa<llvm::Argument>(value)) continue;  // lies in the frame already
    const std::vector<Leaf> leaves = leaves_of(value->getType(), layout_);
    const std::vector<std::string> variables = parts(value);
    for (size_t i = 0; i < leaves.size(); ++i)
      out_ += fmt::format(" FRAME_ST({}, fp + {}, {});", c_type(leaves[i].type), frame_.slots.at(value) + 8 * i,
                          variables[i]);
  }
}

void Emitter::reload(const Values& values) {
  for (const llvm::Value* value : values) {
    const std::vector<Leaf> leaves = leaves_of(value->getType(), layout_);
    const std::vector<std::string> variables = parts(value);
    for (size_t i = 0; i < leaves.size(); ++i)
      out_ += fmt::format(" {} = FRAME_LD({}, fp + {});", variables[i], c_type(leaves[i].type),
                          frame_.slots.at(value) + 8 * i);
  }
}

// One compare while the host has nothing to choose; everything else is on the way that is rarely taken.
void Emitter::point(const llvm::Instruction& at, uint32_t kind, const std::string& object, uint32_t size, Needs needs,
                    const std::string& block, const std::string& publish) {
  const Values& live = (needs == Needs::kBefore ? frame_.before : frame_.after)[&at];
  const uint32_t id = new_place(at, kind, size);
  ++points_;
  out_ += fmt::format("  if (UNLIKELY(steps >= next{})) {{ SET_THREAD(cur, object, {});{}", block, object, publish);
  spill(live);
  out_ += fmt::format(" pc = {0}; goto L_yield; R{0}:;", id);
  if (!publish.empty()) out_ += " LEAVE_WAITING; SET_THREAD(cur, condition, 0); SET_THREAD(cur, condition2, 0);";
  reload(live);
  out_ += "}\n  steps += inc;\n";
  if (kind != kind_number(OpKind::kAfter))
    out_ += fmt::format("  LANE_TELL({}, {}, {}, {});\n", kind | order_of(at) << 8, object, size, id);
}

// Not of what lies inside of a variable whose size is known.
void Emitter::check(const llvm::Value* pointer, uint64_t size, const llvm::Instruction& at) {
  llvm::APInt offset(64, 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout_, offset, true);
  const int64_t from = offset.getSExtValue();
  if (const auto* own = llvm::dyn_cast<llvm::AllocaInst>(base); own != nullptr && own->isStaticAlloca()) {
    const uint64_t count = llvm::cast<llvm::ConstantInt>(own->getArraySize())->getZExtValue();
    if (from >= 0 && from + size <= layout_.getTypeAllocSize(own->getAllocatedType()) * count) return;
  }
  if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(base))
    if (from >= 0 && from + size <= layout_.getTypeAllocSize(global->getValueType())) return;
  if (const auto* number = llvm::dyn_cast<llvm::ConstantExpr>(base);
      number != nullptr && number->getOpcode() == llvm::Instruction::IntToPtr) {
    const auto* word = llvm::dyn_cast<llvm::ConstantInt>(number->getOperand(0));
    if (word != nullptr && word->getZExtValue() >= 4096) return;  // the header, by a model
  }
  out_ += fmt::format("  LANE_CHECK({}, {}, P0 + {});\n", value(pointer), size,
                      access_place(at, static_cast<uint32_t>(size)));
}

void Emitter::emit_load(const llvm::LoadInst& load) {
  const uint64_t size = layout_.getTypeStoreSize(load.getType());
  const OpKind kind = load.isAtomic() ? OpKind::kAtomicLoad : OpKind::kRead;
  if (is_point(load))
    point(load, kind_number(kind), value(load.getPointerOperand()), static_cast<uint32_t>(size), Needs::kBefore);
  check(load.getPointerOperand(), size, load);
  const std::string from = value(load.getPointerOperand());
  const std::vector<Leaf> leaves = leaves_of(load.getType(), layout_);
  const std::vector<std::string> variables = parts(&load);
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (c_type(leaves[i].type).empty()) return refuse(load, "a load of a type that lanes don't have", kScalars);
    out_ += fmt::format("  {} = ({})LD({}, {} + {});\n", variables[i], c_type(leaves[i].type),
                        memory_type(leaves[i].type), from, leaves[i].offset);
  }
}

void Emitter::emit_store(const llvm::StoreInst& store) {
  llvm::Type* type = store.getValueOperand()->getType();
  const uint64_t size = layout_.getTypeStoreSize(type);
  const OpKind kind = store.isAtomic() ? OpKind::kAtomicStore : OpKind::kWrite;
  if (is_point(store))
    point(store, kind_number(kind), value(store.getPointerOperand()), static_cast<uint32_t>(size), Needs::kBefore);
  check(store.getPointerOperand(), size, store);
  const std::string to = value(store.getPointerOperand());
  const std::vector<Leaf> leaves = leaves_of(type, layout_);
  const std::vector<std::string> variables = parts(store.getValueOperand());
  for (size_t i = 0; i < leaves.size(); ++i) {
    if (c_type(leaves[i].type).empty()) return refuse(store, "a store of a type that lanes don't have", kScalars);
    out_ += fmt::format("  ST({}, {} + {}, {});\n", memory_type(leaves[i].type), to, leaves[i].offset, variables[i]);
  }
}

void Emitter::emit_update(const llvm::AtomicRMWInst& update) {
  const uint64_t size = layout_.getTypeStoreSize(update.getType());
  const std::string type = memory_type(update.getType()), at = value(update.getPointerOperand());
  point(update, kind_number(OpKind::kAtomicRmw), at, static_cast<uint32_t>(size), Needs::kBefore);
  check(update.getPointerOperand(), size, update);
  const std::string old = variable(&update), by = value(update.getValOperand());
  std::string result;
  switch (update.getOperation()) {
    case llvm::AtomicRMWInst::Xchg: result = by; break;
    case llvm::AtomicRMWInst::Add: result = old + " + " + by; break;
    case llvm::AtomicRMWInst::Sub: result = old + " - " + by; break;
    case llvm::AtomicRMWInst::And: result = old + " & " + by; break;
    case llvm::AtomicRMWInst::Nand: result = "~(" + old + " & " + by + ")"; break;
    case llvm::AtomicRMWInst::Or: result = old + " | " + by; break;
    case llvm::AtomicRMWInst::Xor: result = old + " ^ " + by; break;
    case llvm::AtomicRMWInst::UMax: result = fmt::format("{0} > {1} ? {0} : {1}", old, by); break;
    case llvm::AtomicRMWInst::UMin: result = fmt::format("{0} < {1} ? {0} : {1}", old, by); break;
    default: return refuse(update, "this atomic operation", "use a compare-exchange");
  }
  out_ += fmt::format("  {} = ({})LD({}, {}); ST({}, {}, ({}));\n", old, c_type(update.getType()), type, at, type, at,
                      result);
  point(update, kind_number(OpKind::kAfter), at, 0, Needs::kAfter);
}

void Emitter::emit_exchange(const llvm::AtomicCmpXchgInst& exchange) {
  llvm::Type* type = exchange.getCompareOperand()->getType();
  const uint64_t size = layout_.getTypeStoreSize(type);
  const std::string at = value(exchange.getPointerOperand());
  point(exchange, kind_number(OpKind::kAtomicRmw), at, static_cast<uint32_t>(size), Needs::kBefore);
  check(exchange.getPointerOperand(), size, exchange);
  const std::vector<std::string> result = parts(&exchange);
  out_ += fmt::format("  {0} = ({1})LD({2}, {3}); {4} = {0} == {5}; if ({4}) ST({2}, {3}, {6});\n", result[0],
                      c_type(type), memory_type(type), at, result[1], value(exchange.getCompareOperand()),
                      value(exchange.getNewValOperand()));
  point(exchange, kind_number(OpKind::kAfter), at, 0, Needs::kAfter);
}

void Emitter::emit_binary(const llvm::BinaryOperator& operation) {
  const std::string type = c_type(operation.getType());
  if (type.empty()) return refuse(operation, "arithmetic on a type that lanes don't have", kScalars);
  const llvm::Value *first = operation.getOperand(0), *second = operation.getOperand(1);
  const std::string a = value(first), b = value(second);
  const auto divide = [&](const std::string& x, const char* sign, const std::string& y) {
    out_ += fmt::format("  if (UNLIKELY({} == 0)) LANE_FAIL(kLaneDivision, 0, 0, P0 + {});\n", b,
                        access_place(operation, 0));
    return fmt::format("{} {} {}", x, sign, y);
  };
  std::string result;
  switch (operation.getOpcode()) {
    case llvm::Instruction::FAdd: result = a + " + " + b; break;
    case llvm::Instruction::FSub: result = a + " - " + b; break;
    case llvm::Instruction::FMul: result = a + " * " + b; break;
    case llvm::Instruction::FDiv: result = a + " / " + b; break;
    case llvm::Instruction::FRem: result = fmt::format("{}({}, {})", type == "f32" ? "fmodf" : "fmod", a, b); break;
    case llvm::Instruction::Add: result = a + " + " + b; break;
    case llvm::Instruction::Sub: result = a + " - " + b; break;
    case llvm::Instruction::Mul: result = fmt::format("({}){} * {}", type == "u64" ? "u64" : "u32", a, b); break;
    case llvm::Instruction::UDiv: result = divide(a, "/", b); break;
    case llvm::Instruction::URem: result = divide(a, "%", b); break;
    case llvm::Instruction::SDiv: result = divide(as_signed(first), "/", as_signed(second)); break;
    case llvm::Instruction::SRem: result = divide(as_signed(first), "%", as_signed(second)); break;
    case llvm::Instruction::And: result = a + " & " + b; break;
    case llvm::Instruction::Or: result = a + " | " + b; break;
    case llvm::Instruction::Xor: result = a + " ^ " + b; break;
    case llvm::Instruction::Shl: result = fmt::format("({}){} << ({} & 63)", type, a, b); break;
    case llvm::Instruction::LShr: result = fmt::format("{} >> ({} & 63)", a, b); break;
    case llvm::Instruction::AShr: result = fmt::format("{} >> ({} & 63)", as_signed(first), b); break;
    default: return refuse(operation, operation.getOpcodeName(), "compute it otherwise");
  }
  out_ += fmt::format("  {} = ({}){};\n", variable(&operation), type, masked(operation.getType(), "(" + result + ")"));
}

void Emitter::emit_compare(const llvm::CmpInst& compare) {
  const llvm::Value *first = compare.getOperand(0), *second = compare.getOperand(1);
  if (c_type(first->getType()).empty())
    return refuse(compare, "a comparison of a type that lanes don't have", kScalars);
  const bool is_signed = compare.isSigned() && compare.isIntPredicate();
  const std::string a = is_signed ? as_signed(first) : value(first), b = is_signed ? as_signed(second) : value(second);
  std::string sign;
  bool negated = false;
  switch (compare.getPredicate()) {
    case llvm::CmpInst::ICMP_EQ:
    case llvm::CmpInst::FCMP_OEQ: sign = "=="; break;
    case llvm::CmpInst::ICMP_NE:
    case llvm::CmpInst::FCMP_UNE: sign = "!="; break;
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::FCMP_OGT: sign = ">"; break;
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::ICMP_SGE:
    case llvm::CmpInst::FCMP_OGE: sign = ">="; break;
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::FCMP_OLT: sign = "<"; break;
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::FCMP_OLE: sign = "<="; break;
    case llvm::CmpInst::FCMP_UGT:
      sign = "<=";
      negated = true;
      break;
    case llvm::CmpInst::FCMP_UGE:
      sign = "<";
      negated = true;
      break;
    case llvm::CmpInst::FCMP_ULT:
      sign = ">=";
      negated = true;
      break;
    case llvm::CmpInst::FCMP_ULE:
      sign = ">";
      negated = true;
      break;
    case llvm::CmpInst::FCMP_ONE:
      out_ += fmt::format("  {} = {} < {} || {} > {};\n", variable(&compare), a, b, a, b);
      return;
    case llvm::CmpInst::FCMP_UEQ:
      out_ += fmt::format("  {} = !({} < {} || {} > {});\n", variable(&compare), a, b, a, b);
      return;
    case llvm::CmpInst::FCMP_ORD:
    case llvm::CmpInst::FCMP_UNO:
      out_ += fmt::format("  {} = {}({} == {} && {} == {});\n", variable(&compare),
                          compare.getPredicate() == llvm::CmpInst::FCMP_UNO ? "!" : "", a, a, b, b);
      return;
    default:
      out_ +=
          fmt::format("  {} = {};\n", variable(&compare), compare.getPredicate() == llvm::CmpInst::FCMP_TRUE ? 1 : 0);
      return;
  }
  out_ += fmt::format("  {} = {}({} {} {});\n", variable(&compare), negated ? "!" : "", a, sign, b);
}

void Emitter::emit_cast(const llvm::CastInst& cast) {
  const std::string to = c_type(cast.getType()), from = c_type(cast.getOperand(0)->getType());
  if (to.empty() || from.empty()) return refuse(cast, "a conversion of a type that lanes don't have", kScalars);
  const std::string name = variable(&cast), operand = value(cast.getOperand(0));
  std::string result = operand, signed_to = to;
  signed_to[0] = 'i';
  switch (cast.getOpcode()) {
    case llvm::Instruction::SExt:
      result = masked(cast.getType(), fmt::format("({})({}){}", to, signed_to, as_signed(cast.getOperand(0))));
      break;
    case llvm::Instruction::SIToFP: result = as_signed(cast.getOperand(0)); break;
    case llvm::Instruction::FPToSI:
      result = masked(cast.getType(),
                      fmt::format("({})({}){}", to, bits_of(cast.getType()) < 32 ? "i32" : signed_to, operand));
      break;
    case llvm::Instruction::Trunc: result = masked(cast.getType(), operand); break;
    case llvm::Instruction::BitCast:
      if (to == "f32" && from == "u32") result = "lane_f32(" + operand + ")";
      if (to == "f64" && from == "u64") result = "lane_f64(" + operand + ")";
      if (to == "u32" && from == "f32") result = "lane_bits32(" + operand + ")";
      if (to == "u64" && from == "f64") result = "lane_bits64(" + operand + ")";
      break;
    default: break;  // to wider without sign, between floating types and from them, pointers and integers
  }
  out_ += fmt::format("  {} = ({})({});\n", name, to, result);
}

void Emitter::emit_aggregate(const llvm::Instruction& instruction) {
  const std::vector<std::string> to = parts(&instruction);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    const std::vector<std::string> from = parts(extract->getAggregateOperand());
    const size_t at = leaf_at(extract->getAggregateOperand()->getType(), extract->getIndices(), layout_);
    for (size_t i = 0; i < to.size(); ++i) out_ += fmt::format("  {} = {};\n", to[i], from[at + i]);
    return;
  }
  const auto& insert = llvm::cast<llvm::InsertValueInst>(instruction);
  const std::vector<std::string> from = parts(insert.getAggregateOperand()),
                                 part = parts(insert.getInsertedValueOperand());
  const size_t at = leaf_at(insert.getType(), insert.getIndices(), layout_);
  for (size_t i = 0; i < to.size(); ++i)
    out_ += fmt::format("  {} = {};\n", to[i], i >= at && i < at + part.size() ? part[i - at] : from[i]);
}

// All phis of a block take their values at the same time.
void Emitter::emit_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to) {
  std::string first, second;
  size_t count = 0;
  for (const llvm::PHINode& phi : to.phis()) {
    const std::vector<Leaf> leaves = leaves_of(phi.getType(), layout_);
    const std::vector<std::string> variables = parts(&phi), values = parts(phi.getIncomingValueForBlock(&from));
    for (size_t i = 0; i < leaves.size(); ++i) {
      if (variables[i] == values[i] || c_type(leaves[i].type).empty()) continue;
      first += fmt::format(" const {} t{} = {};", c_type(leaves[i].type), count, values[i]);
      second += fmt::format(" {} = t{};", variables[i], count++);
    }
  }
  const char* turn = positions_.at(&to) <= positions_.at(&from) ? " LANE_TURN;" : "";
  out_ += fmt::format("{{{}{}{} goto {}; }}", first, second, turn, label(to));
}

bool Emitter::emit_control(const llvm::Instruction& instruction) {
  const llvm::BasicBlock& here = *instruction.getParent();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction)) {
    out_ += "  ";
    if (branch->isConditional()) {
      out_ += fmt::format("if ({}) ", value(branch->getCondition()));
      emit_edge(here, *branch->getSuccessor(0));
      out_ += " else ";
    }
    emit_edge(here, *branch->getSuccessor(branch->getNumSuccessors() - 1));
    out_ += "\n";
    return true;
  }
  if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) {
    out_ += fmt::format("  switch ({}) {{\n", value(choice->getCondition()));
    for (const auto& one : choice->cases()) {
      out_ += fmt::format("    case {}: ", number_of(*one.getCaseValue()));
      emit_edge(here, *one.getCaseSuccessor());
      out_ += "\n";
    }
    out_ += "    default: ";
    emit_edge(here, *choice->getDefaultDest());
    out_ += "\n  }\n";
    return true;
  }
  if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    const std::vector<std::string> values =
        end->getReturnValue() == nullptr ? std::vector<std::string>() : parts(end->getReturnValue());
    if (!in_flat_ && values.size() == 1) {
      out_ += "  return " + values[0] + ";\n";
      return true;
    }
    if (values.size() > 8)
      refuse(instruction, "a function that returns more than eight words in registers", "use a pointer");
    for (size_t i = 0; i < values.size(); ++i) {
      const Leaf leaf = leaves_of(end->getReturnValue()->getType(), layout_)[i];
      out_ += fmt::format("  ST({}, kLaneHeader + {}, {});\n", c_type(leaf.type),
                          offsetof(LaneHeader, returned) + 8 * i, values[i]);
    }
    out_ += in_flat_ ? "  goto L_return;\n" : "  return;\n";
    return true;
  }
  if (llvm::isa<llvm::UnreachableInst>(instruction)) {
    out_ += fmt::format("  LANE_FAIL(kLaneUnreachable, 0, 0, P0 + {});\n", access_place(instruction, 0));
    return true;
  }
  return false;
}

void Emitter::emit_instruction(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction)) return;
  if (const auto* own = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    if (!own->isStaticAlloca()) refuse(*own, "an array whose size is known only when the program runs", "use malloc");
    return;
  }
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return emit_load(*load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return emit_store(*store);
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return emit_update(*update);
  if (const auto* exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return emit_exchange(*exchange);
  if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) {  // sequentially consistent as it is
    const uint32_t order = static_cast<uint32_t>(order_of(fence->getOrdering()));
    out_ += fmt::format("  LANE_TELL_PLAIN({}, 0, 0, 0);\n", kind_number(OpKind::kFence) | order << 8);
    return;
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return emit_call(*call);
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return emit_binary(*binary);
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) return emit_compare(*compare);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return emit_cast(*cast);
  if (emit_control(instruction)) return;
  for (const Leaf& leaf : leaves_of(instruction.getType(), layout_))
    if (c_type(leaf.type).empty()) return refuse(instruction, "a value of a type that lanes don't have", kScalars);
  switch (instruction.getOpcode()) {
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue: return emit_aggregate(instruction);
    case llvm::Instruction::GetElementPtr:
      out_ += fmt::format("  {} = {};\n", variable(&instruction),
                          element_address(llvm::cast<llvm::GEPOperator>(instruction)));
      return;
    case llvm::Instruction::FNeg:
      out_ += fmt::format("  {} = -{};\n", variable(&instruction), value(instruction.getOperand(0)));
      return;
    case llvm::Instruction::Select:
    case llvm::Instruction::Freeze: {
      const std::vector<std::string> to = parts(&instruction);
      const bool choice = instruction.getOpcode() == llvm::Instruction::Select;
      const std::vector<std::string> a = parts(instruction.getOperand(choice ? 1 : 0));
      const std::vector<std::string> b = choice ? parts(instruction.getOperand(2)) : a;
      for (size_t i = 0; i < to.size(); ++i)
        out_ += choice ? fmt::format("  {} = {} ? {} : {};\n", to[i], value(instruction.getOperand(0)), a[i], b[i])
                       : fmt::format("  {} = {};\n", to[i], a[i]);
      return;
    }
    default: refuse(instruction, std::string("the instruction ") + instruction.getOpcodeName(), "lanes don't have it");
  }
}

}  // namespace snarl::coseq
