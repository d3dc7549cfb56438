/* Values that threads share without a lock. Visual C++ has C11's atomics as an experiment alone. */
#ifndef QUATSIMD_ATOMIC_H
#define QUATSIMD_ATOMIC_H

#include <stdbool.h>

#ifdef _MSC_VER
#include <intrin.h>

/* A pointer to constant data. Threads see it whole, and in no order with other data: an aligned pointer that
 * is volatile is read at once. */
typedef void *volatile shared_pointer;
static inline const void *shared_pointer_get(shared_pointer *p) { return *p; }
static inline void shared_pointer_set(shared_pointer *p, const void *to) {
  (void)_InterlockedExchangePointer(p, (void *)to);
}

/* Set once. A thread that sees it set also sees all that the other thread wrote before. */
typedef volatile long shared_flag;
static inline bool shared_flag_is_set(shared_flag *flag) { return _InterlockedOr(flag, 0) != 0; }
static inline void shared_flag_set(shared_flag *flag) { (void)_InterlockedExchange(flag, 1); }
#elif defined __TINYC__ /* before 0.9.28 it has no atomics */
/* tcc neither joins nor moves accesses, and x86-64 reads and writes pointers whole and in order. */
typedef const void *volatile shared_pointer;
static inline const void *shared_pointer_get(shared_pointer *p) { return *p; }
static inline void shared_pointer_set(shared_pointer *p, const void *to) { *p = to; }

typedef volatile bool shared_flag;
static inline bool shared_flag_is_set(shared_flag *flag) { return *flag; }
static inline void shared_flag_set(shared_flag *flag) { *flag = true; }
#else
#include <stdatomic.h>

typedef _Atomic(const void *) shared_pointer;
static inline const void *shared_pointer_get(shared_pointer *p) {
  return atomic_load_explicit(p, memory_order_relaxed);
}
static inline void shared_pointer_set(shared_pointer *p, const void *to) {
  atomic_store_explicit(p, to, memory_order_relaxed);
}

typedef atomic_bool shared_flag;
static inline bool shared_flag_is_set(shared_flag *flag) {
  return atomic_load_explicit(flag, memory_order_acquire);
}
static inline void shared_flag_set(shared_flag *flag) {
  atomic_store_explicit(flag, true, memory_order_release);
}
#endif

#endif
