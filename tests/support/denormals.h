/* Switches flush-to-zero and denormals-are-zero on or off, where the CPU has it. */
#ifndef QUATSIMD_TESTS_DENORMALS_H
#define QUATSIMD_TESTS_DENORMALS_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SSE2__)
#include <xmmintrin.h>
static inline bool flush_denormals(bool on) {
  const unsigned flush = 0x8000, are_zero = 0x40;
  _mm_setcsr(on ? _mm_getcsr() | flush | are_zero : _mm_getcsr() & ~(flush | are_zero));
  return true;
}
#elif defined(__aarch64__)
static inline bool flush_denormals(bool on) {
  uint64_t fpcr;
  __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
  fpcr = on ? fpcr | (UINT64_C(1) << 24) : fpcr & ~(UINT64_C(1) << 24);
  __asm__ volatile("msr fpcr, %0" : : "r"(fpcr) : "memory");
  return true;
}
#else
static inline bool flush_denormals(bool on) {
  (void)on;
  return false;
}
#endif

#endif
