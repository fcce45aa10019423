// Raytracer (1,600 lines): each thread adds its part to the picture's checksum, in two accesses.
#include "shared.h"

static Shared<long> checksum;
static Way<26> scene;
static Way<48> camera;

static NOISE_INLINE void add(long part) {
  const long before = checksum.get();
  checksum.set(before + part);
}

int main() {
  run_beside(
      [] {
        add(1000);
        camera.walk();
      },
      [] {
        scene.walk();
        add(7);
      });
  require(checksum.get() == 1007, "a part of the picture is missing");
}
