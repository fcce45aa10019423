// Which words of a text are among four that are known only encrypted: each thread encrypts its words and compares.
#include "crew.h"

enum { kWords = 10, kLetters = 6 };
static unsigned char secret[4][kLetters];
static int found[4];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct part {
  const unsigned char* text;
  unsigned char word[kLetters];
};

static void encrypt(const unsigned char* word, unsigned char* to) {
  for (int i = 0; i < kLetters; ++i) to[i] = (unsigned char)((word[i] & 3) + 5);
}

static void* work(void* argument) {
  struct part* part = argument;
  const unsigned char* text = part->text;
  for (int word = 0; word < kWords; ++word, text += kLetters) {
    encrypt(text, part->word);
    for (int key = 0; key < 4; ++key) {
      int same = 0;
      while (same < kLetters && part->word[same] == secret[key][same]) ++same;
      if (same < kLetters) continue;
      pthread_mutex_lock(&mutex);
      ++found[key];
      pthread_mutex_unlock(&mutex);
    }
  }
  return 0;
}

int main(void) {
  struct part* parts = calloc(kCrew, sizeof *parts);
  for (int key = 0; key < 4; ++key) encrypt(input + 60 * key + 6, secret[key]);
  for (int i = 0; i < kCrew; ++i) parts[i].text = input + kWords * kLetters * i;
  crew(work, parts, sizeof *parts);
  unsigned long sum = 0;
  for (int key = 0; key < 4; ++key) sum = sum * 31 + (unsigned)found[key];
  free(parts);
  return answer(sum, 209723u);
}
