/* What libstdc++ and the compiler's runtime define out of line, under their mangled names. */
#include <pthread.h>
#include <time.h>

#include "coseq/models/intrinsics.h"

typedef unsigned long size_t;
#define NAMED(name) __asm__(name)

void* malloc(size_t size);
void* aligned_alloc(size_t alignment, size_t size);
void free(void* pointer);

/* operator new never returns null: a lane that has no memory left ends. */
static void* taken(void* block, size_t size) {
  if (block == 0) snarl_lane_end(kLaneNoMemory, 0, size);
  return block;
}
void* new_one(size_t size) NAMED("_Znwm");
void* new_many(size_t size) NAMED("_Znam");
void* new_one_aligned(size_t size, size_t alignment) NAMED("_ZnwmSt11align_val_t");
void* new_many_aligned(size_t size, size_t alignment) NAMED("_ZnamSt11align_val_t");
void* new_one_or_null(size_t size, const void* tag) NAMED("_ZnwmRKSt9nothrow_t");
void* new_many_or_null(size_t size, const void* tag) NAMED("_ZnamRKSt9nothrow_t");
void* new_one(size_t size) { return taken(malloc(size), size); }
void* new_many(size_t size) { return taken(malloc(size), size); }
void* new_one_aligned(size_t size, size_t alignment) { return taken(aligned_alloc(alignment, size), size); }
void* new_many_aligned(size_t size, size_t alignment) { return taken(aligned_alloc(alignment, size), size); }
void* new_one_or_null(size_t size, const void* tag) {
  (void)tag;
  return malloc(size);
}
void* new_many_or_null(size_t size, const void* tag) {
  (void)tag;
  return malloc(size);
}
const char nothrow NAMED("_ZSt7nothrow") = 0;

#define DELETE(name, mangled, ...)                        \
  void name(void* pointer, ##__VA_ARGS__) NAMED(mangled); \
  void name(void* pointer, ##__VA_ARGS__) { free(pointer); }
DELETE(delete_one, "_ZdlPv")
DELETE(delete_one_sized, "_ZdlPvm", size_t size)
DELETE(delete_one_aligned, "_ZdlPvSt11align_val_t", size_t alignment)
DELETE(delete_one_both, "_ZdlPvmSt11align_val_t", size_t size, size_t alignment)
DELETE(delete_one_quiet, "_ZdlPvRKSt9nothrow_t", const void* tag)
DELETE(delete_many, "_ZdaPv")
DELETE(delete_many_sized, "_ZdaPvm", size_t size)
DELETE(delete_many_aligned, "_ZdaPvSt11align_val_t", size_t alignment)
DELETE(delete_many_both, "_ZdaPvmSt11align_val_t", size_t size, size_t alignment)
DELETE(delete_many_quiet, "_ZdaPvRKSt9nothrow_t", const void* tag)

/* Without exceptions, whatever would throw ends the process. */
#define ENDS(name, mangled, ...)         \
  void name(__VA_ARGS__) NAMED(mangled); \
  void name(__VA_ARGS__) { snarl_lane_end(kLaneAbort, 0, 0); }
ENDS(terminate, "_ZSt9terminatev", void)
ENDS(pure_virtual, "__cxa_pure_virtual", void)
ENDS(deleted_virtual, "__cxa_deleted_virtual", void)
ENDS(throw_system_error, "_ZSt20__throw_system_errori", int code)
ENDS(throw_length_error, "_ZSt20__throw_length_errorPKc", const char* text)
ENDS(throw_logic_error, "_ZSt19__throw_logic_errorPKc", const char* text)
ENDS(throw_out_of_range, "_ZSt20__throw_out_of_rangePKc", const char* text)
ENDS(throw_invalid_argument, "_ZSt24__throw_invalid_argumentPKc", const char* text)
ENDS(throw_bad_alloc, "_ZSt17__throw_bad_allocv", void)
ENDS(throw_bad_array_length, "_ZSt28__throw_bad_array_new_lengthv", void)
ENDS(throw_bad_function_call, "_ZSt25__throw_bad_function_callv", void)
ENDS(throw_bad_optional, "_ZSt27__throw_bad_optional_accessv", void)
ENDS(throw_bad_variant, "_ZSt26__throw_bad_variant_accessPKc", const char* text)
ENDS(throw_future_error, "_ZSt20__throw_future_errori", int code)
ENDS(assertion_fails, "_ZSt21__glibcxx_assert_failPKciS0_S0_", const char* file, int line, const char* function,
     const char* text)

/* What run-time type information points at; nothing of it is read without dynamic_cast and exceptions. */
const void* const class_type[8] NAMED("_ZTVN10__cxxabiv117__class_type_infoE") = {0};
const void* const si_class_type[8] NAMED("_ZTVN10__cxxabiv120__si_class_type_infoE") = {0};
const void* const vmi_class_type[8] NAMED("_ZTVN10__cxxabiv121__vmi_class_type_infoE") = {0};
const void* const state_type[2] NAMED("_ZTINSt6thread6_StateE") = {0};

/* std::thread: its state has a table of its two destructors and what it runs. */
static void* run_state(void* state) {
  void (*const* table)(void*) = *(void (*const**)(void*))state;
  table[2](state);
  table = *(void (*const**)(void*))state;
  table[1](state);
  return 0;
}
void start_thread(pthread_t* thread, void** state, void (*depends)(void))
    NAMED("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE");
void start_thread(pthread_t* thread, void** state, void (*depends)(void)) {
  (void)depends;
  void* own = *state;
  *state = 0;
  snarl_lane_point(kOpCreate, 0);
  snarl_model_create(thread, 0, run_state, own, 0);
}
void join_thread(pthread_t* thread) NAMED("_ZNSt6thread4joinEv");
void join_thread(pthread_t* thread) {
  if (*thread == 0 || pthread_join(*thread, 0) != 0) snarl_lane_end(kLaneAbort, 0, 0);
  *thread = 0;
}
void detach_thread(pthread_t* thread) NAMED("_ZNSt6thread6detachEv");
void detach_thread(pthread_t* thread) {
  if (*thread == 0 || pthread_detach(*thread) != 0) snarl_lane_end(kLaneAbort, 0, 0);
  *thread = 0;
}
unsigned count_cores(void) NAMED("_ZNSt6thread20hardware_concurrencyEv");
unsigned count_cores(void) { return 4; }
void destroy_state(void* state) NAMED("_ZNSt6thread6_StateD2Ev");
void destroy_state(void* state) { (void)state; }
const void* const state_table[5] NAMED("_ZTVNSt6thread6_StateE") = {0, state_type, destroy_state, destroy_state,
                                                                    pure_virtual};
int nanosleep(const struct timespec* want, struct timespec* left);
void sleep_for(long seconds, long nanoseconds)
    NAMED("_ZNSt11this_thread11__sleep_forENSt6chrono8durationIlSt5ratioILl1ELl1EEEENS1_IlS2_ILl1ELl1000000000EEEE");
void sleep_for(long seconds, long nanoseconds) {
  const struct timespec want = {seconds, nanoseconds};
  nanosleep(&want, 0);
}

/* std::condition_variable is a pthread_cond_t, and std::unique_lock begins with the address of its mutex. */
void make_condition(pthread_cond_t* cond) NAMED("_ZNSt18condition_variableC1Ev");
void make_condition(pthread_cond_t* cond) { pthread_cond_init(cond, 0); }
void unmake_condition(pthread_cond_t* cond) NAMED("_ZNSt18condition_variableD1Ev");
void unmake_condition(pthread_cond_t* cond) { pthread_cond_destroy(cond); }
void wait_condition(pthread_cond_t* cond, pthread_mutex_t** lock)
    NAMED("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE");
void wait_condition(pthread_cond_t* cond, pthread_mutex_t** lock) { pthread_cond_wait(cond, *lock); }
void notify_one(pthread_cond_t* cond) NAMED("_ZNSt18condition_variable10notify_oneEv");
void notify_one(pthread_cond_t* cond) { pthread_cond_signal(cond); }
void notify_all(pthread_cond_t* cond) NAMED("_ZNSt18condition_variable10notify_allEv");
void notify_all(pthread_cond_t* cond) { pthread_cond_broadcast(cond); }

long now_steady(void) NAMED("_ZNSt6chrono3_V212steady_clock3nowEv");
long now_system(void) NAMED("_ZNSt6chrono3_V212system_clock3nowEv");
int clock_gettime(clockid_t clock, struct timespec* to);
static long read_clock(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec * 1000000000l + now.tv_nsec;
}
long now_steady(void) { return read_clock(CLOCK_MONOTONIC); }
long now_system(void) { return read_clock(CLOCK_REALTIME); }

/* std::call_once hands its function over in these. */
__thread void* once_callable NAMED("_ZSt15__once_callable");
__thread void (*once_call)(void) NAMED("_ZSt11__once_call");
void once_proxy(void) NAMED("__once_proxy");
void once_proxy(void) { once_call(); }

/* Static local variables: the first byte says that it is done; the word behind it who is at it, for the lock. */
struct guard {
  unsigned char done;
  unsigned word;
};
int guard_acquire(struct guard* guard) NAMED("__cxa_guard_acquire");
int guard_acquire(struct guard* guard) {
  snarl_lane_await(kOpOnce, guard, kLaneNotOne, &guard->word, 0, 0);
  if (guard->done) return 0;
  guard->word = 1;
  BARRIER;
  return 1;
}
void guard_release(struct guard* guard) NAMED("__cxa_guard_release");
void guard_release(struct guard* guard) {
  guard->done = 1;
  guard->word = 2;
  BARRIER;
  snarl_lane_tell(kTellOnceDone, guard, 0);
  snarl_lane_reschedule();
}
void guard_abort(struct guard* guard) NAMED("__cxa_guard_abort");
void guard_abort(struct guard* guard) {
  guard->word = 0;
  BARRIER;
  snarl_lane_reschedule();
}

/* Containers with hashes: what libstdc++ does, so that their order is the same as natively. */
unsigned long hash_bytes(const void* bytes, size_t size, size_t seed) NAMED("_ZSt11_Hash_bytesPKvmm");
unsigned long hash_bytes(const void* bytes, size_t size, size_t seed) { return snarl_lane_hash(bytes, size, seed); }
struct rehash {
  _Bool wanted;
  size_t buckets;
};
struct rehash need_rehash(void* policy, size_t buckets, size_t elements, size_t more)
    NAMED("_ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm");
struct rehash need_rehash(void* policy, size_t buckets, size_t elements, size_t more) {
  const size_t many = snarl_lane_rehash(policy, buckets, elements, more);
  BARRIER;
  return (struct rehash){many != 0, many};
}
size_t next_buckets(void* policy, size_t least) NAMED("_ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm");
size_t next_buckets(void* policy, size_t least) {
  const size_t many = snarl_lane_rehash(policy, least, ~0ul, 0);
  BARRIER;
  return many;
}
