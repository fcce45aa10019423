#include "coseq/emit/emitter.h"

#include <fmt/format.h>

#include "coseq/emit/types.h"
#include "coseq/front/mark.h"
#include "coseq/front/rewrite.h"
#include "coseq/models/lane.h"

namespace snarl::coseq {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text)
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (c >= 32 && c < 127)
      result += c;
    else
      result += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
  return result + "\"";
}

std::string bytes_table(const char* name, const std::vector<uint8_t>& bytes) {
  std::string text = fmt::format("LANE_TABLE u8 {}[{}] = {{", name, bytes.empty() ? 1 : bytes.size());
  if (bytes.empty()) text += "0";
  for (size_t i = 0; i < bytes.size(); ++i) text += fmt::format("{}{},", i % 32 == 0 ? "\n" : "", bytes[i]);
  return text + "};\n";
}

// Must be emitted where points are: they tell the host of threads.
bool is_of_flat_code(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  if (callee == nullptr) return false;
  const llvm::StringRef name = callee->getName();
  return name == "snarl_lane_spawn" || name == "snarl_lane_stop" || name == "snarl_lane_reschedule";
}

}  // namespace

std::string shape_of(const llvm::FunctionType& type, const llvm::DataLayout& layout) {
  std::string shape;
  for (const Leaf& leaf : leaves_of(type.getReturnType(), layout)) shape += memory_type(leaf.type) + ",";
  for (llvm::Type* parameter : type.params()) {
    shape += "(";
    for (const Leaf& leaf : leaves_of(parameter, layout)) shape += memory_type(leaf.type) + ",";
  }
  return shape;
}

Emitter::Emitter(const llvm::Module& module, Refusals& refusals, Recursion recursion)
    : module_(module),
      layout_(module.getDataLayout()),
      refusals_(refusals),
      recursion_(recursion),
      image_([&]() -> Image {
        number_functions();
        return Image(module, functions_, refusals);
      }()) {}

void Emitter::number_functions() {
  for (const llvm::Function& function : module_) {
    if (function.isDeclaration()) continue;
    functions_[&function] = static_cast<uint32_t>(order_.size());
    order_.push_back(&function);
    if (function.hasAddressTaken()) addressed_[shape_of(*function.getFunctionType(), layout_)].push_back(&function);
  }
}

std::vector<const llvm::Function*> Emitter::candidates(const llvm::CallBase& call) const {
  if (const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand()->stripPointerCasts()))
    return {callee};
  const auto found = addressed_.find(shape_of(*call.getFunctionType(), layout_));
  return found == addressed_.end() ? std::vector<const llvm::Function*>() : found->second;
}

bool Emitter::calls_flat(const llvm::Instruction& instruction) const {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr || call->isInlineAsm()) return false;
  for (const llvm::Function* callee : candidates(*call))
    if (flat_.count(callee) != 0) return true;
  return false;
}

void Emitter::classify() {
  spread_flatness();
  if (recursion_ == Recursion::kOfTheMachine) return;
  flatten_recursion();
  spread_flatness();
}

std::vector<const llvm::Function*> Emitter::callees(const llvm::Function& function) const {
  std::vector<const llvm::Function*> result;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction); call != nullptr && !call->isInlineAsm())
        for (const llvm::Function* callee : candidates(*call))
          if (!callee->isDeclaration()) result.push_back(callee);
  return result;
}

void Emitter::flatten_recursion() {
  for (const llvm::Function* function : order_) {
    if (flat_.count(function) != 0) continue;
    std::set<const llvm::Function*> reached;
    std::vector<const llvm::Function*> open = callees(*function);
    while (!open.empty()) {
      const llvm::Function* next = open.back();
      open.pop_back();
      if (flat_.count(next) != 0 || !reached.insert(next).second) continue;
      for (const llvm::Function* callee : callees(*next)) open.push_back(callee);
    }
    if (reached.count(function) != 0) flat_.insert(function);
  }
}

// A function that is called by pointer is flat if any is that may be meant.
void Emitter::spread_flatness() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function* function : order_) {
      if (flat_.count(function) != 0) continue;
      bool flat = function->getName() == kBegin;
      for (const llvm::BasicBlock& block : *function)
        for (const llvm::Instruction& instruction : block)
          flat |= is_point(instruction) || is_of_flat_code(instruction) || calls_flat(instruction);
      if (!flat) continue;
      flat_.insert(function);
      changed = true;
    }
    for (const auto& [shape, functions] : addressed_)
      for (const llvm::Function* one : functions)
        if (flat_.count(one) != 0)
          for (const llvm::Function* other : functions) changed |= flat_.insert(other).second;
  }
}

std::string Emitter::label(const llvm::BasicBlock& block) {
  return labels_.try_emplace(&block, fmt::format("B{}", labels_.size())).first->second;
}

uint32_t Emitter::new_place(const llvm::Instruction& at, uint32_t kind, uint32_t size) {
  places_.push_back({place_of(at), kind, size});
  return static_cast<uint32_t>(places_.size() - 1);
}

uint32_t Emitter::access_place(const llvm::Instruction& at, uint32_t size) {
  const SourcePlace source = place_of(at);
  const std::string key = fmt::format("{}:{}:{}", source.file, source.line, source.function);
  const auto [found, is_new] = access_numbers_.try_emplace(key, static_cast<uint32_t>(accesses_.size()));
  if (is_new) accesses_.push_back({source, 0, size});
  return found->second;
}

std::string Emitter::declarations(const llvm::Function& function, bool arguments) {
  std::map<std::string, std::string> names;
  const auto declare = [&](const llvm::Value& value) {
    const std::vector<Leaf> leaves = leaves_of(value.getType(), layout_);
    const std::vector<std::string> variables = parts(&value);
    for (size_t i = 0; i < leaves.size(); ++i)
      if (const std::string type = c_type(leaves[i].type); !type.empty())
        names[type] += (names[type].empty() ? " " : ", ") + variables[i];
  };
  for (const llvm::Argument& argument : function.args())
    if (arguments) declare(argument);
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block) {
      const auto* own = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (!instruction.getType()->isVoidTy() && !(own != nullptr && own->isStaticAlloca())) declare(instruction);
    }
  std::string text;
  for (const auto& [type, list] : names) text += "  " + type + list + ";\n";
  return text;
}

void Emitter::emit_blocks(const llvm::Function& function) {
  for (const llvm::BasicBlock& block : function) positions_.try_emplace(&block, positions_.size());
  for (const llvm::BasicBlock& block : function) {
    out_ += label(block) + ":;";
    if (block.hasName()) out_ += "  /* " + block.getName().str() + " */";
    out_ += fmt::format("  LANE_COST({});\n", block.sizeWithoutDebug());
    std::string source;
    for (const llvm::Instruction& instruction : block) {
      const SourcePlace place = place_of(instruction);
      if (const std::string now = fmt::format("{}:{}", place.file, place.line); place.line != 0 && now != source)
        out_ += fmt::format("  /* {} */\n", source = now);
      emit_instruction(instruction);
    }
  }
}

void Emitter::emit_flat(const llvm::Function& function) {
  function_ = &function;
  in_flat_ = true;
  std::map<const llvm::Instruction*, bool> stops;
  for (const llvm::BasicBlock& block : function)
    for (const llvm::Instruction& instruction : block)
      if (is_point(instruction) || calls_flat(instruction)) stops[&instruction] = true;
  frame_ = make_frame(function, layout_, true, stops);
  largest_frame_ = std::max(largest_frame_, frame_.size);
  out_ += fmt::format("\n/* {} */\nF{}:;\n", function.getName().str(), functions_.at(&function));
  out_ += fmt::format("  if (UNLIKELY(fp + {} > stack_end)) LANE_FULL_STACK(P0 + {});\n", frame_.size + 64,
                      access_place(function.front().front(), 0));
  Values arguments;
  for (const llvm::Argument& argument : function.args())
    if (!argument.use_empty()) arguments.push_back(&argument);
  reload(arguments);
  out_ += fmt::format("  goto {};\n", label(function.front()));
  emit_blocks(function);
}

std::string Emitter::signature(const llvm::Function& function) const {
  const std::vector<Leaf> result = leaves_of(function.getReturnType(), layout_);
  std::string text = fmt::format("LANE_CODE {} f_{}(LANE_MEMORY M, u32 fp, u32 tls",
                                 result.size() == 1 ? c_type(result[0].type) : "void", functions_.at(&function));
  for (const llvm::Argument& argument : function.args()) {
    const std::vector<Leaf> leaves = leaves_of(argument.getType(), layout_);
    for (size_t i = 0; i < leaves.size(); ++i)
      text += fmt::format(", {} a{}_{}", c_type(leaves[i].type), argument.getArgNo(), i);
  }
  return text + ")";
}

void Emitter::emit_plain(const llvm::Function& function) {
  function_ = &function;
  in_flat_ = false;
  frame_ = make_frame(function, layout_, false, {});
  out_ += fmt::format("\n/* {} */\n{} {{\n", function.getName().str(), signature(function));
  out_ += declarations(function, true);
  for (const llvm::Argument& argument : function.args()) {
    const std::vector<std::string> variables = parts(&argument);
    for (size_t i = 0; i < variables.size(); ++i)
      out_ += fmt::format("  {} = a{}_{};\n", variables[i], argument.getArgNo(), i);
  }
  out_ += fmt::format(
      "  LANE_TURNS;\n  if (UNLIKELY(fp + {} > STACK_END(GET_HEADER(current)))) LANE_FULL_STACK(P0 + {});\n",
      frame_.size + 64, access_place(function.front().front(), 0));
  out_ += fmt::format("  goto {};\n", label(function.front()));
  emit_blocks(function);
  out_ += fmt::format("  LANE_LEAVE({});\n}}\n", leaves_of(function.getReturnType(), layout_).size() == 1 ? "0" : "");
}

std::string Emitter::tables() const {
  std::string text = bytes_table("lane_globals", image_.globals()) + bytes_table("lane_constants", image_.constants());
  text += "static const struct LanePlace lane_places[] = {\n";
  for (const std::vector<Place>* list : {&places_, &accesses_})
    for (const Place& place : *list)
      text += fmt::format("{{{}, {}, {}, {}, {}}},\n", quoted(place.source.file), quoted(place.source.function),
                          place.source.line, place.kind, place.size);
  text += "};\nstatic const struct LaneGlobal lane_names[] = {\n";
  for (const Image::Name& name : image_.names())
    text += fmt::format("{{{}, {}u, {}u}},\n", quoted(name.name), name.address, name.size);
  text += "{0, 0, 0}};\nstatic const char* const lane_functions[] = {\n";
  for (const llvm::Function* function : order_) text += quoted(function->getName().str()) + ",\n";
  text += "0};\n";
  text += fmt::format(
      "struct LaneProgram lane_program = {{kLaneVersion, lane_exec, &lane_host, {}, lane_globals, {}, lane_constants, "
      "{}, lane_locals, {}, lane_places, {}, lane_names, {}, lane_functions, {}, {}}};\n",
      functions_.at(module_.getFunction(kBegin)), image_.globals().size(), image_.constants().size(),
      image_.thread_locals().size(), places_.size() + accesses_.size(), image_.names().size(), order_.size(),
      largest_frame_);
  return text;
}

Emitted Emitter::emit() {
  classify();
  for (const llvm::Function* function : order_) {
    Place place;
    if (!function->empty()) place.source = place_of(function->front().front());
    place.source.function = function->getName().str();
    places_.push_back(place);
  }
  std::string plain, flat, locals, prototypes;
  for (const llvm::Function* function : order_) {
    out_.clear();
    if (flat_.count(function) != 0) {
      locals += declarations(*function, true);
      emit_flat(*function);
      flat += out_;
    } else {
      prototypes += signature(*function) + ";\n";
      emit_plain(*function);
      plain += out_;
    }
  }
  std::string code = fmt::format("enum {{ kLocalsSize = {} }};\n", (image_.thread_locals().size() + 63) / 64 * 64 + 64);
  code += fmt::format("enum {{ P0 = {} }};\n", places_.size());  // the first place of a checked access
  code += prototypes + plain;
  code +=
      "\n#undef LANE_FAIL\n#define LANE_FAIL LANE_FAIL_AT_STEP\n"
      "LANE_CODE void lane_exec(LANE_MEMORY M, u32 cur, u64 next) {\n"
      "  u64 steps = GET_HEADER(steps), inc = GET_HEADER(living) > 1;\n"
      "  u32 fp = GET_THREAD(cur, frame), pc = GET_THREAD(cur, pc), nf;\n"
      "  const u32 tls = kLaneThreadLocals + cur * kLocalsSize;\n"
      "  const u32 stack_end = STACK_END(cur);\n  FRAME_BASE;\n  LANE_TURNS;\n" +
      locals + "  SET_HEADER(current, cur);\nL_dispatch:;\n  switch (pc) {\n";
  for (const llvm::Function* function : order_)
    if (flat_.count(function) != 0) code += fmt::format("    case {0}: goto F{0};\n", functions_.at(function));
  for (size_t i = order_.size(); i < places_.size(); ++i) code += fmt::format("    case {0}: goto R{0};\n", i);
  code += "    default: LANE_FAIL(kLaneBadCall, pc, 0, 0);\n  }\n";
  code += flat;
  code +=
      "\nL_return:\n  pc = FRAME_LD(u32, fp + 0);\n  fp = FRAME_LD(u32, fp + 4);\n  goto L_dispatch;\n"
      "L_yield:\n  SET_THREAD(cur, frame, fp);\n  SET_THREAD(cur, pc, pc);\n  SET_HEADER(steps, steps);\n  return;\n"
      "L_stop:\n  SET_HEADER(steps, steps);\n  LANE_LEAVE();\n}\n\n";
  const std::string begin = "#include \"coseq/models/runtime.h\"\n#include <math.h>\n\n";
  return {begin + bytes_table("lane_locals", image_.thread_locals()) + code + tables(), code, points_};
}

}  // namespace snarl::coseq
