#include "skeleton/name.h"

size_t quatsimd_name_bytes(const unsigned char *p, size_t most) {
  size_t i = 0;
  while (i < most) {
    const unsigned first = p[i++];
    if (first == 0) return i;
    if (first < 0x80) continue;
    if (first < 0xc2 || first > 0xf4) return 0;
    const unsigned more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    unsigned low = first == 0xe0   ? 0xa0
                   : first == 0xf0 ? 0x90
                                   : 0x80,
             high = first == 0xed   ? 0x9f
                    : first == 0xf4 ? 0x8f
                                    : 0xbf;
    for (unsigned k = 0; k < more; k++) {
      if (i == most || p[i] < low || p[i] > high) return 0;
      i++, low = 0x80, high = 0xbf;
    }
  }
  return 0;
}

int quatsimd_name_compare(const unsigned char *a, const unsigned char *b) {
  while (*a && *a == *b) a++, b++;
  return *a - *b;
}
