/* libFuzzer over the encoder of clips: any curves, times and bounds. It refuses them or makes a clip that
 * opens and holds the bounds, at keys by the command's measure, and between them by the tests', the same with
 * all kernels. */
#include "fuzz.h"

#include "clip/encode/snap.h"
#include "check/check.h"
#include "check/tracks.h"
#include "support/clip_truth.h"

enum { MOST_JOINTS = 3, TRACKS = 2, MOST_KEYS = 24, CURVES = 3 * MOST_JOINTS + TRACKS, MOST_FRAMES = 2000 };

static double times[2 * CURVES][MOST_KEYS];
static float values[2 * CURVES][12 * MOST_KEYS];

/* how & 3: what times are; how & 12: what values are; how & 48: the interpolation, 3 of which is none. Times
 * that are no doubles from the input are later than `epoch`. */
static quatsimd_curve take_curve(fuzz_input *in, size_t number, size_t width, double epoch) {
  const unsigned how = fuzz_byte(in);
  const int interpolation = how >> 4 & 3;
  const size_t keys = fuzz_byte(in) % (MOST_KEYS + 1);
  if (interpolation == QUATSIMD_CURVE_CUBIC) width *= 3; /* tangents are read as values */
  double time = how & 1 ? fuzz_double(in) : epoch + (double)(fuzz_byte(in) / 32);
  for (size_t k = 0; k < keys; k++) {
    times[number][k] = time;
    if ((how & 3) == 3) time = fuzz_double(in);
    else time += how & 2 ? (double)fuzz_float(in) : 1 / 30.;
    for (size_t c = 0; c < width; c++) {
      float *to = &values[number][width * k + c];
      if ((how & 12) == 12) *to = fuzz_float(in);
      else
        *to = (float)((int)fuzz_byte(in) - 128) / (how & 4 ? 128 : 4096) +
              (k && how & 8 ? values[number][width * (k - 1) + c] : c == 3 || c == 7);
    }
  }
  return (quatsimd_curve){keys, times[number], values[number], interpolation};
}

static float take_bound(fuzz_input *in) {
  static const float bounds[] = {0, 1e-5f, 1e-4f, 1e-3f, 0.01f, 0.1f, 1};
  const unsigned which = fuzz_byte(in) % 8;
  return which < 7 ? bounds[which] : fuzz_float(in);
}

static void take_source(fuzz_input *in, quatsimd_clip_joint *joint, size_t joints, size_t first_curve,
                        double epoch) {
  for (size_t j = 0; j < joints; j++) {
    const unsigned parent = fuzz_byte(in);
    joint[j] =
        /* 7: there is none */
        (quatsimd_clip_joint){.parent = parent == 255 ? 7 : (int64_t)(parent % (j + 1)) - 1};
    joint[j].rotation = take_curve(in, first_curve + 3 * j, 4, epoch);
    joint[j].translation = take_curve(in, first_curve + 3 * j + 1, 3, epoch);
    joint[j].scale = take_curve(in, first_curve + 3 * j + 2, 3, epoch);
    if (parent >= 128) joint[j].rotation_bound = take_bound(in);
  }
}

static void take_tracks(fuzz_input *in, quatsimd_clip_track track[TRACKS], size_t first_curve, double epoch) {
  for (size_t t = 0; t < TRACKS; t++)
    track[t] = (quatsimd_clip_track){take_curve(in, first_curve + t, 1, epoch), take_bound(in)};
}

/* Keys far apart for the rate, those of the base included, make many frames, which take their time. */
static bool is_long(const quatsimd_clip_source *source, const quatsimd_clip_options *options) {
  double first = INFINITY, last = -INFINITY, least = INFINITY;
  for (const quatsimd_clip_source *of = source; of; of = of == source ? options->additive_base : NULL)
    for (size_t i = 0; i < of->joint_count * QUATSIMD_CLIP_JOINT_KIND_COUNT + of->track_count; i++) {
      const quatsimd_curve *c = clip_any_curve(of, i);
      for (size_t k = 0; k < c->key_count; k++) {
        first = fmin(first, c->times[k]), last = fmax(last, c->times[k]);
        if (k) least = fmin(least, fabs(c->times[k] - c->times[k - 1]));
      }
    }
  return (last - first) * options->rate > MOST_FRAMES ||
         (options->rate == 0 && (last - first) / least > MOST_FRAMES);
}

/* How far from the root points may be, at most, and no less than any translation or scale. */
static double reach(const quatsimd_clip_source *source, double distance) {
  double sum = distance, scale = 1;
  for (size_t j = 0; j < source->joint_count; j++) {
    double largest[QUATSIMD_CLIP_JOINT_KIND_COUNT] = {0, 0, 1}; /* of scales, no less than 1 */
    for (int kind = QUATSIMD_CLIP_TRANSLATION; kind < QUATSIMD_CLIP_JOINT_KIND_COUNT; kind++) {
      const quatsimd_curve *c = clip_curve(source, kind, j);
      const size_t floats = (c->interpolation == QUATSIMD_CURVE_CUBIC ? 9 : 3) * c->key_count;
      for (size_t i = 0; i < floats; i++) largest[kind] = fmax(largest[kind], fabs((double)c->values[i]));
    }
    sum += 2 * largest[QUATSIMD_CLIP_TRANSLATION], scale *= largest[QUATSIMD_CLIP_SCALE];
  }
  return (sum + 1) * fmax(scale, 1);
}

/* At one time, every curve and every joint. */
static void check_time(const truth *of, const quatsimd_clip *clip, double time, double far) {
  static float at[10 * MOST_JOINTS];
  const size_t n = of->source->joint_count;
  quatsimd_pose_out pose = {quatsimd_aos_out(at), quatsimd_aos_out(at + 4 * n), quatsimd_aos_out(at + 7 * n),
                            NULL};
  const truth_pose got = {{at, at + 4 * n, at + 7 * n}};
  if (quatsimd_clip_sample(clip, &pose, NULL, time, QUATSIMD_CLIP_WRAP_CLIP, 0) != QUATSIMD_OK)
    fuzz_fail("a clip that was encoded cannot be sampled at %.17g", time);
  for (size_t j = 0; j < n; j++)
    for (int kind = 0; kind <= TRUTH_OBJECT; kind++) {
      const double bound = truth_bound(of, j, kind), distance = truth_distance(of, j);
      if (bound == (double)INFINITY) continue;
      const double enough =
          bound + (kind == TRUTH_OBJECT ? far * 0x1p-21 : truth_rounding(of, j, kind, &got));
      const double off = truth_error(of, j, kind, distance, &got, time, enough, NULL);
      if (!(off <= enough))
        fuzz_fail("between keys: kind %d of joint %zu is off by %.9g at %.17g, and the bound is %.9g", kind,
                  j, off, time, bound);
    }
}

/* At some of the keys of every curve, and in between. */
static void check_times(const quatsimd_clip_source *source, const quatsimd_clip_options *o,
                        const quatsimd_clip *clip) {
  const truth of = truth_make(source, o);
  const double far = reach(source, (double)o->object_distance);
  /* times in float must tell something */
  if (fmax(fabs(of.first), fabs(of.last)) * 0x1p-23 > (of.last - of.first) * 0x1p-12) return;
  for (size_t i = 0; i < 3 * source->joint_count; i++) {
    const quatsimd_curve *c = truth_curve(&source->joints[i / 3], (int)(i % 3));
    for (size_t k = i % 3; k < c->key_count; k += 3) {
      const double next = c->times[k + 1 < c->key_count ? k + 1 : k], length = next - c->times[k];
      check_time(&of, clip, c->times[k], far);
      check_time(&of, clip, c->times[k] + length * 0.5, far);
      check_time(&of, clip, c->times[k] + length * (0.05 + 0.09 * (double)(k % 11)), far);
    }
  }
  /* at a rate of its own, a clip may end, and begin again, later than its source */
  if (!(o->looping && o->rate > 0)) check_time(&of, clip, of.last + (of.last - of.first) * 0.37, far);
}

static bool has_cubic(const quatsimd_clip_source *source) {
  for (size_t i = 0; i < 3 * source->joint_count; i++)
    if (truth_curve(&source->joints[i / 3], (int)(i % 3))->interpolation == QUATSIMD_CURVE_CUBIC) return true;
  return false;
}

static void check_clip(const quatsimd_clip_source *source, const quatsimd_clip_options *o,
                       const fuzz_array *bytes) {
  quatsimd_clip_storage storage;
  quatsimd_clip *clip;
  struct clip_error error[CLIP_CHECK_ERRORS];
  if (quatsimd_clip_open(&clip, &storage, sizeof storage, bytes->data, bytes->size) != QUATSIMD_OK)
    fuzz_fail("a clip that was encoded does not open");
  check_times(source, o, clip);
  if (quatsimd_clip_additive(clip) != QUATSIMD_CLIP_ADDITIVE_BASE) {
    const struct clip_pair pair = {.source = source, .base = o->additive_base, .clip = clip};
    const struct clip_track_error track = clip_tracks_check(&pair, (double)o->track_bound);
    if (clip_tracks_beyond(&track))
      fuzz_fail("track %zu is off by %.9g at %.17g, %.3g of its bound", track.share_track, track.share_off,
                track.share_time, track.share);
  }
  /* the command knows neither bases nor splines */
  if (quatsimd_clip_additive(clip) == QUATSIMD_CLIP_ADDITIVE_BASE || has_cubic(source)) return;
  /* without, parents are not looked at */
  const double distance = o->object_bound > 0 ? (double)o->object_distance : 0;
  if (clip_check(&(struct clip_pair){.source = source, .clip = clip, .distance = distance}, error, NULL) < 0)
    fuzz_fail("a clip that was encoded cannot be sampled");
  const float bound[] = {o->rotation_bound, o->translation_bound, o->scale_bound, o->object_bound};
  for (int i = o->object_bound > 0 ? CLIP_CHECK_OBJECT : 0; i < CLIP_CHECK_ERRORS;
       i++) {                                                         /* that one is in place of the others */
    double most = bound[i] > 0 ? fmax((double)bound[i], 0x1p-90) : 0; /* smaller bounds count as this */
    for (size_t j = 0; j < source->joint_count && i == QUATSIMD_CLIP_ROTATION; j++)
      most = fmax(most, (double)source->joints[j].rotation_bound);
    /* quatsimd_clip_add rounds */
    if (i != QUATSIMD_CLIP_ROTATION && quatsimd_clip_additive(clip) && most > 0)
      most += reach(source, distance) * 0x1p-21;
    if (most > 0 && !(error[i].worst <= most + error[i].rounding))
      fuzz_fail("error %d of joint %zu is %.9g at %.9g, and the bound is %.9g", i, error[i].joint,
                error[i].worst, error[i].time, most);
  }
}

/* Times become floats where these rise. */
static void round_times(const quatsimd_clip_source *source) {
  for (size_t i = 0; i < 3 * source->joint_count + source->track_count; i++) {
    const quatsimd_curve *c = clip_any_curve(source, i);
    double *time = (double *)(uintptr_t)c->times;
    bool rise = time != NULL;
    for (size_t k = 1; k < c->key_count && rise; k++) rise = rise && (float)time[k] > (float)time[k - 1];
    for (size_t k = 0; k < c->key_count && rise; k++) time[k] = (double)(float)time[k];
  }
}

/* Bounds hold for the keys as they are moved. */
static void check_moved(const quatsimd_clip_source *source, const quatsimd_clip_options *o,
                        const fuzz_array *bytes) {
  quatsimd_memory memory = {0};
  quatsimd_clip_options options = *o;
  quatsimd_clip_report report = {0};
  double rate;
  const quatsimd_clip_source *moved = source,
                             *base = o->additive == QUATSIMD_CLIP_ADDITIVE_BASE ? o->additive_base : NULL;
  if (quatsimd_snap(&memory, &moved, &base, o->rate, &rate, &report) != QUATSIMD_OK)
    fuzz_fail("keys cannot be moved");
  for (size_t i = 0; i < 3 * source->joint_count + source->track_count; i++) {
    const quatsimd_curve *from = clip_any_curve(source, i), *to = clip_any_curve(moved, i);
    for (size_t k = 0; k < from->key_count; k++)
      if (fabs(to->times[k] - from->times[k]) > fmax(0x1p-24 * 1.001 * fabs(from->times[k]), 0x1p-150) ||
          (k && !(to->times[k] > to->times[k - 1])))
        fuzz_fail("key %zu of curve %zu moves from %.17g to %.17g", k, i, from->times[k], to->times[k]);
  }
  if (base) options.additive_base = base;
  check_clip(moved, &options, bytes);
  quatsimd_release(&memory, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const quatsimd_kernels *tables[MAX_KERNELS];
  const size_t n = fuzz_tables(tables);
  fuzz_input in = {data, size};
  quatsimd_clip_joint joint[MOST_JOINTS], base_joint[MOST_JOINTS];
  quatsimd_clip_track track[TRACKS], base_track[TRACKS];
  const unsigned how = fuzz_byte(&in), frames = fuzz_byte(&in);
  const size_t joints = how % (MOST_JOINTS + 1);
  quatsimd_clip_options options = {.struct_size = sizeof options,
                                   .looping = how >> 2 & 1,
                                   .additive = how >> 3 & 3, /* 3 is none */
                                   .track_bound = 0.001f,
                                   .bundled = how >> 6 & 1};
  options.rotation_bound = take_bound(&in), options.translation_bound = take_bound(&in),
  options.scale_bound = take_bound(&in);
  if (how & 32) options.object_bound = take_bound(&in), options.object_distance = take_bound(&in);
  options.rate = frames < 128 ? 0 : frames < 250 ? frames - 127 : fuzz_double(&in);
  static const double epochs[] = {0, 0, 0, 3601, -7, 0x1.8p40, 0x1p45, -0x1p41};
  const unsigned late = fuzz_byte(&in);
  const double epoch = epochs[late % 8];
  options.snap_times = late >> 3 & 1;
  take_source(&in, joint, joints, 0, epoch);
  for (size_t j = 0; j < joints && options.object_bound > 0; j++)
    joint[j].rotation_bound = 0; /* it is refused */
  const size_t tracks = how & 128 ? TRACKS : 0;
  const quatsimd_clip_source source = {joints, joint, tracks, track},
                             base = {joints, base_joint, tracks, base_track};
  if (tracks > 0) take_tracks(&in, track, CURVES - TRACKS, epoch);
  if (options.additive == QUATSIMD_CLIP_ADDITIVE_BASE) {
    take_source(&in, base_joint, joints, CURVES, epoch), options.additive_base = &base;
    if (tracks > 0) take_tracks(&in, base_track, 2 * CURVES - TRACKS, epoch);
  }
  if (is_long(&source, &options)) return -1;
  if (options.snap_times) round_times(&source);
  if (options.snap_times && options.additive_base) round_times(&base);

  fuzz_array wanted = {0};
  quatsimd_status wanted_status = QUATSIMD_OK;
  for (size_t t = 0; t < n; t++) {
    void *bytes = NULL;
    size_t length = 0;
    quatsimd_clip_report report;
    quatsimd_clip_report_init(&report, sizeof report);
    fuzz_use(tables[t]);
    const quatsimd_status status = quatsimd_clip_encode(&bytes, &length, &source, &options, &report);
    if (status != QUATSIMD_OK && status != QUATSIMD_ERROR_BAD_KEY && status != QUATSIMD_ERROR_BAD_ARGUMENT)
      fuzz_fail("encode: %s", quatsimd_status_string(status));
    if ((status == QUATSIMD_OK) != !report.error)
      fuzz_fail("%s, and the report says: %s", quatsimd_status_string(status),
                report.error ? report.error : "nothing");
    if (t == 0) {
      wanted = fuzz_array_new(length, 0), wanted_status = status;
      if (length) memcpy(wanted.data, bytes, length);
    } else if (status != wanted_status ||
               (status == QUATSIMD_OK && (length != wanted.size || memcmp(bytes, wanted.data, length) != 0)))
      fuzz_fail("%s: not what scalar encodes", tables[t]->name);
    if (status == QUATSIMD_OK) quatsimd_clip_free(NULL, bytes);
  }
  if (wanted_status == QUATSIMD_OK && !options.snap_times) check_clip(&source, &options, &wanted);
  if (wanted_status == QUATSIMD_OK && options.snap_times) check_moved(&source, &options, &wanted);
  fuzz_array_free(&wanted);
  return 0;
}
