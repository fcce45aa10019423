#include "runtime/fiber/life.h"

#include "runtime/fiber/fibers.h"
#include "runtime/fiber/renew.h"

namespace snarl::runtime::fiber {

void live_in(Fiber& fiber) {
  for (;;) {
    if (fiber.is_used) renew(fiber);
    fiber.is_used = true;
    Thread& self = *fiber.thread;
    self.live(self);
    fibers::leave(self);
  }
}

}  // namespace snarl::runtime::fiber
