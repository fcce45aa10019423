// Crawler (1,200 lines): a connection is tested and then used; it may be closed between.
#include "shared.h"

struct Connection {
  int bytes;
};

static Connection connection{5};
static Shared<Connection*> current;
static Way<20> links;
static Way<34> pages;

static void fetch() {
  if (current.get() != nullptr) {
    Connection* open = current.get();
    require(open != nullptr, "closed while it is used");
  }
  pages.walk();
}

static void close_when_done() {
  links.walk();
  current.set(nullptr);
}

int main() {
  current.set(&connection);
  run_beside(fetch, close_when_done);
}
