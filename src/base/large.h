// For tables that are sized for the worst case. They lie apart, so that the small variables that every run uses share a
// few pages. Each page that a copy of the process touches costs a page fault, as much as dozens of points.
#pragma once

// clang would write the zeros of such a section into the file.
#if defined(__GNUC__) && !defined(__clang__)
#define SNARL_LARGE __attribute__((section(".lbss.snarl")))
#else
#define SNARL_LARGE
#endif
