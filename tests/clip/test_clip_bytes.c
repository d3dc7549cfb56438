/* Opens damaged clips. If one opens, its samples must be finite and its rotations must have length 1. Each
 * clip is in memory of exactly its size, so that sanitizers report reads behind it. */
#include "support/clips.h"

#include "support/clip_bytes.h"

#include "clip/encode/append.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char *const small[] = {
    "small", "small_uneven", "one_frame",   "no_joints",   "no_curves",  "two_frames",   "block_and_one",
    "late",  "round_loop",   "steps_alone", "noise_small", "small_face", "small_splines"};
enum { SMALL = sizeof small / sizeof small[0] };

typedef struct encoded {
  unsigned char *bytes;
  size_t size;
} encoded;

static encoded encode(const char *name) {
  scene s = {0};
  void *data;
  encoded e;
  if (strcmp(name, "noise_small") == 0) { /* this clip has raw curves, and a unit for each curve */
    scene_small(&s);
    s.joint[1].rotation_bound = 3e-5f, s.joint[0].rotation_bound = 1e-4f;
  } else {
    size_t i = 0;
    while (i < SCENES && strcmp(scenes[i].name, name) != 0) i++;
    assert_true(i < SCENES);
    scene_make(&s, &scenes[i]);
  }
  assert_int_equal(quatsimd_clip_encode(&data, &e.size, &s.source, &s.options, NULL), QUATSIMD_OK);
  e.bytes = data;
  scene_free(&s);
  return e;
}

/* Opens a copy of `size` bytes as a clip, and samples the clip if it opens. Returns true if it opened. */
static bool survives(const unsigned char *bytes, size_t size, uint64_t *state) {
  unsigned char *copy = malloc(size ? size : 1);
  if (!copy) fail_msg("out of memory");
  memcpy(copy, bytes, size);
  const char *wrong = NULL;
  const bool opened = clip_bytes_try(copy, size, state, &wrong);
  if (wrong) fail_msg("a damaged clip of %zu bytes: %s", size, wrong);
  free(copy);
  return opened;
}

/* Returns the offset of the end of the clip's last knots, or 0 if the clip has no knots. */
static size_t knots_end(const quatsimd_clip *clip) {
  size_t end = 0;
  for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
    if (clip_part_of(clip, kind).moving)
      end = (size_t)(clip_part_of(clip, kind).knots - clip->data) +
            clip_part_of(clip, kind).row * (clip_blocks(clip->frames) + 1);
  return end;
}

static void truncated(void **state) {
  (void)state;
  uint64_t random = 1;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    assert_true(survives(e.bytes, e.size, &random));
    for (size_t size = 0; size < e.size; size++) {
      assert_false(survives(e.bytes, size, &random));
      unsigned char *cut = malloc(size + 1); /* `cut` gets the right size and checksum */
      if (!cut) fail_msg("out of memory");
      memcpy(cut, e.bytes, size);
      clip_bytes_seal(cut, size);
      const bool opened = survives(cut, size, &random);
      /* a clip may open without its last zeros, but not without the 32 bytes after knots that kernels read */
      quatsimd_clip_storage storage;
      quatsimd_clip *clip;
      if (opened && quatsimd_clip_open(&clip, &storage, sizeof storage, cut, size) == QUATSIMD_OK &&
          knots_end(clip) + CLIP_OVERREAD > size)
        fail_msg("%s: the first %zu of %zu bytes are a clip", small[n], size, e.size);
      free(cut);
    }
    unsigned char *longer = malloc(e.size + 100);
    if (!longer) fail_msg("out of memory");
    memset(longer, 0, e.size + 100), memcpy(longer, e.bytes, e.size);
    assert_false(survives(longer, e.size + 1, &random)); /* the size differs from that in the head */
    clip_bytes_seal(longer, e.size + 100);
    assert_false(survives(longer, e.size + 100, &random));
    free(longer), free(e.bytes);
  }
}

/* Checks that every change of a byte is found if the checksum is not corrected. */
static void single_bytes(void **state) {
  (void)state;
  uint64_t random = 2;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    for (size_t i = 0; i < e.size; i++)
      for (int value = 1; value < 256; value++) {
        quatsimd_clip_storage storage;
        quatsimd_clip *clip;
        e.bytes[i] ^= (unsigned char)value;
        if (quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size) !=
            (i < 3                                         ? QUATSIMD_ERROR_NOT_A_CLIP
             : i > 3 || e.bytes[3] == 2 || e.bytes[3] == 3 ? QUATSIMD_ERROR_DAMAGED_CLIP
             : e.bytes[3] < 2                              ? QUATSIMD_ERROR_NOT_A_CLIP
                                                           : QUATSIMD_ERROR_LATER_VERSION))
          fail_msg("%s: byte %zu with %02x changed is a clip", small[n], i, value);
        e.bytes[i] ^= (unsigned char)value;
      }
    assert_true(survives(e.bytes, e.size, &random));
    free(e.bytes);
  }
}

/* Changes one byte at a time and corrects the checksum. Some changes cannot be found, and the clip opens. */
static void sealed_bytes(void **state) {
  (void)state;
  uint64_t random = 3;
  size_t opened = 0, tried = 0;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    for (size_t i = 0; i < e.size; i++) {
      const unsigned char was = e.bytes[i], values[] = {0,
                                                        1,
                                                        0x7f,
                                                        0x80,
                                                        0xff,
                                                        (unsigned char)(was + 1),
                                                        (unsigned char)(was - 1),
                                                        (unsigned char)(was ^ 0x10)};
      for (size_t v = 0; v < sizeof values; v++, tried++) {
        e.bytes[i] = values[v];
        clip_bytes_seal(e.bytes, e.size);
        opened += survives(e.bytes, e.size, &random);
      }
      e.bytes[i] = was;
    }
    free(e.bytes);
  }
  assert_true(opened > tried / 20 && opened < tried); /* some clips opened and some did not */
}

static void random_damage(void **state) {
  (void)state;
  enum { CLIPS = 100000 };
  uint64_t random = 4;
  size_t opened = 0;
  encoded all[SMALL];
  for (size_t n = 0; n < SMALL; n++) all[n] = encode(small[n]);
  for (size_t round = 0; round < CLIPS; round++) {
    const encoded e = all[round % SMALL];
    unsigned char *copy = malloc(e.size);
    if (!copy) fail_msg("out of memory");
    memcpy(copy, e.bytes, e.size);
    /* more changes are at the front of the clip, where its sizes are */
    for (unsigned changes = (unsigned)(sweep_next(&random) % 6) + 1; changes > 0; changes--) {
      const size_t at = (size_t)(random_unit(&random) * random_unit(&random) * (double)e.size);
      copy[at] =
          (unsigned char)(sweep_next(&random) % 3 ? sweep_next(&random)
                                                  : (uint64_t)copy[at] ^ 1u << sweep_next(&random) % 8);
    }
    clip_bytes_seal(copy, e.size);
    opened += survives(copy, e.size, &random);
    free(copy);
  }
  for (size_t n = 0; n < SMALL; n++) free(all[n].bytes);
  assert_true(opened > CLIPS / 50 && opened < CLIPS);
}

/* Fills the knots and bases of rotations with random bytes. Sets the unit to 1, the largest valid one. */
static void random_payloads(void **state) {
  (void)state;
  uint64_t random = 5;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
    size_t opened = 0;
    const size_t rounds = clip_part_of(clip, 0).moving ? 2000 : 0;
    for (size_t round = 0; round < rounds; round++) {
      unsigned char *copy = malloc(e.size);
      if (!copy) fail_msg("out of memory");
      memcpy(copy, e.bytes, e.size);
      /* bytes of knots and bases may have any value, so the clip opens */
      const size_t knots = (size_t)(clip_part_of(clip, 0).knots - e.bytes),
                   bases = (size_t)(clip_part_of(clip, 0).bases - e.bytes);
      for (size_t i = knots; i < knots + clip_part_of(clip, 0).row * (clip_blocks(clip->frames) + 1); i++)
        copy[i] = (unsigned char)sweep_next(&random);
      for (size_t i = bases; i < (size_t)(clip_part_of(clip, 0).slots - e.bytes); i++)
        copy[i] = (unsigned char)sweep_next(&random);
      const size_t unit = (size_t)(clip_part_of(clip, 0).widths - e.bytes) - 4;
      const float largest = 1;
      memcpy(copy + unit, &largest, 4);
      clip_bytes_seal(copy, e.size);
      opened += survives(copy, e.size, &random);
      free(copy);
    }
    assert_int_equal(opened, rounds);
    free(e.bytes);
  }
}

/* Checks that knots wider than CLIP_KNOT_BITS are refused, even if the clip has bytes for such knots. */
static void wide_knots(void **state) {
  (void)state;
  for (unsigned width = CLIP_KNOT_BITS; width < 256; width++) {
    encoded e = encode("two_frames");
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
    const size_t at = (size_t)(clip_part_of(clip, 0).widths - e.bytes),
                 knots = (size_t)(clip_part_of(clip, 0).knots - e.bytes),
                 old = clip_row_bytes(e.bytes + at, CLIP_AXES, clip_part_of(clip, 0).moving);
    e.bytes[at] = (unsigned char)width;
    const size_t more = 2 * (clip_row_bytes(e.bytes + at, CLIP_AXES, clip_part_of(clip, 0).moving) - old);
    unsigned char *wide = calloc(1, e.size + more);
    if (!wide) fail_msg("out of memory");
    memcpy(wide, e.bytes, knots), memcpy(wide + knots + more, e.bytes + knots, e.size - knots);
    clip_bytes_seal(wide, e.size + more);
    uint64_t random = 6;
    assert_int_equal(survives(wide, e.size + more, &random), width == CLIP_KNOT_BITS);
    free(wide), free(e.bytes);
  }
}

/* Checks that an unused byte at the end of the last block is refused. */
static void slack_in_blocks(void **state) {
  (void)state;
  const encoded e = encode("round_loop");
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  uint64_t random = 7;
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
  const size_t blocks = clip_blocks(clip->frames),
               at = (size_t)(clip_part_of(clip, 0).ends - e.bytes) + 2 * (blocks - 1),
               knots = (size_t)(clip_part_of(clip, 0).knots - e.bytes);
  unsigned char *longer = calloc(1, e.size + 1);
  if (!longer) fail_msg("out of memory");
  memcpy(longer, e.bytes, knots), memcpy(longer + knots + 1, e.bytes + knots, e.size - knots);
  longer[at]++;
  if (longer[at] == 0) longer[at + 1]++;
  clip_bytes_seal(longer, e.size + 1);
  assert_false(survives(longer, e.size + 1, &random));
  free(longer), free(e.bytes);
}

/* Checks that opening refuses a raw curve with too wide fields. One component gets the sum of all widths, and
 * the others get width 0, so the curve has as many bytes as before. */
static void wide_frames(void **state) {
  (void)state;
  const encoded e = encode("noise_small");
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  uint64_t random = 8;
  size_t raws = 0;
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
  const quatsimd_clip_part part = clip_part_of(clip, 0);
  const size_t moving = part.moving, blocks = (size_t)(part.blocks - e.bytes);
  assert_true(moving <= CLIP_GROUP);
  /* a block has codes, profiles, channels, and then raw curves */
  for (size_t b = 0; b < clip_blocks(clip->frames); b++) {
    const unsigned char *codes = e.bytes + blocks + (b ? clip_block_end(clip, 0, &part, b - 1) : 0),
                        *profile = codes + (moving + 1) / 2;
    size_t at = (size_t)(profile - e.bytes) + CLIP_AXES * moving;
    const size_t inner = clip_block_start(b + 1, clip->frames) - clip_block_start(b, clip->frames) - 1;
    for (size_t i = 0; i < CLIP_AXES * moving; i++) at += quatsimd_clip_bytes[profile[i]];
    for (size_t i = 0; i < moving; i++) {
      if (clip_code(codes, i) != CLIP_RAW) continue;
      const size_t bytes = clip_raw_bytes(e.bytes + at, CLIP_AXES, inner);
      unsigned char was[CLIP_AXES];
      memcpy(was, e.bytes + at, sizeof was);
      for (int a = 0; a < CLIP_AXES; a++) {
        memset(e.bytes + at, 0, sizeof was);
        e.bytes[at + (size_t)a] = (unsigned char)(was[0] + was[1] + was[2]);
        assert_true(was[0] + was[1] + was[2] > CLIP_RAW_BITS);
        clip_bytes_seal(e.bytes, e.size);
        assert_false(survives(e.bytes, e.size, &random));
      }
      memcpy(e.bytes + at, was, sizeof was);
      at += bytes, raws++;
    }
  }
  assert_true(raws > 0);
  clip_bytes_seal(e.bytes, e.size);
  assert_true(survives(e.bytes, e.size, &random));
  free(e.bytes);
}

/* Opens a clip without its bytes from `from` to `to`. Returns true if it opened. */
static bool survives_without(const encoded *e, size_t from, size_t to) {
  uint64_t random = 10;
  unsigned char *shorter = malloc(e->size);
  if (!shorter) fail_msg("out of memory");
  memcpy(shorter, e->bytes, from), memcpy(shorter + from, e->bytes + to, e->size - to);
  clip_bytes_seal(shorter, e->size - (to - from));
  const bool opened = survives(shorter, e->size - (to - from), &random);
  free(shorter);
  return opened;
}

/* A curve must have at least one key. The times of keys must be finite and must increase. */
static void bad_key_times(void **state) {
  (void)state;
  uint64_t random = 11;
  const double nan = (double)NAN, infinite = (double)INFINITY;
  for (int wrong = 0; wrong < 6; wrong++) {
    const encoded e = encode("steps_alone");
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
    const clip_keyed keys = clip_keyed_at(clip, 0, clip_part_of(clip, 0).keys);
    unsigned char *times = e.bytes + (keys.times - e.bytes), *second = times + keys.time_bytes;
    assert_true(keys.count == 5 && keys.time_bytes == 8);
    if (wrong == 0) memcpy(second, times, 8);
    if (wrong == 1) memcpy(second + 24, times, 8);
    if (wrong == 2) memcpy(second, &nan, 8);
    if (wrong == 3) memcpy(times, &nan, 8);
    if (wrong == 4) memcpy(second + 24, &infinite, 8);
    if (wrong == 5) times[0] ^= 1; /* this time is still valid */
    clip_bytes_seal(e.bytes, e.size);
    assert_int_equal(survives(e.bytes, e.size, &random), wrong == 5);
    if (wrong == 5) {
      times[-4] = 0; /* the number of keys becomes 0 */
      assert_false(survives_without(&e, (size_t)(times - e.bytes),
                                    (size_t)(quatsimd_clip_keyed_end(&keys) - e.bytes)));
    }
    free(e.bytes);
  }
}

/* Checks that a clip with moving curves and one frame is refused. */
static void one_frame_moves(void **state) {
  (void)state;
  encoded e = encode("round_loop");
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
  const size_t ends = (size_t)(clip_part_of(clip, 0).ends - e.bytes),
               knots = (size_t)(clip_part_of(clip, 0).knots - e.bytes), blocks = clip_blocks(clip->frames);
  assert_true(clip_part_of(clip, 0).blocks ==
              clip_part_of(clip, 0).ends + 2 * blocks); /* sections come in the order ends, blocks, knots */
  memset(e.bytes + CLIP_AT_FRAMES, 0, 4);
  e.bytes[CLIP_AT_FRAMES] = 1;
  /* cuts out the blocks, and all rows of knots but the last */
  assert_false(survives_without(&e, ends, knots + clip_part_of(clip, 0).row * blocks));
  free(e.bytes);
}

/* Checks that the number at offset `at` of the clip's head may be `most`, but not more. */
static void check_most(const char *name, size_t at, uint32_t most) {
  const encoded e = encode(name);
  uint64_t random = 9;
  for (uint32_t more = 0; more < 2; more++) {
    for (int i = 0; i < 4; i++) e.bytes[at + i] = (unsigned char)((most + more) >> 8 * i);
    clip_bytes_seal(e.bytes, e.size);
    assert_int_equal(survives(e.bytes, e.size, &random), more == 0);
  }
  free(e.bytes);
}

static void many_frames(void **state) {
  (void)state;
  check_most("one_frame", CLIP_AT_FRAMES, CLIP_MOST_FRAMES);
}

static void many_joints(void **state) {
  (void)state;
  check_most("no_curves", CLIP_AT_JOINTS, CLIP_MOST_JOINTS);
}

/* Returns the clip `name` with the bytes `more` inserted at offset `at`, and with `flag` set. */
static encoded insert(const char *name, size_t at, const void *more, size_t size, uint32_t flag) {
  const encoded e = encode(name);
  encoded longer = {malloc(e.size + size), e.size + size};
  if (!longer.bytes) fail_msg("out of memory");
  memcpy(longer.bytes, e.bytes, at), memcpy(longer.bytes + at, more, size);
  memcpy(longer.bytes + at + size, e.bytes + at, e.size - at);
  for (int i = 0; i < 4; i++) longer.bytes[CLIP_AT_FLAGS + i] |= (unsigned char)(flag >> 8 * i);
  free(e.bytes);
  return longer;
}

static void expect_opened(const encoded *e, bool expected, const char *what, size_t number) {
  uint64_t random = 15;
  clip_bytes_seal(e->bytes, e->size);
  if (survives(e->bytes, e->size, &random) != expected)
    fail_msg("%s, %zu: %s", what, number, expected ? "refused" : "accepted");
}

static void many_tracks(void **state) {
  (void)state;
  for (uint32_t more = 0; more < 2; more++) {
    const uint32_t tracks = CLIP_MOST_JOINTS + more;
    const unsigned char count[] = {tracks & 255, tracks >> 8 & 255, tracks >> 16 & 255, tracks >> 24};
    const encoded e = insert("no_curves", CLIP_HEAD, count, sizeof count, CLIP_HAS_TRACKS);
    expect_opened(&e, more == 0, "tracks", more);
    free(e.bytes);
  }
}

/* Checks the limits of a clip's rate, 2^-100 to 2^100, and of its start, -2^100 to 2^100. */
static void limits_of_times(void **state) {
  (void)state;
  static const double most = 0x1p+100, least = 0x1p-100;
  const struct {
    double rate, start;
    bool good;
  } cases[] = {{least, 0, true},       {nextafter(least, 0), 0, false},
               {most, 0, true},        {nextafter(most, 1e300), 0, false},
               {-1, 0, false},         {(double)NAN, 0, false},
               {1, most, true},        {1, nextafter(most, 1e300), false},
               {1, -most, true},       {1, -nextafter(most, 1e300), false},
               {1, (double)NAN, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const encoded e = insert("one_frame", CLIP_HEAD, &cases[i].start, 8, CLIP_HAS_START);
    memcpy(e.bytes + CLIP_AT_RATE, &cases[i].rate, 8);
    expect_opened(&e, cases[i].good, "rate and start", i);
    free(e.bytes);
  }
}

/* A clip's first and last frame must be at most 2^48 frames from time 0. These clips have two frames, half a
 * second apart. */
static void frames_that_doubles_tell_apart(void **state) {
  (void)state;
  static const struct {
    double start;
    bool good;
  } cases[] = {{0x1p+47 - 0.5, true}, {0x1p+47, false}, {-0x1p+47, true}, {-0x1p+47 - 0.5, false}};
  const double rate = 2;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const encoded e = insert("no_curves", CLIP_HEAD, &cases[i].start, 8, CLIP_HAS_START);
    memcpy(e.bytes + CLIP_AT_RATE, &rate, 8);
    e.bytes[CLIP_AT_FRAMES] = 2;
    expect_opened(&e, cases[i].good, "start", i);
    free(e.bytes);
  }
}

/* Checks the four values of CLIP_ADDITIVE. Three are valid, and two of these mark an additive clip. */
static void sorts_of_additive_clips(void **state) {
  (void)state;
  for (uint32_t sort = 0; sort < 4; sort++) {
    const encoded e = insert("no_curves", CLIP_HEAD, "", 0, sort * CLIP_ADDITIVE);
    expect_opened(&e, sort < 3, "additive", sort);
    free(e.bytes);
  }
}

/* Checks the limits of the units of curves: 2^-100 to 1 for rotations, 2^-100 to 2^70 for translations. */
static void limits_of_units(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) {
    const float most = kind == 0 ? 1 : 0x1p+70f, least = 0x1p-100f;
    const struct {
      float unit;
      bool good;
    } cases[] = {{least, true}, {nextafterf(least, 0), false},
                 {most, true},  {nextafterf(most, INFINITY), false},
                 {0, false},    {-1, false},
                 {NAN, false},  {INFINITY, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
      const encoded e = encode("small");
      quatsimd_clip_storage storage;
      quatsimd_clip *clip;
      assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, e.bytes, e.size), QUATSIMD_OK);
      const quatsimd_clip_part part = clip_part_of(clip, kind);
      assert_true(part.moving > 0);
      memcpy(e.bytes + (part.widths - 4 - e.bytes), &cases[i].unit, 4); /* the unit is before the widths */
      expect_opened(&e, cases[i].good, kind == 0 ? "unit of rotations" : "unit of translations", i);
      free(e.bytes);
    }
  }
}

/* Checks that a clip is refused if the times of its frames do not increase. */
static void equal_frame_times(void **state) {
  (void)state;
  uint64_t random = 12;
  for (int wrong = 0; wrong < 4; wrong++) {
    const encoded e = encode("small_uneven");
    unsigned char *times = e.bytes + CLIP_HEAD, first[4];
    memcpy(first, times, 4);
    if (wrong == 1) memcpy(times, times + 4, 4);
    if (wrong == 2) memcpy(times + 4, times + 8, 4);
    if (wrong == 3) memcpy(times, times + 4, 4), memcpy(times + 4, first, 4);
    clip_bytes_seal(e.bytes, e.size);
    assert_int_equal(survives(e.bytes, e.size, &random), wrong == 0);
    free(e.bytes);
  }
}

/* Checks that opening refuses bytes behind a clip's last section, except a limited number of zeros. */
static void junk_behind_the_end(void **state) {
  (void)state;
  uint64_t random = 14;
  for (size_t n = 0; n < SMALL; n++) {
    const encoded e = encode(small[n]);
    bool zeros = true;
    for (size_t more = 1; more <= CLIP_OVERREAD + 1; more++) {
      unsigned char *longer = calloc(1, e.size + more);
      if (!longer) fail_msg("out of memory");
      memcpy(longer, e.bytes, e.size);
      clip_bytes_seal(longer, e.size + more);
      const bool opened = survives(longer, e.size + more, &random);
      assert_true(zeros || !opened); /* if n zeros are refused, n + 1 zeros are refused too */
      zeros = opened;
      for (size_t at = e.size; at < e.size + more; at++) {
        longer[at] = (unsigned char)(1u << at % 8);
        clip_bytes_seal(longer, e.size + more);
        assert_false(survives(longer, e.size + more, &random));
        longer[at] = 0;
      }
      free(longer);
    }
    assert_false(zeros);
    free(e.bytes);
  }
}

/* Checks that the ends of blocks are stored in 32 bits if the blocks have more than 65,535 bytes. */
static void ends_of_blocks(void **state) {
  (void)state;
  for (size_t size = 65000; size < 66000; size++)
    assert_int_equal(clip_is_wide(size), (uint16_t)size != size);
}

/* ---- growing buffers ---- */

enum { BEHIND = 64 };

static void *guarded_allocate(void *context, size_t size) {
  (void)context;
  size_t *p = malloc(sizeof size + size + BEHIND);
  if (!p) fail_msg("out of memory");
  *p = size;
  memset(p + 1, 0xa5, size + BEHIND);
  return p + 1;
}

static void guarded_release(void *context, void *memory) {
  (void)context;
  if (!memory) return;
  size_t *p = (size_t *)memory - 1;
  for (size_t i = 0; i < BEHIND; i++) assert_int_equal(((unsigned char *)memory)[*p + i], 0xa5);
  free(p);
}

static void appended_bytes_stay_inside(void **state) {
  (void)state;
  const quatsimd_allocator allocator = {guarded_allocate, guarded_release, NULL};
  for (size_t step = 1; step < 40; step++) {
    clip_bytes bytes = {.allocator = &allocator};
    for (size_t i = 0; i < 5000; i += step) {
      unsigned char *p = quatsimd_clip_append(&bytes, step);
      assert_non_null(p);
      assert_true(bytes.size == i + step && bytes.size <= bytes.capacity);
      for (size_t b = 0; b < step; b++) assert_int_equal(p[b], 0);
      memset(p, (int)step, step);
    }
    for (size_t i = 0; i < bytes.size; i++) assert_int_equal(bytes.data[i], step);
    quatsimd_clip_free(&allocator, bytes.data);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(truncated),
                                     cmocka_unit_test(single_bytes),
                                     cmocka_unit_test(sealed_bytes),
                                     cmocka_unit_test(random_damage),
                                     cmocka_unit_test(wide_knots),
                                     cmocka_unit_test(slack_in_blocks),
                                     cmocka_unit_test(wide_frames),
                                     cmocka_unit_test(many_frames),
                                     cmocka_unit_test(bad_key_times),
                                     cmocka_unit_test(one_frame_moves),
                                     cmocka_unit_test(random_payloads),
                                     cmocka_unit_test(equal_frame_times),
                                     cmocka_unit_test(many_joints),
                                     cmocka_unit_test(junk_behind_the_end),
                                     cmocka_unit_test(ends_of_blocks),
                                     cmocka_unit_test(appended_bytes_stay_inside),
                                     cmocka_unit_test(many_tracks),
                                     cmocka_unit_test(limits_of_times),
                                     cmocka_unit_test(limits_of_units),
                                     cmocka_unit_test(frames_that_doubles_tell_apart),
                                     cmocka_unit_test(sorts_of_additive_clips)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
