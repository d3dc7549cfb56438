/* Vectors of the reference have one lane. */
#ifndef QUATSIMD_SCALAR_LANES_H
#define QUATSIMD_SCALAR_LANES_H

#define V_LANES 1
#define D_LANES 1

#endif
