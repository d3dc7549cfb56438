/* Checks that calls in every layout and in place give the same bits as one call for each element. */
#include "rotation/checks.h"
#include "rotation/draw.h"
#include "rotation/place.h"

/* Computes the results with one call for each element. If bit a of `one` is 1, all elements use the first
 * element of argument a. */
static void expected_results(const function *f, const block *b, float expected[MOST_OUT][WIDEST * BLOCK],
                             const euler *e, size_t count, unsigned one) {
  for (size_t i = 0; i < count; i++) {
    float in_copy[MOST_IN][WIDEST];
    quatsimd_in in[MOST_IN];
    quatsimd_out out[MOST_OUT];
    for (int a = 0; a < f->ins; a++) {
      const size_t w = (size_t)widths[f->in[a]];
      memcpy(in_copy[a], b->in[a] + (one >> a & 1 ? 0 : w * i), w * sizeof(float));
      in[a] = quatsimd_aos(in_copy[a]);
    }
    for (int a = 0; a < f->outs; a++) out[a] = quatsimd_aos_out(expected[a] + (size_t)f->out_width[a] * i);
    assert_int_equal(f->call(out, in, e->order, 1), QUATSIMD_OK);
  }
}

static void check_layouts(const function *f, const block *b, const layout *of_out, const layout *of_in,
                          const euler *e, size_t count, bool at_end,
                          float expected[MOST_OUT][WIDEST * BLOCK]) {
  placed out[MOST_OUT], in[MOST_IN];
  quatsimd_out targets[MOST_OUT];
  quatsimd_in sources[MOST_IN];
  for (int a = 0; a < f->outs; a++) {
    out[a] = place_width(4 * a, allowed(of_out[a], f->out_width[a]), f->out_width[a], count, at_end);
    targets[a] = target_of(&out[a]);
  }
  for (int a = 0; a < f->ins; a++) {
    in[a] =
        place_width(OUT_ARENAS + 4 * a, allowed(of_in[a], widths[f->in[a]]), widths[f->in[a]], count, at_end);
    fill_with(&in[a], b->in[a], count);
    sources[a] = source_of(&in[a]);
  }
  assert_int_equal(f->call(targets, sources, e->order, count), QUATSIMD_OK);
  for (int a = 0; a < f->outs; a++)
    if (!holds(&out[a], expected[a], count, at_end))
      fail_msg("%s: result %d as %s, first argument as %s, count %zu: differs from single calls, or other "
               "bytes were written",
               f->name, a, layout_names[out[a].layout], layout_names[in[0].layout], count);
}

void layouts_give_the_same_bits(void **state) {
  (void)state;
  static block b;
  static float expected[MOST_OUT][WIDEST * BLOCK], of_mixed[MOST_OUT][WIDEST * BLOCK];
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 2;
    for (size_t count = 0; count <= MOST; count++) {
      const euler *e = &eulers[count / 8 % ORDERS];
      const bool at_end = count % 5 != 0;
      if (count % 8 == 0) {
        draw(f, &b, MOST, &random, count % 16);
        expected_results(f, &b, expected, e, MOST, 0);
      }
      for (layout o = 0; o < ONE; o++)
        for (layout i = 0; i < ONE; i++) {
          if (o != i && (o > STRIDED || i > STRIDED)) continue;
          const layout of_out[MOST_OUT] = {o, o}, of_in[MOST_IN] = {i, i, i, i, i, i};
          check_layouts(f, &b, of_out, of_in, e, count, at_end, expected);
        }
      if (count % 8 != 3 && count > 16) continue;
      layout of_out[MOST_OUT], of_in[MOST_IN]; /* a random layout for each argument */
      unsigned one = 0;
      for (int a = 0; a < MOST_OUT; a++) of_out[a] = pick(&random, ONE);
      for (int a = 0; a < MOST_IN; a++)
        of_in[a] = pick(&random, LAYOUTS), one |= of_in[a] == ONE ? 1u << a : 0;
      expected_results(f, &b, of_mixed, e, count, one);
      check_layouts(f, &b, of_out, of_in, e, count, at_end, of_mixed);
    }
  }
}

void one_stands_for_all(void **state) {
  (void)state;
  static block b;
  static float expected[MOST_OUT][WIDEST * BLOCK];
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 3;
    draw(f, &b, MOST, &random, false);
    for (unsigned one = 1; one < 1u << f->ins; one++) {
      layout of_out[MOST_OUT] = {one % 2 ? AOS : SOA, SOA}, of_in[MOST_IN];
      for (int a = 0; a < f->ins; a++) of_in[a] = one >> a & 1 ? ONE : (layout)(one % 3);
      for (size_t count = 1; count <= MOST; count += count < 20 ? 1 : 37) {
        const euler *e = &eulers[count % ORDERS];
        expected_results(f, &b, expected, e, count, one);
        check_layouts(f, &b, of_out, of_in, e, count, true, expected);
      }
    }
  }
}

/* An input's stride may be smaller than its elements. The elements are then windows that slide over an
 * array. */
void windows_may_overlap(void **state) {
  (void)state;
  static block b, gathered;
  static float expected[MOST_OUT][WIDEST * BLOCK];
  FOR_EACH_FUNCTION(f) for (int a = 0; a < f->ins; a++) {
    uint64_t random = 4;
    const size_t w = (size_t)widths[f->in[a]], count = 77;
    for (size_t step = 1; step < w; step++) {
      draw(f, &b, count, &random, false);
      gathered = b;
      for (size_t i = 0; i < count; i++)
        memcpy(gathered.in[a] + w * i, b.in[a] + step * i, w * sizeof(float));
      expected_results(f, &gathered, expected, &eulers[step % ORDERS], count, 0);
      quatsimd_in in[MOST_IN];
      quatsimd_out out[MOST_OUT];
      for (int k = 0; k < f->ins; k++)
        in[k] = k == a ? quatsimd_strided(b.in[a], 4 * step) : quatsimd_aos(gathered.in[k]);
      for (int k = 0; k < f->outs; k++) out[k] = quatsimd_aos_out(b.out[k]);
      assert_int_equal(f->call(out, in, eulers[step % ORDERS].order, count), QUATSIMD_OK);
      for (int k = 0; k < f->outs; k++)
        if (memcmp(b.out[k], expected[k], sizeof(float) * (size_t)f->out_width[k] * count) != 0)
          fail_msg("%s: argument %d in steps of %zu floats", f->name, a, step);
    }
  }
}

/* Writes result o over argument a. If elements of o and a differ in size, the call is refused, unless `count`
 * is 1. If `all` is true, the other arguments of the same kind are also read from the array of a. */
static void check_in_place(const function *f, const block *b, int o, int a, layout l, size_t count,
                           bool all) {
  static float expected[MOST_OUT][WIDEST * BLOCK];
  static block same;
  const int width_in = widths[f->in[a]], width_out = f->out_width[o],
            wider = width_in > width_out ? width_in : width_out;
  if (l == SOA && wider > 4) return;
  if ((l == AOS || l > STRIDED) && width_in != width_out) return; /* tests/view covers these layouts */
  l = allowed(l, wider);
  const euler *e = &eulers[count % ORDERS];
  same = *b;
  for (int k = 0; k < f->ins; k++)
    if (all && f->in[k] == f->in[a]) memcpy(same.in[k], same.in[a], sizeof(float) * (size_t)width_in * count);
  expected_results(f, &same, expected, e, count, 0);

  const size_t step = sizeof(float) * (size_t)wider + (l == STRIDED ? 4 : 0);
  placed shared = place(0, l, wider, step, count, true), in_view = shared, out_view = shared, others[MOST_IN],
         other_out;
  in_view.width = width_in, out_view.width = width_out;
  fill_with(&in_view, same.in[a], count);
  quatsimd_in sources[MOST_IN];
  quatsimd_out targets[MOST_OUT];
  for (int k = 0; k < f->ins; k++) {
    if (k == a || (all && f->in[k] == f->in[a])) {
      sources[k] = source_of(&in_view);
      continue;
    }
    others[k] = place_width(OUT_ARENAS + 4 * k, allowed(count % 2 ? SOA : AOS, widths[f->in[k]]),
                            widths[f->in[k]], count, true);
    fill_with(&others[k], same.in[k], count);
    sources[k] = source_of(&others[k]);
  }
  for (int k = 0; k < f->outs; k++) {
    if (k != o) other_out = place_width(4, AOS, f->out_width[k], count, true);
    targets[k] = target_of(k == o ? &out_view : &other_out);
  }
  const bool refused = width_in != width_out && count > 1;
  assert_int_equal(f->call(targets, sources, e->order, count),
                   refused ? QUATSIMD_ERROR_BAD_ARGUMENT : QUATSIMD_OK);
  for (size_t i = 0; i < count && !refused; i++) {
    for (int c = 0; c < width_out; c++)
      if (memcmp(component(&out_view, i, c), expected[o] + (size_t)width_out * i + c, sizeof(float)) != 0)
        fail_msg("%s: result %d in the place of argument %d, %s, count %zu, at %zu", f->name, o, a,
                 layout_names[l], count, i);
    for (int c = width_out; c < width_in; c++)
      if (memcmp(component(&in_view, i, c), same.in[a] + (size_t)width_in * i + c, sizeof(float)) != 0)
        fail_msg("%s: wrote behind a result in the place of argument %d", f->name, a);
  }
  for (int k = 0; k < f->outs; k++)
    if (k != o && !refused) assert_true(holds(&other_out, expected[k], count, true));
}

void results_may_replace_arguments(void **state) {
  (void)state;
  static block b;
  static const size_t counts[] = {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 63, 64, 65, 100, 128, MOST};
  FOR_EACH_FUNCTION(f) {
    uint64_t random = 5;
    draw(f, &b, MOST, &random, false);
    for (size_t n = 0; n < sizeof counts / sizeof counts[0]; n++)
      for (int o = 0; o < f->outs; o++)
        for (int a = 0; a < f->ins; a++)
          for (layout l = 0; l < ONE; l++)
            for (int all = 0; all < 2; all++) check_in_place(f, &b, o, a, l, counts[n], all);
  }
}
