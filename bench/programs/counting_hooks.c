// Hooks that only count plain accesses, linked with instrumented code instead of snarl's.
long counted_accesses;

#define COUNTED(name)                \
  void __tsan_##name(void* address); \
  void __tsan_##name(void* address) { (void)address, ++counted_accesses; }
#define SIZES(name) COUNTED(name##1) COUNTED(name##2) COUNTED(name##4) COUNTED(name##8) COUNTED(name##16)
#define IGNORED(name)       \
  void __tsan_##name(void); \
  void __tsan_##name(void) {}

// Rows of a table, which have no semicolons.
// clang-format off
SIZES(read) SIZES(write)
SIZES(unaligned_read) SIZES(unaligned_write)
SIZES(volatile_read) SIZES(volatile_write)
COUNTED(read_range) COUNTED(write_range)
COUNTED(vptr_update) COUNTED(vptr_read)
IGNORED(init) IGNORED(func_entry) IGNORED(func_exit)
    // clang-format on
