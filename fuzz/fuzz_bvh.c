/* libFuzzer over BVH as decompress has it: any text, and an animation of its joints, of which Assimp may
 * have read anything. The first bytes say how many frames that has and of what. */
#include "readers.h"

#include "base/text.h"
#include "readers/readers.h"

enum { MOST_JOINTS = 8, MOST_FRAMES = 12 };

/* The names behind ROOT and JOINT. */
static size_t find_names(const char *text, char *names[MOST_JOINTS]) {
  static const char *const words[] = {"ROOT", "JOINT"};
  size_t count = 0;
  for (const char *s = text; *s && count < MOST_JOINTS; s += strcspn(s, " \t\r\n\f\v{}")) {
    s += strspn(s, " \t\r\n\f\v{}");
    for (int w = 0; w < 2; w++) {
      const size_t length = strlen(words[w]);
      if (strncmp(s, words[w], length) != 0 || !s[length] || !strchr(" \t\r\n\f\v", s[length])) continue;
      const char *name = s + length + strspn(s + length, " \t\r\n\f\v");
      const size_t size = strcspn(name, " \t\r\n\f\v{}");
      char *copy = memory_get(size + 1, 1);
      memcpy(copy, name, size);
      names[count++] = text_clean(copy);
      free(copy);
      s = name;
      break;
    }
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static float values[4 * MOST_FRAMES];
  static double seconds[MOST_FRAMES];
  fuzz_input in = {data, size};
  const unsigned how = fuzz_byte(&in);
  const size_t frames = fuzz_byte(&in) % MOST_FRAMES;
  fuzz_take(&in, values, 16 * (how & 1 ? frames : 0));
  for (size_t i = 0; i < frames && !(how & 1); i++) values[4 * i] = 0.1f * (float)i, values[4 * i + 3] = 1;
  char *text = memory_get(in.left + 1, 1), *names[MOST_JOINTS];
  if (in.left) memcpy(text, in.at, in.left);

  struct scene_channel channel[MOST_JOINTS];
  struct scene_animation animation = {.channels = find_names(text, names), .channel = channel};
  for (size_t j = 0; j < animation.channels; j++) {
    channel[j] = (struct scene_channel){.name = names[j], .node = j};
    for (int kind = 0; kind < SCENE_SCALE; kind++)
      if (!(how >> (1 + kind) & 1))
        channel[j].curve[kind] = (struct scene_curve){.keys = frames, .values = values, .seconds = seconds};
  }
  const struct scene scene = {.animations = 1, .animation = &animation};
  const struct replacement r = {readers_file(in.at, in.left), &scene, &animation, {!(how & 8), !(how & 16)}};
  readers_complaints();
  const bool good = reader_bvh.replace_keys(&r, readers_output(".bvh"));
  if (good == (readers_complaints() > 0))
    fuzz_fail("%s", good ? "complains of what it writes" : "does not say what is wrong");
  for (size_t j = 0; j < animation.channels; j++) free(names[j]);
  free(text);
  return 0;
}
