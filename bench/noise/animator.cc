// XtangoAnimator (2,088 lines): the animation takes scene and queue, whoever adds to it queue and scene.
#include "shared.h"

static pthread_mutex_t scene = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER;
static Way<34> shapes;
static Way<64> colours;

static void animate() {
  pthread_mutex_lock(&scene);
  pthread_mutex_lock(&queue);
  pthread_mutex_unlock(&queue);
  pthread_mutex_unlock(&scene);
  colours.walk();
}

static void add_shapes() {
  shapes.walk();
  pthread_mutex_lock(&queue);
  pthread_mutex_lock(&scene);
  pthread_mutex_unlock(&scene);
  pthread_mutex_unlock(&queue);
}

int main() { run_beside(animate, add_shapes); }
