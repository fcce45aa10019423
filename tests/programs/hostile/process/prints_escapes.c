// Terminal escapes in a thread's name, on stderr and in the text of a failed assertion.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>

#include "../../gate.h"

static void act(void) {
  pthread_setname_np(pthread_self(), "\033[31mred\a\r");
  fputs("\033]0;title\a\033[2Jstderr\n", stderr);
  __assert_fail("\033[31mvalue\033[0m > \x01 0", "esc\033[1mape.c", 7, "act\b\b\b");
}

int main(void) { return run_gated(act); }
