#include "clip/layout.h"
#include "core/isas.h"

/* Element `code` is 1.1 * 2^(code / 8). */
const float quatsimd_clip_quantum[CLIP_RAW + 1] = {
    1.1f, 1.1995585f, 1.3081279f, 1.4265236f, 1.555635f, 1.6964319f, 1.8499721f, 2.0174088f,
    2.2f, 2.399117f,  2.6162558f, 2.8530471f, 3.11127f,  3.3928638f, 3.6999443f, 0};

const float quatsimd_clip_sixteenth[16] = {
    1.0f,        0.9576033f, 0.91700405f, 0.8781261f, 0.8408964f,  0.80524516f, 0.7711054f, 0.7384131f,
    0.70710677f, 0.6771278f, 0.6484198f,  0.6209289f, 0.59460354f, 0.5693943f,  0.5452539f, 0.52213687f};

const float quatsimd_clip_norm[CLIP_INTERVALS + 1] = {0,
                                                      4.315969e-05f,
                                                      3.051851e-05f,
                                                      2.491826e-05f,
                                                      2.1579845e-05f,
                                                      1.93016e-05f,
                                                      1.761987e-05f,
                                                      1.631283e-05f,
                                                      1.5259255e-05f,
                                                      1.4386564e-05f,
                                                      1.3648292e-05f,
                                                      1.3013137e-05f,
                                                      1.245913e-05f,
                                                      1.19703445e-05f,
                                                      1.1534912e-05f,
                                                      1.1143784e-05f,
                                                      1.0789922e-05f,
                                                      1.0467762e-05f};

/* Tables for kernels that shuffle bytes. A field of w bits begins at bit `at` of its half's 16 bytes. */
#if defined QUATSIMD_HAS_VECTORS && !defined QUATSIMD_PLAYER
#define LOW(w, at) (w) == 0 ? -128 : (at) / 8
#define HIGH(w, at) (w) == 0 || (at) % 8 + (w) <= 8 ? -128 : (at) / 8 + 1
#define BYTES(w, o, s) LOW(w, (o)-8 * (s)), HIGH(w, (o)-8 * (s))
#define UP(w, o) (int16_t)((w) == 0 ? 0 : 65536 >> ((o) % 8 + (w)))
#define KEEP(w) (int16_t)((w) == 0 ? 0 : -(65536 >> (w)))
#define DOWN(w) (w) == 0 ? 0 : 1 << ((w) + ((w) == 0) - 1)
const quatsimd_clip_plan quatsimd_clip_plans[CLIP_PROFILES] = {
#define PROFILE(bytes, second, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf, o0, o1, o2,   \
                o3, o4, o5, o6, o7, o8, o9, oa, ob, oc, od, oe, of)                                          \
  {{BYTES(w0, o0, 0), BYTES(w1, o1, 0), BYTES(w2, o2, 0), BYTES(w3, o3, 0), BYTES(w4, o4, 0),                \
    BYTES(w5, o5, 0), BYTES(w6, o6, 0), BYTES(w7, o7, 0), BYTES(w8, o8, second), BYTES(w9, o9, second),      \
    BYTES(wa, oa, second), BYTES(wb, ob, second), BYTES(wc, oc, second), BYTES(wd, od, second),              \
    BYTES(we, oe, second), BYTES(wf, of, second)},                                                           \
   {UP(w0, o0), UP(w1, o1), UP(w2, o2), UP(w3, o3), UP(w4, o4), UP(w5, o5), UP(w6, o6), UP(w7, o7),          \
    UP(w8, o8), UP(w9, o9), UP(wa, oa), UP(wb, ob), UP(wc, oc), UP(wd, od), UP(we, oe), UP(wf, of)},         \
   {KEEP(w0), KEEP(w1), KEEP(w2), KEEP(w3), KEEP(w4), KEEP(w5), KEEP(w6), KEEP(w7), KEEP(w8), KEEP(w9),      \
    KEEP(wa), KEEP(wb), KEEP(wc), KEEP(wd), KEEP(we), KEEP(wf)},                                             \
   {DOWN(w0), DOWN(w1), DOWN(w2), DOWN(w3), DOWN(w4), DOWN(w5), DOWN(w6), DOWN(w7), DOWN(w8), DOWN(w9),      \
    DOWN(wa), DOWN(wb), DOWN(wc), DOWN(wd), DOWN(we), DOWN(wf)}},
#include "clip/profiles.def"
#undef PROFILE
};
#endif
#ifdef QUATSIMD_HAS_AVX512VBMI
#define PLACE(w, o) (o) / 8, (o) / 8 + 1
#define LEFT(w, o) (w) == 0 ? 16 : 16 - (w) - (o) % 8
#define RIGHT(w, o) 16 - (w)
#define EACH(X, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf, o0, o1, o2, o3, o4, o5, o6,  \
             o7, o8, o9, oa, ob, oc, od, oe, of)                                                             \
  {                                                                                                          \
    X(w0, o0), X(w1, o1), X(w2, o2), X(w3, o3), X(w4, o4), X(w5, o5), X(w6, o6), X(w7, o7), X(w8, o8),       \
        X(w9, o9), X(wa, oa), X(wb, ob), X(wc, oc), X(wd, od), X(we, oe), X(wf, of)                          \
  }
const quatsimd_clip_shift_plan quatsimd_clip_shift_plans[CLIP_PROFILES] = {
#define PROFILE(bytes, second, ...)                                                                          \
  {EACH(PLACE, __VA_ARGS__), EACH(LEFT, __VA_ARGS__), EACH(RIGHT, __VA_ARGS__)},
#include "clip/profiles.def"
#undef PROFILE
};
#endif
const uint8_t quatsimd_clip_second[CLIP_PROFILES] = {
#define PROFILE(bytes, second, ...) second,
#include "clip/profiles.def"
#undef PROFILE
};
#define PROFILE(bytes, second, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf, ...)          \
  {w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf},
const uint8_t quatsimd_clip_widths[CLIP_PROFILES][CLIP_INNER] = {
#include "clip/profiles.def"
};
#undef PROFILE
/* Knot i of width w begins at bit i w. The 16 bytes with knots 4 to 7 are loaded from byte w / 2 on. */
#define AT(w, i) ((i) * (w) - ((i) < 4 ? 0 : (w) / 2 * 8))
#define BYTE(w, i, b) (w) == 0 || AT(w, i) % 8 + (w) <= 8 * (b) ? -128 : AT(w, i) / 8 + (b)
#define VALUE(w, i) BYTE(w, i, 0), BYTE(w, i, 1), BYTE(w, i, 2), BYTE(w, i, 3)
#define SHIFT(w, i) (w) == 0 ? 0 : 32 - (w)-AT(w, i) % 8
#define KNOTS(w)                                                                                             \
  {                                                                                                          \
    {                                                                                                        \
        VALUE(w, 0), VALUE(w, 1), VALUE(w, 2), VALUE(w, 3),                                                  \
        VALUE(w, 4), VALUE(w, 5), VALUE(w, 6), VALUE(w, 7)},                                                 \
    {                                                                                                        \
      SHIFT(w, 0), SHIFT(w, 1), SHIFT(w, 2), SHIFT(w, 3), SHIFT(w, 4), SHIFT(w, 5), SHIFT(w, 6), SHIFT(w, 7) \
    }                                                                                                        \
  }
const quatsimd_clip_knot_plan quatsimd_clip_knot_plans[CLIP_KNOT_BITS + 1] = {
    KNOTS(0),  KNOTS(1),  KNOTS(2),  KNOTS(3),  KNOTS(4),  KNOTS(5),  KNOTS(6),  KNOTS(7),
    KNOTS(8),  KNOTS(9),  KNOTS(10), KNOTS(11), KNOTS(12), KNOTS(13), KNOTS(14), KNOTS(15),
    KNOTS(16), KNOTS(17), KNOTS(18), KNOTS(19), KNOTS(20), KNOTS(21), KNOTS(22)};

#ifndef QUATSIMD_PLAYER
const int16_t quatsimd_clip_rows[CLIP_ROWS][CLIP_INNER] = {
#define ROW(intervals, frame, ...) {__VA_ARGS__},
#include "clip/basis.def"
#undef ROW
};
const uint8_t quatsimd_clip_bytes[CLIP_PROFILES] = {
#define PROFILE(bytes, ...) bytes,
#include "clip/profiles.def"
#undef PROFILE
};
#define PROFILE(bytes, second, w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf, ...)          \
  {__VA_ARGS__},
const uint8_t quatsimd_clip_offsets[CLIP_PROFILES][CLIP_INNER] = {
#include "clip/profiles.def"
};
#undef PROFILE
#endif
