#include "symbolize/die.h"

#include <cstring>

namespace snarl::symbolize {
namespace {

constexpr int kMaxReferences = 8;  // real chains have at most 3; a damaged one may be a ring

std::optional<Dwarf_Attribute> attribute_of(Dwarf_Die die, unsigned attribute) {
  Dwarf_Attribute value;
  if (!dwarf_attr_integrate(&die, attribute, &value)) return std::nullopt;
  return value;
}

// clang's DWARF 5 refers to a table of addresses: DW_OP_addrx [DW_OP_plus_uconst].
std::optional<uint64_t> indexed_address(Dwarf_Attribute location) {
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  Dwarf_Attribute target;
  Dwarf_Addr address = 0;
  if (dwarf_getlocation(&location, &ops, &count) != 0 || count == 0 || count > 2) return std::nullopt;
  if (count == 2 && ops[1].atom != DW_OP_plus_uconst) return std::nullopt;
  if (ops[0].atom == DW_OP_addr) {
    address = ops[0].number;
  } else if (dwarf_getlocation_attr(&location, &ops[0], &target) != 0 || dwarf_formaddr(&target, &address) != 0) {
    return std::nullopt;
  }
  return address + (count == 2 ? ops[1].number : 0);
}

}  // namespace

const char* die_string(Dwarf_Die die, unsigned attribute) {
  auto value = attribute_of(die, attribute);
  return value ? dwarf_formstring(&*value) : nullptr;
}

std::optional<uint64_t> die_number(Dwarf_Die die, unsigned attribute) {
  auto value = attribute_of(die, attribute);
  Dwarf_Word number = 0;
  if (!value || dwarf_formudata(&*value, &number) != 0) return std::nullopt;
  return number;
}

std::optional<Dwarf_Die> die_reference(Dwarf_Die die, unsigned attribute) {
  auto value = attribute_of(die, attribute);
  Dwarf_Die target;
  if (!value || !dwarf_formref_die(&*value, &target)) return std::nullopt;
  return target;
}

const char* die_linkage_name(Dwarf_Die die) {
  const char* name = die_string(die, DW_AT_linkage_name);
  return name ? name : die_string(die, DW_AT_MIPS_linkage_name);
}

Dwarf_Die die_declaration(Dwarf_Die die) {
  for (int i = 0; i < kMaxReferences; ++i) {
    Dwarf_Attribute value;
    Dwarf_Die target;
    if (!dwarf_attr(&die, DW_AT_abstract_origin, &value) && !dwarf_attr(&die, DW_AT_specification, &value)) break;
    if (!dwarf_formref_die(&value, &target)) break;
    die = target;
  }
  return die;
}

std::optional<uint64_t> die_address(Dwarf_Die die) {
  constexpr size_t kPlain = 1 + sizeof(uint64_t);  // DW_OP_addr and the address
  Dwarf_Attribute location;
  Dwarf_Block block;
  if (!dwarf_attr(&die, DW_AT_location, &location)) return std::nullopt;
  const unsigned form = dwarf_whatform(&location);
  const bool is_expression = form == DW_FORM_exprloc || form == DW_FORM_block1;  // otherwise a list: not a fixed place
  if (!is_expression || dwarf_formblock(&location, &block) != 0 || block.length == 0) return std::nullopt;
  const unsigned op = block.data[0];
  if (op == DW_OP_addr && block.length == kPlain) {
    uint64_t address = 0;
    std::memcpy(&address, block.data + 1, sizeof address);
    return address;
  }
  if (op != DW_OP_addr && op != DW_OP_addrx && op != DW_OP_GNU_addr_index) return std::nullopt;
  return indexed_address(location);
}

// DW_OP_const8u OFFSET, DW_OP_form_tls_address, or the operation of the same meaning before DWARF 3.
std::optional<uint64_t> die_thread_offset(Dwarf_Die die) {
  Dwarf_Attribute location;
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  Dwarf_Block block;
  if (!dwarf_attr(&die, DW_AT_location, &location) || dwarf_formblock(&location, &block) != 0 || block.length < 2)
    return std::nullopt;
  const unsigned last = block.data[block.length - 1];  // most are not, and need no parsing
  if (last != DW_OP_form_tls_address && last != DW_OP_GNU_push_tls_address) return std::nullopt;
  if (dwarf_getlocation(&location, &ops, &count) != 0 || count != 2) return std::nullopt;
  if (ops[1].atom != DW_OP_form_tls_address && ops[1].atom != DW_OP_GNU_push_tls_address) return std::nullopt;
  switch (ops[0].atom) {
    case DW_OP_addr:
    case DW_OP_const4u:
    case DW_OP_const8u:
    case DW_OP_constu: return ops[0].number;
    default: return std::nullopt;
  }
}

}  // namespace snarl::symbolize
