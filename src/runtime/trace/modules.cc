#include "runtime/trace/modules.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "base/hash.h"
#include "base/state_marks.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace snarl::runtime {
namespace {

SNARL_PROCESS_STATE const wire::Module* named_last;
SNARL_PROCESS_STATE uint64_t last_name;  // of its file

void copy_path(wire::Module& module, const char* path) {
  if (path[0] == '\0') {  // the executable itself
    const long length = raw::call(SYS_readlink, "/proc/self/exe", module.path, sizeof module.path - 1);
    module.path[length > 0 ? length : 0] = '\0';
    return;
  }
  size_t i = 0;
  for (; path[i] != '\0' && i + 1 < sizeof module.path; ++i) module.path[i] = path[i];
  module.path[i] = '\0';
}

void read_build_id(wire::Module& module, const char* note, size_t size) {
  while (size >= sizeof(ElfW(Nhdr))) {
    const auto* header = reinterpret_cast<const ElfW(Nhdr)*>(note);
    const size_t name = (header->n_namesz + 3u) & ~size_t{3};
    const size_t whole = sizeof *header + name + ((header->n_descsz + 3u) & ~size_t{3});
    if (whole > size) return;
    if (header->n_type == NT_GNU_BUILD_ID && header->n_descsz <= sizeof module.build_id) {
      raw::copy(module.build_id, note + sizeof *header + name, header->n_descsz);
      module.build_id_size = header->n_descsz;
      return;
    }
    note += whole;
    size -= whole;
  }
}

void fill(wire::Module& module, uint64_t bias, const ElfW(Phdr) * headers, size_t count, const char* path) {
  module = wire::Module{};
  if (&module == named_last) named_last = nullptr;
  module.bias = bias;
  module.begin = ~uint64_t{0};
  for (size_t i = 0; i < count; ++i) {
    const ElfW(Phdr)& header = headers[i];
    const uint64_t at = bias + header.p_vaddr;
    if (header.p_type == PT_NOTE) read_build_id(module, reinterpret_cast<const char*>(at), header.p_memsz);
    if (header.p_type != PT_LOAD) continue;
    if (at < module.begin) module.begin = at;
    if (at + header.p_memsz > module.end) module.end = at + header.p_memsz;
  }
  copy_path(module, path);
}

wire::Module* next_entry() {
  wire::Layout& wire = *engine::shared;
  return wire.state.modules == wire::kMaxModules ? nullptr : &wire.modules[wire.state.modules++];
}

// A module that is loaded at the start has its block at the same distance from every thread pointer.
void note_thread_block(wire::Module& module, const dl_phdr_info& info) {
  if (info.dlpi_tls_data == nullptr) return;
  module.tls_below =
      reinterpret_cast<uint64_t>(__builtin_thread_pointer()) - reinterpret_cast<uint64_t>(info.dlpi_tls_data);
  for (size_t i = 0; i < info.dlpi_phnum; ++i)
    if (info.dlpi_phdr[i].p_type == PT_TLS) module.tls_size = info.dlpi_phdr[i].p_memsz;
}

int list_one(dl_phdr_info* info, size_t, void*) {
  wire::Module* module = next_entry();
  if (module == nullptr) return 1;
  describe_module(*module, *info);
  note_thread_block(*module, *info);
  return 0;
}

// Most places that are asked for in a row are of one file.
uint64_t name_of(const wire::Module& module) {
  if (&module != named_last) {
    named_last = &module;
    last_name = hash_file_name(module.path);
  }
  return last_name;
}

bool is_listed(uint64_t pc) {
  const wire::Layout& wire = *engine::shared;
  for (uint32_t i = 0; i < wire.state.modules; ++i)
    if (pc >= wire.modules[i].begin && pc < wire.modules[i].end) return true;
  return false;
}

}  // namespace

bool find_place(uint64_t address, SharedPlace& place) {
  const wire::Layout& wire = *engine::shared;
  for (uint32_t i = 0; i < wire.state.modules; ++i) {
    const wire::Module& module = wire.modules[i];
    if (address < module.begin || address >= module.end) continue;
    place = {name_of(module), address - module.bias};
    return true;
  }
  return false;
}

bool is_in_runtime(uint64_t address) {
  dl_find_object ours;
  if (_dl_find_object(reinterpret_cast<void*>(&is_in_runtime), &ours) != 0) return false;
  return address >= reinterpret_cast<uint64_t>(ours.dlfo_map_start) &&
         address < reinterpret_cast<uint64_t>(ours.dlfo_map_end);
}

uint64_t static_name(uint64_t address) {
  SharedPlace place;
  return find_place(address, place) ? combine(place.module, place.offset) : 0;
}

void describe_module(wire::Module& module, const dl_phdr_info& info) {
  fill(module, info.dlpi_addr, info.dlpi_phdr, info.dlpi_phnum, info.dlpi_name);
}

void list_modules() {
  engine::shared->state.modules = 0;
  dl_iterate_phdr(list_one, nullptr);
}

void list_new_modules() {
  const auto list = [](dl_phdr_info* info, size_t, void*) {
    for (size_t i = 0; i < info->dlpi_phnum; ++i)
      if (info->dlpi_phdr[i].p_type == PT_LOAD) return list_module_of(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), 0;
    return 0;
  };
  dl_iterate_phdr(list, nullptr);
}

// _dl_find_object takes no lock, so this may be called from a signal handler.
const wire::Module* list_module_of(uint64_t pc) {
  dl_find_object found;
  if (is_listed(pc) || _dl_find_object(reinterpret_cast<void*>(pc), &found) != 0) return nullptr;
  const auto* header = static_cast<const ElfW(Ehdr)*>(found.dlfo_map_start);
  const auto* headers = reinterpret_cast<const ElfW(Phdr)*>(reinterpret_cast<const char*>(header) + header->e_phoff);
  wire::Module* module = next_entry();
  if (module != nullptr)
    fill(*module, found.dlfo_link_map->l_addr, headers, header->e_phnum, found.dlfo_link_map->l_name);
  return module;
}

uint64_t place_name(uint64_t address) {
  const uint64_t name = static_name(address);
  if (name != 0) return name;
  list_module_of(address);
  return static_name(address);
}

}  // namespace snarl::runtime
