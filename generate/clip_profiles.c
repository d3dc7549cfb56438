/* Makes src/clip/profiles.def, the table of 256 profiles of clips. A program by itself, not part of the
 * library: see docs/clip.md.
 *
 *   clip_profiles -w WIDTHS CLIP...              writes what the channels of some clips need: 16 widths, 16
 *                                                bytes, for each
 *   clip_profiles [OPTION]... -o TABLE WIDTHS... makes the table; each file of widths is a source, which
 *   counts as such
 *
 *   -n 30000  steps of annealing       -r 1    seed
 *   -h 60     temperature at first     -l 4    and at last
 *   -e 0.2    weight of a file of n channels: n^e (0: all alike, 1: by channel)
 *   -s 0.3    smoothing: share of the weight that goes to made-up variants
 *   -m 8      variants of each record
 *   -g 4      their common scale, 2^-g to 2^g
 *   -j 0.5    and the jitter of each coefficient, 2^-j to 2^j
 *
 * A channel costs the bytes of the cheapest profile p with p.w[k] >= r[k] for all k, r being what it needs;
 * the sum of that is made small. Profile 0 is all zeros, one profile is all 15, the others are free: greedy
 * insertion, then simulated annealing, one profile at a time. With profile p taken out, the gain of a profile
 * q of b bytes is the
 *     sum over records r <= q of weight(r) * max(0, cost(r) - b);
 * one pass over the records gives it for q and for all q with one bit moved from one width to another, and
 * the next q is drawn from these. Records lie in blocks of 16 and groups of 256 with their componentwise
 * minimum and the greatest cost, so that a pass skips nearly all of them. The same input and options give
 * the same table. */
#include <emmintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clip/profile_fields.h"
#include "clip/sample/open.h"

enum { NP = CLIP_PROFILES, NW = CLIP_INNER, MAXW = 15 };

typedef struct {
  uint8_t w[NW];
} vec;
typedef struct {
  vec r;
  double w;
} rec;
typedef struct {
  vec w;
  int bytes;
} prof;

static void die(const char *what, const char *arg) {
  fprintf(stderr, "clip_profiles: %s%s%s\n", what, arg ? " " : "", arg ? arg : "");
  exit(1);
}

static void *xalloc(size_t n) {
  void *p = calloc(n ? n : 1, 1);
  if (!p) die("out of memory", NULL);
  return p;
}

/* ---- random numbers (splitmix64) ---- */

static uint64_t seed = 1;

static uint64_t rnd(void) {
  uint64_t z = (seed += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static double uni(void) { return (double)(rnd() >> 11) * 0x1p-53; }
static int below(int n) { return (int)(rnd() % (uint64_t)n); }

/* ---- layout ---- */

static int sum(const vec *v) {
  int s = 0;
  for (int k = 0; k < NW; k++) s += v->w[k];
  return s;
}

/* Bytes of a profile; off (may be NULL) gets the bit offsets. */
static int layout(const vec *v, int *off) {
  int tmp[NW], wide = 0;
  for (int k = 0; k < NW; k++) wide += (v->w[k] > 9) * (k < 8 ? 1 : 2);
  if (!off && wide < 2) /* at most one wide field, and it can go first */
    return (sum(v) + 7) / 8;
  return clip_lay_out(v->w, off ? off : tmp);
}

/* ---- records ---- */

static int by_vec(const void *a, const void *b) { return memcmp(a, b, sizeof(vec)); }

/* Sort, and join equal records. */
static int dedupe(rec *r, int n) {
  int m = 0;
  qsort(r, (size_t)n, sizeof *r, by_vec);
  for (int i = 0; i < n; i++)
    if (m && !memcmp(&r[m - 1].r, &r[i].r, sizeof(vec))) r[m - 1].w += r[i].w;
    else r[m++] = r[i];
  return m;
}

/* Records of a file, deduped. */
static rec *load(const char *name, int *n) {
  FILE *f = fopen(name, "rb");
  if (!f) die("cannot open", name);
  int cap = 1 << 16, m = 0;
  rec *r = xalloc((size_t)cap * sizeof *r);
  vec v;
  while (fread(&v, sizeof v, 1, f) == 1) {
    for (int k = 0; k < NW; k++)
      if (v.w[k] > MAXW) die("width above 15 in", name);
    if (m == cap) {
      int c = dedupe(r, m);
      if (c > cap / 2 && !(r = realloc(r, (size_t)(cap *= 2) * sizeof *r))) die("out of memory", NULL);
      m = c;
    }
    r[m++] = (rec){v, 1};
  }
  fclose(f);
  *n = dedupe(r, m);
  return r;
}

/* A channel like those that need r: draw coefficients of these widths, scale
 * them by a common 2^-scale..2^scale and each by 2^-jitter..2^jitter. */
static vec vary(const vec *r, double scale, double jitter) {
  vec v;
  double u = scale * (2 * uni() - 1);
  for (int k = 0; k < NW; k++) {
    int w = r->w[k], neg = w == 1 || rnd() & 1;
    double hi = w ? ldexp(1, w - 1) : 0.5, lo = w > 1 ? hi / 2 : w ? 0.5 : 0;
    if (w) /* the integers lo..hi-1, negated lo+1..hi, and what rounds to them */
      hi += neg ? 0.5 : -0.5, lo += w == 1 ? 0 : neg ? 0.5 : -0.5;
    double x = (lo + (hi - lo) * uni()) * exp2(u + jitter * (2 * uni() - 1));
    int c = (int)(x + 0.5), n = neg ? c - 1 : c;
    for (w = c > 0; n > 0; n >>= 1) w++;
    v.w[k] = (uint8_t)(w > MAXW ? MAXW : w);
  }
  return v;
}

/* ---- training state ---- */

static int N, NB, NG;              /* records, blocks of 16, groups of 256 */
static __m128i *R, *bmin, *gmin;   /* records, minima of blocks, of groups */
static double *W;                  /* weights */
static uint8_t *c1, *c2, *u1, *u2; /* cost and profile: best and second best */
static uint8_t *bmax, *gmax;       /* greatest c1 of blocks, of groups */
static prof P[NP];
static int np;            /* profiles so far */
static uint8_t order[NP]; /* profiles by bytes */

static int over(__m128i a, __m128i q) /* mask of the k with a[k] > q[k] */
{
  return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(a, q), q)) ^ 0xFFFF;
}

static __m128i ld(const void *p) { return _mm_loadu_si128(p); }

static int hmax(const uint8_t *p) {
  __m128i m = ld(p);
  m = _mm_max_epu8(m, _mm_srli_si128(m, 8));
  m = _mm_max_epu8(m, _mm_srli_si128(m, 4));
  m = _mm_max_epu8(m, _mm_srli_si128(m, 2));
  m = _mm_max_epu8(m, _mm_srli_si128(m, 1));
  return _mm_cvtsi128_si32(m) & 255;
}

static int lowbit(unsigned m) { return __builtin_ctz(m); }

/* Order records so that blocks are compact: split at the median of the width
 * that varies most. */
static void arrange(rec *r, rec *tmp, int n) {
  if (n <= 16) return;
  double best = -1;
  int d = 0;
  for (int k = 0; k < NW; k++) {
    double s = 0, q = 0;
    for (int i = 0; i < n; i++) s += r[i].r.w[k], q += r[i].r.w[k] * r[i].r.w[k];
    if (q - s * s / n > best) best = q - s * s / n, d = k;
  }
  int at[MAXW + 2] = {0};
  for (int i = 0; i < n; i++) at[r[i].r.w[d] + 1]++;
  for (int k = 0; k <= MAXW; k++) at[k + 1] += at[k];
  for (int i = 0; i < n; i++) tmp[at[r[i].r.w[d]]++] = r[i];
  memcpy(r, tmp, (size_t)n * sizeof *r);
  int unit = n > 256 ? 256 : 16, h = (n / 2 + unit - 1) / unit * unit;
  arrange(r, tmp, h);
  arrange(r + h, tmp, n - h);
}

static void set_records(rec *r, int n) {
  rec *tmp = xalloc((size_t)n * sizeof *tmp);
  arrange(r, tmp, n);
  free(tmp);
  N = (n + 255) & ~255, NB = N / 16, NG = N / 256;
  R = xalloc((size_t)N * 16), bmin = xalloc((size_t)NB * 16), gmin = xalloc((size_t)NG * 16);
  W = xalloc((size_t)N * sizeof *W);
  c1 = xalloc((size_t)N), c2 = xalloc((size_t)N), u1 = xalloc((size_t)N), u2 = xalloc((size_t)N);
  bmax = xalloc((size_t)NB), gmax = xalloc((size_t)NG);
  for (int i = 0; i < N; i++)
    if (i < n) R[i] = ld(&r[i].r), W[i] = r[i].w;
    else R[i] = _mm_set1_epi8(-1); /* padding: never dominated */
  for (int b = 0; b < NB; b++) {
    bmin[b] = R[b * 16];
    for (int i = 1; i < 16; i++) bmin[b] = _mm_min_epu8(bmin[b], R[b * 16 + i]);
  }
  for (int g = 0; g < NG; g++) {
    gmin[g] = bmin[g * 16];
    for (int i = 1; i < 16; i++) gmin[g] = _mm_min_epu8(gmin[g], bmin[g * 16 + i]);
  }
}

static void reorder(void) {
  int m = 0;
  for (int b = 0; b <= 32; b++)
    for (int p = 0; p < np; p++)
      if (P[p].bytes == b) order[m++] = (uint8_t)p;
}

/* The best two profiles of record i. */
static void assign(int i) {
  int m = 0;
  c1[i] = c2[i] = 0, u1[i] = u2[i] = 0;
  for (int k = 0; k < np; k++) {
    int p = order[k];
    if (over(R[i], ld(&P[p].w))) continue;
    if (m++ == 0) {
      c1[i] = c2[i] = (uint8_t)P[p].bytes, u1[i] = u2[i] = (uint8_t)p;
    } else {
      c2[i] = (uint8_t)P[p].bytes, u2[i] = (uint8_t)p;
      return;
    }
  }
}

static void fix_max(int b) {
  bmax[b] = (uint8_t)hmax(c1 + b * 16);
  gmax[b / 16] = (uint8_t)hmax(bmax + b / 16 * 16);
}

static void assign_all(void) {
  reorder();
  for (int i = 0; i < N; i++) assign(i);
  for (int b = 0; b < NB; b++) fix_max(b);
}

static double objective(void) {
  double s = 0;
  for (int i = 0; i < N; i++) s += W[i] * c1[i];
  return s;
}

/* Mask of the records of block b whose best (or, with both, second best)
 * profile is p. */
static int users(int b, int p, int both) {
  __m128i v = _mm_set1_epi8((char)p), e = _mm_cmpeq_epi8(ld(u1 + b * 16), v);
  if (both) e = _mm_or_si128(e, _mm_cmpeq_epi8(ld(u2 + b * 16), v));
  return _mm_movemask_epi8(e);
}

/* Take p out: its users cost what their second best costs.  The loss. */
static double take_out(int p) {
  double loss = 0;
  for (int b = 0; b < NB; b++) {
    unsigned m = (unsigned)users(b, p, 0);
    if (!m) continue;
    for (; m; m &= m - 1) {
      int i = b * 16 + lowbit(m);
      loss += W[i] * (c2[i] - c1[i]);
      c1[i] = c2[i];
    }
    fix_max(b);
  }
  return loss;
}

/* Put p back as it was. */
static void put_back(int p) {
  for (int b = 0; b < NB; b++) {
    unsigned m = (unsigned)users(b, p, 0);
    if (!m) continue;
    for (; m; m &= m - 1) c1[b * 16 + lowbit(m)] = (uint8_t)P[p].bytes;
    fix_max(b);
  }
}

/* Profile p, taken out or new, becomes q. */
static void put_in(int p, prof q) {
  int is_new = p == np;
  __m128i v = ld(&q.w);
  P[p] = q;
  np += is_new;
  reorder();
  for (int g = 0; g < NG; g++) {
    int dom = !over(gmin[g], v);
    for (int b = g * 16; b < g * 16 + 16; b++) {
      unsigned m = is_new ? 0 : (unsigned)users(b, p, 1);
      unsigned again = m;
      for (; m; m &= m - 1) assign(b * 16 + lowbit(m));
      if (dom && !over(bmin[b], v))
        for (int i = b * 16; i < b * 16 + 16; i++) {
          if (again >> (i & 15) & 1 || q.bytes >= c2[i] || over(R[i], v)) continue;
          if (q.bytes < c1[i]) {
            c2[i] = c1[i], u2[i] = u1[i];
            c1[i] = (uint8_t)q.bytes, u1[i] = (uint8_t)p;
          } else {
            c2[i] = (uint8_t)q.bytes, u2[i] = (uint8_t)p;
          }
          again |= 1u << (i & 15);
        }
      if (again) fix_max(b);
    }
  }
}

/* ---- one pass: the gain of q and of its neighbours ---- */

static double G0;           /* gain of q */
static double less[NW];     /* what it loses with w[i] one less */
static double more[NW];     /* what it wins with w[j] one more */
static double both[NW][NW]; /* what of more[j] is lost with w[i] one less */

static void pass(const prof *q) {
  __m128i v = ld(&q->w), v1 = _mm_add_epi8(v, _mm_set1_epi8(1));
  int bytes = q->bytes;
  G0 = 0;
  memset(less, 0, sizeof less);
  memset(more, 0, sizeof more);
  memset(both, 0, sizeof both);
  for (int g = 0; g < NG; g++) {
    int m = over(gmin[g], v);
    if (gmax[g] <= bytes || m & (m - 1) || (m && over(gmin[g], v1))) continue;
    for (int b = g * 16; b < g * 16 + 16; b++) {
      m = over(bmin[b], v);
      if (bmax[b] <= bytes || m & (m - 1) || (m && over(bmin[b], v1))) continue;
      for (int i = b * 16; i < b * 16 + 16; i++) {
        m = over(R[i], v);
        if (m & (m - 1) || c1[i] <= bytes || (m && over(R[i], v1))) continue;
        double x = W[i] * (c1[i] - bytes), *to = less;
        if (m) {
          int j = lowbit((unsigned)m);
          more[j] += x;
          to = both[j];
        } else {
          G0 += x;
        }
        unsigned e = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(R[i], v));
        for (; e; e &= e - 1) to[lowbit(e)] += x;
      }
    }
  }
}

/* Draw one of n options by gain at temperature t; t = 0: the best. */
static int draw(const double *gain, int n, double t) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (gain[i] > gain[best]) best = i;
  if (t <= 0) return best;
  double p[NW * NW + NW + 1], s = 0;
  for (int i = 0; i < n; i++) {
    double d = (gain[i] - gain[best]) / t;
    s += p[i] = d < -20 ? 0 : exp(d);
  }
  double u = uni() * s;
  for (int i = 0; i < n; i++)
    if ((u -= p[i]) < 0) return i;
  return best;
}

/* Walk from q, at most `steps` passes, by moving bits between widths; the
 * gain of the last q. */
static double walk(prof *q, int steps, double t) {
  double g[NW * NW + NW + 1], last = 0;
  int8_t from[NW * NW + NW + 1], to[NW * NW + NW + 1];
  for (int s = 0; s < steps; s++) {
    int n = 0, room = sum(&q->w) < q->bytes * 8;
    pass(q);
    g[n] = G0, from[n] = to[n] = -1, n++;
    for (int j = 0; j < NW; j++) {
      if (q->w.w[j] == MAXW) continue;
      if (room) g[n] = G0 + more[j], from[n] = -1, to[n] = (int8_t)j, n++;
      for (int i = 0; i < NW; i++)
        if (i != j && q->w.w[i])
          g[n] = G0 - less[i] + more[j] - both[j][i], from[n] = (int8_t)i, to[n] = (int8_t)j, n++;
    }
    for (;;) {
      int k = draw(g, n, t);
      last = g[k];
      if (!k) {
        if (t <= 0) return last;
        break;
      }
      vec v = q->w;
      if (from[k] >= 0) v.w[from[k]]--;
      v.w[to[k]]++;
      if (layout(&v, NULL) <= q->bytes) {
        q->w = v;
        break;
      }
      g[k] = -1e300;
    }
  }
  return last;
}

/* Give q `bytes` bytes: take or add bits one at a time. */
static void resize(prof *q, int bytes, double t) {
  double g[NW];
  int at[NW], n;
  q->bytes = bytes;
  while (layout(&q->w, NULL) > bytes) {
    pass(q);
    n = 0;
    for (int k = 0; k < NW; k++)
      if (q->w.w[k]) g[n] = -less[k], at[n++] = k;
    q->w.w[at[draw(g, n, t)]]--;
  }
  while (sum(&q->w) < bytes * 8) {
    pass(q);
    n = 0;
    for (int k = 0; k < NW; k++) {
      vec v = q->w;
      if (v.w[k]++ < MAXW && layout(&v, NULL) <= bytes) g[n] = more[k], at[n++] = k;
    }
    if (!n) return;
    q->w.w[at[draw(g, n, t)]]++;
  }
}

/* ---- search ---- */

static double *cum; /* cumulative waste over blocks, refreshed now and then */

static void count_waste(void) {
  double s = 0;
  for (int b = 0; b < NB; b++) {
    for (int i = b * 16; i < b * 16 + 16; i++)
      if (W[i] > 0) {
        vec v;
        memcpy(&v, &R[i], sizeof v);
        s += W[i] * (c1[i] - sum(&v) / 8.0);
      }
    cum[b] = s;
  }
}

/* A record, drawn by the bytes it wastes. */
static vec wasteful(void) {
  double u = uni() * cum[NB - 1];
  int lo = 0, hi = NB - 1;
  while (lo < hi) {
    int m = (lo + hi) / 2;
    if (cum[m] > u) hi = m;
    else lo = m + 1;
  }
  u -= lo ? cum[lo - 1] : 0;
  vec v = {{0}};
  for (int i = lo * 16; i < lo * 16 + 16 && W[i] > 0; i++) {
    memcpy(&v, &R[i], sizeof v);
    u -= W[i] * (c1[i] - sum(&v) / 8.0);
    if (u < 0) break;
  }
  return v;
}

/* A new profile from a record. */
static prof fresh(double t) {
  prof q = {wasteful(), 0};
  int b = layout(&q.w, NULL) + below(3);
  resize(&q, b < 1 ? 1 : b > 31 ? 31 : b, t);
  return q;
}

static void start(void) {
  memset(P, 0, sizeof P);
  memset(&P[1].w, MAXW, sizeof(vec));
  P[1].bytes = layout(&P[1].w, NULL);
  np = 2;
  assign_all();
  while (np < NP) {
    prof best = {{{0}}, 1};
    double gain = -1;
    count_waste();
    for (int k = 0; k < 6; k++) {
      prof q = fresh(0);
      double g = walk(&q, 20, 0);
      if (g > gain) gain = g, best = q;
    }
    put_in(np, best);
  }
}

static void anneal(long steps, double t0, double t1) {
  long stat[3][2] = {{0}};
  double loss[NP];
  for (long s = 0; s < steps; s++) {
    double t = t0 * pow(t1 / t0, (double)s / (double)steps);
    if (s % 1000 == 0) {
      count_waste();
      for (int p = 0; p < NP; p++) loss[p] = 0;
      for (int i = 0; i < N; i++) loss[u1[i]] += W[i] * (c2[i] - c1[i]);
    }
    if (s % (steps / 20 + 1) == 0)
      fprintf(stderr, "%8ld t %-9.4g objective %.6f  walk %ld/%ld resize %ld/%ld move %ld/%ld\n", s, t,
              objective(), stat[0][1], stat[0][0], stat[1][1], stat[1][0], stat[2][1], stat[2][0]);
    int kind = below(8), p = 2 + below(NP - 2);
    kind = kind < 5 ? 0 : kind - 5 < 1 ? 1 : 2;
    if (kind == 2)
      for (int k = 0; k < 3; k++) {
        int o = 2 + below(NP - 2);
        if (loss[o] < loss[p]) p = o;
      }
    double old = take_out(p), g;
    prof q = P[p];
    if (kind == 0) {
      g = walk(&q, 3, t);
      old = g; /* drawn by gain already */
    } else {
      if (kind == 1) {
        resize(&q, q.bytes + (below(2) ? 1 : -1), t);
      } else if (below(2)) {
        q = fresh(t);
      } else {
        int o = 2 + below(NP - 2), b;
        q = P[o];
        b = q.bytes + below(3) - 1;
        resize(&q, b < 1 ? 1 : b > 31 ? 31 : b, t);
      }
      if (q.bytes < 1 || q.bytes > 31) {
        put_back(p);
        continue;
      }
      g = walk(&q, 6, t);
    }
    int take = g >= old || (t > 0 && uni() < exp((g - old) / t));
    stat[kind][0]++;
    if (!take || !memcmp(&q.w, &P[p].w, sizeof(vec))) {
      put_back(p);
      continue;
    }
    stat[kind][1]++;
    put_in(p, q);
    loss[p] = g;
  }
}

/* To the nearest minimum. */
static void settle(void) {
  for (int again = 1; again;) {
    again = 0;
    for (int p = 2; p < NP; p++) {
      double old = take_out(p);
      prof q = P[p];
      if (walk(&q, 50, 0) > old * (1 + 1e-12) + 1e-12) put_in(p, q), again = 1;
      else put_back(p);
    }
  }
}

/* ---- table ---- */

static int by_prof(const void *a, const void *b) {
  const prof *p = a, *q = b;
  return p->bytes != q->bytes ? p->bytes - q->bytes : memcmp(&p->w, &q->w, sizeof(vec));
}

/* The form of src/clip/profiles.def. */
static void write_table(const char *name) {
  FILE *f = fopen(name, "w");
  if (!f) die("cannot write", name);
  for (int p = 0; p < NP; p++) {
    int off[NW], second = 32;
    const int bytes = layout(&P[p].w, off);
    for (int k = NW / 2; k < NW; k++)
      if (P[p].w.w[k] && off[k] / 8 < second) second = off[k] / 8;
    if (second == 32) second = 0;
    fprintf(f, "PROFILE(%d, %d", bytes, second);
    for (int k = 0; k < NW; k++) fprintf(f, ", %d", P[p].w.w[k]);
    for (int k = 0; k < NW; k++) fprintf(f, ", %d", P[p].w.w[k] ? off[k] : k < NW / 2 ? 0 : 8 * second);
    fprintf(f, ")\n");
  }
  if (fclose(f)) die("cannot write", name);
}

/* ---- what clips need ---- */

static void *read_file(const char *name, size_t *size) {
  FILE *f = fopen(name, "rb");
  unsigned char *bytes = NULL;
  size_t n, room = 0;
  if (!f) die("cannot open", name);
  *size = 0;
  do {
    if (!(bytes = realloc(bytes, room += 1 << 20))) die("out of memory", NULL);
    n = fread(bytes + *size, 1, room - *size, f);
    *size += n;
  } while (n > 0);
  fclose(f);
  return bytes;
}

/* The channels of a block but those of raw curves, whose profiles are 0 as well. */
static void extract_block(FILE *to, const quatsimd_clip *clip, int kind, size_t block) {
  const quatsimd_clip_part parts = clip_part_of(clip, kind), *part = &parts;
  const unsigned char *codes = part->blocks + clip_block_at(clip, kind, part, block);
  const size_t inner = clip_block_start(block + 1, clip->frames) - clip_block_start(block, clip->frames) - 1;
  const unsigned char *profile = codes + (part->moving + 1) / 2, *at = profile + CLIP_AXES * part->moving;
  for (size_t first = 0; first < part->moving; first += CLIP_GROUP) {
    const size_t curves = clip_group_curves(part->moving, first / CLIP_GROUP);
    for (size_t i = 0; i < CLIP_AXES * curves; i++, profile++) {
      vec need = {{0}};
      for (int k = 0; k < NW; k++)
        need.w[k] = (uint8_t)bits_for(
            get_bits(at, quatsimd_clip_offsets[*profile][k], quatsimd_clip_widths[*profile][k]));
      at += quatsimd_clip_bytes[*profile];
      if (clip_code(codes, first + i % curves) != CLIP_RAW) fwrite(&need, sizeof need, 1, to);
    }
    for (size_t i = 0; i < curves; i++)
      if (clip_code(codes, first + i) == CLIP_RAW) at += clip_raw_bytes(at, CLIP_AXES, inner);
  }
}

static void extract(const char *name, char **file, int files) {
  FILE *to = fopen(name, "wb");
  if (!to) die("cannot write", name);
  for (int i = 0; i < files; i++) {
    quatsimd_clip_storage storage;
    quatsimd_clip *clip;
    size_t size;
    void *bytes = read_file(file[i], &size);
    if (quatsimd_clip_open(&clip, &storage, sizeof storage, bytes, size) != QUATSIMD_OK)
      die("not a clip:", file[i]);
    for (int kind = 0; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++)
      for (size_t b = 0; clip_part_of(clip, kind).moving && b < clip_blocks(clip->frames); b++)
        extract_block(to, clip, kind, b);
    free(bytes);
  }
  if (fclose(to)) die("cannot write", name);
}

/* All files, joined. The total weight is 1e6, so the objective is the mean cost in millionths of a byte.
 * Returns how many distinct records there are. */
static int read_records(char **file, int files, double power, double smooth, int copies, double scale,
                        double jitter) {
  rec *all = NULL;
  int n = 0;
  for (int f = 0; f < files; f++) {
    int m;
    rec *r = load(file[f], &m);
    double s = 0;
    for (int i = 0; i < m; i++) s += r[i].w;
    for (int i = 0; i < m; i++) r[i].w *= pow(s, power - 1);
    if (!(all = realloc(all, (size_t)(n + m + 1) * sizeof *all))) die("out of memory", NULL);
    memcpy(all + n, r, (size_t)m * sizeof *r);
    n += m;
    free(r);
  }
  if (!n) die("no records", NULL);
  n = dedupe(all, n);
  if (smooth > 0) {
    rec *r = xalloc((size_t)n * (size_t)(copies + 1) * sizeof *r);
    int m = 0;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < copies; k++)
        r[m++] = (rec){vary(&all[i].r, scale, jitter), all[i].w * smooth / copies};
      r[m++] = (rec){all[i].r, all[i].w * (1 - smooth)};
    }
    free(all);
    all = r;
    n = dedupe(r, m);
  }
  double total = 0;
  for (int i = 0; i < n; i++) total += all[i].w;
  for (int i = 0; i < n; i++) all[i].w *= 1e6 / total;
  set_records(all, n);
  free(all);
  return n;
}

int main(int argc, char **argv) {
  const char *out = NULL, *widths = NULL;
  long steps = 30000;
  double smooth = 0.3, scale = 4, jitter = 0.5, power = 0.2, t0 = 60, t1 = 4;
  int copies = 8, a = 1;
  for (; a < argc && argv[a][0] == '-'; a++) {
    int c = argv[a][1];
    if (a + 1 == argc) break;
    const char *v = argv[++a];
    switch (c) {
    case 'o': out = v; break;
    case 'w': widths = v; break;
    case 'n': steps = atol(v); break;
    case 'r': seed = (uint64_t)atol(v); break;
    case 'e': power = atof(v); break;
    case 's': smooth = atof(v); break;
    case 'm': copies = atoi(v); break;
    case 'g': scale = atof(v); break;
    case 'j': jitter = atof(v); break;
    case 'h': t0 = atof(v); break;
    case 'l': t1 = atof(v); break;
    default: die("unknown option", argv[a - 1]);
    }
  }
  if (a >= argc || !out == !widths)
    die("usage: clip_profiles -w WIDTHS CLIP..., or clip_profiles [options] -o TABLE WIDTHS...", NULL);
  if (widths) {
    extract(widths, argv + a, argc - a);
    return 0;
  }

  const int n = read_records(argv + a, argc - a, power, smooth, copies, scale, jitter);
  cum = xalloc((size_t)NB * sizeof *cum);
  fprintf(stderr, "%d distinct records\n", n);
  start();
  anneal(steps, t0, t1);
  settle();
  fprintf(stderr, "final objective %.3f\n", objective());
  qsort(P, NP, sizeof *P, by_prof);
  write_table(out);
  return 0;
}
