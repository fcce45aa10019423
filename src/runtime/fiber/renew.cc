#include "runtime/fiber/renew.h"

#include <errno.h>
#include <link.h>
#include <locale.h>

#include "base/state_marks.h"
#include "runtime/fiber/tls_images.h"
#include "runtime/platform/glibc.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"
#include "runtime/state/hook.h"
#include "runtime/state/thread_end.h"

namespace snarl::runtime::fiber {
namespace {

SNARL_PROCESS_STATE bool have_locales;  // some thread has, or had, one of its own

}  // namespace

void renew(Fiber& fiber) {
  renew_thread_locals(fiber.context.thread_pointer);
  drop_key_values();
  if (__builtin_expect(!glibc::set_uncancellable(fiber.handle, false), 0))
    real().pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr);
  fiber.robust->list.next = &fiber.robust->list;
  fiber.robust->list_op_pending = nullptr;
  if (__builtin_expect(have_locales, 0)) real().uselocale(LC_GLOBAL_LOCALE);
  errno = 0;
}

SNARL_HOOK int dlclose(void* library) noexcept {
  note_unloading();
  return real().dlclose(library);
}

SNARL_HOOK locale_t uselocale(locale_t locale) noexcept {
  have_locales = true;
  return real().uselocale(locale);
}

}  // namespace snarl::runtime::fiber
