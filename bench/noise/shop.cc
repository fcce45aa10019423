// Shop (320 lines): a sleep is taken for synchronisation: by then the goods will be there.
#include <unistd.h>

#include "shared.h"

static Shared<int> goods;
static Way<6> delivery;
static Way<5> catalogue;

static void sell() {
  catalogue.walk();
  usleep(1000);
  require(goods.get() > 0, "the shop is empty");
}

static void deliver() {
  delivery.walk();
  goods.set(10);
}

int main() { run_beside(sell, deliver); }
