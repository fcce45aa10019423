// Calls: of the program's functions, of LLVM's intrinsics, and of what the models are made of.
#include <fmt/format.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>

#include "coseq/emit/emitter.h"
#include "coseq/emit/types.h"
#include "coseq/models/lane.h"
#include "schedule/operation.h"

namespace snarl::coseq {
namespace {

// Of libm, which gives the same bits natively.
const std::set<std::string> kMath = {"sin",      "cos",   "tan",  "asin",      "acos",  "atan", "atan2", "sinh",
                                     "cosh",     "tanh",  "exp",  "exp2",      "expm1", "log",  "log2",  "log10",
                                     "log1p",    "pow",   "sqrt", "cbrt",      "hypot", "fabs", "floor", "ceil",
                                     "round",    "trunc", "rint", "nearbyint", "fmod",  "fmin", "fmax",  "fma",
                                     "copysign", "erf",   "erfc", "tgamma",    "lgamma"};

struct Advice {
  const char* name;
  const char* text;
};
constexpr Advice kAdvice[] = {
    {"fork", "a lane has no processes: use snarl run"},
    {"setjmp", "lanes can't jump out of functions"},
    {"_setjmp", "lanes can't jump out of functions"},
    {"__sigsetjmp", "lanes can't jump out of functions"},
    {"signal", "lanes have no signals: use snarl run"},
    {"sigaction", "lanes have no signals: use snarl run"},
    {"socket", "lanes have no network: use snarl run"},
    {"dlopen", "lanes load no libraries: give their sources"},
    {"pthread_cancel", "lanes have no cancellation: use snarl run"},
};

std::string advice_for(const std::string& name) {
  for (const Advice& advice : kAdvice)
    if (name == advice.name) return advice.text;
  return "give the file that defines it, or a model of it in C as one more file";
}

// Of the processor, which a lane is not: a memory barrier of the compiler or the machine, and the pause of a spin loop.
bool is_only_a_hint(llvm::StringRef assembly) {
  for (const char* hint : {"", "pause", "rep; nop", "rep;nop", "mfence", "lfence", "sfence", "nop"})
    if (assembly.trim(" \t\n;").equals_insensitive(hint)) return true;
  return false;
}

// Code that does nothing gives nothing, or what it was given: asm("" : "+r"(x)).
bool passes_through(const llvm::InlineAsm& code, const llvm::CallBase& call) {
  if (call.getType()->isVoidTy()) return true;
  const llvm::InlineAsm::ConstraintInfoVector constraints = code.ParseConstraints();
  return constraints.size() >= 2 && constraints[0].Type == llvm::InlineAsm::isOutput &&
         constraints[0].MatchingInput == 1 && call.arg_size() >= 1 &&
         call.getArgOperand(0)->getType() == call.getType();
}

uint64_t constant_argument(const llvm::CallBase& call, unsigned i, uint64_t otherwise) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(i));
  return number == nullptr ? otherwise : number->getZExtValue();
}

}  // namespace

void Emitter::assign(const llvm::Instruction& to, const std::string& expression) {
  if (to.getType()->isVoidTy()) {
    out_ += "  " + expression + ";\n";
  } else {
    out_ += fmt::format("  {} = ({})({});\n", variable(&to), c_type(to.getType()), expression);
  }
}

// An argument that is passed by value: its copy, which belongs to the callee.
std::string Emitter::copied(const llvm::CallBase& call, unsigned argument) {
  llvm::Type* type = call.getParamByValType(argument);
  if (type == nullptr) return value(call.getArgOperand(argument));
  const uint32_t slot = frame_.copies.at(&call).at(argument);
  const uint64_t size = layout_.getTypeAllocSize(type);
  out_ += fmt::format("  LANE_CHECK_RANGE({0}, {1}, P0 + {2}); LANE_MOVE(fp + {3}, {0}, {1});\n",
                      value(call.getArgOperand(argument)), size, access_place(call, static_cast<uint32_t>(size)), slot);
  return fmt::format("(fp + {}u)", slot);
}

void Emitter::emit_call(const llvm::CallBase& call) {
  if (call.isInlineAsm()) {
    const auto* code = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    if (!is_only_a_hint(code->getAsmString()) || !passes_through(*code, call))
      return refuse(call, "inline assembly", "use C, or an atomic operation of the compiler");
    if (!call.getType()->isVoidTy()) assign(call, value(call.getArgOperand(0)));
    return;
  }
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (!emit_intrinsic(*intrinsic))
      refuse(call, "the built-in " + call.getCalledFunction()->getName().str(), "lanes don't have it");
    return;
  }
  const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts());
  if (callee != nullptr && callee->isDeclaration()) {
    const std::string name = callee->getName().str();
    if (!emit_primitive(call, name) && !emit_math(call, name))
      refuse(call, "the function " + name + ", which nobody defines", advice_for(name));
    return;
  }
  if (callee == nullptr && candidates(call).empty())
    return refuse(call, "a call through a pointer to no function that is known", "give all source files");
  if (calls_flat(call))
    emit_flat_call(call, callee);
  else
    emit_plain_call(call, callee);
}

void Emitter::emit_flat_call(const llvm::CallBase& call, const llvm::Function* callee) {
  const uint32_t id = new_place(call, 0, 0);
  std::vector<std::string> arguments;
  std::vector<std::string> types;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const std::vector<Leaf> leaves = leaves_of(call.getArgOperand(i)->getType(), layout_);
    if (call.isByValArgument(i)) {
      arguments.push_back(copied(call, i));
      types.push_back("u32");
      continue;
    }
    const std::vector<std::string> values = parts(call.getArgOperand(i));
    for (size_t j = 0; j < leaves.size(); ++j) {
      arguments.push_back(values[j]);
      types.push_back(c_type(leaves[j].type));
      if (types.back().empty())
        return refuse(call, "an argument of a type that lanes don't have", "pass a pointer to it");
    }
  }
  std::string target;
  if (callee == nullptr) {
    target = value(call.getCalledOperand());
    out_ += fmt::format("  switch ({}) {{", target);
    for (const llvm::Function* one : candidates(call))
      out_ += fmt::format(" case {}u:", kLaneFunctions + functions_.at(one));
    out_ +=
        fmt::format(" break; default: LANE_FAIL(kLaneBadCall, {}, 0, P0 + {}); }}\n", target, access_place(call, 0));
  }
  out_ += " ";
  const Values& live = frame_.after[&call];
  spill(live);
  out_ += fmt::format(" nf = fp + {}; FRAME_ST(u32, nf, {}); FRAME_ST(u32, nf + 4, fp);", frame_.size, id);
  for (size_t i = 0; i < arguments.size(); ++i)
    out_ += fmt::format(" FRAME_ST({}, nf + {}, {});", types[i], 8 + 8 * i, arguments[i]);
  if (callee != nullptr)
    out_ += fmt::format(" fp = nf; goto F{};\n  R{}:;", functions_.at(callee), id);
  else
    out_ += fmt::format(" pc = {} - kLaneFunctions; fp = nf; goto L_dispatch;\n  R{}:;", target, id);
  reload(live);
  const std::vector<Leaf> result = leaves_of(call.getType(), layout_);
  for (size_t i = 0; i < result.size(); ++i)
    out_ += fmt::format(" {} = LD({}, kLaneHeader + {});", parts(&call)[i], c_type(result[i].type),
                        offsetof(LaneHeader, returned) + 8 * i);
  out_ += "\n";
}

void Emitter::emit_plain_call(const llvm::CallBase& call, const llvm::Function* callee) {
  const std::vector<Leaf> result = leaves_of(call.getType(), layout_);
  std::string arguments = fmt::format("(M, fp + {}, tls", frame_.size);
  if (in_flat_) out_ += "  SET_HEADER(steps, steps);\n";
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (call.isByValArgument(i)) {
      arguments += ", " + copied(call, i);
      continue;
    }
    for (const std::string& part : parts(call.getArgOperand(i))) arguments += ", " + part;
  }
  arguments += ");";
  const std::string to = result.size() == 1 ? parts(&call)[0] + " = " : "";
  if (callee != nullptr) {
    if (callee->arg_size() != call.arg_size())
      return refuse(call, "a call with other arguments than the function has", "declare it as it is defined");
    out_ += fmt::format("  {}f_{}{}\n", to, functions_.at(callee), arguments);
  } else {
    const std::string target = value(call.getCalledOperand());
    out_ += fmt::format("  switch ({}) {{\n", target);
    for (const llvm::Function* one : candidates(call))
      out_ += fmt::format("    case {}u: {}f_{}{} break;\n", kLaneFunctions + functions_.at(one), to,
                          functions_.at(one), arguments);
    out_ += fmt::format("    default: LANE_FAIL(kLaneBadCall, {}, 0, P0 + {});\n  }}\n", target, access_place(call, 0));
  }
  out_ += "  LANE_CALLED;\n";
  if (result.size() < 2) return;
  for (size_t i = 0; i < result.size(); ++i)
    out_ += fmt::format("  {} = LD({}, kLaneHeader + {});\n", parts(&call)[i], c_type(result[i].type),
                        offsetof(LaneHeader, returned) + 8 * i);
}

void Emitter::emit_await(const llvm::CallBase& call) {
  const uint64_t first = constant_argument(call, 2, 99), second = constant_argument(call, 4, 99);
  if (first > 7 || second > 7)
    return refuse(call, "a condition of a model that is no constant", "this is a bug of snarl");
  const std::string word = value(call.getArgOperand(3)), word2 = value(call.getArgOperand(5));
  point(call, static_cast<uint32_t>(constant_argument(call, 0, 0)), value(call.getArgOperand(1)), 0, Needs::kAfter,
        fmt::format(" || !(COND_{}({}) && COND_{}({}))", first, word, second, word2),
        fmt::format(" BEGIN_WAITING; SET_THREAD(cur, condition, {}); SET_THREAD(cur, word, {}); "
                    "SET_THREAD(cur, condition2, {}); SET_THREAD(cur, word2, {});",
                    first, word, second, word2));
}

bool Emitter::emit_primitive(const llvm::CallBase& call, const std::string& name) {
  const auto argument = [&](unsigned i) { return value(call.getArgOperand(i)); };
  const uint32_t place = access_place(call, 0);
  if (name == "snarl_lane_point") {
    point(call, static_cast<uint32_t>(constant_argument(call, 0, 0)), argument(1), 0, Needs::kAfter);
  } else if (name == "snarl_lane_await") {
    emit_await(call);
  } else if (name == "snarl_lane_reschedule") {
    out_ += "  if (GET_HEADER(waiting)) next = 0;\n";
  } else if (name == "snarl_lane_spawn") {
    out_ += fmt::format(
        "  nf = kLaneStacks + {0} * kLaneStackStride; ST(u32, nf, 0); ST(u32, nf + 4, 0); ST(u32, nf + 8, {2});"
        " SET_THREAD({0}, pc, {1} - kLaneFunctions); SET_THREAD({0}, frame, nf); inc = 1; next = 0;\n",
        argument(0), argument(1), argument(2));
  } else if (name == "snarl_lane_stop") {
    out_ += "  goto L_stop;\n";
  } else if (name == "snarl_lane_end") {
    out_ += fmt::format("  LANE_FAIL({}, {}, (u32){}, P0 + {});\n", argument(0), argument(1), argument(2), place);
  } else if (name == "snarl_lane_format") {
    assign(call, fmt::format("LANE_FORMAT({}, {}, {}, {})", argument(0), argument(1), argument(2), argument(3)));
  } else if (name == "snarl_lane_tell") {
    if (in_flat_) out_ += fmt::format("  LANE_TELL({}, {}, {}, 0);\n", argument(0), argument(1), argument(2));
    if (!in_flat_) out_ += fmt::format("  LANE_TELL_PLAIN({}, {}, {}, 0);\n", argument(0), argument(1), argument(2));
  } else if (name == "snarl_lane_parse") {
    assign(call, fmt::format("LANE_PARSE({}, {})", argument(0), argument(1)));
  } else if (name == "snarl_lane_hash") {
    out_ += fmt::format("  LANE_CHECK_RANGE({}, {}, P0 + {});\n", argument(0), argument(1), place);
    assign(call, fmt::format("LANE_HASH({}, {}, {})", argument(0), argument(1), argument(2)));
  } else if (name == "snarl_lane_rehash") {
    assign(call, fmt::format("LANE_REHASH({}, {}, {}, {})", argument(0), argument(1), argument(2), argument(3)));
  } else if (name == "snarl_lane_copy" || name == "memcpy" || name == "memmove") {
    out_ += fmt::format(
        "  LANE_CHECK_RANGE({0}, {2}, P0 + {3}); LANE_CHECK_RANGE({1}, {2}, P0 + {3}); LANE_MOVE({0}, {1}, {2});\n",
        argument(0), argument(1), argument(2), place);
    if (!call.getType()->isVoidTy()) assign(call, argument(0));
  } else if (name == "snarl_lane_fill" || name == "memset") {
    out_ += fmt::format("  LANE_CHECK_RANGE({0}, {2}, P0 + {3}); LANE_FILL({0}, {1}, {2});\n", argument(0), argument(1),
                        argument(2), place);
    if (!call.getType()->isVoidTy()) assign(call, argument(0));
  } else if (name == "snarl_lane_peek") {
    assign(call, fmt::format("LD(u32, {})", argument(0)));
  } else if (name == "snarl_lane_poke") {
    out_ += fmt::format("  ST(u32, {}, {});\n", argument(0), argument(1));
  } else if (name == "snarl_lane_poison") {
    out_ += fmt::format("  LANE_POISON({}, {}, {});\n", argument(0), argument(1), argument(2));
  } else if (name == "snarl_lane_shadow") {
    assign(call, fmt::format("LANE_SHADOW_OF({})", argument(0)));
  } else if (name == "snarl_lane_thread_locals") {
    out_ += fmt::format("  LANE_NEW_LOCALS({});\n", argument(0));
  } else {
    return false;
  }
  return true;
}

// How many bytes it accesses is known only now, and a copy reads, too.
void Emitter::tell_of_block(const llvm::IntrinsicInst& call, bool fills) {
  const auto tell = [&](OpKind kind, unsigned argument) {
    out_ += fmt::format("  LANE_TELL({}, {}, {}, {});\n", static_cast<uint32_t>(kind),
                        value(call.getArgOperand(argument)), value(call.getArgOperand(2)), places_.size() - 1);
  };
  if (!fills) tell(OpKind::kRead, 1);
  tell(OpKind::kWrite, 0);
}

bool Emitter::emit_math(const llvm::CallBase& call, const std::string& name) {
  const bool is_float = !name.empty() && name.back() == 'f' && kMath.count(name.substr(0, name.size() - 1)) != 0;
  if (kMath.count(name) == 0 && !is_float) return false;
  std::string text = name + "(";
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    if (c_type(call.getArgOperand(i)->getType()).empty()) return false;
    text += (i == 0 ? "" : ", ") + value(call.getArgOperand(i));
  }
  assign(call, text + ")");
  return true;
}

bool Emitter::emit_intrinsic(const llvm::IntrinsicInst& call) {
  using namespace llvm;
  const auto argument = [&](unsigned i) { return value(call.getArgOperand(i)); };
  Type* type = call.getType();
  const unsigned bits = bits_of(type);
  const std::string suffix = type->isFloatTy() ? "f" : "";
  for (const Leaf& leaf : leaves_of(type, layout_))
    if (c_type(leaf.type).empty()) return call.use_empty();
  if (call.getCalledFunction()->getName() == "llvm.x86.sse2.pause") return true;
  switch (call.getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::dbg_declare:
    case Intrinsic::dbg_value:
    case Intrinsic::dbg_label:
    case Intrinsic::assume:
    case Intrinsic::experimental_noalias_scope_decl:
    case Intrinsic::prefetch:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::var_annotation:
    case Intrinsic::donothing: return true;
    case Intrinsic::memcpy:
    case Intrinsic::memmove:
    case Intrinsic::memset:
    case Intrinsic::memcpy_inline: {
      const bool fills = call.getIntrinsicID() == Intrinsic::memset;
      if (cast<MemIntrinsic>(call).isVolatile())
        point(call, static_cast<uint32_t>(OpKind::kWrite), argument(0),
              static_cast<uint32_t>(constant_argument(call, 2, 0)), Needs::kBefore);
      if (cast<MemIntrinsic>(call).isVolatile()) tell_of_block(call, fills);
      return emit_primitive(call, fills ? "snarl_lane_fill" : "snarl_lane_copy");
    }
    case Intrinsic::smax:
      assign(call, fmt::format("{} > {} ? {} : {}", as_signed(call.getArgOperand(0)), as_signed(call.getArgOperand(1)),
                               argument(0), argument(1)));
      return true;
    case Intrinsic::smin:
      assign(call, fmt::format("{} < {} ? {} : {}", as_signed(call.getArgOperand(0)), as_signed(call.getArgOperand(1)),
                               argument(0), argument(1)));
      return true;
    case Intrinsic::umax: assign(call, fmt::format("{0} > {1} ? {0} : {1}", argument(0), argument(1))); return true;
    case Intrinsic::umin: assign(call, fmt::format("{0} < {1} ? {0} : {1}", argument(0), argument(1))); return true;
    case Intrinsic::abs:
      assign(call, masked(type, fmt::format("({})({} < 0 ? 0 - {} : {})", c_type(type),
                                            as_signed(call.getArgOperand(0)), argument(0), argument(0))));
      return true;
    case Intrinsic::ctpop: assign(call, fmt::format("LANE_ONES({})", argument(0))); return true;
    case Intrinsic::cttz:
      assign(call, fmt::format("{0} == 0 ? {1} : LANE_LOWEST({0})", argument(0), bits));
      return true;
    case Intrinsic::ctlz:
      assign(call, fmt::format("{0} == 0 ? {1} : LANE_LEADING({0}) - {2}", argument(0), bits, 64 - bits));
      return true;
    case Intrinsic::bswap:
      assign(call, fmt::format("LANE_SWAPPED({}, {})", bits, argument(0)));
      return bits == 16 || bits == 32 || bits == 64;
    case Intrinsic::fshl:
    case Intrinsic::fshr: {
      if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return false;
      const bool left = call.getIntrinsicID() == Intrinsic::fshl;
      const std::string by = fmt::format("({} & {})", argument(2), bits - 1), t = c_type(type);
      assign(call, left ? fmt::format("{0} ? ({3})(({3}){1} << {0}) | ({3})(({3}){2} >> ({4} - {0})) : {1}", by,
                                      argument(0), argument(1), t, bits)
                        : fmt::format("{0} ? ({3})(({3}){1} << ({4} - {0})) | ({3})(({3}){2} >> {0}) : {2}", by,
                                      argument(0), argument(1), t, bits));
      return true;
    }
    case Intrinsic::sadd_with_overflow:
    case Intrinsic::ssub_with_overflow:
    case Intrinsic::smul_with_overflow:
    case Intrinsic::uadd_with_overflow:
    case Intrinsic::usub_with_overflow:
    case Intrinsic::umul_with_overflow: {
      const unsigned width = bits_of(call.getArgOperand(0)->getType());
      if (width != 8 && width != 16 && width != 32 && width != 64) return false;
      const auto& with = cast<WithOverflowInst>(call);
      const char* what = with.getBinaryOp() == Instruction::Add   ? "add"
                         : with.getBinaryOp() == Instruction::Sub ? "sub"
                                                                  : "mul";
      const std::vector<std::string> to = parts(&call);
      out_ += fmt::format("  LANE_OVERFLOW({3}, {0}{1}, ({0}{1}){4}, ({0}{1}){5}, {6}, {2});\n",
                          with.isSigned() ? "i" : "u", width, to[1], what, argument(0), argument(1), to[0]);
      return true;
    }
    case Intrinsic::usub_sat:
      assign(call, fmt::format("{0} > {1} ? {0} - {1} : 0", argument(0), argument(1)));
      return true;
    case Intrinsic::fmuladd:
      assign(call, fmt::format("{} * {} + {}", argument(0), argument(1), argument(2)));
      return true;
    case Intrinsic::fabs: assign(call, fmt::format("fabs{}({})", suffix, argument(0))); return true;
    case Intrinsic::sqrt: assign(call, fmt::format("sqrt{}({})", suffix, argument(0))); return true;
    case Intrinsic::floor: assign(call, fmt::format("floor{}({})", suffix, argument(0))); return true;
    case Intrinsic::ceil: assign(call, fmt::format("ceil{}({})", suffix, argument(0))); return true;
    case Intrinsic::trunc: assign(call, fmt::format("trunc{}({})", suffix, argument(0))); return true;
    case Intrinsic::round: assign(call, fmt::format("round{}({})", suffix, argument(0))); return true;
    case Intrinsic::rint: assign(call, fmt::format("rint{}({})", suffix, argument(0))); return true;
    case Intrinsic::copysign:
      assign(call, fmt::format("copysign{}({}, {})", suffix, argument(0), argument(1)));
      return true;
    case Intrinsic::minnum: assign(call, fmt::format("fmin{}({}, {})", suffix, argument(0), argument(1))); return true;
    case Intrinsic::maxnum: assign(call, fmt::format("fmax{}({}, {})", suffix, argument(0), argument(1))); return true;
    case Intrinsic::pow: assign(call, fmt::format("pow{}({}, {})", suffix, argument(0), argument(1))); return true;
    case Intrinsic::exp: assign(call, fmt::format("exp{}({})", suffix, argument(0))); return true;
    case Intrinsic::log: assign(call, fmt::format("log{}({})", suffix, argument(0))); return true;
    case Intrinsic::sin: assign(call, fmt::format("sin{}({})", suffix, argument(0))); return true;
    case Intrinsic::cos: assign(call, fmt::format("cos{}({})", suffix, argument(0))); return true;
    case Intrinsic::trap:
    case Intrinsic::debugtrap:
      out_ += fmt::format("  LANE_FAIL(kLaneAbort, 0, 0, P0 + {});\n", access_place(call, 0));
      return true;
    case Intrinsic::expect: assign(call, argument(0)); return true;
    default: return false;
  }
}

}  // namespace snarl::coseq
