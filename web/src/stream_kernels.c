/* The part of src/core that streams call, for size: four kernels in place of the library's tables, and views
 * that are arrays of structs, as stream.c makes them. Linkers leave out what nothing names. */
#include "core/isas.h"

#ifdef QUATSIMD_HAS_SIMD128
#include "simd/isa_simd128.c"
#else
#include "scalar/scalar.c"
#endif

const quatsimd_kernels *quatsimd_active_kernels(void) {
  static const quatsimd_kernels kernels = {
      .operation = {[QUATSIMD_OPERATION_stream_unit] = in_float_stream_unit,
                    [QUATSIMD_OPERATION_stream_residual] = in_float_stream_residual,
                    [QUATSIMD_OPERATION_stream_turn] = in_float_stream_turn,
                    [QUATSIMD_OPERATION_stream_between] = in_float_stream_between}};
  return &kernels;
}

bool quatsimd_resolve_in(quatsimd_operand *o, int components, const quatsimd_in *v) {
  *o = quatsimd_structs(v->x, components);
  return true;
}
bool quatsimd_resolve_out(quatsimd_operand *o, int components, const quatsimd_out *v) {
  *o = quatsimd_structs(v->x, components);
  return true;
}
bool quatsimd_arrays_meet(const quatsimd_operand *a, const quatsimd_operand *b) {
  return a->first == b->first;
}

static float *element(const quatsimd_operand *o, size_t i) {
  return quatsimd_floats(o->first) + i * (size_t)o->components;
}
void quatsimd_load_element(const quatsimd_operand *o, size_t i, float *to) {
  for (int c = 0; c < o->components; c++) to[c] = element(o, i)[c];
}
void quatsimd_gather(const quatsimd_operand *o, size_t i, size_t n, size_t padded,
                     float (*to)[QUATSIMD_CHUNK]) {
  for (size_t e = 0; e < padded; e++)
    for (int c = 0; c < o->components; c++) to[c][e] = element(o, i + (e < n ? e : n - 1))[c];
}
void quatsimd_scatter(const quatsimd_operand *o, size_t i, size_t n, float (*from)[QUATSIMD_CHUNK]) {
  for (size_t e = 0; e < n; e++)
    for (int c = 0; c < o->components; c++) element(o, i + e)[c] = from[c][e];
}
