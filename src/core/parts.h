/* The parts of a build. Tables of kernels have all functions, unless QUATSIMD_ONLY_CLIPS is defined. Then
 * they have the functions of clips, those of poses unless QUATSIMD_NO_POSES is defined, and those that pack
 * unless QUATSIMD_NO_ENCODER is defined. With QUATSIMD_SMALL arrays of structs go through arrays of
 * components. */
#ifndef QUATSIMD_PARTS_H
#define QUATSIMD_PARTS_H

#ifdef QUATSIMD_SMALL
enum { QUATSIMD_IS_SMALL = 1 };
#else
enum { QUATSIMD_IS_SMALL = 0 };
#endif

#ifdef QUATSIMD_ONLY_CLIPS
#define UNLESS_ONLY_CLIPS(function) NULL
#else
#define UNLESS_ONLY_CLIPS(function) function
#endif
#if defined QUATSIMD_ONLY_CLIPS && defined QUATSIMD_NO_ENCODER
#define UNLESS_PLAYER(function) NULL
#else
#define UNLESS_PLAYER(function) function
#endif

#ifdef QUATSIMD_NO_POSES
#define UNLESS_NO_POSES UNLESS_ONLY_CLIPS
#else
#define UNLESS_NO_POSES(function) function
#endif

/* A codec's functions for arrays. */
#define CODEC_FUNCTIONS(codec)                                                                               \
  { UNLESS_PLAYER(pack_all_##codec), unpack_all_##codec }

/* An operation's functions, by the column `where` of operations.def. IN_ gives the function on arrays of
 * components, and ON_ the function on arrays of structs. */
#define IN_DOUBLE(name) UNLESS_ONLY_CLIPS(in_double_##name)
#define IN_FLOAT(name) UNLESS_ONLY_CLIPS(in_float_##name)
#define IN_STRUCTS(name) UNLESS_ONLY_CLIPS(in_float_##name)
#define IN_CLIPS_STRUCTS(name) in_float_##name
#define IN_POSES_FLOAT(name) UNLESS_NO_POSES(in_float_##name)
#define IN_POSES_STRUCTS(name) UNLESS_NO_POSES(in_float_##name)
/* Code between QUATSIMD_FOR_SPEED and QUATSIMD_FOR_SIZE is compiled for speed in a build that is compiled for
 * size (web/build.sh). */
#ifndef QUATSIMD_FOR_SPEED
#define QUATSIMD_FOR_SPEED
#define QUATSIMD_FOR_SIZE
#endif

#ifdef QUATSIMD_SMALL
#define UNLESS_SMALL(function) NULL
#else
#define UNLESS_SMALL(function) function
#endif
#define ON_DOUBLE(name) NULL
#define ON_FLOAT(name) NULL
#define ON_STRUCTS(name) UNLESS_ONLY_CLIPS(UNLESS_SMALL(on_structs_##name))
#define ON_CLIPS_STRUCTS(name) UNLESS_SMALL(on_structs_##name)
#define ON_POSES_FLOAT(name) NULL
#define ON_POSES_STRUCTS(name) UNLESS_NO_POSES(UNLESS_SMALL(on_structs_##name))

#endif
