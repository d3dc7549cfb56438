/* Tests arguments that are NaN, infinite, zero or denormal. The CPU may flush denormals to zero. */
#include "rotation/checks.h"
#include "rotation/draw.h"

#include "support/denormals.h"

#include "quatsimd/codec.h"

/* Returns true for functions that compute in float. A CPU that flushes denormals may also flush intermediate
 * results of these functions. */
static bool is_in_float(const function *f) {
  static const char *const names[] = {"multiply", "rotate", "nlerp", "lerp", "slerp", "exp", "dot"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(f->name, names[i]) == 0) return true;
  return false;
}

/* Returns the length of the vector that `rotate` rotates in element i, or 0 for other functions. */
static float length_of_vector(const function *f, const block *b, size_t i) {
  const float *v = b->in[1] + 3 * i;
  return strcmp(f->name, "rotate") == 0 ? hypotf(hypotf(v[0], v[1]), v[2]) : 0;
}

void flushing_changes_nothing_else(void **state) {
  (void)state;
  static block b;
  static float before[MOST_OUT][WIDEST * BLOCK];
  if (!flush_denormals(false)) {
    print_message("SKIP: no mode of this CPU is known that flushes denormal numbers\n");
    skip();
  }
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 6;
    for (int round = 0; round < ORDERS; round++) {
      draw(f, &b, BLOCK / 8, &random, round % 2);
      for (int a = 0; a < f->ins; a++)
        for (size_t i = 0; i < BLOCK / 8 * (size_t)widths[f->in[a]]; i++)
          if (fabsf(b.in[a][i]) < FLT_MIN) b.in[a][i] = 0;
      call_aos(f, &b, &eulers[round], BLOCK / 8);
      memcpy(before, b.out, sizeof before);
      flush_denormals(true);
      call_aos(f, &b, &eulers[round], BLOCK / 8);
      flush_denormals(false);
      for (int a = 0; a < f->outs; a++)
        for (size_t i = 0; i < BLOCK / 8 * (size_t)f->out_width[a]; i++)
          if (memcmp(&before[a][i], &b.out[a][i], sizeof(float)) != 0 &&
              !(fabsf(before[a][i]) < FLT_MIN && b.out[a][i] == 0) &&
              !(is_in_float(f) &&
                fabsf(before[a][i] - b.out[a][i]) <=
                    16 * FLT_MIN * fmaxf(1, length_of_vector(f, &b, i / (size_t)f->out_width[a]))))
            fail_msg("%s: %a, but %a with denormal numbers flushed", f->name, (double)before[a][i],
                     (double)b.out[a][i]);
    }
  }
}

/* Returns true if the results of element i are right. Component c of argument a is NaN or infinite there.
 * `before` has the results before this component was changed. */
static bool invalid_is_right(const function *f, const block *b, const block *before, size_t i, int a, int c,
                             bool infinite) {
  const bool ignored = f->in[a] == MATRIX4 && (c / 4 == 3 || c % 4 == 3),
             alone = f->invalid == COMPONENTWISE && f->in[a] != FACTOR;
  const bool limited =
      f->invalid == NAN_OR_LIMIT || f->invalid == COMPONENTWISE || f->in[a] == VECTOR || f->in[a] == T;
  bool any = false;
  for (int o = 0; o < f->outs; o++) {
    const int w = f->out_width[o];
    const float *got = b->out[o] + (size_t)w * i, *was = before->out[o] + (size_t)w * i;
    if (f->invalid == IDENTITY) return memcmp(got, identity, sizeof identity) == 0;
    for (int k = 0; k < w; k++) {
      const bool constant = w == 16 && (k / 4 == 3 || k % 4 == 3);
      if (is_the_nan(got[k])) any = true;
      else if (isnan(got[k])) return false;
      if ((ignored || constant || (alone && k != c)) && bits_of(got[k]) != bits_of(was[k])) return false;
    }
  }
  return ignored || any || (infinite && limited);
}

void what_is_no_number_gives_the_nan(void **state) {
  (void)state;
  enum { N = 9 };
  static const uint32_t bad[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xff812345,
                                 0x7fffffff, 0x7f800000, 0xff800000};
  static block b, before;
  unsigned wrong = 0;
  FOR_EACH_FUNCTION(f) for (int round = 0; round < ORDERS; round++) {
    uint64_t random = 7 + (uint64_t)round;
    const euler *e = &eulers[round];
    draw(f, &before, N, &random, false);
    call_aos(f, &before, e, N);
    for (int a = 0; a < f->ins; a++)
      for (int c = 0; c < widths[f->in[a]]; c++)
        for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
          const size_t at = (size_t)(c + round) % N;
          b = before;
          memcpy(&b.in[a][(size_t)widths[f->in[a]] * at + (size_t)c], &bad[k], sizeof bad[k]);
          call_aos(f, &b, e, N);
          if (!invalid_is_right(f, &b, &before, at, a, c, isinf(sweep_float_of_bits(bad[k])))) {
            if (wrong++ < 20) {
              fprintf(stderr, "%s: %08x as component %d of argument %d\n", f->name, (unsigned)bad[k], c, a);
              for (int o = 0; o < f->outs; o++)
                show("out", b.out[o] + (size_t)f->out_width[o] * at, f->out_width[o]);
            }
          }
          for (int o = 0; o < f->outs; o++) /* other elements keep their results */
            for (size_t i = 0; i < N; i++)
              if (i != at)
                assert_memory_equal(b.out[o] + (size_t)f->out_width[o] * i,
                                    before.out[o] + (size_t)f->out_width[o] * i,
                                    sizeof(float) * (size_t)f->out_width[o]);
        }
  }
  assert_int_equal(wrong, 0);
}

/* All NaN results have the same bits, whatever the input is. */
void there_is_one_nan(void **state) {
  (void)state;
  static block b;
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 8;
    for (int round = 0; round < 2 * ORDERS; round++) {
      for (int a = 0; a < f->ins; a++)
        for (size_t i = 0; i < BLOCK / 4 * (size_t)widths[f->in[a]]; i++) {
          const uint64_t u = sweep_next(&random);
          sweep_set_bits(&b.in[a][i], (u >> 32) % 4 ? (uint32_t)u : (uint32_t)u & UINT32_C(0x80000000));
        }
      call_aos(f, &b, &eulers[round % ORDERS], BLOCK / 4);
      for (int a = 0; a < f->outs; a++)
        for (size_t i = 0; i < BLOCK / 4 * (size_t)f->out_width[a]; i++)
          if (isnan(b.out[a][i]) && !is_the_nan(b.out[a][i]))
            fail_msg("%s: NaN %08x", f->name, (unsigned)bits_of(b.out[a][i]));
    }
  }
}

/* A zero quaternion is no rotation. `inverse` gives NaN for it, and `normalize` gives the identity. */
void zero_gives_the_nan(void **state) {
  (void)state;
  static block b;
  unsigned wrong = 0;
  FOR_EACH_FUNCTION(f) for (int a = 0; a < f->ins; a++) {
    /* other functions need not accept a zero quaternion */
    if (f->in[a] != VALID && strcmp(f->name, "inverse") != 0) continue;
    uint64_t random = 9;
    draw(f, &b, ORDERS, &random, false);
    for (int minus = 0; minus < 2; minus++) {
      for (int c = 0; c < 4; c++) b.in[a][c] = minus ? -0.f : 0;
      for (int round = 0; round < ORDERS; round++) {
        call_aos(f, &b, &eulers[round], 2);
        bool right = f->invalid != IDENTITY || memcmp(b.out[0], identity, sizeof identity) == 0;
        for (int o = 0; o < f->outs; o++)
          for (int k = 0; k < f->out_width[o]; k++)
            if (f->invalid != IDENTITY && !(f->out_width[o] == 16 && (k / 4 == 3 || k % 4 == 3)) &&
                !is_the_nan(b.out[o][k]))
              right = false;
        if (right || wrong++ >= 20) continue;
        fprintf(stderr, "%s: zero as argument %d\n", f->name, a);
        for (int o = 0; o < f->outs; o++) show("out", b.out[o], f->out_width[o]);
      }
    }
  }
  assert_int_equal(wrong, 0);
}

/* normalize replaces exactly the quaternions that quatsimd_find_invalid reports, also near the limits of
 * valid lengths. */
void normalize_knows_what_is_invalid(void **state) {
  (void)state;
  enum { N = 4000 };
  static float q[4 * N], out[4 * N];
  uint64_t random = 10;
  for (size_t i = 0; i < N; i++) {
    double v[4];
    random_direction(v, 4, &random);
    if (i % 4 == 0) v[0] = v[1] = v[2] = 0, v[3] = i % 8 ? -1 : 1;
    if (i % 4 == 1) v[0] = v[1] = v[2] = v[3] = 0.5;
    const double length = exp2(i % 3 == 0 ? 40 * random_gauss(&random)
                                          : (i % 3 == 1 ? -32 : 32) + 4e-7 * (random_unit(&random) - 0.5));
    for (size_t c = 0; c < 4; c++) q[4 * i + c] = (float)(v[c] * length);
    if (i % 4 == 0 && i % 5 == 0) q[4 * i + 3] = nextafterf(i % 3 ? 0x1p-32f : 0x1p32f, i % 2 ? 0 : 1);
  }
  assert_int_equal(quatsimd_normalize(quatsimd_aos_out(out), quatsimd_aos(q), N), QUATSIMD_OK);
  size_t invalid = 0;
  for (size_t i = 0; i < N; i++) {
    const float *p = q + 4 * i, *r = out + 4 * i;
    const bool as_identity = memcmp(r, identity, sizeof identity) == 0,
               is_identity = p[0] == 0 && p[1] == 0 && p[2] == 0 && p[3] > 0;
    if (is_identity) continue;
    const bool is_invalid = quatsimd_find_invalid(quatsimd_aos(p), 1, 0) == 0;
    if (is_invalid != as_identity)
      fail_msg("%a %a %a %a is %s, but became %a %a %a %a", (double)p[0], (double)p[1], (double)p[2],
               (double)p[3], is_invalid ? "invalid" : "valid", (double)r[0], (double)r[1], (double)r[2],
               (double)r[3]);
    invalid += is_invalid;
  }
  assert_in_range(invalid, N / 4, 3 * N / 4);
}
