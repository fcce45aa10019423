// Reads a file, the standard input and the environment in every way that lanes have; what it prints is compared with
// the native program's output.
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* name;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long sum;

static void* count(void* unused) {
  (void)unused;
  const int fd = open(name, O_RDONLY);
  struct stat about;
  fstat(fd, &about);
  const char* text = mmap(0, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  long mine = 0;
  for (long i = 0; i < about.st_size; ++i) mine += text[i];
  munmap((void*)text, (size_t)about.st_size);
  close(fd);
  pthread_mutex_lock(&lock);
  sum += mine;
  pthread_mutex_unlock(&lock);
  return 0;
}

static void by_lines(FILE* file) {
  char* line = 0;
  size_t room = 0;
  for (long n = getline(&line, &room, file); n > 0; n = getline(&line, &room, file)) printf("%ld %s", n, line);
  printf("[%d]\n", feof(file));
  free(line);
  rewind(file);
  char small[8];
  while (fgets(small, sizeof small, file) != 0) printf("<%s>", small);
  fseek(file, 2, SEEK_SET);
  const int third = fgetc(file), fourth = getc(file);
  printf("%c%c %ld\n", third, fourth, ftell(file));
}

static void by_scanning(void) {
  char word[20], set[20], one;
  int a = -1, b = -1, n = 0;
  unsigned hex = 0;
  long big = 0;
  double real = 0;
  float small = 0;
  int made = scanf("%19s %d , %i%n", word, &a, &b, &n);
  printf("%d %s %d %d %d\n", made, word, a, b, n);
  made = scanf("%x %ld %lf %f %c %[a-c]", &hex, &big, &real, &small, &one, set);
  printf("%d %x %ld %.17g %.9g %c %s\n", made, hex, big, real, small, one, set);
  made = scanf("%d", &a);
  printf("%d %d\n", made, a);
  printf("%d\n", scanf("%19s", word));
  printf("%d\n", scanf("%19s", word));
  made = sscanf("7:8", "%d:%d", &a, &b);
  printf("%d %d\n", made, a * 10 + b);
  printf("%.17g %.17g %.17g\n", strtod("1e-3x", 0), atof(" -12.5"), strtod("0x1p4", 0));
}

int main(int count_of, char** words) {
  if (count_of != 2) return 2;
  name = words[1];
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  printf("%ld\n", sum);
  FILE* file = fopen(name, "r");
  by_lines(file);
  fclose(file);
  by_scanning();
  printf("%s %s\n", getenv("COLOUR"), getenv("NO_SUCH") == 0 ? "none" : "some");
  printf("%d\n", fopen("no/such/file", "r") == 0);
  return 0;
}
