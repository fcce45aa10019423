// Prices of options by the formula of Black and Scholes: each thread has its part of them.
#include <math.h>

#include "crew.h"

enum { kOptions = 20 };
struct option {
  float spot, strike, rate, volatility, time;
  int is_put;
  float price;
};
struct part {
  int first;
};
static struct option options[kCrew * kOptions];

// The normal distribution by the usual polynomial of five terms.
static float normal(float x) {
  const float z = x < 0 ? -x : x, k = 1 / (1 + 0.2316419f * z);
  const float tail = 0.39894228f * expf(-0.5f * z * z) * k *
                     (0.31938153f + k * (-0.35656378f + k * (1.7814779f + k * (-1.8212560f + k * 1.3302744f))));
  return x < 0 ? tail : 1 - tail;
}

static void price(struct option* option) {
  const float spot = option->spot, strike = option->strike, rate = option->rate;
  const float volatility = option->volatility, time = option->time;
  const float spread = volatility * sqrtf(time);
  const float d1 = (logf(spot / strike) + (rate + 0.5f * volatility * volatility) * time) / spread;
  const float now = strike * expf(-rate * time);
  const float call = spot * normal(d1) - now * normal(d1 - spread);
  option->price = option->is_put ? call - spot + now : call;
}

static void* work(void* argument) {
  const int first = ((const struct part*)argument)->first;
  for (int i = first; i < first + kOptions; ++i) price(&options[i]);
  return 0;
}

int main(void) {
  struct part parts[kCrew];
  for (int i = 0; i < kCrew; ++i) parts[i].first = kOptions * i;
  for (int i = 0; i < kCrew * kOptions; ++i)
    options[i] = (struct option){50.f + input[i],
                                 60.f + input[i + 300],
                                 0.01f + (float)input[i + 600] / 4096,
                                 0.1f + (float)input[i + 700] / 512,
                                 0.25f + (float)input[i + 20] / 64,
                                 input[i + 40] & 1,
                                 0};
  crew(work, parts, sizeof *parts);
  unsigned long sum = 0;
  for (int i = 0; i < kCrew * kOptions; ++i) {
    union {
      float value;
      unsigned bits;
    } one = {.value = options[i].price};
    sum = sum * 31 + one.bits;
  }
  return answer(sum, 7535014530413839149u);
}
