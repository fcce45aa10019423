// Preloaded by binding_test.py: at the end of the process writes, to a file with the program's name in the folder that
// DUMP_CALLS_TO names, a line for each slot of each loaded file's calls: the file, the number, the function, and the
// file and offset that the slot leads to. One that leads into its own file is lazy, or a call of an own function; the
// test compares with a run where the loader has bound everything.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
  uintptr_t address;
  const char* file;
  uintptr_t offset;
};

static const char* name_of(const struct dl_phdr_info* info) {
  const char* slash = strrchr(info->dlpi_name, '/');
  return info->dlpi_name[0] == '\0' ? "program" : slash == NULL ? info->dlpi_name : slash + 1;
}

static int look_for(struct dl_phdr_info* info, size_t size, void* data) {
  struct place* place = data;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || place->address - info->dlpi_addr - header->p_vaddr >= header->p_memsz) continue;
    place->file = name_of(info);
    place->offset = place->address - info->dlpi_addr;
  }
  return 0;
}

static uintptr_t address_in(const struct dl_phdr_info* info, uintptr_t value) {
  return value < info->dlpi_addr ? value + info->dlpi_addr : value;
}

static int dump(struct dl_phdr_info* info, size_t size, void* data) {
  const ElfW(Dyn)* entry = NULL;
  const ElfW(Rela)* calls = NULL;
  const ElfW(Sym)* symbols = NULL;
  const char* names = NULL;
  size_t bytes = 0;
  (void)size;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC) entry = (const void*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  for (; entry != NULL && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_JMPREL) calls = (const void*)address_in(info, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) symbols = (const void*)address_in(info, entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) names = (const void*)address_in(info, entry->d_un.d_ptr);
    if (entry->d_tag == DT_PLTRELSZ) bytes = entry->d_un.d_val;
  }
  for (size_t i = 0; calls != NULL && i < bytes / sizeof *calls; ++i) {
    if (ELF64_R_TYPE(calls[i].r_info) != R_X86_64_JUMP_SLOT) continue;
    struct place place = {*(const uintptr_t*)(info->dlpi_addr + calls[i].r_offset), "nowhere", 0};
    dl_iterate_phdr(look_for, &place);
    fprintf(data, "%s %zu %s %s %lx\n", name_of(info), i, names + symbols[ELF64_R_SYM(calls[i].r_info)].st_name,
            place.file, (unsigned long)place.offset);
  }
  return 0;
}

__attribute__((destructor)) static void dump_all(void) {
  const char* folder = getenv("DUMP_CALLS_TO");
  char path[4096];
  if (folder == NULL) return;
  snprintf(path, sizeof path, "%s/%s", folder, program_invocation_short_name);
  FILE* file = fopen(path, "w");
  if (file == NULL) return;
  dl_iterate_phdr(dump, file);
  fclose(file);
}
