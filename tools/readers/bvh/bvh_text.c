/* The text of BVH files. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/decimal.h"
#include "base/text.h"
#include "clip/encode/snap.h"
#include "files/file.h"
#include "files/names.h"
#include "readers/bvh/bvh.h"
#include "readers/limits.h"
#include "terminal/message.h"

#define SPACE " \t\r\n\f\v"
enum { NAME_MOST = 1000 }; /* bytes; each end site repeats its joint's */

/* Complains of the line that is being read. Returns false. */
PRINTF_LIKE(2, 3) static bool fail(const struct bvh *b, const char *format, ...) {
  char what[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  size_t line = 1;
  for (const char *s = b->text; s < b->at; s++) line += *s == '\n' || (*s == '\r' && s[1] != '\n');
  return complain(b->path, "line %zu: %s", line, what);
}

/* Words. ------------------------------------------------------------------------------------------------- */

static bool is_space(char c) { return c == ' ' || (unsigned char)(c - '\t') < 5; } /* to '\r' */

/* Passes over blanks and comments, which begin with # or // and end with their line. Returns where it is. */
static char *pass_space(struct bvh *b) {
  for (;;) {
    while (is_space(*b->at)) b->at++;
    if (*b->at != '#' && !(b->at[0] == '/' && b->at[1] == '/')) return b->at;
    b->at += strcspn(b->at, "\r\n");
  }
}

/* The next word and its length, 0 at the end; { and } are words. */
static char *next_word(struct bvh *b, int *length) {
  enum { LONGEST = 1 << 16 }; /* no number and no keyword is longer */
  char *word = pass_space(b);
  const size_t size = *word == '{' || *word == '}' ? 1 : strcspn(word, SPACE "{}");
  b->at = word + size;
  *length = size < LONGEST ? (int)size : LONGEST;
  return word;
}

/* Takes the word if it comes next, in capital or small letters. A colon may stick to the words beside it. */
static bool take(struct bvh *b, const char *word) {
  const size_t length = strlen(word);
  char *at = pass_space(b);
  if (strncasecmp(at, word, length) != 0) return false;
  if (!strchr(":{}", word[length - 1]) && !strchr(SPACE ":{}", at[length])) return false; /* or zero */
  b->at = at + length;
  return true;
}

static bool need(struct bvh *b, const char *word) {
  if (take(b, word)) return true;
  int length;
  const char *found = next_word(b, &length);
  if (length == 0) return fail(b, "the text ends where %s must be", word);
  return fail(b, "there is \"%.*s\" where %s must be", length, found, word);
}

/* Decimal: strtod takes more. The program has no locale that would change the point. */
static bool read_number(struct bvh *b, struct bvh_number *number) {
  *number = (struct bvh_number){.word = pass_space(b)};
  number->end = decimal_read(b->at, &number->value);
  if (number->end && is_space(*number->end) && fabs(number->value) <= (double)FLT_MAX) {
    b->at = number->end;
    return true;
  }
  int length;
  char *word = next_word(b, &length), *end;
  *number = (struct bvh_number){0, word, b->at};
  if (length == 0) return fail(b, "the text ends where a number must be");
  number->value = strtod(word, &end);
  if (end != number->end || strspn(word, "+-.0123456789eE") < (size_t)length)
    return fail(b, "\"%.*s\" is not a number", length, word);
  return fabs(number->value) <= (double)FLT_MAX || fail(b, "%.*s is too large", length, word);
}

float bvh_float(const struct bvh_number *number) {
  const float below = (float)(number->value * (1 - 0x1p-52)), above = (float)(number->value * (1 + 0x1p-52));
  return below == above ? below : strtof(number->word, NULL); /* halfway the decimal decides */
}

/* HIERARCHY. --------------------------------------------------------------------------------------------- */

/* Up to the brace or the line's end: some names have spaces. To be freed; null and a complaint if there is
 * none. */
static char *read_name(struct bvh *b) {
  char *name = b->at + strspn(b->at, SPACE);
  size_t length = strcspn(name, "\r\n{}");
  b->at = name + length;
  while (length > 0 && strchr(SPACE, name[length - 1])) length--;
  if (length == 0 || length > NAME_MOST) {
    fail(b, length ? "a name has more than 1,000 bytes" : "a joint has no name");
    return NULL;
  }
  char *copy = memory_get(length + 1, 1);
  memcpy(copy, name, length);
  char *clean = text_clean(copy);
  free(copy);
  return clean;
}

/* Adds a node, which takes the name. False and a complaint if the file may not take so much memory. */
static bool add_node(struct bvh *b, char *name, bool end_site, size_t *open) {
  const uint64_t bytes =
      2 * (sizeof *b->node + sizeof *b->joint + sizeof(struct scene_channel)) + strlen(name);
  b->node = memory_grow(b->node, b->nodes, sizeof *b->node);
  b->joint = memory_grow(b->joint, b->nodes, sizeof *b->joint);
  b->node[b->nodes] = (struct scene_node){
      .name = name, .number = b->nodes, .parent = *open, .rest = {{0, 0, 0, 1}, {0}, {1, 1, 1}}};
  b->joint[b->nodes] = (struct bvh_joint){.end_site = end_site};
  *open = b->nodes++;
  return reader_spend(b->path, &b->spent, bytes);
}

static bool read_joint(struct bvh *b, size_t *open) {
  char *name = read_name(b);
  if (!name) return false;
  return add_node(b, name, false, open) && need(b, "{");
}

/* An end site may have a name of its own. */
static bool read_end_site(struct bvh *b, size_t *open) {
  if (*open == SCENE_NONE || b->joint[*open].end_site) return fail(b, "an End Site of no joint");
  char *name = *pass_space(b) == '{' ? names_join("EndSite", "_", b->node[*open].name) : read_name(b);
  if (!name) return false;
  return add_node(b, name, true, open) && need(b, "{");
}

static bool read_offset(struct bvh *b, struct scene_node *node) {
  for (int i = 0; i < 3; i++) {
    struct bvh_number number;
    if (!read_number(b, &number)) return false;
    node->rest[SCENE_TRANSLATION][i] = bvh_float(&number);
  }
  return true;
}

/* One of the channels. */
static bool read_channel(struct bvh *b, struct bvh_joint *j) {
  static const char *const kinds[] = {"rotation", "position", "scale"};
  static const char axes[] = "XxYyZz";
  int length, kind = 0;
  const char *word = next_word(b, &length), *const axis = strchr(axes, length ? *word : ' ');
  while (kind < SCENE_KINDS && ((size_t)length != strlen(kinds[kind]) + 1 ||
                                strncasecmp(word + 1, kinds[kind], strlen(kinds[kind])) != 0))
    kind++;
  if (!axis || kind == SCENE_KINDS)
    return fail(b, "the channel \"%.*s\" is no rotation, position or scale", length, word);
  const int c = j->channels++, about = (int)(axis - axes) / 2;
  const bool turns = kind == SCENE_ROTATION;
  j->kind[c] = kind, j->axis[c] = about;
  if (turns && (j->rotations == 3 || (j->rotations > 0 && j->about[j->rotations - 1] == about)))
    return fail(b, "rotations are not one to three about axes that change");
  if (turns) j->about[j->rotations++] = about;
  for (int i = 0; i < c && !turns; i++)
    if (j->kind[i] == kind && j->axis[i] == about) return fail(b, "there is \"%.*s\" twice", length, word);
  return true;
}

static bool read_channels(struct bvh *b, struct bvh_joint *j) {
  int length;
  const char *word = next_word(b, &length);
  if (j->channels > 0) return fail(b, "the joint has CHANNELS twice");
  if (length != 1 || *word < '0' || *word > '0' + BVH_CHANNELS_MAX)
    return fail(b, "there are more CHANNELS than nine, or no number of them");
  for (const int count = *word - '0'; j->channels < count;)
    if (!read_channel(b, j)) return false;
  b->columns += (size_t)j->channels;
  return true;
}

/* Between braces, of which the last that are open are those of the node `open`. */
static bool read_item(struct bvh *b, size_t *open) {
  const bool in_joint = *open != SCENE_NONE && !b->joint[*open].end_site;
  if (take(b, "ROOT")) return *open == SCENE_NONE ? read_joint(b, open) : fail(b, "a ROOT within a joint");
  if (take(b, "JOINT")) return in_joint ? read_joint(b, open) : fail(b, "a JOINT of no joint");
  if (take(b, "EndSite")) return read_end_site(b, open);
  if (take(b, "End")) return need(b, "Site") && read_end_site(b, open);
  if (*open == SCENE_NONE) return need(b, b->nodes ? "MOTION" : "ROOT");
  if (take(b, "OFFSET")) return read_offset(b, &b->node[*open]);
  if (take(b, "CHANNELS")) return read_channels(b, &b->joint[*open]);
  if (!need(b, "}")) return false;
  if (b->joint[*open].channels > 0) b->joint[*open].end_site = false; /* it moves */
  *open = b->node[*open].parent;
  return true;
}

static bool read_hierarchy(struct bvh *b) {
  size_t open = SCENE_NONE;
  if (!need(b, "HIERARCHY")) return false;
  while (open != SCENE_NONE || b->nodes == 0 || !take(b, "MOTION"))
    if (!read_item(b, &open)) return false;
  return true;
}

/* MOTION. ------------------------------------------------------------------------------------------------ */

/* Reads how many frames the text claims to have. */
static bool read_frames(struct bvh *b) {
  int length;
  if (!need(b, "Frames") || !need(b, ":")) return false;
  const char *word = next_word(b, &length);
  enum { DIGITS = 18 };
  if (length == 0 || length > DIGITS || strspn(word, "0123456789") < (size_t)length)
    return fail(b, "\"%.*s\" is not a number of frames", length, word);
  b->frames = strtoul(word, NULL, 10);
  return true;
}

/* Counts the numbers that follow. All whole frames of them are read, however many the text claims. */
static void count_frames(struct bvh *b) {
  struct bvh rest = *b;
  size_t numbers = 0;
  int length;
  while (next_word(&rest, &length), length > 0) numbers++;
  b->claimed = b->frames;
  b->frames = b->columns > 0 ? numbers / b->columns : 0;
  b->cut = b->columns > 0 ? numbers % b->columns : 0;
}

void bvh_mention_frames(const struct bvh *b) {
  if (b->cut)
    complain(b->path, "the last frame is cut: it has %zu of %zu numbers, and is left out", b->cut,
             b->columns);
  else if (b->columns > 0 && b->frames != b->claimed)
    complain(b->path, "the text says that there are %zu frames, and has %zu: these are read", b->claimed,
             b->frames);
}

/* Half of the last digit of a number. */
static double half_digit(const struct bvh_number *number) {
  double power = 0;
  bool point = false;
  const char *s = number->word;
  for (; s < number->end && !strchr("eE", *s); s++) {
    power -= point && *s != '.';
    point = point || *s == '.';
  }
  if (s < number->end) power += (double)strtol(s + 1, NULL, 10);
  return 0.5 * pow(10, power);
}

/* Frame Time is printed in a few digits. Finds the nearest of the usual rates that round to these, and with
 * which the last row is off by less than 1/16 of a frame; 0: there is none. */
static double usual_rate(const struct bvh *b, const struct bvh_number *time) {
  const double rows = b->frames > 0 ? (double)(b->frames - 1) : 0;
  double found = 0, least = half_digit(time) * (1 + 1e-9);
  for (size_t i = 0; i < CLIP_USUAL_RATES; i++) {
    const double rate = quatsimd_usual_rate(i), off = fabs(time->value - 1 / rate);
    if (off <= least && off * rows * rate < 1.0 / 16) found = rate, least = off;
  }
  return found;
}

static bool read_frame_time(struct bvh *b) {
  struct bvh_number number;
  if (!need(b, "Frame") || !need(b, "Time") || !need(b, ":") || !read_number(b, &number)) return false;
  b->frame_seconds = number.value;
  count_frames(b);
  b->usual_rate = usual_rate(b, &number);
  return number.value > 0 || b->frames < 2 || fail(b, "the Frame Time must be more than 0");
}

bool bvh_next_frame(struct bvh *b, struct bvh_number *numbers) {
  b->frame++;
  for (size_t c = 0; c < b->columns; c++)
    if (!read_number(b, &numbers[c])) return false;
  while (is_space(*b->at) && *b->at != '\r' && *b->at != '\n') b->at++;
  if (*b->at && !strchr("\r\n#/", *b->at)) /* so the line is named that has too few or too many */
    return fail(b, "frame %zu, of %zu numbers, does not end with its line", b->frame, b->columns);
  return true;
}

/* -------------------------------------------------------------------------------------------------------- */

/* False and a complaint if a zero is in the text, and more than space behind it. */
static bool is_whole(struct bvh *b) {
  char *const zero = b->text + strlen(b->text), *s = zero;
  while (s < b->text + b->size && strchr(SPACE, *s)) s++;
  if (s == b->text + b->size) return true;
  b->at = zero;
  return fail(b, "there is a NUL, a byte of 0, in the text");
}

bool bvh_open(struct bvh *b, const char *path) {
  *b = (struct bvh){.path = path};
  b->at = b->text = file_read(path, &b->size);
  if (!b->text) return false;
  b->spent = b->size;
  if (strncmp(b->text, "\xef\xbb\xbf", 3) == 0) b->at += 3;
  while (b->size > 0 && strchr("\x1a", b->text[b->size - 1])) b->text[--b->size] = '\0'; /* ends of a text */
  if (is_whole(b) && read_hierarchy(b) && read_frames(b) && read_frame_time(b)) return true;
  bvh_close(b);
  return false;
}

void bvh_close(struct bvh *b) {
  for (size_t n = 0; n < b->nodes; n++) free(b->node[n].name);
  free(b->node);
  free(b->joint);
  free(b->text);
  *b = (struct bvh){0};
}
