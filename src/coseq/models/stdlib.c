/* stdlib.h, ctype.h, unistd.h and time.h, as far as a lane has them. */
#include <errno.h>
#include <limits.h>
#include <sys/time.h>
#include <time.h>

#include "coseq/models/intrinsics.h"

typedef unsigned long size_t;
void* malloc(size_t size);
void free(void* pointer);

static __thread int error_number;
int* __errno_location(void) { return &error_number; }

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

static unsigned long parse(const char* text, char** end, int base, int* negative, int* over) {
  const char* at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  *negative = *at == '-';
  if (*at == '-' || *at == '+') ++at;
  if ((base == 0 || base == 16) && at[0] == '0' && (at[1] | 32) == 'x' && digit_of(at[2]) < 16)
    at += 2, base = 16;
  else if (base == 0)
    base = *at == '0' ? 8 : 10;
  const char* first = at;
  unsigned long value = 0;
  *over = 0;
  for (; digit_of(*at) < base; ++at) {
    if (__builtin_mul_overflow(value, (unsigned long)base, &value)) *over = 1;
    if (__builtin_add_overflow(value, (unsigned long)digit_of(*at), &value)) *over = 1;
  }
  if (end != 0) *end = (char*)(at == first ? text : at);
  return value;
}

long strtol(const char* text, char** end, int base) {
  int negative, over;
  const unsigned long value = parse(text, end, base, &negative, &over);
  const unsigned long most = negative ? 1ul << 63 : LONG_MAX;
  if (over || value > most) {
    errno = ERANGE;
    return negative ? LONG_MIN : LONG_MAX;
  }
  return negative ? (long)-value : (long)value;
}
unsigned long strtoul(const char* text, char** end, int base) {
  int negative, over;
  const unsigned long value = parse(text, end, base, &negative, &over);
  if (over) {
    errno = ERANGE;
    return ULONG_MAX;
  }
  return negative ? -value : value;
}
long long strtoll(const char* text, char** end, int base) { return strtol(text, end, base); }
unsigned long long strtoull(const char* text, char** end, int base) { return strtoul(text, end, base); }
long __isoc23_strtol(const char* text, char** end, int base) { return strtol(text, end, base); }
int atoi(const char* text) { return (int)strtol(text, 0, 10); }
long atol(const char* text) { return strtol(text, 0, 10); }
long long atoll(const char* text) { return strtol(text, 0, 10); }
int abs(int x) { return x < 0 ? -x : x; }
long labs(long x) { return x < 0 ? -x : x; }

/* rand of glibc: the additive feedback generator, so that a program prints what it prints natively. */
static unsigned state[34];
static int front, is_seeded;
void srand(unsigned seed) {
  int r[34];
  r[0] = seed == 0 ? 1 : (int)seed;
  for (int i = 1; i < 31; ++i) {
    long word = (16807l * r[i - 1]) % 2147483647;
    r[i] = (int)(word < 0 ? word + 2147483647 : word);
  }
  for (int i = 0; i < 31; ++i) state[i] = (unsigned)r[i];
  front = 3;
  is_seeded = 1;
  for (int i = 0; i < 310; ++i) {
    state[front] += state[(front + 28) % 31];
    front = (front + 1) % 31;
  }
}
int rand(void) {
  if (!is_seeded) srand(1);
  const unsigned value = state[front] += state[(front + 28) % 31];
  front = (front + 1) % 31;
  return (int)(value >> 1);
}
long random(void) { return rand(); }
void srandom(unsigned seed) { srand(seed); }
int rand_r(unsigned* seed) {
  unsigned next = *seed;
  int result;
  next = next * 1103515245 + 12345;
  result = (int)((next / 65536) % 2048);
  next = next * 1103515245 + 12345;
  result = result << 10 ^ (int)((next / 65536) % 1024);
  next = next * 1103515245 + 12345;
  result = result << 10 ^ (int)((next / 65536) % 1024);
  *seed = next;
  return result;
}

/* As glibc sorts where there is memory: by merging, which keeps equal elements in order. */
static void merge_sort(char* base, size_t count, size_t size, int (*compare)(const void*, const void*), char* room) {
  if (count < 2) return;
  const size_t half = count / 2;
  char *left = base, *right = base + half * size, *at = room;
  merge_sort(left, half, size, compare, room);
  merge_sort(right, count - half, size, compare, room);
  size_t i = half, j = count - half;
  while (i > 0 && j > 0) {
    const int first = compare(left, right) <= 0;
    snarl_lane_copy(at, first ? left : right, size);
    at += size;
    if (first)
      left += size, --i;
    else
      right += size, --j;
  }
  if (i > 0) snarl_lane_copy(at, left, i * size);
  snarl_lane_copy(base, room, (count - j) * size);
}
void qsort(void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  if (count < 2) return;
  char* room = malloc(count * size);
  merge_sort(base, count, size, compare, room);
  free(room);
}
void* bsearch(const void* key, const void* base, size_t count, size_t size, int (*compare)(const void*, const void*)) {
  const char* first = base;
  while (count > 0) {
    const char* middle = first + count / 2 * size;
    const int order = compare(key, middle);
    if (order == 0) return (void*)middle;
    if (order > 0)
      first = middle + size, count -= count / 2 + 1;
    else
      count /= 2;
  }
  return 0;
}

/* The tables that ctype.h looks into, from -128 to 255. Written down, not made: libc says that asking for them changes
 * no memory. The bits are those of glibc. */
#define UP(c) ((c) >= 'A' && (c) <= 'Z')
#define LOW(c) ((c) >= 'a' && (c) <= 'z')
#define DIGIT(c) ((c) >= '0' && (c) <= '9')
#define GRAPH(c) ((c) > 32 && (c) < 127)
#define ALNUM(c) (UP(c) || LOW(c) || DIGIT(c))
#define HEX(c) (DIGIT(c) || ((c) >= 'a' && (c) <= 'f') || ((c) >= 'A' && (c) <= 'F'))
#define CLASS(c)                                                                                              \
  (UP(c) << 8 | LOW(c) << 9 | (UP(c) || LOW(c)) << 10 | DIGIT(c) << 11 | HEX(c) << 12 |                       \
   ((c) == ' ' || ((c) >= 9 && (c) <= 13)) << 13 | ((c) >= 32 && (c) < 127) << 14 | GRAPH(c) << 15 |          \
   ((c) == ' ' || (c) == '\t') | (((c) >= 0 && (c) < 32) || (c) == 127) << 1 | (GRAPH(c) && !ALNUM(c)) << 2 | \
   ALNUM(c) << 3)
#define TO_LOW(c) (UP(c) ? (c) + 32 : (c))
#define TO_UP(c) (LOW(c) ? (c)-32 : (c))
#define FOUR(f, c) f((c)), f((c) + 1), f((c) + 2), f((c) + 3)
#define SIXTEEN(f, c) FOUR(f, (c)), FOUR(f, (c) + 4), FOUR(f, (c) + 8), FOUR(f, (c) + 12)
#define SIXTY_FOUR(f, c) SIXTEEN(f, (c)), SIXTEEN(f, (c) + 16), SIXTEEN(f, (c) + 32), SIXTEEN(f, (c) + 48)
#define ALL(f)                                                                                        \
  {                                                                                                   \
    SIXTY_FOUR(f, -128), SIXTY_FOUR(f, -64), SIXTY_FOUR(f, 0), SIXTY_FOUR(f, 64), SIXTY_FOUR(f, 128), \
        SIXTY_FOUR(f, 192)                                                                            \
  }
static const unsigned short classes[384] = ALL(CLASS);
static const int lowers[384] = ALL(TO_LOW), uppers[384] = ALL(TO_UP);
static const unsigned short* const class_table = classes + 128;
static const int *const lower_table = lowers + 128, *const upper_table = uppers + 128;
const unsigned short** __ctype_b_loc(void) { return (const unsigned short**)&class_table; }
const int** __ctype_tolower_loc(void) { return (const int**)&lower_table; }
const int** __ctype_toupper_loc(void) { return (const int**)&upper_table; }
static int has_class(int c, int bits) { return class_table[c] & bits; }
int isupper(int c) { return has_class(c, 256); }
int islower(int c) { return has_class(c, 512); }
int isalpha(int c) { return has_class(c, 1024); }
int isdigit(int c) { return c >= '0' && c <= '9'; }
int isxdigit(int c) { return has_class(c, 4096); }
int isspace(int c) { return has_class(c, 8192); }
int isprint(int c) { return has_class(c, 16384); }
int isgraph(int c) { return has_class(c, 32768); }
int iscntrl(int c) { return has_class(c, 2); }
int ispunct(int c) { return has_class(c, 4); }
int isalnum(int c) { return has_class(c, 8); }
int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

int getpid(void) { return 4711; }
long sysconf(int name) { return name == 84 || name == 83 ? 4 : name == 30 ? 4096 : -1; }

/* Reading a clock takes no step and lets one microsecond pass. */
static unsigned long read_clock(void) { return LANE->now += 1000; }
time_t time(time_t* to) {
  const time_t now = (time_t)(1000000000 + read_clock() / 1000000000);
  if (to != 0) *to = now;
  return now;
}
int gettimeofday(struct timeval* to, void* zone) {
  (void)zone;
  const unsigned long now = read_clock();
  to->tv_sec = (time_t)(1000000000 + now / 1000000000);
  to->tv_usec = (suseconds_t)(now / 1000 % 1000000);
  return 0;
}
int clock_gettime(clockid_t clock, struct timespec* to) {
  const unsigned long now = read_clock();
  to->tv_sec = (time_t)((clock == CLOCK_REALTIME ? 1000000000 : 0) + now / 1000000000);
  to->tv_nsec = (long)(now % 1000000000);
  return 0;
}
int timespec_get(struct timespec* to, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, to);
  return base;
}
clock_t clock(void) { return (clock_t)(read_clock() / 1000); }

static void sleep_for(unsigned long nanoseconds) {
  if (nanoseconds == 0) {
    snarl_lane_point(kOpYield, 0);
    return;
  }
  struct LaneThread* self = THREAD(SELF);
  snarl_wait_until(LANE->now + nanoseconds);
  BARRIER;
  snarl_lane_await(kOpSleep, 0, kLaneNever, 0, 0, 0);
  self->deadline = 0;
  self->woken = 0;
  BARRIER;
}
int usleep(unsigned microseconds) {
  sleep_for(microseconds * 1000ul);
  return 0;
}
unsigned sleep(unsigned seconds) {
  sleep_for(seconds * 1000000000ul);
  return 0;
}
int nanosleep(const struct timespec* want, struct timespec* left) {
  if (want->tv_nsec < 0 || want->tv_nsec >= 1000000000 || want->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  sleep_for((unsigned long)want->tv_sec * 1000000000ul + (unsigned long)want->tv_nsec);
  if (left != 0) left->tv_sec = left->tv_nsec = 0;
  return 0;
}
int sched_yield(void) {
  snarl_lane_point(kOpYield, 0);
  return 0;
}
int pthread_yield(void) {
  snarl_lane_point(kOpYield, 0);
  return 0;
}
