/* A policy of one's own: threads take turns, so many steps each, and now and then one loses its turn.
   Build and use it:
     cc -O2 -shared -fPIC -I include examples/policy/round_robin.c -o round_robin.so
     snarl run -p ./round_robin.so:3 -- ./program          (three steps each)
     snarl run -p ./round_robin.so:3,0 -- ./program        (nobody loses a turn: there is one schedule) */
#include <snarl/policy.h>

struct state {
  uint64_t slice;     /* steps of a turn */
  uint64_t turn_ends; /* the turn of the running thread ends at this step */
};

/* One in so many loses its turn; 0: nobody does. */
static uint64_t one_in(const struct snarl_run* run) {
  return run->value_count > 1 && run->values[1] >= 0 ? (uint64_t)run->values[1] : 4;
}

static uint32_t turns(const struct snarl_run* run) { return one_in(run) == 0 ? 1 : 0; }

static void begin(void* memory, const struct snarl_run* run) {
  struct state* state = memory;
  state->slice = run->value_count > 0 && run->values[0] >= 1 ? (uint64_t)run->values[0] : 1;
}

/* The enabled thread that comes next in order of creation, going round. */
static uint32_t next_after(const struct snarl_view* view, int64_t ordinal) {
  uint32_t first = view->count, next = view->count;
  for (uint32_t i = 0; i < view->count; ++i) {
    const struct snarl_thread* t = &view->threads[i];
    if (!t->enabled) continue;
    if (first == view->count || t->ordinal < view->threads[first].ordinal) first = i;
    if ((int64_t)t->ordinal > ordinal && (next == view->count || t->ordinal < view->threads[next].ordinal)) next = i;
  }
  return next != view->count ? next : first;
}

static uint32_t decide(void* memory, const struct snarl_run* run, const struct snarl_view* view) {
  struct state* state = memory;
  const int can_stay = view->last >= 0 && view->threads[view->last].enabled;
  if (can_stay && view->step < state->turn_ends) return (uint32_t)view->last;
  uint32_t chosen = next_after(view, view->last >= 0 ? (int64_t)view->threads[view->last].ordinal : -1);
  const int loses = one_in(run) != 0 && run->random(run, one_in(run)) == 0;
  if (loses) chosen = next_after(view, view->threads[chosen].ordinal);
  state->turn_ends = view->step + state->slice;
  return chosen;
}

struct snarl_policy snarl_policy_entry = {SNARL_POLICY_ABI, sizeof(struct state), begin, decide, turns};
