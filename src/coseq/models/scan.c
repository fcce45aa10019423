/* scanf and its family. The front end turns a call's variable arguments into an array of eight-byte words. */
#include <string.h>

#include "coseq/models/intrinsics.h"

int fgetc(void* stream);
int ungetc(int c, void* stream);

enum { kEnd = -1, kWord = 400 };

double strtod(const char* text, char** end) {
  char word[kWord];
  const char* at = text;
  while (*at == ' ' || (*at >= '\t' && *at <= '\r')) ++at;
  unsigned n = 0, length = 0;
  for (; n + 1 < kWord && at[n] != 0 && at[n] != ' ' && at[n] != ','; ++n) word[n] = at[n];
  word[n] = 0;
  const double value = snarl_lane_parse(word, &length);
  BARRIER;
  if (end != 0) *end = (char*)(length == 0 ? text : at + length);
  return value;
}
float strtof(const char* text, char** end) { return (float)strtod(text, end); }
double atof(const char* text) { return strtod(text, 0); }

struct source {
  const char* text; /* 0: the stream */
  void* stream;
  size_t taken;
};

static int take(struct source* from) {
  int c;
  if (from->text != 0)
    c = *from->text == 0 ? kEnd : (unsigned char)*from->text++;
  else
    c = fgetc(from->stream);
  if (c != kEnd) ++from->taken;
  return c;
}
static void put_back(struct source* from, int c) {
  if (c == kEnd) return;
  --from->taken;
  if (from->text != 0)
    --from->text;
  else
    ungetc(c, from->stream);
}
static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int after_space(struct source* from) {
  int c = take(from);
  while (is_space(c)) c = take(from);
  return c;
}

static int value_of(int c) {
  if (c >= '0' && c <= '9') return c - '0';
  if ((c | 32) >= 'a' && (c | 32) <= 'z') return (c | 32) - 'a' + 10;
  return 99;
}
static void store(unsigned long to, unsigned long value, int size) {
  if (size == 8) *(unsigned long*)to = value;
  if (size == 4) *(unsigned*)to = (unsigned)value;
  if (size == 2) *(unsigned short*)to = (unsigned short)value;
  if (size == 1) *(unsigned char*)to = (unsigned char)value;
}

struct spec {
  int skips, size, width;
  char conversion;
};

static int read_integer(struct source* from, const struct spec* spec, unsigned long* value) {
  int base = spec->conversion == 'x' || spec->conversion == 'X' ? 16 : spec->conversion == 'o' ? 8 : 10;
  if (spec->conversion == 'i') base = 0;
  int c = after_space(from), left = spec->width == 0 ? kWord : spec->width, negative = 0, digits = 0;
  if (c == '-' || c == '+') negative = c == '-', c = take(from), --left;
  if ((base == 0 || base == 16) && c == '0' && left > 1) {
    c = take(from), --left, digits = 1;
    if ((c | 32) == 'x')
      base = 16, c = take(from), --left;
    else if (base == 0)
      base = 8;
  }
  if (base == 0) base = 10;
  *value = 0;
  for (; left > 0 && value_of(c) < base; --left, ++digits, c = left > 0 ? take(from) : kEnd)
    *value = *value * (unsigned)base + (unsigned)value_of(c);
  if (left > 0) put_back(from, c);
  if (negative) *value = -*value;
  return digits > 0;
}
static int read_double(struct source* from, const struct spec* spec, double* value) {
  char word[kWord];
  int n = 0, c = after_space(from), most = spec->width == 0 || spec->width >= kWord ? kWord - 1 : spec->width;
  while (n < most && c != kEnd && (value_of(c) < 99 || strchr("+-.", c) != 0)) {
    word[n++] = (char)c;
    c = n < most ? take(from) : kEnd;
  }
  put_back(from, c);
  word[n] = 0;
  char* end = word;
  *value = strtod(word, &end);
  return n > 0 && end != word;
}
/* [a-z] or [^a-z]: true if the character is in the set, and where the set ends. */
static int in_set(const char* set, int c, const char** end) {
  const int negated = *set == '^';
  const char* at = set + negated;
  int found = 0;
  for (int first = 1; *at != 0 && (first || *at != ']'); first = 0, ++at) {
    if (at[1] == '-' && at[2] != ']' && at[2] != 0) {
      found |= c >= (unsigned char)at[0] && c <= (unsigned char)at[2];
      at += 2;
    } else {
      found |= c == (unsigned char)*at;
    }
  }
  *end = at;
  return c != kEnd && found != negated;
}
static int read_text(struct source* from, const struct spec* spec, const char* set, char* to) {
  int c = spec->conversion == 's' ? after_space(from) : take(from), n = 0;
  const int most = spec->width != 0 ? spec->width : spec->conversion == 'c' ? 1 : 0x7fffffff;
  const char* end;
  while (n < most && c != kEnd) {
    if (spec->conversion == 's' && is_space(c)) break;
    if (spec->conversion == '[' && !in_set(set, c, &end)) break;
    if (to != 0) to[n] = (char)c;
    ++n;
    c = n < most ? take(from) : kEnd;
  }
  put_back(from, c);
  if (to != 0 && spec->conversion != 'c' && n > 0) to[n] = 0;
  return n > 0;
}

static const char* read_spec(const char* at, struct spec* spec) {
  spec->skips = *at == '*';
  at += spec->skips;
  for (spec->width = 0; *at >= '0' && *at <= '9'; ++at) spec->width = spec->width * 10 + (*at - '0');
  for (spec->size = 4;; ++at) {
    if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't' || *at == 'q')
      spec->size = 8;
    else if (*at == 'h')
      spec->size = spec->size == 2 ? 1 : 2;
    else
      break;
  }
  spec->conversion = *at;
  return at + 1;
}

/* One conversion. False: it does not fit what is there. */
static int convert(struct source* from, const struct spec* spec, const char* set, unsigned long to) {
  unsigned long number;
  double real;
  switch (spec->conversion) {
    case 'd':
    case 'i':
    case 'u':
    case 'x':
    case 'X':
    case 'o':
      if (!read_integer(from, spec, &number)) return 0;
      if (!spec->skips) store(to, number, spec->size);
      return 1;
    case 'f':
    case 'e':
    case 'g':
    case 'a':
      if (!read_double(from, spec, &real)) return 0;
      if (!spec->skips && spec->size == 8) *(double*)to = real;
      if (!spec->skips && spec->size != 8) *(float*)to = (float)real;
      return 1;
    case 's':
    case 'c':
    case '[': return read_text(from, spec, set, spec->skips ? 0 : (char*)to);
    default: return 0;
  }
}

static int scan(struct source* from, const char* at, const unsigned long* to) {
  int made = 0;
  while (*at != 0) {
    if (is_space(*at)) {
      put_back(from, after_space(from));
      ++at;
      continue;
    }
    if (*at != '%' || at[1] == '%') {
      const int c = *at == '%' ? after_space(from) : take(from);
      at += *at == '%' ? 2 : 1;
      if (c == (unsigned char)at[-1]) continue;
      put_back(from, c);
      return made == 0 && c == kEnd ? kEnd : made;
    }
    struct spec spec;
    at = read_spec(at + 1, &spec);
    if (spec.conversion == 'n') {
      store(*to++, from->taken, spec.size);
      continue;
    }
    const char* set = at;
    if (spec.conversion == '[') {
      in_set(set, 0, &at);
      if (*at == ']') ++at;
    }
    const int first = spec.conversion == 'c' || spec.conversion == '[' ? take(from) : after_space(from);
    put_back(from, first);
    if (first == kEnd) return made == 0 ? kEnd : made;
    if (!convert(from, &spec, set, spec.skips ? 0 : *to)) return made;
    if (!spec.skips) ++made, ++to;
  }
  return made;
}

int snarl___isoc99_sscanf(const char* text, const char* format, const unsigned long* arguments) {
  struct source from = {text, 0, 0};
  return scan(&from, format, arguments);
}
int snarl___isoc99_fscanf(void* stream, const char* format, const unsigned long* arguments) {
  struct source from = {0, stream, 0};
  return scan(&from, format, arguments);
}
int snarl___isoc99_scanf(const char* format, const unsigned long* arguments) {
  return snarl___isoc99_fscanf((void*)16, format, arguments);
}
int snarl_sscanf(const char* text, const char* format, const unsigned long* arguments) {
  return snarl___isoc99_sscanf(text, format, arguments);
}
int snarl_fscanf(void* stream, const char* format, const unsigned long* arguments) {
  return snarl___isoc99_fscanf(stream, format, arguments);
}
int snarl_scanf(const char* format, const unsigned long* arguments) { return snarl___isoc99_scanf(format, arguments); }
