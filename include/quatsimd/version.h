/* The version of libquatsimd, and the kernels in use. docs/version.md: kernels and machines. CMake reads the
 * version from this header. */
#ifndef QUATSIMD_VERSION_H
#define QUATSIMD_VERSION_H

/* QUATSIMD_API stands before each function of the library. A program may define it. QUATSIMD_STATIC, which
 * comes before it, makes the functions those of the source that includes quatsimd.c. */
#if defined(QUATSIMD_STATIC)
#undef QUATSIMD_API
#if defined(__GNUC__) || defined(__clang__)
#define QUATSIMD_API static __attribute__((unused))
#else
#define QUATSIMD_API static
#endif
#elif defined(QUATSIMD_API)
#elif defined(QUATSIMD_SHARED) && (defined(_WIN32) || defined(__CYGWIN__))
#ifdef QUATSIMD_BUILDING
#define QUATSIMD_API __declspec(dllexport)
#else
#define QUATSIMD_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define QUATSIMD_API __attribute__((visibility("default")))
#else
#define QUATSIMD_API
#endif

/* The version of this header, in parts and as text. quatsimd_version returns the version of the library that
 * a program is linked with. Until 1.0.0 headers and library must have the same major and minor version. */
#define QUATSIMD_VERSION_MAJOR 0
#define QUATSIMD_VERSION_MINOR 2
#define QUATSIMD_VERSION_PATCH 0
#define QUATSIMD_VERSION_STRING "0.2.0"
/* The version of this header as one number, for #if: 10000 * major + 100 * minor + patch. */
#define QUATSIMD_VERSION                                                                                     \
  (10000 * QUATSIMD_VERSION_MAJOR + 100 * QUATSIMD_VERSION_MINOR + QUATSIMD_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the name of the kernels in use: "scalar", "sse2", "sse41", "avx2", "avx512", "avx512vbmi", "neon"
 * or "simd128". The text is static, never null. The library chooses the best kernels that the CPU can run,
 * once: when it is loaded, or earlier if a load-time constructor of the program calls the library. The
 * environment variable QUATSIMD_ISA, which is read then, selects others. A name that is unknown or that this
 * CPU cannot run is ignored. Any number of threads may call this function at once. */
QUATSIMD_API const char *quatsimd_isa(void);

/* Returns the version of the library that the program is linked with, as text: "major.minor.patch". The text
 * is static, never null. Any number of threads may call this function at once. */
QUATSIMD_API const char *quatsimd_version(void);

/* Returns the version of the library that the program is linked with, as a number like QUATSIMD_VERSION.
 * Headers and library are compatible if quatsimd_version_number() / 100 == QUATSIMD_VERSION / 100. Any number
 * of threads may call this function at once. */
QUATSIMD_API int quatsimd_version_number(void);

#ifdef __cplusplus
}
#endif

#endif
