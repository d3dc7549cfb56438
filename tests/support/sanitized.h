/* SANITIZED is 1 in a program with a sanitizer. Such a program is slow, so its tests run fewer cases. */
#ifndef QUATSIMD_TESTS_SANITIZED_H
#define QUATSIMD_TESTS_SANITIZED_H

enum {
  SANITIZED =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
      1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
      1
#else
      0
#endif
#else
      0
#endif
};

#endif
