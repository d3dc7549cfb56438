/* Third-person cameras, one for each character of a crowd. A camera flies behind its character and follows
 * its turns by slerp, as in Nick Bobick, "Rotating Objects Using Quaternions", Game Developer, 1998. Here
 * every call turns the whole crowd. In the world x is east, y is north and z is up. A character that has not
 * turned looks along x, and its left is y. Link with -lm. */
#include <math.h>
#include <quatsimd/quatsimd.h>
#include <stdio.h>

enum { COUNT = 1000, SHOWN = 500 };
#define DEGREE 0.017453293f

static float characters[4 * COUNT]; /* orientations, x y z w one after the other: aos */
static float positions[3 * COUNT];
static float cameras[4 * COUNT]; /* orientations, in the same layout */
static float eyes[3 * COUNT];    /* positions of the cameras, negated */
static float inverse[4 * COUNT]; /* from world coordinates to those of the view */
/* the same with the position: OpenGL's view matrices, column by column */
static float views[16 * COUNT];
static float angles[COUNT]; /* how far a camera lags behind, radians */

/* All characters turn at once: roll about x, then pitch about y, then yaw about z. */
static quatsimd_status turn_characters(void) {
  static float roll_pitch_yaw[3 * COUNT];
  for (int i = 0; i < COUNT; i++) {
    roll_pitch_yaw[3 * i] = 0;
    roll_pitch_yaw[3 * i + 1] = -10 * DEGREE; /* uphill */
    roll_pitch_yaw[3 * i + 2] = 0.18f * DEGREE * (float)i;
    positions[3 * i] = (float)(i % 40); /* rows of 40 */
    positions[3 * i + 1] = (float)(i - i % 40) / 40;
    positions[3 * i + 2] = 0;
  }
  return quatsimd_from_euler(quatsimd_aos_out(characters), quatsimd_aos(roll_pitch_yaw),
                             QUATSIMD_ROLL_PITCH_YAW, COUNT);
}

/* Cameras that have not turned yet. quatsimd_one is one rotation for all. */
static quatsimd_status reset_cameras(void) {
  const float identity[4] = {0, 0, 0, 1};
  return quatsimd_normalize(quatsimd_aos_out(cameras), quatsimd_one(identity), COUNT);
}

/* In every half-life a camera halves its angle to the character, at any frame rate: slerp turns at constant
 * speed, so 1 - t of the angle is left. With the same t in every frame the motion would depend on the frame
 * rate. */
static quatsimd_status follow(float seconds) {
  const float half_life = 0.25f, t = 1 - exp2f(-seconds / half_life);
  return quatsimd_slerp(quatsimd_aos_out(cameras), quatsimd_aos(cameras), quatsimd_aos(characters),
                        quatsimd_one(&t), COUNT);
}

/* View matrices. OpenGL looks along -z and has y up, x to the right, so a fixed turn comes first. */
static quatsimd_status look(void) {
  const float opengl[4] = {0.5f, -0.5f, -0.5f, 0.5f};
  const float to_character[3] = {5, 0, -2}; /* from the eye, in the camera's own coordinates */
  quatsimd_status s =
      quatsimd_multiply(quatsimd_aos_out(inverse), quatsimd_aos(cameras), quatsimd_one(opengl), COUNT);
  if (s >= 0) s = quatsimd_conjugate(quatsimd_aos_out(inverse), quatsimd_aos(inverse), COUNT);
  if (s >= 0) s = quatsimd_to_matrix4(quatsimd_aos_out(views), quatsimd_aos(inverse), COUNT);
  if (s >= 0)
    s = quatsimd_rotate(quatsimd_aos_out(eyes), quatsimd_aos(cameras), quatsimd_one(to_character), COUNT);
  for (int i = 0; i < 3 * COUNT; i++) eyes[i] -= positions[i];
  /* The last columns: every 64 bytes, from the 13th float on. */
  if (s >= 0)
    s = quatsimd_rotate(quatsimd_strided_out(views + 12, 64), quatsimd_aos(inverse), quatsimd_aos(eyes),
                        COUNT);
  return s;
}

/* Prints how the shown camera follows its character; *left receives the angle that remains after a second. */
static quatsimd_status one_second(int frames_per_second, float *left) {
  quatsimd_status s = reset_cameras();
  printf("%3d frames a second:", frames_per_second);
  for (int frame = 0; s >= 0 && frame <= frames_per_second; frame++) {
    if (frame > 0) s = follow(1.0f / (float)frames_per_second);
    if (frame % (frames_per_second / 4) != 0 || s < 0) continue;
    s = quatsimd_angle_between(quatsimd_aos_out(angles), quatsimd_aos(cameras), quatsimd_aos(characters),
                               COUNT);
    printf(" %7.3f", angles[SHOWN] / DEGREE);
  }
  printf("\n");
  *left = angles[SHOWN];
  return s;
}

/* Where a camera sees its character: the view matrix times its position. */
static void see(const float view[16], const float p[3], float seen[3]) {
  for (int row = 0; row < 3; row++)
    seen[row] = view[row] * p[0] + view[4 + row] * p[1] + view[8 + row] * p[2] + view[12 + row];
}

int main(void) {
  float slow, fast, worst = 0;
  quatsimd_status s = turn_characters();
  printf("%d characters turn, %d cameras follow. Degrees that one of them lags behind, every quarter of a "
         "second:\n",
         COUNT, COUNT);
  if (s >= 0) s = one_second(20, &slow);
  if (s >= 0) s = one_second(240, &fast);
  if (s >= 0) s = look();
  if (s != QUATSIMD_OK) return fprintf(stderr, "%s\n", quatsimd_status_string(s)), 1;

  printf("Its view matrix then:\n");
  for (int row = 0; row < 4; row++) {
    const float *m = views + 16 * SHOWN + row;
    printf("  %8.4f %8.4f %8.4f %8.4f\n", m[0], m[4], m[8], m[12]);
  }
  for (int i = 0; i < COUNT; i++) {
    const float wanted[3] = {0, -2, -5};
    float seen[3];
    see(views + 16 * i, positions + 3 * i, seen);
    for (int c = 0; c < 3; c++) worst = fmaxf(worst, fabsf(seen[c] - wanted[c]));
  }
  printf("Every camera sees its character 5 before it and 2 below, within %.0e.\n", worst);
  return fabsf(slow - fast) < 1e-4f && fast > 0 && worst < 1e-4f ? 0 : 1;
}
