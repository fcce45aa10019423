/* printf and its family. The front end turns a call's variable arguments into an array of eight-byte words. */
#include "coseq/models/intrinsics.h"

typedef unsigned long size_t;
size_t strlen(const char* text);
size_t strnlen(const char* text, size_t most);

static void* const none = 0;
void *stdin = (void*)0x10, *stdout = (void*)0x11, *stderr = (void*)0x12;

struct sink {
  char* to;
  size_t room, used;
};

static void put_one(struct sink* sink, char c) {
  if (sink->used < sink->room) sink->to[sink->used] = c;
  ++sink->used;
}
static void put_many(struct sink* sink, const char* text, size_t n) {
  for (size_t i = 0; i < n; ++i) put_one(sink, text[i]);
}
static void pad(struct sink* sink, char with, long n) {
  while (n-- > 0) put_one(sink, with);
}

struct spec {
  int left, plus, blank, alternate, zero, has_precision, length; /* length: bytes of an integer */
  long width, precision;
  char conversion;
};

static void put_padded(struct sink* sink, const struct spec* spec, const char* prefix, const char* body, size_t n,
                       long zeros) {
  const long all = (long)strlen(prefix) + (long)n + (zeros > 0 ? zeros : 0);
  if (!spec->left) pad(sink, ' ', spec->width - all);
  put_many(sink, prefix, strlen(prefix));
  pad(sink, '0', zeros);
  put_many(sink, body, n);
  if (spec->left) pad(sink, ' ', spec->width - all);
}

static void put_integer(struct sink* sink, const struct spec* spec, unsigned long word) {
  char digits[24];
  int n = 0;
  const char* prefix = "";
  const int is_signed = spec->conversion == 'd' || spec->conversion == 'i';
  const int shift = 64 - 8 * spec->length;
  if (is_signed) {
    long value = (long)(word << shift) >> shift;
    prefix = value < 0 ? "-" : spec->plus ? "+" : spec->blank ? " " : "";
    word = value < 0 ? -(unsigned long)value : (unsigned long)value;
  } else {
    word = word << shift >> shift;
  }
  const unsigned base = spec->conversion == 'o' ? 8 : is_signed || spec->conversion == 'u' ? 10 : 16;
  const char* letters = spec->conversion == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  if (spec->alternate && base == 16 && word != 0) prefix = spec->conversion == 'X' ? "0X" : "0x";
  if (word == 0 && !(spec->has_precision && spec->precision == 0)) digits[sizeof digits - ++n] = '0';
  for (; word != 0; word /= base) digits[sizeof digits - (size_t)++n] = letters[word % base];
  long zeros = spec->has_precision ? spec->precision - n : 0;
  if (spec->alternate && base == 8 && zeros <= 0 && (n == 0 || digits[sizeof digits - (size_t)n] != '0')) zeros = 1;
  if (spec->zero && !spec->left && !spec->has_precision) zeros = spec->width - n - (long)strlen(prefix);
  put_padded(sink, spec, prefix, digits + sizeof digits - n, (size_t)n, zeros);
}

static void put_double(struct sink* sink, const struct spec* spec, unsigned long word) {
  char format[48], text[400];
  struct sink f = {format, sizeof format, 0};
  put_one(&f, '%');
  if (spec->left) put_one(&f, '-');
  if (spec->plus) put_one(&f, '+');
  if (spec->blank) put_one(&f, ' ');
  if (spec->alternate) put_one(&f, '#');
  if (spec->zero) put_one(&f, '0');
  struct spec plain = {0, 0, 0, 0, 0, 0, 8, 0, 0, 'd'};
  if (spec->width > 0) put_integer(&f, &plain, (unsigned long)spec->width);
  if (spec->has_precision) {
    put_one(&f, '.');
    put_integer(&f, &plain, (unsigned long)spec->precision);
  }
  put_one(&f, spec->conversion);
  put_one(&f, 0);
  double value;
  snarl_lane_copy(&value, &word, sizeof value);
  put_many(sink, text, snarl_lane_format(text, sizeof text, format, value));
}

static const char* read_spec(const char* at, struct spec* spec, const unsigned long** arguments) {
  for (;; ++at) {
    if (*at == '-')
      spec->left = 1;
    else if (*at == '+')
      spec->plus = 1;
    else if (*at == ' ')
      spec->blank = 1;
    else if (*at == '#')
      spec->alternate = 1;
    else if (*at == '0')
      spec->zero = 1;
    else
      break;
  }
  if (*at == '*') {
    spec->width = (int)*(*arguments)++;
    if (spec->width < 0) spec->left = 1, spec->width = -spec->width;
    ++at;
  }
  while (*at >= '0' && *at <= '9') spec->width = spec->width * 10 + (*at++ - '0');
  if (*at == '.') {
    spec->has_precision = 1;
    if (*++at == '*') {
      spec->precision = (int)*(*arguments)++;
      if (spec->precision < 0) spec->has_precision = 0;
      ++at;
    }
    while (*at >= '0' && *at <= '9') spec->precision = spec->precision * 10 + (*at++ - '0');
  }
  spec->length = 4;
  for (;; ++at) {
    if (*at == 'l' || *at == 'z' || *at == 'j' || *at == 't' || *at == 'q')
      spec->length = 8;
    else if (*at == 'h')
      spec->length = spec->length == 2 ? 1 : 2;
    else
      break;
  }
  spec->conversion = *at;
  return at + 1;
}

static size_t format_all(struct sink* sink, const char* at, const unsigned long* arguments) {
  while (*at != 0) {
    if (*at != '%') {
      put_one(sink, *at++);
      continue;
    }
    struct spec spec = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    at = read_spec(at + 1, &spec, &arguments);
    switch (spec.conversion) {
      case 'd':
      case 'i':
      case 'u':
      case 'x':
      case 'X':
      case 'o': put_integer(sink, &spec, *arguments++); break;
      case 'p':
        spec.alternate = 1, spec.length = 8, spec.conversion = 'x';
        if (*arguments == 0)
          put_padded(sink, &spec, "", "(nil)", 5, 0), ++arguments;
        else
          put_integer(sink, &spec, *arguments++);
        break;
      case 'c': {
        const char c = (char)*arguments++;
        put_padded(sink, &spec, "", &c, 1, 0);
        break;
      }
      case 's': {
        const char* text = (const char*)*arguments++;
        if (text == 0) text = "(null)";
        put_padded(sink, &spec, "", text, spec.has_precision ? strnlen(text, (size_t)spec.precision) : strlen(text), 0);
        break;
      }
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': put_double(sink, &spec, *arguments++); break;
      case '%': put_one(sink, '%'); break;
      default: return sink->used;
    }
  }
  return sink->used;
}

static struct sink begin_output(void* stream) {
  snarl_lane_point(kOpLock, 0);
  struct sink sink = {(char*)(unsigned long)kLaneOutput + LANE->output, 0, 0};
  if (stream == stdout) sink.room = kLaneOutputSize - LANE->output;
  return sink;
}
static int end_output(const struct sink* sink) {
  if (sink->room != 0) LANE->output += (unsigned)(sink->used < sink->room ? sink->used : sink->room);
  BARRIER;
  return (int)sink->used;
}

int snarl_printf(const char* format, const unsigned long* arguments) {
  struct sink sink = begin_output(stdout);
  format_all(&sink, format, arguments);
  return end_output(&sink);
}
int snarl_fprintf(void* stream, const char* format, const unsigned long* arguments) {
  struct sink sink = begin_output(stream);
  format_all(&sink, format, arguments);
  return end_output(&sink);
}
int snarl_dprintf(int fd, const char* format, const unsigned long* arguments) {
  return snarl_fprintf(fd == 1 ? stdout : stderr, format, arguments);
}
int snarl_snprintf(char* to, size_t room, const char* format, const unsigned long* arguments) {
  struct sink sink = {to, room == 0 ? 0 : room - 1, 0};
  format_all(&sink, format, arguments);
  if (room != 0) to[sink.used < room ? sink.used : room - 1] = 0;
  return (int)sink.used;
}
int snarl_sprintf(char* to, const char* format, const unsigned long* arguments) {
  return snarl_snprintf(to, 0x7fffffff, format, arguments);
}
int fputs(const char* text, void* stream) {
  struct sink sink = begin_output(stream);
  put_many(&sink, text, strlen(text));
  end_output(&sink);
  return 1;
}
int puts(const char* text) {
  struct sink sink = begin_output(stdout);
  put_many(&sink, text, strlen(text));
  put_one(&sink, '\n');
  end_output(&sink);
  return 1;
}
int fputc(int c, void* stream) {
  struct sink sink = begin_output(stream);
  put_one(&sink, (char)c);
  end_output(&sink);
  return c & 0xff;
}
int putc(int c, void* stream) { return fputc(c, stream); }
int putchar(int c) { return fputc(c, stdout); }
size_t fwrite(const void* from, size_t size, size_t count, void* stream) {
  struct sink sink = begin_output(stream);
  put_many(&sink, from, size * count);
  end_output(&sink);
  return count;
}
long write(int fd, const void* from, size_t size) { return (long)fwrite(from, 1, size, fd == 1 ? stdout : stderr); }
int fflush(void* stream) {
  (void)stream;
  return 0;
}
int setvbuf(void* stream, char* buffer, int mode, size_t size) {
  (void)stream;
  (void)buffer;
  (void)mode;
  (void)size;
  return 0;
}
void setbuf(void* stream, char* buffer) {
  (void)stream;
  (void)buffer;
}
void perror(const char* text) {
  fputs(text == none ? "" : text, stderr);
  fputs(": error\n", stderr);
}
