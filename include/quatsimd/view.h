/* Views: where the elements of an array are in memory. Every function that reads or writes arrays of floats
 * takes them: quatsimd_in for what it reads, quatsimd_out for what it writes.
 *
 * An element is a quaternion (4 floats x, y, z, w), a vector (3), a scalar (1), a matrix (9, 12 or 16) or a
 * joint transform (8); each function says which. The view says where elements are, the function says how
 * many.
 *
 *   quatsimd_aos(p)            one element behind the other: x y z w  x y z w ...
 *   quatsimd_strided(p, bytes) elements inside larger structs, so many bytes from one to the next
 *   quatsimd_one(p)            one element that stands for all: one rotation on many vectors; input only
 *   quatsimd_soa(x, y, z, w)   an array for each component; at most four components
 *   quatsimd_blocks(p, 4)      blocks of 4 elements: xxxx yyyy zzzz wwww  xxxx yyyy zzzz wwww ...
 *   quatsimd_blocks(p, 8)      blocks of 8 elements, likewise
 *   quatsimd_wxyz(view)        the same memory with w first: w x y z ..., or wwww xxxx yyyy zzzz ...
 *
 * Each of these but quatsimd_one has a namesake with _out, for output.
 *
 * Alignment. Floats must be aligned as floats (4 bytes; not checked). Nothing needs more.
 *
 * Strides are multiples of 4, at most PTRDIFF_MAX; of what is written, at least the size of an element.
 *
 * Blocks. An array of count elements has (count + block - 1) / block blocks, and the last one has all its
 * memory, too. The library never writes the lanes behind the last element. It may read them, since whole
 * blocks are faster to copy, but their contents do not matter.
 *
 * Order. w-first is for quaternions alone, in any layout but soa, whose arrays are named one by one. For
 * vectors, scalars, matrices and transforms a w-first view is refused.
 *
 * A function that gets a view which breaks these rules, or whose pointers are null, returns
 * QUATSIMD_ERROR_BAD_ARGUMENT and has written nothing. Where count is 0 views are not looked at.
 *
 * In place. An output may be an input's memory if each element has the same bytes in both views: they have
 * the same pointers and strides or blocks, and elements of the same size; order may differ. Where count is 1
 * an output may overlap inputs in any way, since all of an element is read before any of it is written. Other
 * overlap is not allowed. It is refused with QUATSIMD_ERROR_BAD_ARGUMENT where an output and an input, or two
 * outputs, begin at one address. A view of soa begins at each of its arrays, and those of an output must
 * differ from each other.
 *
 * docs/view.md has a picture of each layout. */
#ifndef QUATSIMD_VIEW_H
#define QUATSIMD_VIEW_H

#include <stddef.h>
#include <stdint.h>

/* How elements are laid out. */
typedef enum quatsimd_view_layout {
  QUATSIMD_VIEW_NONE,    /* there is no array: a view that is all zeros */
  QUATSIMD_VIEW_AOS,     /* one behind the other */
  QUATSIMD_VIEW_SOA,     /* an array for each component */
  QUATSIMD_VIEW_STRIDED, /* at a distance of `stride` bytes */
  QUATSIMD_VIEW_BLOCKS   /* in blocks of `block` elements, each component of all of them side by side */
} quatsimd_view_layout;

/* The order of a quaternion's components. */
typedef enum quatsimd_view_order {
  QUATSIMD_VIEW_XYZW, /* as in glTF, Eigen's memory, DirectXMath, Unreal, Unity, ozz */
  QUATSIMD_VIEW_WXYZ  /* as in Blender, MuJoCo, Gaussian splats, GLM with GLM_FORCE_QUAT_DATA_WXYZ */
} quatsimd_view_order;

/* Elements to be read. Made by the functions below. */
typedef struct quatsimd_in {
  const float *x; /* the first float; with QUATSIMD_VIEW_SOA that of the x components */
  /* with QUATSIMD_VIEW_SOA the other components, null where elements have fewer; else not looked at */
  const float *y, *z, *w;
  size_t stride; /* with QUATSIMD_VIEW_STRIDED: bytes from one element to the next; 0: one for all */
  quatsimd_view_layout layout; /* how elements are laid out */
  quatsimd_view_order order;   /* the order of a quaternion's components */
  unsigned block;              /* with QUATSIMD_VIEW_BLOCKS: elements in a block, 4 or 8 */
} quatsimd_in;

/* Elements to be written. Made by the functions below. */
typedef struct quatsimd_out {
  float *x, *y, *z, *w;        /* as in quatsimd_in */
  size_t stride;               /* as in quatsimd_in, but not 0 */
  quatsimd_view_layout layout; /* as in quatsimd_in */
  quatsimd_view_order order;   /* as in quatsimd_in */
  unsigned block;              /* as in quatsimd_in */
} quatsimd_out;

/* Elements one behind the other, to be read: x y z w x y z w ... */
static inline quatsimd_in quatsimd_aos(const float *first) {
  quatsimd_in view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_AOS, QUATSIMD_VIEW_XYZW, 0};
  return view;
}
/* Elements one behind the other, to be written: x y z w x y z w ... */
static inline quatsimd_out quatsimd_aos_out(float *first) {
  quatsimd_out view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_AOS, QUATSIMD_VIEW_XYZW, 0};
  return view;
}

/* Elements inside larger structs, to be read. stride is in bytes, from the beginning of one element to the
 * beginning of the next. */
static inline quatsimd_in quatsimd_strided(const float *first, size_t stride) {
  quatsimd_in view = {first, NULL, NULL, NULL, stride, QUATSIMD_VIEW_STRIDED, QUATSIMD_VIEW_XYZW, 0};
  return view;
}
/* Elements inside larger structs, to be written. stride is in bytes, from the beginning of one element to the
 * beginning of the next, and at least the size of an element. */
static inline quatsimd_out quatsimd_strided_out(float *first, size_t stride) {
  quatsimd_out view = {first, NULL, NULL, NULL, stride, QUATSIMD_VIEW_STRIDED, QUATSIMD_VIEW_XYZW, 0};
  return view;
}

/* One element that stands for all others, to be read: one rotation for many vectors, one t for all pairs. */
static inline quatsimd_in quatsimd_one(const float *element) { return quatsimd_strided(element, 0); }

/* An array for each component. Give null for the components that the elements do not have: quatsimd_soa(x, y,
 * z, NULL) are vectors. */
static inline quatsimd_in quatsimd_soa(const float *x, const float *y, const float *z, const float *w) {
  quatsimd_in view = {x, y, z, w, 0, QUATSIMD_VIEW_SOA, QUATSIMD_VIEW_XYZW, 0};
  return view;
}
/* An array for each component, to be written; null for the components that the elements do not have. */
static inline quatsimd_out quatsimd_soa_out(float *x, float *y, float *z, float *w) {
  quatsimd_out view = {x, y, z, w, 0, QUATSIMD_VIEW_SOA, QUATSIMD_VIEW_XYZW, 0};
  return view;
}

/* Blocks of `block` elements, 4 or 8, one behind the other, to be read. In a block the first components of
 * all elements come first, then their second ones, and so on. */
static inline quatsimd_in quatsimd_blocks(const float *first, unsigned block) {
  quatsimd_in view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_BLOCKS, QUATSIMD_VIEW_XYZW, block};
  return view;
}
/* Blocks of `block` elements, 4 or 8, to be written, as quatsimd_blocks describes them. */
static inline quatsimd_out quatsimd_blocks_out(float *first, unsigned block) {
  quatsimd_out view = {first, NULL, NULL, NULL, 0, QUATSIMD_VIEW_BLOCKS, QUATSIMD_VIEW_XYZW, block};
  return view;
}

/* The view of quaternions in the same memory with w before x, y and z: w x y z, or wwww xxxx yyyy zzzz. */
static inline quatsimd_in quatsimd_wxyz(quatsimd_in view) {
  view.order = QUATSIMD_VIEW_WXYZ;
  return view;
}
/* The view of quaternions in the same memory with w before x, y and z, to be written. */
static inline quatsimd_out quatsimd_wxyz_out(quatsimd_out view) {
  view.order = QUATSIMD_VIEW_WXYZ;
  return view;
}

#endif
