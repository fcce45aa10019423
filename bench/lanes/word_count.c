// How often each word is in a text: each thread keeps a sorted list of its words, and main merges the lists.
#include "crew.h"

enum { kWords = 20 };
struct entry {
  unsigned char word, count;
};
struct part {
  const unsigned char* text;
  int used;
  struct entry list[kWords];
};

// A word is two letters.
static unsigned char word_at(const unsigned char* text) { return (unsigned char)((text[0] & 7) << 3 | (text[1] & 7)); }

static void insert(struct part* part, unsigned char word, unsigned char count) {
  int low = 0, high = part->used;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (part->list[middle].word < word)
      low = middle + 1;
    else
      high = middle;
  }
  if (low < part->used && part->list[low].word == word) {
    part->list[low].count = (unsigned char)(part->list[low].count + count);
    return;
  }
  for (int i = part->used++; i > low; --i) part->list[i] = part->list[i - 1];
  part->list[low].word = word;
  part->list[low].count = count;
}

static void* work(void* argument) {
  struct part* part = argument;
  const unsigned char* text = part->text;
  for (int i = 0; i < kWords; ++i, text += 2) insert(part, word_at(text), 1);
  return 0;
}

int main(void) {
  struct part* parts = calloc(kCrew, sizeof *parts);
  for (int i = 0; i < kCrew; ++i) parts[i].text = input + 2 * kWords * i;
  crew(work, parts, sizeof *parts);
  unsigned counts[64] = {};
  for (int i = 0; i < kCrew; ++i)
    for (int j = 0; j < parts[i].used; ++j) counts[parts[i].list[j].word] += parts[i].list[j].count;
  unsigned long sum = 0;
  for (int word = 0; word < 64; ++word) sum = sum * 31 + counts[word];
  free(parts);
  return answer(sum, 627367049035607556u);
}
