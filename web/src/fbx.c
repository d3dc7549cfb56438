/* Functions that JavaScript calls to read FBX: it has one scene at a time, which it copies piece by piece.
 * Pointers are numbers in JavaScript. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/message.h"
#include "base/text.h"
#include "readers/fbx/fbx.h"
#include "readers/limits.h"

#define EXPORT(name) __attribute__((export_name(#name), used)) name

/* ---- in place of the command's and the system's ---- */

/* Seconds since reading began. */
__attribute__((import_module("clock"), import_name("seconds"))) double clock_seconds(void);

double fbx_now(void) { return clock_seconds(); }

/* JavaScript gets an error, and uses this memory no more. */
static bool without_memory;
static void no_memory(void) {
  without_memory = true;
  __builtin_trap();
}
bool EXPORT(is_without_memory)(void) { return without_memory; }

static struct {
  char **sentence;
  size_t count;
} messages;

/* There is one file, so its name is left out. */
bool complain(const char *subject, const char *format, ...) {
  char text[2000];
  va_list arguments;
  (void)subject;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  messages.sentence = memory_grow(messages.sentence, messages.count, sizeof *messages.sentence);
  messages.sentence[messages.count++] = text_clean(text);
  return false;
}

/* ---- reading ---- */

static struct scene scene;

void EXPORT(close_fbx)(void) {
  scene_free(&scene);
  for (size_t i = 0; i < messages.count; i++) free(messages.sentence[i]);
  free(messages.sentence);
  messages.sentence = NULL, messages.count = 0;
}

/* False if it fails; then the last message says why. What it read stays until close_fbx. */
bool EXPORT(read_fbx)(const void *bytes, size_t size, double memory, double seconds) {
  static const char *const name = "";
  uint64_t spent = 0;
  memory_fails = no_memory;
  reader_limits = (struct reader_limits){.gigabytes = memory / 0x1p30,
                                         .seconds = seconds,
                                         .memory_option = "the option memory",
                                         .seconds_option = "the option seconds"};
  if (!reader_spend(name, &spent, size) || !fbx_read(name, bytes, size, &scene)) return false;
  scene_mention_rest(name, &scene, false);
  return true;
}

size_t EXPORT(message_count)(void) { return messages.count; }
const char *EXPORT(message)(size_t i) { return messages.sentence[i]; }

/* ---- what there is ---- */

double EXPORT(metres)(void) { return scene.metres; }
size_t EXPORT(node_count)(void) { return scene.nodes; }
const char *EXPORT(node_name)(size_t node) { return scene.node[node].name; }
int EXPORT(node_parent)(size_t node) {
  return scene.node[node].parent == SCENE_NONE ? -1 : (int)scene.node[node].parent;
}
/* kind: SCENE_ROTATION, _TRANSLATION or _SCALE. */
const float *EXPORT(node_rest)(size_t node, int kind) { return scene.node[node].rest[kind]; }
/* 12 floats; null: it has none. */
const float *EXPORT(node_inverse_bind)(size_t node) {
  return scene.node[node].bound ? scene.node[node].inverse_bind : NULL;
}

size_t EXPORT(track_count)(void) { return scene.tracks; }
const char *EXPORT(track_name)(size_t track) { return scene.track[track].name; }
float EXPORT(track_rest)(size_t track) { return scene.track[track].rest; }

size_t EXPORT(animation_count)(void) { return scene.animations; }
const char *EXPORT(animation_name)(size_t animation) { return scene.animation[animation].name; }
size_t EXPORT(channel_count)(size_t animation) { return scene.animation[animation].channels; }
size_t EXPORT(channel_node)(size_t animation, size_t channel) {
  return scene.animation[animation].channel[channel].node;
}

/* The curve of a channel, or of a track; null: it has none. */
const struct scene_curve *EXPORT(channel_curve)(size_t animation, size_t channel, int kind) {
  const struct scene_curve *curve = &scene.animation[animation].channel[channel].curve[kind];
  return curve->keys > 0 ? curve : NULL;
}
const struct scene_curve *EXPORT(track_curve)(size_t animation, size_t track) {
  const struct scene_curve *curves = scene.animation[animation].track;
  return curves && curves[track].keys > 0 ? &curves[track] : NULL;
}
size_t EXPORT(curve_keys)(const struct scene_curve *curve) { return curve->keys; }
/* QUATSIMD_CURVE_LINEAR, _HOLD or _CUBIC. */
int EXPORT(curve_interpolation)(const struct scene_curve *curve) { return curve->interpolation; }
const double *EXPORT(curve_times)(const struct scene_curve *curve) { return curve->seconds; }
const float *EXPORT(curve_values)(const struct scene_curve *curve) { return curve->values; }
