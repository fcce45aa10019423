#include "coseq/emit/types.h"

namespace snarl::coseq {
namespace {

void collect(llvm::Type* type, uint64_t offset, const llvm::DataLayout& layout, std::vector<Leaf>& leaves) {
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* places = layout.getStructLayout(structure);
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      collect(structure->getElementType(i), offset + places->getElementOffset(i), layout, leaves);
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const uint64_t size = layout.getTypeAllocSize(array->getElementType());
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      collect(array->getElementType(), offset + i * size, layout, leaves);
  } else if (!type->isVoidTy()) {
    leaves.push_back({type, offset});
  }
}

}  // namespace

std::vector<Leaf> leaves_of(llvm::Type* type, const llvm::DataLayout& layout) {
  std::vector<Leaf> leaves;
  collect(type, 0, layout, leaves);
  return leaves;
}

size_t leaf_at(llvm::Type* type, llvm::ArrayRef<unsigned> path, const llvm::DataLayout& layout) {
  size_t at = 0;
  for (const unsigned index : path)
    if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
      for (unsigned i = 0; i < index; ++i) at += leaves_of(structure->getElementType(i), layout).size();
      type = structure->getElementType(index);
    } else {
      type = llvm::cast<llvm::ArrayType>(type)->getElementType();
      at += index * leaves_of(type, layout).size();
    }
  return at;
}

unsigned bits_of(llvm::Type* type) {
  if (type->isPointerTy()) return 32;
  if (type->isFloatTy()) return 32;
  if (type->isDoubleTy()) return 64;
  return type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
}

std::string c_type(llvm::Type* type) {
  if (type->isPointerTy()) return "u32";
  if (type->isFloatTy()) return "f32";
  if (type->isDoubleTy()) return "f64";
  if (!type->isIntegerTy()) return {};
  const unsigned bits = type->getIntegerBitWidth();
  return bits <= 8 ? "u8" : bits <= 16 ? "u16" : bits <= 32 ? "u32" : bits <= 64 ? "u64" : "";
}

std::string memory_type(llvm::Type* type) { return type->isPointerTy() ? "u64" : c_type(type); }

}  // namespace snarl::coseq
