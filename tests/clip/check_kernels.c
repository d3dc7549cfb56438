/* Compares each function of the clip kernels with the same function of the reference, the scalar kernels. */
#include "check_kernels.h"
#include "support/kernels.h"
#include "support/random.h"

#include "clip/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#include "support/skip.h"

enum { ROUNDS = 4000 };

static uint32_t below(uint64_t *state, uint32_t n) { return (uint32_t)(random_unit(state) * n); }
static void random_bytes(void *to, size_t count, uint64_t *state) {
  for (size_t i = 0; i < count; i++) ((unsigned char *)to)[i] = (unsigned char)(sweep_next(state) >> 40);
}

/* Returns `bytes` random bytes in memory of exactly this size. Sanitizers report reads behind the memory. */
static unsigned char *random_memory(size_t bytes, uint64_t *state) {
  unsigned char *p = malloc(bytes ? bytes : 1);
  if (!p) fail_msg("out of memory");
  random_bytes(p, bytes, state);
  return p;
}

/* Returns a random payload of channels with these profiles. About one byte in eight is 0 or 255. */
static unsigned char *random_payload(const uint8_t *profile, size_t profiles, size_t *size, uint64_t *state) {
  *size = 0;
  for (size_t i = 0; i < profiles; i++) *size += quatsimd_clip_bytes[profile[i]];
  unsigned char *p = random_memory(*size + CLIP_OVERREAD, state);
  for (size_t i = 0; i < *size + CLIP_OVERREAD; i++)
    if (below(state, 8) == 0) p[i] = below(state, 2) ? 255 : 0;
  return p;
}

static void expect_bits(const quatsimd_kernels *k, const char *name, const void *mine, const void *wanted,
                        size_t bytes) {
  if (memcmp(mine, wanted, bytes) == 0) return;
  size_t i = 0;
  while (((const unsigned char *)mine)[i] == ((const unsigned char *)wanted)[i]) i++;
  fail_msg("%s %s: not the reference's bits from byte %zu on", k->name, name, i);
}

void unpacking(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  const quatsimd_clip_kernels *scalar = scalar_kernels()->clip;
  uint64_t random = 1;
  for (int round = 0; round < ROUNDS; round++) {
    uint8_t profile[CLIP_AXES * CLIP_GROUP];
    quatsimd_clip_group mine, wanted;
    size_t size;
    for (int i = 0; i < CLIP_AXES * CLIP_GROUP; i++) /* each profile occurs at each i */
      profile[i] = round < 2 * CLIP_PROFILES ? (uint8_t)(round + (round < CLIP_PROFILES ? 0 : 11 * i))
                                             : (uint8_t)below(&random, CLIP_PROFILES);
    const size_t axes = round % 3 ? CLIP_AXES : 1;
    unsigned char *payload = random_payload(profile, axes * CLIP_GROUP, &size, &random);
    memset(&mine, 1, sizeof mine), memset(&wanted, 1, sizeof wanted);
    assert_ptr_equal(scalar->unpack(&wanted, profile, payload, axes), payload + size);
    assert_ptr_equal(k->clip->unpack(&mine, profile, payload, axes), payload + size);
    expect_bits(k, "unpack", mine.pair, wanted.pair, sizeof mine.pair);
    free(payload);
  }
}

/* Compares the reference's unpacking with reading the payload bit by bit. */
void reference_unpacks(void **state) {
  (void)state;
  const quatsimd_clip_kernels *scalar = scalar_kernels()->clip;
  uint64_t random = 11;
  for (int p = 0; p < CLIP_PROFILES; p++) {
    uint8_t profile[CLIP_AXES * CLIP_GROUP];
    quatsimd_clip_group group;
    size_t size;
    memset(profile, p, sizeof profile);
    unsigned char *payload = random_payload(profile, sizeof profile, &size, &random);
    scalar->unpack(&group, profile, payload, CLIP_AXES);
    for (size_t c = 0; c < sizeof profile; c++)
      for (size_t i = 0; i < CLIP_INNER; i++) {
        const unsigned width = quatsimd_clip_widths[p][i];
        int value = 0;
        for (unsigned b = 0; b < width; b++) {
          const size_t at = 8 * quatsimd_clip_bytes[p] * c + quatsimd_clip_offsets[p][i] + b;
          const int bit = payload[at / 8] >> at % 8 & 1;
          value += b + 1 == width ? -(bit << b) : bit << b;
        }
        assert_int_equal(group.pair[c / CLIP_GROUP][i / 2][c % CLIP_GROUP][i % 2], value);
      }
    free(payload);
  }
}

/* Checks that the fields of a profile do not overlap and stay inside the profile's bytes. Fields of the first
 * profile must have no bits, and fields of the last profile must have at least 15 bits. */
void profiles(void **state) {
  (void)state;
  for (int p = 0; p < CLIP_PROFILES; p++) {
    bool taken[8 * 32] = {false};
    assert_true(quatsimd_clip_bytes[p] <= 32 &&
                (p == 0 || quatsimd_clip_bytes[p] >= quatsimd_clip_bytes[p - 1]));
    for (int i = 0; i < CLIP_INNER; i++)
      for (unsigned b = 0; b < quatsimd_clip_widths[p][i]; b++) {
        const unsigned at = quatsimd_clip_offsets[p][i] + b;
        assert_true(at < 8u * quatsimd_clip_bytes[p] && !taken[at]);
        taken[at] = true;
      }
  }
  for (int i = 0; i < CLIP_INNER; i++)
    assert_true(quatsimd_clip_widths[CLIP_PROFILES - 1][i] >= 15 && quatsimd_clip_widths[0][i] == 0);
}

void knots(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  const quatsimd_clip_kernels *scalar = scalar_kernels()->clip;
  uint64_t random = 2;
  for (int round = 0; round < ROUNDS; round++) {
    uint8_t width[CLIP_AXES];
    float mine[CLIP_AXES][CLIP_GROUP], wanted[CLIP_AXES][CLIP_GROUP];
    for (int a = 0; a < CLIP_AXES; a++) width[a] = (uint8_t)below(&random, CLIP_KNOT_BITS + 1);
    const size_t curves = below(&random, CLIP_GROUP) + 1;
    const size_t axes = round % 3 ? CLIP_AXES : 1;
    unsigned char *row = random_memory(clip_row_bytes(width, axes, curves) + CLIP_OVERREAD, &random);
    memset(mine, 255, sizeof mine); /* makes every float NaN */
    scalar->knots(wanted, row, width, curves, axes);
    k->clip->knots(mine, row, width, curves, axes);
    for (size_t a = 0; a < axes; a++) {
      expect_bits(k, "knots", mine[a], wanted[a], curves * sizeof(float));
      for (int i = 0; i < CLIP_GROUP; i++) assert_true(isfinite(mine[a][i]));
    }
    free(row);
  }
}

void quanta(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  uint64_t random = 3;
  for (int round = 0; round < ROUNDS; round++) {
    float mine[2][CLIP_GROUP], wanted[2][CLIP_GROUP];
    const uint32_t codes = round < 16 ? (uint32_t)round * 0x11111111u : (uint32_t)sweep_next(&random);
    const float norm = quatsimd_clip_norm[below(&random, CLIP_INTERVALS) + 1];
    const float unit = (float)random_unit(&random);
    unsigned char exponents[CLIP_GROUP];
    random_bytes(exponents, sizeof exponents, &random);
    scalar_kernels()->clip->quanta(wanted[0], wanted[1], codes, unit, exponents, norm);
    k->clip->quanta(mine[0], mine[1], codes, unit, exponents, norm);
    expect_bits(k, "quanta", mine, wanted, sizeof mine);
  }
}

void bases(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  uint64_t random = 4;
  for (int round = 0; round < ROUNDS; round++) {
    float mine[4][CLIP_GROUP], wanted[4][CLIP_GROUP];
    unsigned char *words = random_memory(4 * CLIP_GROUP, &random);
    scalar_kernels()->clip->bases(wanted, words);
    k->clip->bases(mine, words);
    expect_bits(k, "bases", mine, wanted, sizeof mine);
    for (int i = 0; i < CLIP_GROUP; i++) /* no base is much shorter than a unit quaternion */
      assert_true(mine[0][i] * mine[0][i] + mine[1][i] * mine[1][i] + mine[2][i] * mine[2][i] +
                      mine[3][i] * mine[3][i] >=
                  0.999f);
    free(words);
  }
}

static void random_row(quatsimd_clip_row *row, size_t intervals, size_t frame) {
  row->entry = clip_basis_row(intervals, frame);
  row->before = (float)(intervals - frame) / (float)intervals, row->after = (float)frame / (float)intervals;
}

void tangents(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  uint64_t random = 5;
  for (int round = 0; round < ROUNDS; round++) {
    quatsimd_clip_group group;
    quatsimd_clip_row row;
    float mine[CLIP_AXES][CLIP_GROUP], wanted[CLIP_AXES][CLIP_GROUP];
    const size_t intervals = below(&random, CLIP_INTERVALS) + 1;
    random_row(&row, intervals, below(&random, (uint32_t)intervals + 1));
    random_bytes(group.pair, sizeof group.pair, &random);
    if (round % 7 == 0) /* makes the kernel's sums need more than 31 bits */
      for (size_t i = 0; i < sizeof group.pair / 2; i++)
        (&group.pair[0][0][0][0])[i] = below(&random, 2) ? INT16_MIN : INT16_MAX;
    for (int i = 0; i < CLIP_GROUP; i++) {
      for (int a = 0; a < CLIP_AXES; a++)
        for (int end = 0; end < 2; end++)
          group.knot[end][a][i] = (float)((int32_t)below(&random, 1 << 22) - (1 << 21));
      group.knot_quantum[i] = (float)random_unit(&random),
      group.quantum[i] = (float)random_unit(&random) * 1e-3f;
    }
    const size_t axes = round % 3 ? CLIP_AXES : 1;
    memset(mine, 0, sizeof mine), memset(wanted, 0, sizeof wanted);
    scalar_kernels()->clip->tangent(wanted, &group, &row, axes);
    k->clip->tangent(mine, &group, &row, axes);
    expect_bits(k, "tangent", mine, wanted, sizeof mine);
  }
}

static void expect_units(const quatsimd_kernels *k, float (*q)[4], size_t count) {
  for (size_t i = 0; i < count; i++) {
    double n2 = 0;
    for (int c = 0; c < 4; c++) n2 += (double)q[i][c] * q[i][c];
    if (!(fabs(sqrt(n2) - 1) <= 4e-7)) fail_msg("%s: a rotation is %.9g long", k->name, sqrt(n2));
  }
}

void rotations(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  const quatsimd_clip_kernels *scalar = scalar_kernels()->clip;
  uint64_t random = 6;
  for (int round = 0; round < ROUNDS; round++) {
    quatsimd_clip_group group;
    float a[CLIP_AXES][CLIP_GROUP], b[CLIP_AXES][CLIP_GROUP], mine[CLIP_GROUP + 1][4],
        wanted[CLIP_GROUP + 1][4];
    unsigned char words[2][4 * CLIP_GROUP];
    random_bytes(words, sizeof words, &random);
    scalar->bases(group.left, words[0]), scalar->bases(group.right, words[1]);
    for (int i = 0; i < CLIP_GROUP; i++) /* makes identities, because products with them may be -0 */
      if (round % 5 == 0)
        group.left[0][i] = group.left[1][i] = group.left[2][i] = group.right[0][i] = group.right[1][i] =
            group.right[2][i] = 0,
        group.left[3][i] = group.right[3][i] = 1;
    /* a damaged clip may have a quantum of 1, the largest: then components of a and b are up to 4.7e6 */
    const double magnitude = round % 4 == 0 ? 4.7e6 : round % 4 == 1 ? 1e-20 : 2;
    for (int i = 0; i < CLIP_GROUP; i++)
      for (int c = 0; c < CLIP_AXES; c++) {
        a[c][i] = below(&random, 3)   ? (float)(magnitude * (2 * random_unit(&random) - 1))
                  : below(&random, 2) ? 0
                                      : -0.0f;
        b[c][i] = below(&random, 9)   ? (float)(magnitude * (2 * random_unit(&random) - 1))
                  : below(&random, 2) ? a[c][i]
                                      : -a[c][i];
      }
    memset(mine, 1, sizeof mine), memset(wanted, 1, sizeof wanted);
    const float t = below(&random, 5) ? (float)random_unit(&random) : 0;
    const bool axes = below(&random, 2), two = below(&random, 4);
    scalar->rotate(wanted, &group, a, two ? b : NULL, t, axes);
    k->clip->rotate(mine, &group, a, two ? b : NULL, t, axes);
    expect_bits(k, "rotate", mine, wanted, sizeof mine);
    expect_units(k, mine, CLIP_GROUP);
    /* no component of a rotation is -0 */
    for (int i = 0; i < 4 * CLIP_GROUP; i++)
      assert_false(mine[i / 4][i % 4] == 0 && signbit(mine[i / 4][i % 4]));
  }
}

/* Samples groups with kernels k. axes: the number of a vector's components, or 0 for rotations. */
static const unsigned char *sample_with(const quatsimd_clip_kernels *k, size_t axes, float (*out)[4],
                                        const quatsimd_clip_packed *packed, size_t groups,
                                        const unsigned char *payload, const quatsimd_clip_row row[2], float t,
                                        float norm) {
  return axes ? k->vectors((char *)out, packed, groups, payload, row, t, norm, axes)
              : k->sample((char *)out, packed, groups, payload, row, t, norm);
}

/* Checks the sampling of several groups at once. vector: the number of components, or 0 for rotations. */
static void check_samples(const quatsimd_kernels *k, size_t vector) {
  const size_t dimensions = vector ? vector : CLIP_AXES;
  uint64_t random = 7;
  for (int round = 0; round < ROUNDS; round++) {
    enum { MOST = CLIP_AT_ONCE };
    quatsimd_clip_packed packed[MOST];
    uint8_t width[MOST][CLIP_AXES], profile[MOST * CLIP_AXES * CLIP_GROUP];
    unsigned char words[2 * MOST][4 * CLIP_AXES * CLIP_GROUP], *rows[2 * MOST];
    float out[MOST * CLIP_GROUP + 1][4], out_wanted[MOST * CLIP_GROUP + 1][4];
    const size_t groups = (size_t)round % MOST + 1, intervals = below(&random, CLIP_INTERVALS) + 1;
    const bool axes = below(&random, 2);
    quatsimd_clip_row row[2];
    size_t size;
    const uint32_t frame = below(&random, (uint32_t)intervals);
    random_row(&row[0], intervals, frame), random_row(&row[1], intervals, frame + 1);
    random_bytes(words, sizeof words, &random);
    for (size_t i = 0; vector && i < sizeof words; i += 4)
      store_float(words[i / sizeof *words] + i % sizeof *words, (float)random_unit(&random) - 0.5f);
    for (size_t g = 0; g < groups; g++) {
      const size_t curves = g + 1 < groups ? CLIP_GROUP : below(&random, CLIP_GROUP) + 1;
      for (int a = 0; a < CLIP_AXES; a++) width[g][a] = (uint8_t)below(&random, CLIP_KNOT_BITS + 1);
      for (size_t i = 0; i < dimensions * CLIP_GROUP; i++)
        profile[dimensions * CLIP_GROUP * g + i] =
            i % CLIP_GROUP < curves ? (uint8_t)below(&random, CLIP_PROFILES) : 0;
      for (int end = 0; end < 2; end++)
        rows[2 * g + (size_t)end] =
            random_memory(clip_row_bytes(width[g], dimensions, curves) + CLIP_OVERREAD, &random);
      const uint32_t codes = (uint32_t)sweep_next(&random),
                     none = curves < CLIP_GROUP ? 0xffffffffu << 4 * curves : 0;
      packed[g] = (quatsimd_clip_packed){{rows[2 * g], rows[2 * g + 1]},
                                         width[g],
                                         profile + dimensions * CLIP_GROUP * g,
                                         axes ? words[2 * g] : NULL,
                                         words[2 * g + 1],
                                         (float)random_unit(&random) * (round % 3 ? 1e-3f : 1),
                                         {0},
                                         curves,
                                         codes | none,
                                         {0}};
      random_bytes(packed[g].exponents, round % 2 ? CLIP_GROUP : 0, &random);
      for (size_t i = 0; i < CLIP_GROUP; i++)
        packed[g].offset[i] = sizeof *out * (CLIP_GROUP * (groups - 1 - g) + (i < curves ? i : 0));
    }
    unsigned char *payload = random_payload(profile, dimensions * CLIP_GROUP * groups, &size, &random);
    memset(out, 1, sizeof out), memset(out_wanted, 1, sizeof out_wanted);
    const float t = below(&random, 5) ? (float)random_unit(&random) : 0, norm = quatsimd_clip_norm[intervals];
    const quatsimd_clip_kernels *scalar = scalar_kernels()->clip;
    assert_ptr_equal(sample_with(scalar, vector, out_wanted, packed, groups, payload, row, t, norm),
                     payload + size);
    assert_ptr_equal(sample_with(k->clip, vector, out, packed, groups, payload, row, t, norm),
                     payload + size);
    expect_bits(k, "sample", out, out_wanted, sizeof out); /* lanes without a curve are not written */
    for (size_t g = 0; g < groups && !vector; g++)
      expect_units(k, out + CLIP_GROUP * (groups - 1 - g), packed[g].curves);
    expect_bits(k, "sample, behind the last", out[CLIP_GROUP * groups], out_wanted[CLIP_GROUP * groups], 16);
    free(payload);
    for (size_t i = 0; i < 2 * groups; i++) free(rows[i]);
  }
}

void samples(void **state) { check_samples(kernels_or_skip(state), 0); }
void vectors(void **state) {
  check_samples(kernels_or_skip(state), CLIP_AXES);
  check_samples(kernels_or_skip(state), 1);
}

/* Checks the sampling of a single curve with one and with three components. */
void curves(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  uint64_t random = 13;
  for (int round = 0; round < ROUNDS; round++) {
    const size_t axes = round % 2 ? CLIP_AXES : 1, intervals = below(&random, CLIP_INTERVALS) + 1;
    float mine[2][CLIP_AXES] = {{0}}, wanted[2][CLIP_AXES] = {{0}};
    quatsimd_clip_row row[2];
    const uint32_t frame = below(&random, (uint32_t)intervals);
    random_row(&row[0], intervals, frame), random_row(&row[1], intervals, frame + 1);
    quatsimd_clip_single curve;
    unsigned char *payload[CLIP_AXES];
    for (size_t a = 0; a < CLIP_AXES; a++) {
      size_t size;
      curve.profile[a] = (uint8_t)below(&random, CLIP_PROFILES);
      curve.channel[a] = payload[a] = random_payload(&curve.profile[a], 1, &size, &random);
      for (int end = 0; end < 2; end++)
        curve.knot[end][a] = (float)((int)below(&random, 1 << CLIP_KNOT_BITS) - (1 << (CLIP_KNOT_BITS - 1)));
    }
    clip_single_quanta(&curve, (float)random_unit(&random), below(&random, 256), below(&random, 16),
                       quatsimd_clip_norm[intervals]);
    scalar_kernels()->clip->curve(wanted, &curve, row, axes);
    k->clip->curve(mine, &curve, row, axes);
    expect_bits(k, "curve", mine, wanted, sizeof mine);
    for (size_t a = 0; a < CLIP_AXES; a++) free(payload[a]);
  }
}

void decodes(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  uint64_t random = 9;
  for (int round = 0; round < ROUNDS / 4; round++) {
    enum { MOST = CLIP_INTERVALS + 1 };
    static quatsimd_clip_group group;
    quatsimd_clip_row row[MOST];
    float out[MOST * CLIP_GROUP][4], out_wanted[MOST * CLIP_GROUP][4];
    const size_t rows = (size_t)round % MOST + 1, intervals = below(&random, CLIP_INTERVALS) + 1,
                 curves = below(&random, CLIP_GROUP) + 1;
    const bool axes = below(&random, 2);
    unsigned char words[2][4 * CLIP_GROUP];
    for (size_t r = 0; r < rows; r++) random_row(&row[r], intervals, below(&random, (uint32_t)intervals));
    random_bytes(group.pair, sizeof group.pair, &random);
    random_bytes(words, sizeof words, &random);
    scalar_kernels()->clip->bases(group.left, words[0]), scalar_kernels()->clip->bases(group.right, words[1]);
    for (int i = 0; i < CLIP_GROUP; i++) {
      for (int a = 0; a < CLIP_AXES; a++)
        for (int end = 0; end < 2; end++)
          group.knot[end][a][i] = (float)((int32_t)below(&random, 1 << 22) - (1 << 21));
      group.knot_quantum[i] = (float)random_unit(&random) * 1e-5f;
      group.quantum[i] = (float)random_unit(&random) * 1e-8f;
    }
    for (size_t i = 0; i < CLIP_GROUP; i++)
      group.offset[i] = sizeof *out * (i < curves ? CLIP_GROUP - 1 - i : CLIP_GROUP - 1);
    memset(out, 1, sizeof out), memset(out_wanted, 1, sizeof out_wanted);
    scalar_kernels()->clip->decode((char *)out_wanted, CLIP_GROUP * sizeof *out, &group, row, rows, axes);
    k->clip->decode((char *)out, CLIP_GROUP * sizeof *out, &group, row, rows, axes);
    expect_bits(k, "decode", out, out_wanted, sizeof out);
    for (size_t r = 0; r < rows; r++) expect_units(k, out + CLIP_GROUP * (r + 1) - curves, curves);
  }
}

static void list_limits(quatsimd_clip_limits *limits) {
  memset(limits, 0, sizeof *limits);
  for (size_t i = 0; i < CLIP_INNER; i++)
    for (size_t p = 0; p < CLIP_PROFILES; p++) {
      const unsigned width = quatsimd_clip_widths[p][i];
      limits->low[p][i] = width ? -(float)(1 << (width - 1)) : 0;
      for (size_t w = 0; w <= width; w++) limits->wide[i][w][p / 64] |= (uint64_t)1 << p % 64;
    }
}

static void expect_fits(const quatsimd_clip_choice *c) {
  unsigned bytes = 0;
  for (int a = 0; a < CLIP_AXES; a++) {
    bytes += quatsimd_clip_bytes[c->profile[a]];
    for (int i = 0; i < CLIP_INNER; i++) {
      const int half =
          quatsimd_clip_widths[c->profile[a]][i] ? 1 << (quatsimd_clip_widths[c->profile[a]][i] - 1) : 0;
      assert_true(half ? c->q[a][i] >= -half && c->q[a][i] < half : c->q[a][i] == 0);
    }
  }
  assert_int_equal(bytes, c->bytes);
}

static void expect_bound(const quatsimd_kernels *k, const quatsimd_clip_problem *p,
                         const quatsimd_clip_choice *c) {
  for (size_t t = 0; t < p->inner; t++) {
    double worth = 0;
    for (int a = 0; a < CLIP_AXES; a++) {
      double x = -(double)p->residual[a][t];
      for (size_t i = 0; i < p->inner; i++)
        x += (double)c->q[a][i] * (double)quatsimd_clip_quantum[c->code] * (double)p->unit *
             (double)p->basis[i][t];
      worth += x * x * (double)p->weight[t];
    }
    if (!(worth <= 1.01)) fail_msg("%s: a search ends at %.6g of the squared bound", k->name, worth);
  }
}

void searches(void **state) {
  const quatsimd_kernels *k = kernels_or_skip(state);
  static quatsimd_clip_limits limits;
  uint64_t random = 8;
  list_limits(&limits);
  for (int round = 0; round < ROUNDS; round++) {
    const size_t intervals = below(&random, CLIP_INTERVALS) + 1;
    const int magnitude = (int)below(&random, 18); /* with a large magnitude no quantum fits the residuals */
    quatsimd_clip_problem p = {
        .inner = intervals - 1, .unit = (float)random_unit(&random) + 0.01f, .limits = &limits};
    for (size_t t = 0; t < p.inner; t++) {
      const double bound = (double)p.unit * (1 + random_unit(&random));
      p.weight[t] = (float)(1 / (bound * bound));
      for (int a = 0; a < CLIP_AXES; a++)
        p.residual[a][t] =
            a > 0 && magnitude % 3 == 0
                ? 0
                : (float)(ldexp((double)p.unit, magnitude - 2) * (2 * random_unit(&random) - 1));
      for (size_t i = 0; i < p.inner; i++)
        p.basis[t][i] = (float)clip_basis_row(intervals, t + 1)[i] * quatsimd_clip_norm[intervals];
    }
    quatsimd_clip_choice mine, wanted;
    memset(&mine, 0, sizeof mine), memset(&wanted, 0, sizeof wanted);
    scalar_kernels()->clip->search(&wanted, &p);
    k->clip->search(&mine, &p);
    assert_int_equal(mine.code, wanted.code);
    assert_int_equal(mine.bytes, wanted.bytes);
    if (mine.code == CLIP_RAW) continue;
    expect_bits(k, "search", mine.q, wanted.q, sizeof mine.q);
    expect_bits(k, "search", mine.profile, wanted.profile, sizeof mine.profile);
    expect_fits(&mine);
    expect_bound(k, &p, &mine);
  }
}

void format_tables(void **state) {
  (void)state;
  const double pi = 3.14159265358979323846;
  for (int n = 1; n <= CLIP_INTERVALS; n++) {
    assert_true(quatsimd_clip_norm[n] == (float)(sqrt(2.0 / n) / 32767));
    for (int frame = 0; frame <= n; frame++)
      for (int i = 0; i < CLIP_INNER; i++) {
        const double wanted = i < n - 1 ? 32767 * sin(pi * (i + 1) * frame / n) : 0;
        assert_true(fabs(clip_basis_row((size_t)n, (size_t)frame)[i] - wanted) <= 0.5 + 1e-9);
      }
  }
  for (int i = 0; i < CLIP_RAW; i++) assert_true(quatsimd_clip_quantum[i] == (float)(1.1 * pow(2, i / 8.0)));
  assert_true(quatsimd_clip_quantum[CLIP_RAW] == 0);
  for (int i = 0; i < 16; i++) assert_true(quatsimd_clip_sixteenth[i] == (float)pow(2, -i / 16.0));
}

/* Returns true if a table has the kernels of the other, but its own where packed bytes are read. */
static bool inherits(const quatsimd_kernels *table, const quatsimd_kernels *from) {
  return (strcmp(table->name, "sse41") == 0 && strcmp(from->name, "sse2") == 0) ||
         (strcmp(table->name, "avx512vbmi") == 0 && strcmp(from->name, "avx512") == 0);
}

/* Checks that no two tables of kernels share a function, unless one inherits from the other. Else tests would
 * compare a function with itself. */
void own_code(void **state) {
  (void)state;
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = all_kernels(tables);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      /* tables of kernels with more than eight lanes have the clip kernels of eight lanes */
      if ((tables[i]->lanes > 8 || tables[j]->lanes > 8) && !inherits(tables[j], tables[i])) continue;
      const quatsimd_clip_kernels *a = tables[i]->clip, *b = tables[j]->clip;
      assert_true(a->unpack != b->unpack && a->knots != b->knots && a->sample != b->sample);
      assert_true(a->vectors != b->vectors && a->curve != b->curve);
      if (inherits(tables[j], tables[i])) {
        quatsimd_kernels all = *tables[j];
        quatsimd_clip_kernels clip = *b;
        all.name = tables[i]->name, all.clip = a;
        assert_memory_equal(&all, tables[i], sizeof all);
        clip.unpack = a->unpack, clip.knots = a->knots, clip.sample = a->sample;
        clip.vectors = a->vectors, clip.curve = a->curve;
        assert_memory_equal(&clip, a, sizeof clip);
        continue;
      }
      assert_true(a->rotate != b->rotate && a->tangent != b->tangent);
    }
}
