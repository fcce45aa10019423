#include "runtime/reset/binding.h"

#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <initializer_list>
#include <new>

#include "runtime/platform/loaded_file.h"
#include "runtime/platform/text.h"

namespace snarl::runtime {
namespace {

// The global scope, from its beginning: the program, preloaded files, and what these need, in the order in which they
// were loaded. It may be cut off too early, but never holds a file that the loader does not look into before the next.
constexpr size_t kMaxFiles = 512;
struct Scope {
  LoadedFile files[kMaxFiles];
  size_t count;
  bool past_preloaded;
  bool cut_off;
  bool usual;
};

// Nobody needs a preloaded file, or else it is taken for the first of those that come after them. What dlopen loaded
// since is behind all these, and needed by none.
bool is_needed(const Scope& scope, const LoadedFile& file) {
  for (size_t i = 0; i < scope.count; ++i)
    if (scope.files[i].needs(file)) return true;
  return false;
}

int add_file(dl_phdr_info* info, size_t, void* data) {
  auto& scope = *static_cast<Scope*>(data);
  if (is_of_kernel(*info)) return 0;
  const LoadedFile file(*info);
  if (file.changes_lookups()) scope.usual = false;
  if (!file.has_tables() || scope.count == kMaxFiles) scope.cut_off = true;
  if (scope.cut_off) return 0;
  const bool needed = is_needed(scope, file);
  scope.cut_off = scope.past_preloaded && !needed;
  scope.past_preloaded |= needed;
  if (!scope.cut_off) new (&scope.files[scope.count++]) LoadedFile(file);
  return 0;
}

// The slot still holds the way to the loader: the instruction of the file's own PLT that pushes the number of the call.
bool is_lazy(const LoadedFile& file, size_t index) {
  constexpr uint8_t kPush = 0x68;
  constexpr uint32_t kEndbr64 = 0xfa1e0ff3;
  uint64_t at = *reinterpret_cast<const uint64_t*>(file.slot(index));
  if (!file.is_code(at) || !file.is_code(at + 9)) return false;
  if (*reinterpret_cast<const uint32_t*>(at) == kEndbr64) at += sizeof kEndbr64;
  return *reinterpret_cast<const uint8_t*>(at) == kPush && *reinterpret_cast<const uint32_t*>(at + 1) == index;
}

// The function that a definition means; 0: the loader is to say. Resolvers of indirect functions are called if they are
// the C library's: others are the program's code, which does not run before its first call.
uint64_t function_of(const LoadedFile& file, const Elf64_Sym& symbol, const SymbolName& name) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info), type = ELF64_ST_TYPE(symbol.st_info);
  if ((binding != STB_GLOBAL && binding != STB_WEAK) || symbol.st_shndx == SHN_ABS) return 0;
  const uint64_t address = file.address_of(symbol);
  if (type == STT_FUNC || type == STT_NOTYPE) return address;
  const bool may_ask = type == STT_GNU_IFUNC && name.version != nullptr && begins_with(name.version, "GLIBC_");
  return may_ask ? reinterpret_cast<uint64_t (*)()>(address)() : 0;
}

uint64_t look_up(const Scope& scope, const SymbolName& name) {
  for (size_t i = 0; i < scope.count; ++i)
    if (const Elf64_Sym* symbol = scope.files[i].find(name)) return function_of(scope.files[i], *symbol, name);
  return 0;
}

void bind_call(const Scope& scope, const LoadedFile& file, size_t index) {
  if (ELF64_R_TYPE(file.call(index).r_info) != R_X86_64_JUMP_SLOT) return;
  if (ELF64_ST_VISIBILITY(file.called(index).st_other) != STV_DEFAULT) return;
  if (!file.is_writable(file.slot(index)) || !is_lazy(file, index)) return;
  if (const uint64_t found = look_up(scope, file.name_of_called(index)))
    *reinterpret_cast<uint64_t*>(file.slot(index)) = found;
}

// The user watches or changes how the loader binds.
bool is_loader_told_how() {
  for (const char* name : {"LD_AUDIT", "LD_BIND_NOT", "LD_DEBUG", "LD_DYNAMIC_WEAK", "LD_PROFILE"})
    if (getenv(name) != nullptr) return true;
  return false;
}

}  // namespace

// The list is memory of its own, which is gone afterwards: copies are as if it had never been.
void bind_calls() {
  if (is_loader_told_how()) return;
  void* room = mmap(nullptr, sizeof(Scope), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  Scope& scope = *static_cast<Scope*>(room);  // zero
  scope.usual = true;
  dl_iterate_phdr(add_file, &scope);
  for (size_t i = 0; scope.usual && i < scope.count; ++i) {
    const LoadedFile& file = scope.files[i];
    if (file.looks_into_itself_first() || file.was_prelinked()) continue;
    for (size_t call = 0; call < file.call_count(); ++call) bind_call(scope, file, call);
  }
  munmap(room, sizeof(Scope));
}

}  // namespace snarl::runtime
