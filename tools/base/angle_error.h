/* How far rotations are from their round trip. */
#ifndef ANGLE_ERROR_H
#define ANGLE_ERROR_H

#include <stddef.h>

struct angle_error {
  size_t keys;  /* measured: the valid ones */
  double worst; /* angle in degrees */
  double mean;
  double worst_dot; /* largest 1 - |dot product| */
};

/* Compares keys quaternions with what came back. Invalid ones are left out. */
struct angle_error angle_error_measure(const float *xyzw, const float *unpacked, size_t keys);

/* Of both together. */
void angle_error_add(struct angle_error *sum, const struct angle_error *of);

#endif
