/* quatsimd stream: the cost of sending the rotations of files, packet by packet. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/progress.h"
#include "base/quantity.h"
#include "base/speed.h"
#include "base/text.h"
#include "commands/command.h"
#include "readers/child.h"
#include "readers/input.h"
#include "report/stream_report.h"
#include "stream/predictors.h"

/* Packets as they were sent. */
struct channel {
  size_t packets, size, room;
  size_t *end; /* of each packet in bytes */
  unsigned char *bytes;
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
  const struct stream_settings *settings;
  quatsimd_stream_options options;
  const struct motion *motion;
  struct end encoder, decoder;
  struct channel channel;
  float *decoded;         /* 4 * bodies: the packet that came last */
  quatsimd_status status; /* of the first call that failed */
  size_t at;              /* the packet where it did */
};

static bool works(struct job *job, quatsimd_status status, size_t packet) {
  if (status >= 0) return true;
  if (job->status >= 0) job->status = status, job->at = packet;
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
    const quatsimd_status status = quatsimd_stream_encode(
        job->encoder.stream, channel->bytes + channel->size, channel->room - channel->size, &written,
        quatsimd_aos(motion->xyzw + 4 * motion->bodies * f), f == 0 || (key && f % key == 0));
    if (!works(job, status, f)) return;
    channel->end[f] = channel->size += written;
  }
}

static size_t start_of(const struct channel *channel, size_t packet) {
  return packet ? channel->end[packet - 1] : 0;
}

static bool decode_packet(struct job *job, size_t f) {
  const struct channel *channel = &job->channel;
  const size_t start = start_of(channel, f);
  return works(job,
               quatsimd_stream_decode(job->decoder.stream, quatsimd_aos_out(job->decoded),
                                      channel->bytes + start, channel->end[f] - start),
               f);
}

static void decode(void *data) {
  struct job *job = data;
  if (!works(job, open_end(&job->decoder, &job->options, job->settings->predictors), 0)) return;
  for (size_t f = 0; f < job->motion->frames; f++)
    if (!decode_packet(job, f)) return;
}

/* Decodes and compares packet by packet; false and a complaint if one is beyond the bound. */
static bool check(struct job *job, struct stream_result *result) {
  const struct motion *motion = job->motion;
  const struct channel *channel = &job->channel;
  size_t beyond = 0;
  if (!works(job, open_end(&job->decoder, &job->options, job->settings->predictors), 0)) return true;
  for (size_t f = 0; f < motion->frames; f++) {
    const float *sent = motion->xyzw + 4 * motion->bodies * f;
    unsigned number;
    int key_packet = 0;
    const size_t start = start_of(channel, f);
    if (!works(job,
               quatsimd_stream_peek(&number, &key_packet, channel->bytes + start, channel->end[f] - start),
               f) ||
        !decode_packet(job, f))
      return true;
    result->key_packets += key_packet != 0;
    result->invalid += input_count_invalid(sent, motion->bodies);
    const struct angle_error error = angle_error_measure(sent, job->decoded, motion->bodies);
    angle_error_add(&result->error, &error);
    if (error.worst <= job->settings->bound) continue;
    if (beyond++ == 0)
      complain(result->path, "%s: packet %zu is %.9g degrees off; that is a bug, please report it",
               *motion->name ? motion->name : "the array", f, error.worst);
  }
  return beyond == 0;
}

/* False and a complaint if something was wrong. */
static bool send_motion(const struct stream_settings *settings, struct stream_result *result) {
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
    complain(result->path, "%s: packet %zu: %s; please report it", *motion->name ? motion->name : "the array",
             job.at, quatsimd_status_string(job.status));
    good = false;
  }
  result->rotations = motion->bodies * motion->frames;
  result->packets = motion->frames;
  result->bytes = job.channel.size;
  free(job.decoded);
  free(job.channel.bytes);
  free(job.channel.end);
  free(job.decoder.memory);
  free(job.encoder.memory);
  return good;
}

/* All streams together. */
static struct stream_result sum_of(const struct stream_result *results, size_t count) {
  struct stream_result sum = {0};
  for (size_t i = 0; i < count; i++) {
    const struct stream_result *r = &results[i];
    sum.rotations += r->rotations, sum.bytes += r->bytes;
    sum.packets += r->packets, sum.key_packets += r->key_packets;
    sum.invalid += r->invalid;
    sum.encode += r->encode, sum.decode += r->decode;
    angle_error_add(&sum.error, &r->error);
  }
  return sum;
}

/* -------------------------------------------------------------------------------------------------------- */

static int send_all(const struct stream_settings *settings, const struct motions *files, size_t count) {
  size_t streams = 0, left_out = 0, r = 0;
  for (size_t f = 0; f < count; f++) streams += files[f].count, left_out += files[f].left_out;
  struct stream_result *results = memory_get(streams, sizeof *results);
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
  const struct stream_result sum = sum_of(results, streams);
  if (sum.packets == 0 || sum.bytes == 0) good = false; /* complained of */
  else {
    const struct stream_report report = {settings, results, streams, &sum, left_out};
    (settings->json ? stream_report_print_json : stream_report_print)(&report);
  }
  free(results);
  return good ? STATUS_OK : STATUS_BAD_INPUT;
}

static int run_with(const struct arguments *a, const struct stream_settings *settings, bool w_first) {
  struct motions *files = memory_get(a->count, sizeof *files);
  size_t readable = 0, whole = 0;
  for (size_t f = 0; f < a->count; f++) {
    progress_show("reading", f, a->count, a->operands[f]);
    if (!motions_read(a->operands[f], w_first, &files[f])) continue;
    readable++;
    whole += files[f].unread == 0;
  }
  progress_clear();
  int status = readable ? send_all(settings, files, a->count) : STATUS_BAD_INPUT;
  if (whole < a->count) status = STATUS_BAD_INPUT;
  for (size_t f = 0; f < a->count; f++) motions_free(&files[f]);
  free(files);
  return status;
}

/* STATUS_OK, or that of the complaint. */
static int understand(struct stream_settings *s, const char *bound, int key) {
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
  s->options.bound = quantity_bound(radians);
  s->bound = radians * DEGREES;
  return STATUS_OK;
}

static int run(int argc, char **argv) {
  struct stream_settings settings = {.predict = "both"};
  quatsimd_stream_options_init(&settings.options, sizeof settings.options);
  const char *bound = NULL, *order = NULL;
  bool untimed = false, exponential = false, w_first;
  int key = 0, status;
  const struct option_row options[] = {{"bound", 'b', .text = &bound},
                                       {"exponential", 'e', .flag = &exponential},
                                       {"predict", 'p', .text = &settings.predict},
                                       {"key", 'k', .whole = &key},
                                       {"order", 0, .text = &order},
                                       {"json", 0, .flag = &settings.json},
                                       {"no-speed", 0, .flag = &untimed},
                                       CHILD_OPTIONS,
                                       {0}};
  const struct command_line line = {"stream", command_stream.help, options, 1, ANY_NUMBER};
  struct arguments a;
  if (arguments_parse(&a, &line, argc, argv, &status)) {
    settings.options.exponential = exponential;
    settings.timed = !untimed;
    status = understand(&settings, bound, key);
    if (status == STATUS_OK && !input_order("stream", order, &w_first)) status = STATUS_BAD_USAGE;
    if (status == STATUS_OK) status = run_with(&a, &settings, w_first);
  }
  return status;
}

const struct command command_stream = {
    "stream",
    "send the motion of files packet by packet: size, error, speed",
    {"Usage: quatsimd stream [--bound ANGLE] [--exponential] [--predict P]\n"
     "                       [--key N] [--order O] [--no-speed] [--json] FILE...\n"
     "\n"
     "Sends the rotations of all files through streams, as a game or a motion\n"
     "capture would send them over a network, and prints what that costs. An encoder\n"
     "predicts each rotation from what the receiver has, and sends the difference in\n"
     "as few bits as the bound allows. A decoder gets every packet, and each rotation\n"
     "that comes out is compared with the original. A FILE is one of:\n"
     "  - animations: glTF 2.0 (.gltf, .glb), BVH or anything else that Assimp reads,\n"
     "    FBX, Collada and others. Curves of an animation that have the same key\n"
     "    times are the bodies of one stream, a packet for each key. Curves of one\n"
     "    key are left out\n"
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
     "  -k, --key N          every N-th packet is a key packet, with which a receiver\n"
     "                       can begin or go on after a loss. 0, or without it: the\n"
     "                       first packet alone\n"
     "  --order O            of the quaternions of arrays: xyzw, as without it, or\n"
     "                       wxyz\n"
     "  --no-speed           do not measure speed\n"
     "  --json               as JSON, with all digits\n"
     "  -h, --help           this text\n"
     "\n" CHILD_HELP "\n"
     "The columns:\n"
     "  bytes          of all packets, heads and key packets included\n"
     "  bits per       those bytes as bits, divided by bodies * packets\n"
     "  rotation\n"
     "  error          angle of the rotation between the input, normalised, and what\n"
     "                 was decoded. One beyond the bound is a bug: the exit status\n"
     "                 is 1 then\n"
     "  key packets    their share of all packets\n"
     "  ns             nanoseconds per rotation: the best of several runs on one\n"
     "                 thread\n"
     "\n"
     "Invalid rotations (a component is NaN or infinite, or the length is outside\n"
     "[2^-32, 2^32]) are counted and not compared: the receiver keeps the last one.\n"
     "A file or an animation that cannot be read is reported, the others go on, and\n"
     "the exit status is 1.\n"
     "\n"
     "docs/stream.md explains streams and has a table of what to expect.\n"
     "\n"
     "Examples:\n"
     "  quatsimd stream walk.bvh                     at a quarter of a degree\n"
     "  quatsimd stream --bound 0.01 --key 120 walk.bvh run.bvh\n"
     "                                               finer; a key packet each second\n"
     "                                               at 120 frames per second\n"
     "  quatsimd stream --predict last walk.bvh      what does prediction gain?\n"
     "  quatsimd stream --json recording.npy > report.json\n"},
    run,
};
