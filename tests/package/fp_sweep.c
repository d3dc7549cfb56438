/* Makes the sweep for fp_consumer.cpp. This code is in its own file, because the flags of fp_consumer.cpp
 * would change the sweep. */
#include "support/sweep.h"

void fp_sweep(float *quats, unsigned char *words, size_t size);

void fp_sweep(float *quats, unsigned char *words, size_t size) {
  sweep_quaternions(quats, SWEEP_COUNT);
  sweep_words(words, size);
}
