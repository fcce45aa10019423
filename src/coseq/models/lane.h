/* The memory of a lane: one arena in which a program with all of its threads lives. Emitted code, models and the host
 * agree on it through this file, which is C and C++. Addresses are offsets into the arena. */
#pragma once

typedef unsigned char lane_u8;
typedef unsigned int lane_u32;
typedef unsigned long lane_u64;

/* The map. Below kLaneHeader nothing may be accessed: null pointers and what is added to them. */
enum {
  kLaneHeader = 0x00001000,
  kLaneGlobals = 0x00100000,
  kLaneConstants = 0x08000000,
  kLaneThreadLocals = 0x10000000,
  kLaneStacks = 0x20000000,
  kLaneStackStride = 0x00041040, /* not a power of two: stacks would share the lines of the cache */
  kLaneStackSize = 0x00040000,
  kLaneHeap = 0x40000000,
  kLaneHeapEnd = 0x60000000,
  kLaneOutput = 0x70000000,
  kLaneOutputSize = 0x00040000,
  kLaneMostFiles = 256,
  kLaneMostVariables = 256,
};
#define kLaneFunctions 0xf0000000u /* function n is at this address + n */
#define kLaneInputs 0x80000000u    /* what the program reads from outside: nobody writes there */
#define kLaneInputsEnd 0xe0000000u
#define kLaneShadow 0x100000000ul /* one byte for eight of the arena: may they be accessed? */
#define kLaneThreads 64

/* Shadow bytes: 0 all eight may be accessed, 1..7 the first so many, else none. */
enum { kShadowNull = 0xf1, kShadowGlobal = 0xf2, kShadowHeap = 0xf3, kShadowFreed = 0xf4 };

/* When a thread that has arrived at a point may take its step. */
enum LaneCondition {
  kLaneAlways = 0,
  kLaneZero,     /* the word is 0 */
  kLaneNonzero,  /* it is not */
  kLanePositive, /* it is above 0, as a signed number */
  kLaneNotOne,   /* a once control: nobody is inside the routine */
  kLaneNotNegative,
  kLaneWoken, /* a condition variable: the thread was woken, or may take a token */
  kLaneNever, /* only a deadline ends it */
};

/* How a lane ended. */
enum LaneEnd {
  kLaneRuns = 0,
  kLaneExit,   /* info: the code */
  kLaneAssert, /* info: address of the text; detail: of the file; line */
  kLaneAbort,
  kLaneDeadlock,
  kLaneBadAccess, /* info: the address; detail: the bytes accessed */
  kLaneDivision,
  kLaneStackOverflow,
  kLaneNoMemory,
  kLaneDoubleFree, /* info: the address */
  kLaneBadFree,    /* likewise */
  kLaneMisuse,     /* info: the object; detail: MisuseKind, and 1 + the slot of another thread << 8 */
  kLaneBadCall,    /* info: the address that was called */
  kLaneTooLong,
  kLaneLivelock,
  kLaneTooManyThreads,
  kLaneComputes, /* no point for long */
  kLaneUnreachable,
  kLaneLimit,  /* info: text: what lanes have too few of */
  kLaneToHost, /* on a device: the host has to run it */
  kLaneEnds,
};

struct LaneThread {
  lane_u32 pc; /* where it goes on */
  lane_u32 frame;
  lane_u32 state; /* kThread... */
  lane_u32 condition, word;
  lane_u32 condition2, word2;
  lane_u32 object; /* what the pending operation works on */
  lane_u32 woken;  /* 1: by a signal or broadcast, 2: by its deadline */
  lane_u32 ordinal;
  lane_u32 detached;
  lane_u32 start;    /* the function that it runs */
  lane_u64 deadline; /* 0: none */
  lane_u64 set_at;   /* when it was set: one that is far then stays so */
  lane_u64 result;
};
enum { kThreadFree = 0, kThreadLives, kThreadEnded };
enum { kWokenBySignal = 1, kWokenByDeadline = 2 };

struct LaneHeader {
  lane_u64 steps;
  lane_u32 status; /* LaneEnd */
  lane_u32 info;
  lane_u32 detail;
  lane_u32 line;
  lane_u32 current; /* slot of the thread that runs */
  lane_u32 living;
  lane_u32 waiting;     /* threads that stopped where they may have to wait */
  lane_u32 cost;        /* instructions, if the code counts them */
  lane_u32 created;     /* threads so far, main included */
  lane_u32 slots;       /* that were ever used */
  lane_u32 heap;        /* end of what was ever handed out */
  lane_u32 output;      /* bytes written */
  lane_u64 now;         /* of the virtual clock, in nanoseconds */
  lane_u64 returned[8]; /* of the flattened function that returned last */
  lane_u32 free_lists[24];
  lane_u64 argument_count;
  lane_u64 arguments; /* of main */
  struct LaneThread threads[kLaneThreads];
};

/* The directory of what a program reads, at kLaneInputs. */
struct LaneInputFile {
  lane_u32 name, at;
  lane_u64 size;
};
struct LaneInputs {
  lane_u32 files;     /* the first is the standard input */
  lane_u32 variables; /* of the environment, as NAME=VALUE */
  struct LaneInputFile file[kLaneMostFiles];
  lane_u32 variable[kLaneMostVariables];
};

#ifndef LANE_DEVICE
/* A place in the source, and what a point there does. */
struct LanePlace {
  const char* file;
  const char* function;
  lane_u32 line;
  lane_u32 kind; /* OpKind */
  lane_u32 size;
};
struct LaneGlobal {
  const char* name;
  lane_u32 address, size;
};

/* What the host does for emitted code. Neither of them returns to a lane that has ended. */
struct LaneHost {
  void (*end)(lane_u32 status, lane_u32 info, lane_u32 detail, lane_u32 place);
  lane_u32 (*format)(char* to, lane_u32 room, const char* spec, double value);
  /* Of programs that are compiled with LANE_TELLS: a step is taken, an access made or a call performed. */
  void (*tell)(lane_u32 thread, lane_u32 kind, lane_u32 object, lane_u64 size, lane_u32 place);
  double (*parse)(const char* text, lane_u32* length);
  /* Of libstdc++'s containers with hashes, which have the same order everywhere then. */
  lane_u64 (*hash)(const void* bytes, lane_u64 size, lane_u64 seed);
  lane_u64 (*rehash)(void* policy, lane_u64 buckets, lane_u64 elements, lane_u64 more);
};

/* What a compiled program tells the host: the symbol lane_program. */
struct LaneProgram {
  lane_u32 version;
  void (*exec)(lane_u8* memory, lane_u32 thread, lane_u64 next);
  struct LaneHost* host;
  lane_u32 main_pc;
  const lane_u8* globals;
  lane_u32 globals_size;
  const lane_u8* constants;
  lane_u32 constants_size;
  const lane_u8* thread_locals;
  lane_u32 thread_locals_size;
  const struct LanePlace* places; /* by pc, then by number of the checked access */
  lane_u32 place_count;
  const struct LaneGlobal* names;
  lane_u32 name_count;
  const char* const* functions;
  lane_u32 function_count;
  lane_u32 largest_frame;
};
#define kLaneVersion 2
#endif
