/* Selects the functions of kernel tables. QUATSIMD_ONLY_CLIPS keeps only those of clips and poses.
 * QUATSIMD_PLAYER leaves out packing and the functions on arrays of structs. */
#ifndef QUATSIMD_PARTS_H
#define QUATSIMD_PARTS_H

#if defined QUATSIMD_NO_ENCODER || defined QUATSIMD_SMALL || defined QUATSIMD_NO_SCALAR ||                   \
    defined QUATSIMD_NO_POSES || defined QUATSIMD_NO_BUNDLES
#error "gone: QUATSIMD_NO_ENCODER, _SMALL and _NO_SCALAR, now QUATSIMD_PLAYER; and _NO_POSES and _NO_BUNDLES"
#endif

#ifdef QUATSIMD_PLAYER
enum { QUATSIMD_IS_PLAYER = 1 };
#define UNLESS_PLAYER(function) NULL
#else
enum { QUATSIMD_IS_PLAYER = 0 };
#define UNLESS_PLAYER(function) function
#endif

#ifdef QUATSIMD_ONLY_CLIPS
enum { QUATSIMD_IS_ONLY_CLIPS = 1 };
#define UNLESS_ONLY_CLIPS(function) NULL
#else
enum { QUATSIMD_IS_ONLY_CLIPS = 0 };
#define UNLESS_ONLY_CLIPS(function) function
#endif

#define CODEC_FUNCTIONS(codec)                                                                               \
  { UNLESS_PLAYER(pack_all_##codec), unpack_all_##codec }

/* Select an operation's functions by the columns `kernel` and `part` of operations.def. IN_ gives the
 * function on arrays of components, ON_ the function on arrays of structs. */
#define IN_DOUBLE(name) in_double_##name
#define IN_FLOAT(name) in_float_##name
#define IN_STRUCTS(name) in_float_##name
#define ON_DOUBLE(name) NULL
#define ON_FLOAT(name) NULL
#define ON_STRUCTS(name) UNLESS_PLAYER(on_structs_##name)
#define IF_CLIPS(function) function
#define IF_FULL(function) UNLESS_ONLY_CLIPS(function)

#endif
