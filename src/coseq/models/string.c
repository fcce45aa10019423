/* string.h. A call is one step, as a memcpy is. */
#include "coseq/models/intrinsics.h"

typedef unsigned long size_t;
void* malloc(size_t size);

size_t strlen(const char* text) {
  size_t n = 0;
  while (text[n] != 0) ++n;
  return n;
}
size_t strnlen(const char* text, size_t most) {
  size_t n = 0;
  while (n < most && text[n] != 0) ++n;
  return n;
}
int strcmp(const char* a, const char* b) {
  while (*a != 0 && *a == *b) ++a, ++b;
  return (unsigned char)*a - (unsigned char)*b;
}
int strncmp(const char* a, const char* b, size_t n) {
  while (n > 1 && *a != 0 && *a == *b) ++a, ++b, --n;
  return n == 0 ? 0 : (unsigned char)*a - (unsigned char)*b;
}
static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
int strcasecmp(const char* a, const char* b) {
  while (*a != 0 && lower(*a) == lower(*b)) ++a, ++b;
  return lower((unsigned char)*a) - lower((unsigned char)*b);
}
int strncasecmp(const char* a, const char* b, size_t n) {
  while (n > 1 && *a != 0 && lower(*a) == lower(*b)) ++a, ++b, --n;
  return n == 0 ? 0 : lower((unsigned char)*a) - lower((unsigned char)*b);
}
char* strcpy(char* to, const char* from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++] != 0);
  return to;
}
char* stpcpy(char* to, const char* from) { return strcpy(to, from) + strlen(from); }
char* strncpy(char* to, const char* from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i] != 0; ++i) to[i] = from[i];
  for (; i < n; ++i) to[i] = 0;
  return to;
}
char* strcat(char* to, const char* from) {
  strcpy(to + strlen(to), from);
  return to;
}
char* strncat(char* to, const char* from, size_t n) {
  char* end = to + strlen(to);
  while (n-- != 0 && *from != 0) *end++ = *from++;
  *end = 0;
  return to;
}
char* strchr(const char* text, int c) {
  for (;; ++text) {
    if (*text == (char)c) return (char*)text;
    if (*text == 0) return 0;
  }
}
char* strrchr(const char* text, int c) {
  const char* found = 0;
  for (;; ++text) {
    if (*text == (char)c) found = text;
    if (*text == 0) return (char*)found;
  }
}
char* strstr(const char* text, const char* part) {
  const size_t n = strlen(part);
  for (;; ++text) {
    if (strncmp(text, part, n) == 0) return (char*)text;
    if (*text == 0) return 0;
  }
}
char* strdup(const char* text) {
  const size_t n = strlen(text) + 1;
  char* copy = malloc(n);
  if (copy != 0) snarl_lane_copy(copy, text, n);
  return copy;
}
char* strndup(const char* text, size_t most) {
  const size_t n = strnlen(text, most);
  char* copy = malloc(n + 1);
  if (copy == 0) return 0;
  snarl_lane_copy(copy, text, n);
  copy[n] = 0;
  return copy;
}
size_t strspn(const char* text, const char* set) {
  size_t n = 0;
  while (text[n] != 0 && strchr(set, text[n]) != 0) ++n;
  return n;
}
size_t strcspn(const char* text, const char* set) {
  size_t n = 0;
  while (text[n] != 0 && strchr(set, text[n]) == 0) ++n;
  return n;
}
char* strpbrk(const char* text, const char* set) {
  text += strcspn(text, set);
  return *text == 0 ? 0 : (char*)text;
}
char* strtok_r(char* text, const char* set, char** rest) {
  if (text == 0) text = *rest;
  text += strspn(text, set);
  if (*text == 0) return *rest = text, (char*)0;
  char* end = text + strcspn(text, set);
  *rest = *end == 0 ? end : end + 1;
  *end = 0;
  return text;
}
static char* token_rest;
char* strtok(char* text, const char* set) { return strtok_r(text, set, &token_rest); }
int memcmp(const void* a, const void* b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; ++i)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}
int bcmp(const void* a, const void* b, size_t n) { return memcmp(a, b, n); }
void* memchr(const void* text, int c, size_t n) {
  const unsigned char* x = text;
  for (size_t i = 0; i < n; ++i)
    if (x[i] == (unsigned char)c) return (void*)(x + i);
  return 0;
}
void bzero(void* to, size_t n) { snarl_lane_fill(to, 0, n); }
void* memcpy(void* to, const void* from, size_t n) {
  snarl_lane_copy(to, from, n);
  return to;
}
void* memmove(void* to, const void* from, size_t n) {
  snarl_lane_copy(to, from, n);
  return to;
}
void* memset(void* to, int byte, size_t n) {
  snarl_lane_fill(to, byte, n);
  return to;
}
