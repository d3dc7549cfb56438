/* The macros are Microsoft's, whose NAN is a negative one. */
#pragma once
#define INFINITY ((float)(1e+300 * 1e+300))
#define HUGE_VAL ((double)INFINITY)
#define NAN ((float)(INFINITY * 0.0F))
double fabs(double a);
float fabsf(float a);
