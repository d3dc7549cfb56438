/* libFuzzer over what the child process sends that reads through Assimp, which some files crash and some
 * may do worse to: the input is the pipe. */
#include "readers.h"

#include <stdio.h>

#include "readers/assimp.h"
#include "readers/assimp_pipe.h"
#include "readers/child.h"

static const uint8_t *answer;
static size_t answer_size;

/* In place of child.c and of Assimp's side. */
struct child_limits child_limits = {4, 300};
bool child_start(struct child *child, const char *path, void (*work)(FILE *pipe, const void *job),
                 const void *job) {
  (void)path, (void)work, (void)job;
  *child = (struct child){-1, fopen(readers_file(answer, answer_size), "rb")};
  return child->answer;
}
enum child_end child_end(struct child *child) {
  fclose(child->answer);
  return CHILD_ENDED;
}
void assimp_import_to(FILE *pipe, const char *path) { (void)pipe, (void)path; }
void assimp_export_to(FILE *pipe, const struct replacement *r) { (void)pipe, (void)r; }

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input in = {data, size};
  const bool exports = fuzz_byte(&in) & 1;
  answer = in.at, answer_size = in.left;
  readers_complaints();
  if (exports) {
    const struct scene none = {0};
    char name[] = "";
    const struct scene_animation still = {.name = name};
    const struct replacement r = {.original = "some.bvh", .scene = &none, .animation = &still};
    if (!assimp_replace_keys(&r, readers_output(".glb")) && readers_complaints() == 0)
      fuzz_fail("does not say what is wrong");
    return 0;
  }
  struct scene scene;
  const bool good = assimp_scene("some.bvh", &scene);
  if (readers_complaints() == 0 && !good) fuzz_fail("does not say what is wrong"); /* good: it may remark */
  for (size_t n = 0; n < scene.nodes && good; n++)
    if (scene.node[n].parent != SCENE_NONE && scene.node[n].parent >= n)
      fuzz_fail("node %zu comes before its parent", n);
  for (size_t a = 0; a < scene.animations && good; a++)
    for (size_t c = 0; c < scene.animation[a].channels; c++)
      if (scene.animation[a].channel[c].node != SCENE_NONE &&
          scene.animation[a].channel[c].node >= scene.nodes)
        fuzz_fail("a channel moves no node");
  if (good) scene_free(&scene);
  return 0;
}
