/* quatsimd stream: what sending the rotations of files costs, frame by frame. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/angle_error.h"
#include "commands/command.h"
#include "readers/input.h"
#include "base/json.h"
#include "base/message.h"
#include "readers/motion.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "stream/predictors.h"
#include "base/speed.h"
#include "base/table.h"
#include "base/text.h"

struct settings {
  quatsimd_stream_options options; /* bodies are those of each motion */
  double bound;                    /* degrees */
  size_t key;                      /* a key frame every so many; 0: the first one alone */
  const char *predict;
  int predictors;
  bool json, timed;
};

/* Frames as they were sent. */
struct channel {
  size_t frames, size, room;
  size_t *end; /* of each frame in bytes */
  unsigned char *bytes;
};

struct result {
  const char *path;
  const struct motion *motion;
  size_t rotations, bytes, frames, key_frames, invalid;
  struct angle_error error;
  double encode, decode; /* seconds for all; 0 where not timed */
};

/* One stream, either way. -------------------------------------------------------------------------------- */

struct end {
  void *memory;
  quatsimd_stream *stream;
};

static quatsimd_status open_end(struct end *end, const quatsimd_stream_options *options, int predictors) {
  const size_t size = quatsimd_stream_size(options);
  if (!end->memory) end->memory = memory_get(size, 1);
  const quatsimd_status status = quatsimd_stream_init(&end->stream, end->memory, size, options);
  if (status >= 0) quatsimd_stream_use_predictors(end->stream, predictors);
  return status;
}

struct job {
  const struct settings *settings;
  quatsimd_stream_options options;
  const struct motion *motion;
  struct end encoder, decoder;
  struct channel channel;
  float *decoded;         /* 4 * bodies: the frame that came last */
  quatsimd_status status; /* of the first call that failed */
  size_t at;              /* the frame where it did */
};

static bool works(struct job *job, quatsimd_status status, size_t frame) {
  if (status >= 0) return true;
  if (job->status >= 0) job->status = status, job->at = frame;
  return false;
}

static void reserve(struct channel *channel, size_t bytes) {
  if (channel->room - channel->size >= bytes) return;
  channel->room = 2 * channel->room + bytes;
  unsigned char *more = memory_get(channel->room, 1);
  if (channel->size) memcpy(more, channel->bytes, channel->size);
  free(channel->bytes);
  channel->bytes = more;
}

static void encode(void *data) {
  struct job *job = data;
  const struct motion *motion = job->motion;
  struct channel *channel = &job->channel;
  const size_t longest = quatsimd_stream_max_packet(&job->options), key = job->settings->key;
  channel->size = 0;
  if (!works(job, open_end(&job->encoder, &job->options, job->settings->predictors), 0)) return;
  for (size_t f = 0; f < motion->frames; f++) {
    size_t written = 0;
    reserve(channel, longest);
    const quatsimd_status status =
        quatsimd_stream_encode(job->encoder.stream, f == 0 || (key && f % key == 0),
                               quatsimd_aos(motion->xyzw + 4 * motion->bodies * f),
                               channel->bytes + channel->size, channel->room - channel->size, &written);
    if (!works(job, status, f)) return;
    channel->end[f] = channel->size += written;
  }
}

static size_t start_of(const struct channel *channel, size_t frame) {
  return frame ? channel->end[frame - 1] : 0;
}

static bool decode_frame(struct job *job, size_t f) {
  const struct channel *channel = &job->channel;
  const size_t start = start_of(channel, f);
  return works(job,
               quatsimd_stream_decode(job->decoder.stream, channel->bytes + start, channel->end[f] - start,
                                      quatsimd_aos_out(job->decoded)),
               f);
}

static void decode(void *data) {
  struct job *job = data;
  if (!works(job, open_end(&job->decoder, &job->options, job->settings->predictors), 0)) return;
  for (size_t f = 0; f < job->motion->frames; f++)
    if (!decode_frame(job, f)) return;
}

static void add_error(struct angle_error *sum, const struct angle_error *frame) {
  if (frame->keys == 0) return;
  const double keys = (double)sum->keys, more = (double)frame->keys;
  sum->mean = (sum->mean * keys + frame->mean * more) / (keys + more);
  sum->worst = fmax(sum->worst, frame->worst);
  sum->worst_dot = fmax(sum->worst_dot, frame->worst_dot);
  sum->keys += frame->keys;
}

/* Decodes and compares frame by frame; false and a complaint if one is beyond the bound. */
static bool check(struct job *job, struct result *result) {
  const struct motion *motion = job->motion;
  const struct channel *channel = &job->channel;
  size_t beyond = 0;
  if (!works(job, open_end(&job->decoder, &job->options, job->settings->predictors), 0)) return true;
  for (size_t f = 0; f < motion->frames; f++) {
    const float *sent = motion->xyzw + 4 * motion->bodies * f;
    unsigned number;
    int key_frame = 0;
    const size_t start = start_of(channel, f);
    if (!works(job,
               quatsimd_stream_peek(channel->bytes + start, channel->end[f] - start, &number, &key_frame),
               f) ||
        !decode_frame(job, f))
      return true;
    result->key_frames += key_frame != 0;
    result->invalid += input_count_invalid(sent, motion->bodies);
    const struct angle_error error = angle_error_measure(sent, job->decoded, motion->bodies);
    add_error(&result->error, &error);
    if (error.worst <= job->settings->bound) continue;
    if (beyond++ == 0)
      complain(result->path, "%s: frame %zu is %.9g degrees off; that is a bug, please report it",
               *motion->name ? motion->name : "the array", f, error.worst);
  }
  return beyond == 0;
}

/* False and a complaint if something was wrong. */
static bool send_motion(const struct settings *settings, struct result *result) {
  const struct motion *motion = result->motion;
  struct job job = {.settings = settings, .options = settings->options, .motion = motion};
  job.options.bodies = motion->bodies;
  if (quatsimd_stream_size(&job.options) == 0) {
    complain(result->path, "%s bodies are too many for a stream", text_number(motion->bodies));
    return false;
  }
  job.channel.end = memory_get(motion->frames, sizeof *job.channel.end);
  job.decoded = memory_get(motion->bodies, 4 * sizeof *job.decoded);
  encode(&job);
  bool good = job.status < 0 || check(&job, result);
  if (job.status >= 0 && settings->timed) {
    result->encode = speed_best_seconds(encode, &job);
    result->decode = speed_best_seconds(decode, &job);
  }
  if (job.status < 0) {
    complain(result->path, "%s: frame %zu: %s; please report it", *motion->name ? motion->name : "the array",
             job.at, quatsimd_status_string(job.status));
    good = false;
  }
  result->rotations = motion->bodies * motion->frames;
  result->frames = motion->frames;
  result->bytes = job.channel.size;
  free(job.decoded);
  free(job.channel.bytes);
  free(job.channel.end);
  free(job.decoder.memory);
  free(job.encoder.memory);
  return good;
}

/* All streams together. */
static struct result sum_of(const struct result *results, size_t count) {
  struct result sum = {0};
  for (size_t i = 0; i < count; i++) {
    const struct result *r = &results[i];
    sum.rotations += r->rotations, sum.bytes += r->bytes;
    sum.frames += r->frames, sum.key_frames += r->key_frames;
    sum.invalid += r->invalid;
    sum.encode += r->encode, sum.decode += r->decode;
    add_error(&sum.error, &r->error);
  }
  return sum;
}

/* What is printed. --------------------------------------------------------------------------------------- */

static double bits_per_rotation(const struct result *r) {
  return 8 * (double)r->bytes / (double)r->rotations;
}
static double nanoseconds(double seconds, const struct result *r) {
  return 1e9 * seconds / (double)r->rotations;
}
static double key_share(const struct result *r) { return (double)r->key_frames / (double)r->frames; }
static const char *plural(size_t n) { return n == 1 ? "" : "s"; }

static void print_title(const struct settings *s, const struct result *sum, size_t streams, size_t left_out) {
  printf("quatsimd %s: %s rotation%s in %s stream%s; %s kernels\n", quatsimd_version(),
         text_number(sum->rotations), plural(sum->rotations), text_number(streams), plural(streams),
         quatsimd_isa());
  printf("bound %g degrees, %s, predictors: %s; key frames: the first", s->bound,
         s->options.exponential ? "exponential map" : "Cayley map", s->predict);
  if (s->key) printf(" and every %s", text_number(s->key));
  printf("\n");
  if (left_out) printf("%s track%s of one key left out\n", text_number(left_out), plural(left_out));
  if (sum->invalid)
    printf("%s invalid rotation%s passed over: the receiver keeps the one before; the errors are those of "
           "the others\n",
           text_number(sum->invalid), plural(sum->invalid));
  putchar('\n');
}

static void print_figures(struct table *table, const struct result *r, bool timed) {
  table_cell(table, "%s", text_number(r->frames));
  table_cell(table, "%s", text_number(r->bytes));
  table_cell(table, "%.3f", bits_per_rotation(r));
  if (r->error.keys) {
    table_cell(table, "%.6f", r->error.worst);
    table_cell(table, "%.6f", r->error.mean);
  } else {
    table_cell(table, "-");
    table_cell(table, "-");
  }
  table_cell(table, "%.2f%%", 100 * key_share(r));
  if (!timed) return;
  table_cell(table, "%.1f", nanoseconds(r->encode, r));
  table_cell(table, "%.1f", nanoseconds(r->decode, r));
}

static void print_table(const struct result *results, size_t count, const struct result *sum, bool timed) {
  static const char *const titles[2][10] = {
      {"", "", "", "bits per", "worst error", "mean error", "key", "encode", "decode", ""},
      {"bodies", "frames", "bytes", "rotation", "degrees", "degrees", "frames", "ns", "ns", "clip"}};
  struct table table = {.columns = timed ? 10 : 8};
  table.left = 1u << (table.columns - 1);
  for (int line = 0; line < 2; line++)
    for (int column = 0; column < 10; column++)
      if (timed || column < 7 || column == 9) table_cell(&table, "%s", titles[line][column]);
  for (size_t i = 0; i < count; i++) {
    const struct result *r = &results[i];
    char *path = text_clean(r->path);
    table_cell(&table, "%s", text_number(r->motion->bodies));
    print_figures(&table, r, timed);
    table_cell(&table, "%s%s%s", path, *r->motion->name ? ": " : "", r->motion->name);
    free(path);
  }
  if (count > 1) {
    table_cell(&table, "-");
    print_figures(&table, sum, timed);
    table_cell(&table, "all %s streams", text_number(count));
  }
  table_print(&table, 2, stdout);
  table_free(&table);
}

static void json_add_figures(cJSON *entry, const struct result *r, bool timed) {
  cJSON_AddNumberToObject(entry, "frames", (double)r->frames);
  cJSON_AddNumberToObject(entry, "rotations", (double)r->rotations);
  cJSON_AddNumberToObject(entry, "invalid", (double)r->invalid);
  cJSON_AddNumberToObject(entry, "bytes", (double)r->bytes);
  cJSON_AddNumberToObject(entry, "bits_per_rotation", bits_per_rotation(r));
  json_add_figure(entry, "worst_error_degrees", r->error.worst, r->error.keys > 0);
  json_add_figure(entry, "mean_error_degrees", r->error.mean, r->error.keys > 0);
  cJSON_AddNumberToObject(entry, "key_frames", (double)r->key_frames);
  if (!timed) return;
  cJSON_AddNumberToObject(entry, "encode_nanoseconds_per_rotation", nanoseconds(r->encode, r));
  cJSON_AddNumberToObject(entry, "decode_nanoseconds_per_rotation", nanoseconds(r->decode, r));
}

static void print_json(const struct settings *s, const struct result *results, size_t count,
                       const struct result *sum, size_t left_out) {
  cJSON *tree = cJSON_CreateObject();
  cJSON_AddStringToObject(tree, "version", quatsimd_version());
  cJSON_AddStringToObject(tree, "kernels", quatsimd_isa());
  cJSON_AddNumberToObject(tree, "bound_degrees", s->bound);
  cJSON_AddStringToObject(tree, "map", s->options.exponential ? "exponential" : "cayley");
  cJSON_AddStringToObject(tree, "predict", s->predict);
  cJSON_AddNumberToObject(tree, "key", (double)s->key);
  cJSON_AddNumberToObject(tree, "tracks_left_out", (double)left_out);
  cJSON *list = cJSON_AddArrayToObject(tree, "streams");
  for (size_t i = 0; i < count; i++) {
    cJSON *entry = cJSON_CreateObject();
    cJSON_AddItemToArray(list, entry);
    json_add_text(entry, "file", results[i].path);
    json_add_text(entry, "animation", results[i].motion->name);
    cJSON_AddNumberToObject(entry, "bodies", (double)results[i].motion->bodies);
    json_add_figures(entry, &results[i], s->timed);
  }
  json_add_figures(cJSON_AddObjectToObject(tree, "all"), sum, s->timed);
  json_print(tree);
}

/* -------------------------------------------------------------------------------------------------------- */

static int send_all(const struct settings *settings, const struct motions *files, size_t count) {
  size_t streams = 0, left_out = 0, r = 0;
  for (size_t f = 0; f < count; f++) streams += files[f].count, left_out += files[f].left_out;
  struct result *results = memory_get(streams, sizeof *results);
  bool good = true;
  for (size_t f = 0; f < count; f++)
    for (size_t m = 0; m < files[f].count; m++, r++) {
      results[r].path = files[f].path;
      results[r].motion = &files[f].motion[m];
      progress_show("sending", r, streams,
                    *results[r].motion->name ? results[r].motion->name : files[f].path);
      good = send_motion(settings, &results[r]) && good;
    }
  progress_clear();
  const struct result sum = sum_of(results, streams);
  if (sum.frames == 0 || sum.bytes == 0) good = false; /* complained of */
  else if (settings->json) print_json(settings, results, streams, &sum, left_out);
  else {
    print_title(settings, &sum, streams, left_out);
    print_table(results, streams, &sum, settings->timed);
  }
  free(results);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run_with(const struct arguments *a, const struct settings *settings) {
  struct motions *files = memory_get(a->count, sizeof *files);
  size_t good = 0;
  for (size_t f = 0; f < a->count; f++) {
    progress_show("reading", f, a->count, a->operands[f]);
    good += motions_read(a->operands[f], &files[f]);
  }
  progress_clear();
  int status = good ? send_all(settings, files, a->count) : STATUS_BAD_INPUT;
  if (good < a->count) status = STATUS_BAD_INPUT;
  for (size_t f = 0; f < a->count; f++) motions_free(&files[f]);
  free(files);
  return status;
}

/* STATUS_OK, or that of the complaint. */
static int understand(struct settings *s, const char *bound, int key) {
  static const char *const names[] = {"none", "last", "free", "both"};
  static const int predictors[] = {QUATSIMD_PREDICT_NONE, QUATSIMD_PREDICT_LAST, QUATSIMD_PREDICT_FREE,
                                   QUATSIMD_PREDICT_BOTH};
  size_t p = 0;
  while (p < 4 && strcmp(s->predict, names[p]) != 0) p++;
  if (p == 4) return usage_error("stream", "--predict: \"%s\" is not both, last, free or none", s->predict);
  s->predictors = predictors[p];
  if (key < 0) return usage_error("stream", "--key: %d is negative", key);
  s->key = (size_t)key;
  s->options.bodies = 1;
  double radians = 0.25 / DEGREES;
  if (!quantity_angle("stream", "--bound", bound, &radians)) return STATUS_BAD_USAGE;
  s->options.bound = arguments_bound(radians);
  s->bound = radians * DEGREES;
  return STATUS_OK;
}

static int run(int argc, const char **argv) {
  struct settings settings = {0};
  quatsimd_stream_options_init(&settings.options, sizeof settings.options);
  char *predict = NULL, *bound = NULL;
  int json = 0, untimed = 0, key = 0, status;
  const struct poptOption options[] = {
      {"bound", 'b', POPT_ARG_STRING, &bound, 0, NULL, NULL},
      {"exponential", 'e', POPT_ARG_NONE, &settings.options.exponential, 0, NULL, NULL},
      {"predict", 'p', POPT_ARG_STRING, &predict, 0, NULL, NULL},
      {"key", 'k', POPT_ARG_INT, &key, 0, NULL, NULL},
      {"json", 0, POPT_ARG_NONE, &json, 0, NULL, NULL},
      {"no-speed", 0, POPT_ARG_NONE, &untimed, 0, NULL, NULL},
      COMMON_OPTIONS};
  struct arguments a;
  if (arguments_parse(&a, &command_stream, argc, argv, options, 1, (size_t)-1, &status)) {
    settings.predict = predict ? predict : "both";
    settings.json = json, settings.timed = !untimed;
    status = understand(&settings, bound, key);
    if (status == STATUS_OK) status = run_with(&a, &settings);
  }
  free(predict);
  free(bound);
  arguments_free(&a);
  return status;
}

const struct command command_stream = {
    "stream",
    "send the motion of files frame by frame: size, error, speed",
    "Usage: quatsimd stream [--bound ANGLE] [--exponential] [--predict P]\n"
    "                       [--key N] [--no-speed] [--json] CLIP...\n"
    "\n"
    "Sends the rotations of all files through streams, as a game or a motion\n"
    "capture would send them over a network, and prints what that costs. An encoder\n"
    "predicts each rotation from what the receiver has, and sends the difference in\n"
    "as few bits as the bound allows. A decoder gets every frame back, and each\n"
    "rotation is compared with the original. A CLIP is one of:\n"
    "  - an animation clip that Assimp reads: BVH, glTF, GLB, FBX, Collada and\n"
    "    others. Tracks of an animation that have the same key times are the bodies\n"
    "    of one stream, a frame for each key. Tracks of one key are left out\n"
    "  - a .npy array of floats x, y, z, w of shape (frames, 4): one body, or\n"
    "    (frames, bodies, 4)\n"
    "\n"
    "  -b, --bound ANGLE    no rotation comes out with a larger error; as 0.05,\n"
    "                       0.05deg or 0.001rad. Without it: 0.25deg\n"
    "  -e, --exponential    differences as axis * angle; without it as Cayley\n"
    "                       vectors, axis * tan(angle / 4)\n"
    "  -p, --predict P      what a rotation is predicted from:\n"
    "                         last  the body stays where it was\n"
    "                         free  it turns on as it did, as if nothing forced it\n"
    "                         both  whichever is nearer (without the option)\n"
    "                         none  nothing\n"
    "  -k, --key N          every N-th frame is a key frame, with which a receiver\n"
    "                       can begin or go on after a loss. Without it, the first\n"
    "                       frame alone\n"
    "  --no-speed           do not measure speed\n"
    "  --json               as JSON, with all digits\n"
    "  -h, --help           this text\n"
    "\n"
    "What the columns say:\n"
    "  bytes          of all frames, heads and key frames included\n"
    "  bits per       those bytes as bits, divided by bodies * frames\n"
    "  rotation\n"
    "  error          angle of the rotation between the input, normalised, and what\n"
    "                 was decoded. One beyond the bound is a bug: the exit status\n"
    "                 is 1 then\n"
    "  key frames     their share of all frames\n"
    "  ns             nanoseconds per rotation: the best of several runs on one\n"
    "                 thread\n"
    "\n"
    "Invalid rotations (a component is NaN or infinite, or the length is outside\n"
    "[2^-32, 2^32]) are counted and not compared: the receiver keeps the last one.\n"
    "A file that cannot be read is reported, the others go on, and the exit status\n"
    "is 1.\n"
    "\n"
    "docs/stream.md explains streams and has a table of what to expect.\n"
    "\n"
    "Examples:\n"
    "  quatsimd stream walk.bvh                     at a quarter of a degree\n"
    "  quatsimd stream --bound 0.01 --key 120 walk.bvh run.bvh\n"
    "                                               finer; a key frame each second\n"
    "                                               at 120 frames per second\n"
    "  quatsimd stream --predict last walk.bvh      what does prediction gain?\n"
    "  quatsimd stream --json recording.npy > report.json\n",
    run,
};
