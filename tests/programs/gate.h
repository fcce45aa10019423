// Runs `act` in a second thread, but only in schedules where that thread comes between two steps of
// main: a program that always failed would be refused before any schedule is tried. Natively the
// window is tiny; with `random` about three schedules in ten hit it.
#pragma once
#include <pthread.h>

static pthread_mutex_t gate_mutex = PTHREAD_MUTEX_INITIALIZER;
static int gate_phase;
static void (*gate_act)(void);

static void* gate_thread(void* arg) {
  pthread_mutex_lock(&gate_mutex);
  int between = gate_phase == 1;
  pthread_mutex_unlock(&gate_mutex);
  if (between) gate_act();
  return arg;
}

static void gate_step(void) {
  pthread_mutex_lock(&gate_mutex);
  ++gate_phase;
  pthread_mutex_unlock(&gate_mutex);
}

static int run_gated(void (*act)(void)) {
  gate_act = act;
  pthread_t thread;
  pthread_create(&thread, NULL, gate_thread, NULL);
  gate_step();
  gate_step();
  pthread_join(thread, NULL);
  return 0;
}
