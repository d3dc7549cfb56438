/* Smallest three at 10 bits as it is usually written down: a loop for the largest component, an index into
 * the array. Random rotations make its branches unpredictable. */
#include <math.h>

#include "baselines.h"

#define QUANTA 511.0f
#define LIMIT (1.0f / 1.414214f)

void baseline_textbook_pack(uint32_t *restrict packed, const float *restrict xyzw, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const float *q = xyzw + 4 * i;
    int largest = 0;
    for (int k = 1; k < 4; k++)
      if (fabsf(q[k]) > fabsf(q[largest])) largest = k;
    float scale = q[largest] < 0 ? -QUANTA / LIMIT : QUANTA / LIMIT;
    uint32_t word = (uint32_t)largest;
    for (int k = 0; k < 4; k++)
      if (k != largest) word = word << 10 | ((uint32_t)lrintf(q[k] * scale) & 1023u);
    packed[i] = word;
  }
}

void baseline_textbook_unpack(float *restrict xyzw, const uint32_t *restrict packed, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t word = packed[i];
    int largest = (int)(word >> 30);
    float *q = xyzw + 4 * i;
    float sum = 0;
    for (int k = 3; k >= 0; k--) {
      if (k == largest) continue;
      q[k] = (float)((int32_t)(word << 22) >> 22) * (LIMIT / QUANTA);
      sum += q[k] * q[k];
      word >>= 10;
    }
    q[largest] = sum < 1 ? sqrtf(1 - sum) : 0;
  }
}
