/* The macros and functions of compiler.h for Visual C++'s own compiler, cl. It compiles the intrinsics of all
 * instruction sets without flags. */
#ifndef QUATSIMD_COMPILER_CL_H
#define QUATSIMD_COMPILER_CL_H

#include <intrin.h>

#if !defined _M_X64 && !defined _M_ARM64
#error "libquatsimd supports Visual C++ for x64 and ARM64 alone"
#endif
#if !defined __STDC_VERSION__ || __STDC_VERSION__ < 201112L
#error "libquatsimd is C11: give cl the option /std:c11 or /std:c17"
#endif

/* Also overrides /fp:contract. arithmetic.h refuses /fp:fast. */
#pragma fp_contract(off)

/* Warnings of /W4 that gcc and clang do not give, or that they give for faults alone:
 * 4057 4090  pointers to types that differ in sign or const (cl counts the second star of const T **, too)
 * 4100 4189 4505  something is not used, as where all formats share a signature
 * 4127 4702  a condition is constant, code is not reached: the arguments of inlined functions are constants
 * 4244 4245 4267 4305 4310 4389  conversions that change a value; gcc's -Wconversion and -Wsign-conversion
 *            find these, and know more of them that change none
 * 4146 4319 4334  minus of an unsigned number; ~ or << of an int whose result becomes a longer number
 * 4200 4204 4221  arrays at a struct's end, initialisers that are not constants, which C99 has
 * 4324  a struct has bytes of padding for the alignment of its members
 * 4456 4457 4459  a name hides another one
 * 4701 4703  a variable may have no value: cl does not see that loops run at least once
 * 4706  a condition assigns
 * 4714  __forceinline had no effect
 * 4752  intrinsics of AVX without /arch:AVX
 * 4756  overflow in a constant: INFINITY, HUGE_VAL and NAN are such
 * 4996  getenv, for which Microsoft has another function */
#pragma warning(disable : 4057 4090 4100 4127 4146 4189 4200 4204 4221 4244 4245 4267 4305 4310 4319 4324)
#pragma warning(disable : 4334 4389 4456 4457 4459 4505 4701 4702 4703 4706 4714 4752 4756 4996)

#define QUATSIMD_UNROLL(times)
#define QUATSIMD_TARGET(features)
#define QUATSIMD_TARGET_END
#define QUATSIMD_MACROS_CHANGE_SIGNS
#define QUATSIMD_MAYBE_UNUSED
#define QUATSIMD_SCHEDULED

#define QUATSIMD_INLINE static __forceinline
#define QUATSIMD_NOINLINE static __declspec(noinline)

/* Two sources of a program may have QUATSIMD_STATIC. It must not define a name that both would have, so the
 * first call does what the others do at load. */
#ifdef QUATSIMD_STATIC
#define QUATSIMD_AT_LOAD(function)
#else
/* The program's start calls all pointers in sections .CRT$XC*, in the order of the sections' names. Those of
 * C++'s constructors are in .CRT$XCU. The linker would leave out a pointer that nothing names. */
#pragma section(".CRT$XCT", read)
#define QUATSIMD_AT_LOAD(function)                                                                           \
  static void __cdecl function##_at_load(void) { (void)function(); }                                         \
  extern void(__cdecl *const function##_entry)(void);                                                        \
  __declspec(allocate(".CRT$XCT")) void(__cdecl *const function##_entry)(void) = function##_at_load;         \
  __pragma(comment(linker, "/include:" #function "_entry"))
#endif

#define QUATSIMD_LIKELY(condition) (condition)
#ifdef _M_X64
#define QUATSIMD_PREFETCH(address) _mm_prefetch((const char *)(address), _MM_HINT_T0)
#else
#define QUATSIMD_PREFETCH(address) __prefetch(address)
#endif

static inline unsigned quatsimd_highest_bit(uint64_t bits) {
  unsigned long index;
  (void)_BitScanReverse64(&index, bits);
  return (unsigned)index;
}
static inline unsigned quatsimd_lowest_bit(uint64_t bits) {
  unsigned long index;
  (void)_BitScanForward64(&index, bits);
  return (unsigned)index;
}

#define QUATSIMD_BLEND(type, to, mask, a, b) (to = _mm256_blendv_##type(b, a, mask))

#endif
