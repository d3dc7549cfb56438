/* Loops over the C++ libraries that people have for this, for arrays of structs. Inputs that a function
 * does not need are not looked at. */
#ifndef QUATSIMD_BENCH_PEERS_H
#define QUATSIMD_BENCH_PEERS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void peer_fn(float *out, const float *a, const float *b, const float *t, size_t count);

peer_fn glm_multiply, glm_nlerp, glm_rotate, glm_slerp, glm_exp, glm_log, glm_normalize, glm_conjugate,
    glm_inverse, glm_add, glm_scale, glm_dot, glm_norm;
peer_fn eigen_multiply, eigen_rotate, eigen_slerp, eigen_exp, eigen_log, eigen_normalize, eigen_conjugate,
    eigen_inverse, eigen_add, eigen_scale, eigen_dot, eigen_norm;
extern const char peers_versions[];

#ifdef __cplusplus
}
#endif

#endif
