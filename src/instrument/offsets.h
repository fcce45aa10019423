// What accesses.S must know of C++. block.h and specialise.cc check each number.
#pragma once

#define SNARL_BLOCK_ME 10
#define SNARL_BLOCK_ALLOWANCE 16
#define SNARL_BLOCK_OWNERS 24
#define SNARL_BLOCK_MASK 32
#define SNARL_BLOCK_POINT 48
#define SNARL_BLOCK_UNDECIDED 64
#define SNARL_BLOCK_FRONT 88

// 32 KB: cleared and filled in for each run, and large enough that a thousand places rarely collide.
#define SNARL_FRONT_SLOTS 4096

#define SNARL_SEVERAL 0xffff

#define SNARL_KIND_READ 52
#define SNARL_KIND_WRITE 53

// A hook before a plain access: where the part that may be rewritten begins and ends, and the distance to the next
// hook.
#define SNARL_HOOK_BODY 7
#define SNARL_HOOK_TAIL 128
#define SNARL_HOOK_BYTES 192
