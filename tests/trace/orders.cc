// Every atomic operation of the compiler's with every order, for each size; says what it did, in order:
//   KIND ORDER SIZE VALUE     the order as the compiler's number; the value that it saw, or wrote
// Built with snarl c++, so that each is a call of __tsan_atomic*.
#include <cstdint>
#include <cstdio>

namespace {

void say(const char* kind, int order, size_t size, uint64_t value) {
  std::printf("%s %d %zu %llu\n", kind, order, size, static_cast<unsigned long long>(value));
}

template <typename T>
T cell;

#define LOAD(order) cell<T> = 7, say("atomic_load", order, sizeof(T), __atomic_load_n(&cell<T>, order))
#define STORE(order, value) \
  __atomic_store_n(&cell<T>, static_cast<T>(value), order), say("atomic_store", order, sizeof(T), value)
#define UPDATE(operation, order) say("atomic_rmw", order, sizeof(T), operation(&cell<T>, static_cast<T>(3), order))
#define UPDATES(order)                                                                                        \
  UPDATE(__atomic_exchange_n, order), UPDATE(__atomic_fetch_add, order), UPDATE(__atomic_fetch_sub, order),   \
      UPDATE(__atomic_fetch_and, order), UPDATE(__atomic_fetch_or, order), UPDATE(__atomic_fetch_xor, order), \
      UPDATE(__atomic_fetch_nand, order)

// One that succeeds and one that fails.
#define COMPARE(weak, order, order_if_not)                                                          \
  do {                                                                                              \
    T expected = cell<T> = 5;                                                                       \
    __atomic_compare_exchange_n(&cell<T>, &expected, static_cast<T>(6), weak, order, order_if_not); \
    say("atomic_rmw", order, sizeof(T), 5);                                                         \
    __atomic_compare_exchange_n(&cell<T>, &expected, static_cast<T>(8), weak, order, order_if_not); \
    say("atomic_rmw", order_if_not, sizeof(T), 6);                                                  \
  } while (false)

template <typename T>
void all() {
  LOAD(__ATOMIC_RELAXED), LOAD(__ATOMIC_CONSUME), LOAD(__ATOMIC_ACQUIRE), LOAD(__ATOMIC_SEQ_CST);
  STORE(__ATOMIC_RELAXED, 11), STORE(__ATOMIC_RELEASE, 12), STORE(__ATOMIC_SEQ_CST, 13);
  UPDATES(__ATOMIC_RELAXED), UPDATES(__ATOMIC_CONSUME), UPDATES(__ATOMIC_ACQUIRE);
  UPDATES(__ATOMIC_RELEASE), UPDATES(__ATOMIC_ACQ_REL), UPDATES(__ATOMIC_SEQ_CST);
  COMPARE(false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  COMPARE(false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  COMPARE(true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  COMPARE(true, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

}  // namespace

int main() {
  all<uint8_t>();
  all<uint16_t>();
  all<uint32_t>();
  all<uint64_t>();
  __atomic_thread_fence(__ATOMIC_ACQUIRE), say("fence", __ATOMIC_ACQUIRE, 0, 0);
  __atomic_thread_fence(__ATOMIC_SEQ_CST), say("fence", __ATOMIC_SEQ_CST, 0, 0);
}
