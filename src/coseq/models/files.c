/* Files, the standard input and the environment: what the host has put into the lane beforehand. A stream is 16 + its
 * descriptor. What is written anywhere but to the standard output is dropped. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "coseq/models/intrinsics.h"

#define DIRECTORY ((const struct LaneInputs*)(unsigned long)kLaneInputs)
#define DESCRIPTORS 64
#define EOF (-1)
enum { kClosed = 0, kReads, kDrops };

void* malloc(size_t size);
void* realloc(void* pointer, size_t size);
void free(void* pointer);

static struct open_file {
  int state; /* 0 is open without further ado: see at() */
  unsigned file;
  size_t position;
  int ended, failed;
} table[DESCRIPTORS];
static int standard_is_open;

static struct open_file* at(int fd) {
  if (!standard_is_open) {
    standard_is_open = 1;
    table[0].state = kReads;
    table[1].state = table[2].state = kDrops;
  }
  if (fd < 0 || fd >= DESCRIPTORS || table[fd].state == kClosed) {
    errno = EBADF;
    return 0;
  }
  return &table[fd];
}
static int fd_of(void* stream) { return (int)(unsigned long)stream - 16; }
static const char* bytes_of(const struct open_file* f) {
  return (const char*)(unsigned long)DIRECTORY->file[f->file].at;
}
static size_t size_of(const struct open_file* f) { return DIRECTORY->file[f->file].size; }

/* The number of the file of that name, or -1. */
static int find(const char* name) {
  for (unsigned i = 0; i < DIRECTORY->files; ++i)
    if (strcmp((const char*)(unsigned long)DIRECTORY->file[i].name, name) == 0) return (int)i;
  errno = ENOENT;
  return -1;
}

int snarl_open(const char* name, int flags, const unsigned long* arguments) {
  (void)arguments;
  at(0);
  const int writes = (flags & O_ACCMODE) != O_RDONLY, file = writes ? 0 : find(name);
  if (file < 0) return -1;
  for (int fd = 0; fd < DESCRIPTORS; ++fd)
    if (table[fd].state == kClosed) {
      table[fd] = (struct open_file){writes ? kDrops : kReads, (unsigned)file, 0, 0, 0};
      BARRIER;
      return fd;
    }
  errno = EMFILE;
  return -1;
}
int snarl_open64(const char* name, int flags, const unsigned long* arguments) {
  return snarl_open(name, flags, arguments);
}
int close(int fd) {
  struct open_file* f = at(fd);
  if (f == 0) return -1;
  f->state = kClosed;
  BARRIER;
  return 0;
}

static size_t take(struct open_file* f, void* to, size_t size) {
  const size_t left = f->state == kReads && f->position < size_of(f) ? size_of(f) - f->position : 0;
  const size_t n = size < left ? size : left;
  snarl_lane_copy(to, bytes_of(f) + f->position, n);
  f->position += n;
  BARRIER;
  return n;
}
long read(int fd, void* to, size_t size) {
  struct open_file* f = at(fd);
  return f == 0 ? -1 : (long)take(f, to, size);
}
long pread(int fd, void* to, size_t size, long offset) {
  struct open_file* f = at(fd);
  if (f == 0) return -1;
  struct open_file there = *f;
  there.position = (size_t)offset;
  return (long)take(&there, to, size);
}
long lseek(int fd, long offset, int whence) {
  struct open_file* f = at(fd);
  if (f == 0) return -1;
  const long from = whence == 0 ? 0 : whence == 1 ? (long)f->position : (long)size_of(f);
  if (from + offset < 0) {
    errno = EINVAL;
    return -1;
  }
  f->position = (size_t)(from + offset);
  f->ended = 0;
  BARRIER;
  return from + offset;
}
static void describe(struct stat* to, unsigned file, int is_file) {
  memset(to, 0, sizeof *to);
  to->st_mode = is_file ? S_IFREG | 0444 : S_IFCHR | 0666;
  to->st_size = is_file ? (long)DIRECTORY->file[file].size : 0;
  to->st_blksize = 4096;
  to->st_nlink = 1;
  to->st_ino = file + 1;
}
int fstat(int fd, struct stat* to) {
  const struct open_file* f = at(fd);
  if (f == 0) return -1;
  describe(to, f->file, f->state == kReads);
  return 0;
}
int stat(const char* name, struct stat* to) {
  const int file = find(name);
  if (file >= 0) describe(to, (unsigned)file, 1);
  return file < 0 ? -1 : 0;
}
int access(const char* name, int how) {
  if (find(name) < 0) return -1;
  if ((how & 2) == 0) return 0;
  errno = EACCES;
  return -1;
}

/* A file to be read lies in memory already; a private copy and what has no file come from the heap. */
void* mmap(void* where, size_t size, int protection, int flags, int fd, long offset) {
  (void)where;
  const struct open_file* f = flags & MAP_ANONYMOUS ? 0 : at(fd);
  if (f == 0 && !(flags & MAP_ANONYMOUS)) return MAP_FAILED;
  if (f != 0 && f->state != kReads) {
    errno = EACCES;
    return MAP_FAILED;
  }
  if (f != 0 && !(protection & PROT_WRITE)) return (void*)(bytes_of(f) + offset);
  char* copy = malloc(size);
  if (copy == 0) return MAP_FAILED;
  memset(copy, 0, size);
  const size_t left = f == 0 || (size_t)offset > size_of(f) ? 0 : size_of(f) - (size_t)offset;
  if (f != 0) snarl_lane_copy(copy, bytes_of(f) + offset, left < size ? left : size);
  return copy;
}
int munmap(void* memory, size_t size) {
  (void)size;
  if ((unsigned)(unsigned long)memory < kLaneInputs) free(memory);
  return 0;
}
int madvise(void* memory, size_t size, int advice) {
  (void)memory;
  (void)size;
  (void)advice;
  return 0;
}

static struct open_file* reader(void* stream) {
  snarl_lane_point(kOpLock, 0);
  return at(fd_of(stream));
}
void* fopen(const char* name, const char* mode) {
  const int fd = snarl_open(name, mode[0] == 'r' && strchr(mode, '+') == 0 ? O_RDONLY : O_WRONLY, 0);
  return fd < 0 ? 0 : (void*)(unsigned long)(fd + 16);
}
void* fdopen(int fd, const char* mode) {
  (void)mode;
  return at(fd) == 0 ? 0 : (void*)(unsigned long)(fd + 16);
}
int fclose(void* stream) { return close(fd_of(stream)); }
int fileno(void* stream) { return fd_of(stream); }
int feof(void* stream) { return at(fd_of(stream)) != 0 && at(fd_of(stream))->ended; }
int ferror(void* stream) { return at(fd_of(stream)) == 0 || at(fd_of(stream))->failed; }
void clearerr(void* stream) {
  struct open_file* f = at(fd_of(stream));
  if (f != 0) f->ended = f->failed = 0;
}

static int next(struct open_file* f) {
  if (f == 0) return EOF;
  if (f->state != kReads || f->position >= size_of(f)) {
    f->ended = 1;
    return EOF;
  }
  return (unsigned char)bytes_of(f)[f->position++];
}
int fgetc(void* stream) {
  const int c = next(reader(stream));
  BARRIER;
  return c;
}
int getc(void* stream) { return fgetc(stream); }
int getchar(void) { return fgetc((void*)16); }
int ungetc(int c, void* stream) {
  struct open_file* f = at(fd_of(stream));
  if (f == 0 || c == EOF || f->position == 0 || (unsigned char)bytes_of(f)[f->position - 1] != (unsigned char)c)
    return EOF; /* only what was read can be put back */
  --f->position;
  f->ended = 0;
  BARRIER;
  return c;
}
char* fgets(char* to, int size, void* stream) {
  struct open_file* f = reader(stream);
  int n = 0;
  while (n + 1 < size) {
    const int c = next(f);
    if (c == EOF) break;
    to[n++] = (char)c;
    if (c == '\n') break;
  }
  if (n == 0) return 0;
  to[n] = 0;
  BARRIER;
  return to;
}
size_t fread(void* to, size_t size, size_t count, void* stream) {
  struct open_file* f = reader(stream);
  if (f == 0 || size == 0) return 0;
  const size_t n = take(f, to, size * count);
  if (n < size * count) f->ended = 1;
  BARRIER;
  return n / size;
}
long getdelim(char** line, size_t* room, int end, void* stream) {
  struct open_file* f = reader(stream);
  size_t n = 0;
  for (int c = next(f); c != EOF; c = next(f)) {
    if (*line == 0 || n + 2 > *room) {
      *room = n < 60 ? 120 : 2 * n;
      *line = realloc(*line, *room);
    }
    (*line)[n++] = (char)c;
    if (c == end) break;
  }
  if (n == 0) return -1;
  (*line)[n] = 0;
  BARRIER;
  return (long)n;
}
long getline(char** line, size_t* room, void* stream) { return getdelim(line, room, '\n', stream); }
int fseek(void* stream, long offset, int whence) { return lseek(fd_of(stream), offset, whence) < 0 ? -1 : 0; }
long ftell(void* stream) { return lseek(fd_of(stream), 0, 1); }
void rewind(void* stream) { fseek(stream, 0, 0); }

char* getenv(const char* name) {
  const size_t length = strlen(name);
  for (unsigned i = 0; i < DIRECTORY->variables; ++i) {
    char* variable = (char*)(unsigned long)DIRECTORY->variable[i];
    if (strncmp(variable, name, length) == 0 && variable[length] == '=') return variable + length + 1;
  }
  return 0;
}
char* secure_getenv(const char* name) { return getenv(name); }
