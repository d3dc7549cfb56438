/* Checks that sampling some joints takes no more stack than clip.h promises. */
#include "made.h"
#include "support/isa.h"
#include "support/sanitized.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

enum { PAINT = 0xa7, STACK = 1 << 20, PROMISED = 20 << 10, JOINTS = 300, KEYS = 100 };

typedef struct call {
  const quatsimd_clip *clip;
  const uint32_t *joint;
  quatsimd_pose_out *pose;
  size_t count;
  quatsimd_status status;
} call;

static void *nothing(void *c) { return c; }
static void *sample(void *context) {
  call *c = context;
  c->status = quatsimd_clip_sample_joints(c->clip, c->pose, NULL, 1.234, QUATSIMD_CLIP_WRAP_CLIP, c->joint,
                                          c->count, 0);
  return c;
}

/* Runs a function in a thread. Returns the bytes of stack that the thread uses. */
static size_t depth(void *(*run)(void *), void *context) {
  pthread_t thread;
  pthread_attr_t attributes;
  unsigned char *stack = aligned_alloc(4096, STACK);
  assert_non_null(stack);
  memset(stack, PAINT, STACK);
  assert_int_equal(pthread_attr_init(&attributes), 0);
  assert_int_equal(pthread_attr_setstack(&attributes, stack, STACK), 0);
  assert_int_equal(pthread_create(&thread, &attributes, run, context), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  pthread_attr_destroy(&attributes);
  size_t clean = 0;
  while (clean < STACK && stack[clean] == PAINT) clean++;
  free(stack);
  return STACK - clean;
}

static void stack_of_some_joints(void **state) {
  (void)state;
#ifndef __OPTIMIZE__
  const bool optimised = false;
#else
  const bool optimised = true;
#endif
  if (SANITIZED || !optimised) {
    print_message("SKIP: sanitizers, and compilers that do not optimise, take more stack\n");
    skip();
  }
  static float rotation[4 * JOINTS], translation[3 * JOINTS], scale[3 * JOINTS];
  static uint32_t joint[JOINTS];
  quatsimd_pose_out pose = {quatsimd_aos_out(rotation), quatsimd_aos_out(translation),
                            quatsimd_aos_out(scale), NULL};
  uint64_t random = 5;
  made *m = make(JOINTS);
  const double *times = even(m, KEYS, 30);
  for (size_t j = 0; j < JOINTS; j++) {
    joint[j] = (uint32_t)(JOINTS - 1 - j);
    m->joint[j].rotation = turns(m, KEYS, times, &random);
    m->joint[j].translation = anywhere(m, j % 2 ? KEYS : 1, times, 3, 1, &random);
    if (j % 3 == 0) m->joint[j].translation.interpolation = QUATSIMD_CURVE_HOLD;
    if (j % 5 == 0) m->joint[j].scale = anywhere(m, KEYS, times, 3, 1, &random);
  }
  m->options.rotation_bound = m->options.translation_bound = m->options.scale_bound = 1e-3f;
  encode(m, "stack");
  quatsimd_clip *clip;
  quatsimd_clip_storage storage;
  assert_int_equal(quatsimd_clip_open(&clip, &storage, sizeof storage, m->data, m->size), QUATSIMD_OK);
  call c = {clip, joint, &pose, JOINTS, QUATSIMD_ERROR_BAD_ARGUMENT};
  sample(&c); /* the first call also chooses the kernels */
  assert_int_equal(c.status, QUATSIMD_OK);
  const size_t none = depth(nothing, NULL);
  for (c.count = 1; c.count <= JOINTS; c.count += JOINTS - 1) {
    const size_t taken = depth(sample, &c) - none;
    print_message("%s kernels: %zu joints take %zu bytes of stack\n", quatsimd_isa(), c.count, taken);
    if (taken > PROMISED) fail_msg("%d are promised", PROMISED);
  }
  release(m);
}

int main(void) {
  skip_other_kernels();
  const struct CMUnitTest tests[] = {cmocka_unit_test(stack_of_some_joints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
