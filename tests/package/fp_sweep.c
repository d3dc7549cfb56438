/* Makes the sweep in a file of its own, because the compiler flags of fp_consumer.cpp would change it. */
#include "support/sweep.h"

void fp_sweep(float *quats, unsigned char *words, size_t size);

void fp_sweep(float *quats, unsigned char *words, size_t size) {
  sweep_quaternions(quats, SWEEP_COUNT);
  sweep_words(words, size);
}
