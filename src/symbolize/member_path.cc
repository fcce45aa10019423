#include "symbolize/member_path.h"

#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

#include "symbolize/die.h"
#include "symbolize/text.h"

namespace snarl::symbolize {
namespace {

constexpr int kMaxSteps = 64;  // members within members; a damaged file may nest a type in itself

// The type without typedefs and qualifiers.
Dwarf_Die peeled(Dwarf_Die type) {
  Dwarf_Die plain;
  return dwarf_peel_type(&type, &plain) == 0 ? plain : type;
}

bool is_libc_name(std::string_view name) { return name.starts_with("__"); }

bool is_reserved_name(std::string_view name) {
  return name.size() > 1 && name[0] == '_' && (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])));
}

template <typename Visit>
void each_child(Dwarf_Die parent, Visit visit) {
  Dwarf_Die child;
  const void* last = parent.addr;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    if (child.addr <= last) return;
    last = child.addr;
    visit(child);
  } while (dwarf_siblingof(&child, &child) == 0);
}

// Follows the type down to `offset_` and writes the path on the way.
class Descent {
 public:
  Descent(Dwarf_Die type, uint64_t offset) : type_(peeled(type)), offset_(offset) {}

  std::string run() {
    for (int i = 0; i < kMaxSteps && step(); ++i) {
    }
    return path_;
  }

 private:
  // One level deeper; false at the end of the path.
  bool step() {
    switch (dwarf_tag(&type_)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: return enter_member();
      case DW_TAG_array_type: return enter_element();
      default: return false;  // a byte within a scalar needs no name
    }
  }

  bool enter_member() {
    if (dwarf_hasattr(&type_, DW_AT_declaration)) return give_up();
    std::optional<Dwarf_Die> member = member_at_offset();
    if (!member) return give_up();
    const char* name = dwarf_tag(&*member) == DW_TAG_member ? die_string(*member, DW_AT_name) : nullptr;
    if (name && is_libc_name(name)) return false;
    if (name && !is_reserved_name(name)) path_.append(".").append(name);
    offset_ -= die_number(*member, DW_AT_data_member_location).value_or(0);
    return enter_type_of(*member);
  }

  // The member around offset_. clang may only declare a member's type: such a
  // member reaches to the next one.
  std::optional<Dwarf_Die> member_at_offset() {
    std::optional<Dwarf_Die> found;
    bool certain = false;
    each_child(type_, [&](Dwarf_Die child) {
      const auto type = die_reference(child, DW_AT_type);
      if (certain || !type || !is_part(child) || is_empty_base(child, *type)) return;
      const uint64_t begin = die_number(child, DW_AT_data_member_location).value_or(0);
      const uint64_t size = type_size(*type);
      if (begin > offset_) return;
      certain = offset_ - begin < size;
      found = certain || size == 0 ? std::optional(child) : std::nullopt;
    });
    return found;
  }

  // A base or a member that isn't static.
  static bool is_part(Dwarf_Die child) {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_inheritance) return true;
    return tag == DW_TAG_member && !dwarf_hasattr(&child, DW_AT_declaration) && !dwarf_hasattr(&child, DW_AT_external);
  }

  // An empty base has the size 1, but shares its address with the first member.
  static bool is_empty_base(Dwarf_Die member, Dwarf_Die type) {
    if (dwarf_tag(&member) != DW_TAG_inheritance) return false;
    bool empty = true;
    each_child(peeled(type), [&](Dwarf_Die child) {
      if (is_part(child)) empty = false;
    });
    return empty && type_size(type) == 1;
  }

  bool enter_element() {
    const auto element = die_reference(type_, DW_AT_type);
    const uint64_t size = element ? type_size(*element) : 0;
    if (size == 0) return give_up();
    append_indices(offset_ / size);
    offset_ %= size;
    return enter_type_of(type_);
  }

  // [i][j] of the n-th element of an array with one DW_TAG_subrange_type per dimension.
  void append_indices(uint64_t element) {
    std::vector<uint64_t> dimensions;
    each_child(type_, [&](Dwarf_Die child) {
      if (dwarf_tag(&child) != DW_TAG_subrange_type) return;
      const auto last = die_number(child, DW_AT_upper_bound);
      const uint64_t count = last ? *last + 1 : die_number(child, DW_AT_count).value_or(0);
      dimensions.push_back(count);
    });
    std::string text;
    for (size_t i = dimensions.size(); i-- > 1;) {
      if (dimensions[i] == 0) break;
      text = "[" + std::to_string(element % dimensions[i]) + "]" + text;
      element /= dimensions[i];
    }
    path_ += "[" + std::to_string(element) + "]" + text;
  }

  bool enter_type_of(Dwarf_Die part) {
    const auto type = die_reference(part, DW_AT_type);
    if (type) type_ = peeled(*type);
    return type.has_value();
  }

  // The type doesn't say what is there (an incomplete type, padding).
  bool give_up() {
    path_ = with_offset(std::move(path_), offset_);
    return false;
  }

  Dwarf_Die type_;
  uint64_t offset_;
  std::string path_;
};

}  // namespace

std::string member_path(Dwarf_Die type, uint64_t offset) { return Descent(type, offset).run(); }

uint64_t type_size(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

}  // namespace snarl::symbolize
