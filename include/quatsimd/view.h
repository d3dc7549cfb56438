/* Views: where the elements of an array are in memory. Arrays of rotations, vectors and other elements are
 * passed as views, by value: quatsimd_in for each input, quatsimd_out for each output. A few arrays are plain
 * pointers; the functions that take them say so.
 *
 * An element is a quaternion (4 floats x, y, z, w), a vector (3), a scalar (1), a matrix (9, 12 or 16) or a
 * joint transform (8). Each function says which. The view says where the elements are. The function's count
 * says how many there are. Every layout gives the same bits.
 *
 * Errors. A function returns QUATSIMD_ERROR_BAD_ARGUMENT and writes nothing if a view has a null pointer or
 * breaks a rule of this header. Floats must be aligned to 4 bytes, which is not checked. If count is 0, views
 * are not read.
 *
 * In place. An output may use the memory of an input if each element occupies the same bytes in both views:
 * the same pointers, the same stride or block size, elements of the same size. The order of components may
 * differ. If count is 1, an output may overlap inputs in any way, because all of an element is read before
 * any of it is written. No other overlap is allowed. The library refuses it if an output and an input, or two
 * outputs, begin at one address, and does not detect it otherwise. A view of quatsimd_soa begins at each of
 * its arrays.
 *
 * docs/view.md: pictures of the layouts, costs. */
#ifndef QUATSIMD_VIEW_H
#define QUATSIMD_VIEW_H

#include <stddef.h>
#include <stdint.h>

#include "version.h"

/* How elements are laid out. */
typedef enum quatsimd_view_layout {
  QUATSIMD_VIEW_NONE,    /* no array: a view that is all zeros */
  QUATSIMD_VIEW_AOS,     /* one directly after the other */
  QUATSIMD_VIEW_SOA,     /* one array for each component */
  QUATSIMD_VIEW_STRIDED, /* `stride` bytes from one to the next */
  QUATSIMD_VIEW_BLOCKS   /* in blocks of `block` elements; within a block, one array for each component */
} quatsimd_view_layout;

/* The order of a quaternion's components. */
typedef enum quatsimd_view_order {
  QUATSIMD_VIEW_XYZW, /* as in glTF, Eigen's memory, DirectXMath, Unreal, Unity, ozz */
  QUATSIMD_VIEW_WXYZ  /* as in Blender, MuJoCo, Gaussian splats, GLM with GLM_FORCE_QUAT_DATA_WXYZ */
} quatsimd_view_order;

/* An input: elements to read. Use the functions below to make one. */
typedef struct quatsimd_in {
  const float *x; /* the first float; with QUATSIMD_VIEW_SOA, the first x component */
  /* with QUATSIMD_VIEW_SOA, the other components, null for those that elements lack; not used by other
   * layouts */
  const float *y, *z, *w;
  size_t stride; /* with QUATSIMD_VIEW_STRIDED: bytes from one element to the next; 0: one for all */
  quatsimd_view_layout layout; /* how elements are laid out */
  quatsimd_view_order order;   /* the order of a quaternion's components */
  unsigned block;              /* with QUATSIMD_VIEW_BLOCKS: elements per block, 4 or 8 */
} quatsimd_in;

/* An output: elements to write. Use the functions below to make one. */
typedef struct quatsimd_out {
  float *x, *y, *z, *w;        /* as in quatsimd_in */
  size_t stride;               /* as in quatsimd_in, but not 0 */
  quatsimd_view_layout layout; /* as in quatsimd_in */
  quatsimd_view_order order;   /* as in quatsimd_in */
  unsigned block;              /* as in quatsimd_in */
} quatsimd_out;

/* Input: an array of structs, elements one directly after the other: x y z w  x y z w ... */
static inline quatsimd_in quatsimd_aos(const float *first) {
  quatsimd_in view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_AOS, QUATSIMD_VIEW_XYZW, 0};
  return view;
}
/* Output: an array of structs, elements one directly after the other: x y z w  x y z w ... */
static inline quatsimd_out quatsimd_aos_out(float *first) {
  quatsimd_out view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_AOS, QUATSIMD_VIEW_XYZW, 0};
  return view;
}

/* Input: elements inside larger structs. stride is the number of bytes from the start of one element to the
 * start of the next. It must be a multiple of 4 and at most PTRDIFF_MAX. It may be shorter than an element:
 * elements that are read may overlap. Stride 0 is quatsimd_one. */
static inline quatsimd_in quatsimd_strided(const float *first, size_t stride) {
  quatsimd_in view = {first, NULL, NULL, NULL, stride, QUATSIMD_VIEW_STRIDED, QUATSIMD_VIEW_XYZW, 0};
  return view;
}
/* Output: elements inside larger structs. stride is the number of bytes from the start of one element to the
 * start of the next. It must be a multiple of 4, at least the size of an element and at most PTRDIFF_MAX. The
 * bytes between elements are neither read nor written. */
static inline quatsimd_out quatsimd_strided_out(float *first, size_t stride) {
  quatsimd_out view = {first, NULL, NULL, NULL, stride, QUATSIMD_VIEW_STRIDED, QUATSIMD_VIEW_XYZW, 0};
  return view;
}

/* Input: one element that stands for all, such as one rotation for many vectors or one t for all pairs. There
 * is no such output. */
static inline quatsimd_in quatsimd_one(const float *element) { return quatsimd_strided(element, 0); }

/* Input: a structure of arrays, one array for each component. Pass null for components that the elements
 * lack: quatsimd_soa(x, y, z, NULL) is an array of vectors. Elements of more than four components, which are
 * matrices and joint transforms, cannot have this layout. */
static inline quatsimd_in quatsimd_soa(const float *x, const float *y, const float *z, const float *w) {
  quatsimd_in view = {x, y, z, w, 0, QUATSIMD_VIEW_SOA, QUATSIMD_VIEW_XYZW, 0};
  return view;
}
/* Output: a structure of arrays, as quatsimd_soa describes it. The arrays must differ from each other. */
static inline quatsimd_out quatsimd_soa_out(float *x, float *y, float *z, float *w) {
  quatsimd_out view = {x, y, z, w, 0, QUATSIMD_VIEW_SOA, QUATSIMD_VIEW_XYZW, 0};
  return view;
}

/* Input: blocks of `block` elements, 4 or 8. Each block has the first components of all its elements, then
 * their second components, and so on: xxxx yyyy zzzz wwww  xxxx yyyy zzzz wwww ... An array of count elements
 * takes (count + block - 1) / block whole blocks of memory. The library may read the lanes after the last
 * element, and ignores their contents. */
static inline quatsimd_in quatsimd_blocks(const float *first, unsigned block) {
  quatsimd_in view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_BLOCKS, QUATSIMD_VIEW_XYZW, block};
  return view;
}
/* Output: blocks of `block` elements, 4 or 8, as quatsimd_blocks describes them. The library never writes the
 * lanes after the last element. */
static inline quatsimd_out quatsimd_blocks_out(float *first, unsigned block) {
  quatsimd_out view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_BLOCKS, QUATSIMD_VIEW_XYZW, block};
  return view;
}

/* Input: quaternions in the memory of another view, with w before x, y and z: w x y z, or wwww xxxx yyyy zzzz
 * in blocks. It is an error for vectors, scalars, matrices and joint transforms, and for quatsimd_soa, which
 * names each array. */
static inline quatsimd_in quatsimd_wxyz(quatsimd_in view) {
  view.order = QUATSIMD_VIEW_WXYZ;
  return view;
}
/* Output: quaternions in the memory of another view, with w before x, y and z, as quatsimd_wxyz describes
 * it. */
static inline quatsimd_out quatsimd_wxyz_out(quatsimd_out view) {
  view.order = QUATSIMD_VIEW_WXYZ;
  return view;
}

/* ---- for other languages ----
 * The functions above are inline, so that a library does not have them. These are exported, do the same, and
 * are what a binding calls. Any number of threads may call them at once. */

#ifdef __cplusplus
extern "C" {
#endif

/* Returns quatsimd_aos(first). */
QUATSIMD_API quatsimd_in quatsimd_view_aos(const float *first);
/* Returns quatsimd_aos_out(first). */
QUATSIMD_API quatsimd_out quatsimd_view_aos_out(float *first);
/* Returns quatsimd_strided(first, stride). */
QUATSIMD_API quatsimd_in quatsimd_view_strided(const float *first, size_t stride);
/* Returns quatsimd_strided_out(first, stride). */
QUATSIMD_API quatsimd_out quatsimd_view_strided_out(float *first, size_t stride);
/* Returns quatsimd_one(element). */
QUATSIMD_API quatsimd_in quatsimd_view_one(const float *element);
/* Returns quatsimd_soa(x, y, z, w). */
QUATSIMD_API quatsimd_in quatsimd_view_soa(const float *x, const float *y, const float *z, const float *w);
/* Returns quatsimd_soa_out(x, y, z, w). */
QUATSIMD_API quatsimd_out quatsimd_view_soa_out(float *x, float *y, float *z, float *w);
/* Returns quatsimd_blocks(first, block). */
QUATSIMD_API quatsimd_in quatsimd_view_blocks(const float *first, unsigned block);
/* Returns quatsimd_blocks_out(first, block). */
QUATSIMD_API quatsimd_out quatsimd_view_blocks_out(float *first, unsigned block);
/* Returns quatsimd_wxyz(view). */
QUATSIMD_API quatsimd_in quatsimd_view_wxyz(quatsimd_in view);
/* Returns quatsimd_wxyz_out(view). */
QUATSIMD_API quatsimd_out quatsimd_view_wxyz_out(quatsimd_out view);

#ifdef __cplusplus
}
#endif

#endif
