/* What emitted code says alike on the host and on devices. C, C++ and OpenCL C. */
#pragma once

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long i64;
typedef float f32;
typedef double f64;

/* May the thread `cur` take its step? By number of its LaneCondition, over LD and GET_THREAD. */
#define COND_0(word) 1
#define COND_1(word) (LD(u32, word) == 0)
#define COND_2(word) (LD(u32, word) != 0)
#define COND_3(word) ((i32)LD(u32, word) > 0)
#define COND_4(word) (LD(u32, word) != 1)
#define COND_5(word) ((i32)LD(u32, word) >= 0)
#define COND_6(word) (GET_THREAD(cur, woken) != 0 || (LD(u64, (word)) >> cur & 1))
#define COND_7(word) (GET_THREAD(cur, woken) != 0)
