// From a module to one C file (study of the form: docs/design/lanes.md).
//
// Functions that contain schedule points become parts of one function, between whose blocks control goes by goto; at a
// point the thread goes on at once unless the host wants to choose. All others stay functions of C.
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "coseq/emit/frames.h"
#include "coseq/emit/image.h"
#include "coseq/emit/refusals.h"

namespace snarl::coseq {

struct Emitted {
  std::string code;    // the whole file for the host
  std::string bodies;  // what runs, without tables: for devices
  size_t points = 0;
};

// Devices have no recursion: functions that may call themselves get their frames on the thread's stack in the arena.
enum class Recursion { kOfTheMachine, kFlattened };

class Emitter {
 public:
  Emitter(const llvm::Module& module, Refusals& refusals, Recursion recursion = Recursion::kOfTheMachine);
  Emitted emit();

 private:
  struct Place {
    SourcePlace source;
    uint32_t kind = 0;
    uint32_t size = 0;
  };
  enum class Needs { kBefore, kAfter };

  // emitter.cc: the file, its tables and functions
  void classify();
  void flatten_recursion();
  std::vector<const llvm::Function*> callees(const llvm::Function& function) const;
  void spread_flatness();
  void number_functions();
  bool calls_flat(const llvm::Instruction& instruction) const;
  void emit_flat(const llvm::Function& function);
  void emit_plain(const llvm::Function& function);
  void emit_blocks(const llvm::Function& function);
  std::string signature(const llvm::Function& function) const;
  std::string declarations(const llvm::Function& function, bool arguments);
  std::string tables() const;

  // values.cc: expressions
  std::vector<std::string> parts(const llvm::Value* value);
  std::string value(const llvm::Value* value) { return parts(value).at(0); }
  std::string constant_leaf(const llvm::Constant& constant);
  std::string constant_expression(const llvm::ConstantExpr& expression);
  std::string element_address(const llvm::GEPOperator& address);
  std::string number_of(const llvm::ConstantInt& number) const;
  std::string as_signed(const llvm::Value* value);
  std::string masked(llvm::Type* type, const std::string& expression) const;
  std::string variable(const llvm::Value* value);

  // instructions.cc
  void emit_instruction(const llvm::Instruction& instruction);
  void emit_load(const llvm::LoadInst& load);
  void emit_store(const llvm::StoreInst& store);
  void emit_exchange(const llvm::AtomicCmpXchgInst& exchange);
  void emit_update(const llvm::AtomicRMWInst& update);
  void emit_binary(const llvm::BinaryOperator& operation);
  void emit_compare(const llvm::CmpInst& compare);
  void emit_cast(const llvm::CastInst& cast);
  void emit_aggregate(const llvm::Instruction& instruction);
  bool emit_control(const llvm::Instruction& instruction);
  void emit_edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void check(const llvm::Value* pointer, uint64_t size, const llvm::Instruction& at);
  void point(const llvm::Instruction& at, uint32_t kind, const std::string& object, uint32_t size, Needs needs,
             const std::string& block = "", const std::string& publish = "");
  void spill(const Values& values);
  void reload(const Values& values);

  // calls.cc
  void emit_call(const llvm::CallBase& call);
  bool emit_intrinsic(const llvm::IntrinsicInst& call);
  void tell_of_block(const llvm::IntrinsicInst& call, bool fills);
  bool emit_primitive(const llvm::CallBase& call, const std::string& name);
  void emit_await(const llvm::CallBase& call);
  bool emit_math(const llvm::CallBase& call, const std::string& name);
  void emit_flat_call(const llvm::CallBase& call, const llvm::Function* callee);
  void emit_plain_call(const llvm::CallBase& call, const llvm::Function* callee);
  std::vector<const llvm::Function*> candidates(const llvm::CallBase& call) const;
  std::string copied(const llvm::CallBase& call, unsigned argument);
  void assign(const llvm::Instruction& to, const std::string& expression);

  void refuse(const llvm::Instruction& at, const std::string& what, const std::string& advice) {
    refusals_.add(at, what, advice);
  }
  uint32_t new_place(const llvm::Instruction& at, uint32_t kind, uint32_t size);
  uint32_t access_place(const llvm::Instruction& at, uint32_t size);
  std::string label(const llvm::BasicBlock& block);

  const llvm::Module& module_;
  const llvm::DataLayout& layout_;
  Refusals& refusals_;
  const Recursion recursion_;
  std::map<const llvm::Function*, uint32_t> functions_;
  std::vector<const llvm::Function*> order_;
  std::set<const llvm::Function*> flat_;
  std::map<std::string, std::vector<const llvm::Function*>> addressed_;  // by the shape of their arguments
  Image image_;

  std::vector<Place> places_;  // by pc
  std::vector<Place> accesses_;
  std::map<std::string, uint32_t> access_numbers_;
  std::map<const llvm::Value*, std::string> names_;
  std::map<const llvm::BasicBlock*, std::string> labels_;
  std::map<const llvm::BasicBlock*, size_t> positions_;  // in the emitted code
  size_t points_ = 0;
  uint32_t largest_frame_ = 0;

  const llvm::Function* function_ = nullptr;
  bool in_flat_ = false;
  Frame frame_;
  std::string out_;
};

// The shape by which functions can be called through a pointer.
std::string shape_of(const llvm::FunctionType& type, const llvm::DataLayout& layout);

}  // namespace snarl::coseq
