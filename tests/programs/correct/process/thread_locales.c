// snarl: correct
// A locale that a thread has chosen for itself ends with it: neither the others have it, nor the next thread.
#define _GNU_SOURCE
#include <assert.h>
#include <locale.h>
#include <pthread.h>

static void* choose(void* locale) {
  assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  assert(uselocale((locale_t)locale) == LC_GLOBAL_LOCALE);
  assert(uselocale((locale_t)0) == (locale_t)locale);
  return NULL;
}

static void* look(void* arg) {
  assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  return arg;
}

int main(void) {
  locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  assert(locale != (locale_t)0);
  for (int round = 0; round < 3; ++round) {
    pthread_t chooser, looker;
    assert(pthread_create(&chooser, NULL, choose, locale) == 0);
    assert(pthread_create(&looker, NULL, look, NULL) == 0);
    assert(pthread_join(chooser, NULL) == 0);
    assert(pthread_join(looker, NULL) == 0);
    assert(uselocale((locale_t)0) == LC_GLOBAL_LOCALE);
  }
  freelocale(locale);
  return 0;
}
