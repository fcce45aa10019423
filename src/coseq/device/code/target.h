/* What OpenCL C, CUDA and C++ on the host call differently. The code of a lane on a device is one text, which begins
 * with this: nothing of it includes a header of the system, as devices have none. */
#pragma once

#include "coseq/models/words.h"

#define LANE_DEVICE 1

#if defined(__OPENCL_VERSION__) || defined(__OPENCL_C_VERSION__)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define GLOBAL __global
#define LANE_CODE static
#define LANE_TABLE __constant const
#define LANE_KERNEL __kernel
#define LANE_INDEX ((u32)get_global_id(0))
#define LANE_ADD(word) atomic_inc((volatile __global u32*)(word))
#define LANE_MOST(word, value) atomic_max((volatile __global u32*)(word), value)
#define LANE_ONES(word) ((u32)popcount((u64)(word)))
#define LANE_LEADING(word) ((u32)clz((u64)(word)))
#define lane_f32(bits) as_float((u32)(bits))
#define lane_f64(bits) as_double((u64)(bits))
#define lane_bits32(value) as_uint((f32)(value))
#define lane_bits64(value) as_ulong((f64)(value))
#define sqrtf sqrt
#define fabsf fabs
#define floorf floor
#define ceilf ceil
#define roundf round
#define truncf trunc
#define rintf rint
#define nearbyint rint
#define nearbyintf rint
#define fmodf fmod
#define fminf fmin
#define fmaxf fmax
#define fmaf fma
#define copysignf copysign
#else
#define GLOBAL
typedef union {
  u32 bits;
  f32 value;
} lane_word32;
typedef union {
  u64 bits;
  f64 value;
} lane_word64;
#ifdef LANE_SHIM /* the same text on the host, lane by lane */
#define LANE_CODE static inline
#define LANE_TABLE static const
#define LANE_KERNEL extern "C"
static u32 lane_index;
#define LANE_INDEX lane_index
#define LANE_ADD(word) ((*(word))++)
#define LANE_MOST(word, most) (*(word) = *(word) < (most) ? (most) : *(word))
#define LANE_ONES(word) ((u32)__builtin_popcountl(word))
#define LANE_LEADING(word) ((u32)__builtin_clzl(word))
#else /* CUDA: nvcc, or clang without any header of CUDA */
#ifdef __CUDACC_VER_MAJOR__
#define LANE_DEVICE_WORD __device__
#define LANE_KERNEL extern "C" __global__
#define LANE_INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define LANE_ADD(word) atomicAdd(word, 1u)
#define LANE_MOST(word, value) atomicMax(word, value)
#define LANE_ONES(word) ((u32)__popcll(word))
#define LANE_LEADING(word) ((u32)__clzll((long long)(word)))
#else
#define LANE_DEVICE_WORD __attribute__((device))
#define LANE_KERNEL extern "C" __attribute__((global))
#define LANE_INDEX (__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())
#define LANE_ADD(word) __nvvm_atom_add_gen_i((int*)(word), 1)
#define LANE_MOST(word, value) __nvvm_atom_max_gen_ui(word, value)
#define LANE_ONES(word) ((u32)__builtin_popcountl(word))
#define LANE_LEADING(word) ((u32)__builtin_clzl(word))
#define sqrt __builtin_sqrt /* what the processor has; other functions are nvcc's */
#define sqrtf __builtin_sqrtf
#define fabs __builtin_fabs
#define fabsf __builtin_fabsf
#define floor __builtin_floor
#define floorf __builtin_floorf
#define ceil __builtin_ceil
#define ceilf __builtin_ceilf
#define trunc __builtin_trunc
#define truncf __builtin_truncf
#define rint __builtin_rint
#define rintf __builtin_rintf
#define nearbyint __builtin_nearbyint
#define nearbyintf __builtin_nearbyintf
#define fmin __builtin_fmin
#define fminf __builtin_fminf
#define fmax __builtin_fmax
#define fmaxf __builtin_fmaxf
#define fma __builtin_fma
#define fmaf __builtin_fmaf
#define copysign __builtin_copysign
#define copysignf __builtin_copysignf
#endif
#define LANE_CODE static LANE_DEVICE_WORD
#define LANE_FAR LANE_CODE __attribute__((noinline))
#define LANE_TABLE static LANE_DEVICE_WORD const
#endif
LANE_CODE f32 lane_f32(u64 bits) {
  lane_word32 word;
  word.bits = (u32)bits;
  return word.value;
}
LANE_CODE f64 lane_f64(u64 bits) {
  lane_word64 word;
  word.bits = bits;
  return word.value;
}
LANE_CODE u32 lane_bits32(f32 value) {
  lane_word32 word;
  word.value = value;
  return word.bits;
}
LANE_CODE u64 lane_bits64(f64 value) {
  lane_word64 word;
  word.value = value;
  return word.bits;
}
#endif

/* Accesses of memory are many. On a GPU they stay functions, or the assembler takes minutes. */
#ifndef LANE_FAR
#define LANE_FAR LANE_CODE
#endif

#ifndef LANE_SHIM
/* Functions of floats by those of doubles: they are rounded as those of glibc are, but for one in many million. */
#define sinf(x) ((f32)sin((f64)(x)))
#define cosf(x) ((f32)cos((f64)(x)))
#define tanf(x) ((f32)tan((f64)(x)))
#define asinf(x) ((f32)asin((f64)(x)))
#define acosf(x) ((f32)acos((f64)(x)))
#define atanf(x) ((f32)atan((f64)(x)))
#define sinhf(x) ((f32)sinh((f64)(x)))
#define coshf(x) ((f32)cosh((f64)(x)))
#define tanhf(x) ((f32)tanh((f64)(x)))
#define expf(x) ((f32)exp((f64)(x)))
#define exp2f(x) ((f32)exp2((f64)(x)))
#define expm1f(x) ((f32)expm1((f64)(x)))
#define logf(x) ((f32)log((f64)(x)))
#define log2f(x) ((f32)log2((f64)(x)))
#define log10f(x) ((f32)log10((f64)(x)))
#define log1pf(x) ((f32)log1p((f64)(x)))
#define cbrtf(x) ((f32)cbrt((f64)(x)))
#define erff(x) ((f32)erf((f64)(x)))
#define erfcf(x) ((f32)erfc((f64)(x)))
#define tgammaf(x) ((f32)tgamma((f64)(x)))
#define lgammaf(x) ((f32)lgamma((f64)(x)))
#define powf(x, y) ((f32)pow((f64)(x), (f64)(y)))
#define atan2f(x, y) ((f32)atan2((f64)(x), (f64)(y)))
#define hypotf(x, y) ((f32)hypot((f64)(x), (f64)(y)))
#endif

#define LANE_LOWEST(word) (LANE_ONES(((u64)(word) & (0 - (u64)(word))) - 1))
#define LANE_SWAPPED(bits, word) lane_swapped##bits((u64)(word))
LANE_CODE u16 lane_swapped16(u64 word) { return (u16)(word << 8 | (word >> 8 & 0xff)); }
LANE_CODE u32 lane_swapped32(u64 word) {
  return (u32)(word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | (word >> 24 & 0xff));
}
LANE_CODE u64 lane_swapped64(u64 word) { return (u64)lane_swapped32(word) << 32 | lane_swapped32(word >> 32); }

/* Arithmetic that says whether it went over, as the compilers of the host have built in. */
#define LANE_OVERFLOW(operation, type, a, b, result, over) \
  do {                                                     \
    const type a_ = (a), b_ = (b);                         \
    over = lane_##operation##_##type(a_, b_);              \
    result = LANE_WRAP_##operation(type, a_, b_);          \
  } while (0)
#define LANE_WRAP_add(type, a, b) (type)((u64)(a) + (u64)(b))
#define LANE_WRAP_sub(type, a, b) (type)((u64)(a) - (u64)(b))
#define LANE_WRAP_mul(type, a, b) (type)((u64)(a) * (u64)(b))
#define LANE_NARROW(type)                                                                        \
  LANE_CODE u8 lane_add_##type(type a, type b) { return (i64)(type)((i64)a + b) != (i64)a + b; } \
  LANE_CODE u8 lane_sub_##type(type a, type b) { return (i64)(type)((i64)a - b) != (i64)a - b; } \
  LANE_CODE u8 lane_mul_##type(type a, type b) { return (i64)(type)((i64)a * b) != (i64)a * b; }
LANE_NARROW(i8)
LANE_NARROW(i16)
LANE_NARROW(i32)
LANE_NARROW(u8)
LANE_NARROW(u16)
LANE_CODE u8 lane_add_u32(u32 a, u32 b) { return (u64)a + b > 0xffffffffu; }
LANE_CODE u8 lane_sub_u32(u32 a, u32 b) { return a < b; }
LANE_CODE u8 lane_mul_u32(u32 a, u32 b) { return (u64)a * b > 0xffffffffu; }
LANE_CODE u8 lane_add_u64(u64 a, u64 b) { return a + b < a; }
LANE_CODE u8 lane_sub_u64(u64 a, u64 b) { return a < b; }
LANE_CODE u8 lane_mul_u64(u64 a, u64 b) { return a != 0 && a * b / a != b; }
LANE_CODE u8 lane_add_i64(i64 a, i64 b) {
  const u64 sum = (u64)a + (u64)b;
  return (((u64)a ^ sum) & ((u64)b ^ sum)) >> 63;
}
LANE_CODE u8 lane_sub_i64(i64 a, i64 b) {
  const u64 rest = (u64)a - (u64)b;
  return (((u64)a ^ (u64)b) & ((u64)a ^ rest)) >> 63;
}
LANE_CODE u8 lane_mul_i64(i64 a, i64 b) {
  const u64 x = a < 0 ? 0 - (u64)a : (u64)a, y = b < 0 ? 0 - (u64)b : (u64)b;
  const u64 most = ((u64)1 << 63) - ((a < 0) == (b < 0));
  return x != 0 && y > most / x;
}
