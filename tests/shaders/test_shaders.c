/* Compares shaders/ with the library for about a million words of each format. The shaders run on the GPU
 * that EGL selects, or on Mesa's software driver (LIBGL_ALWAYS_SOFTWARE=1). GLSL runs in a compute shader of
 * OpenGL ES 3.1. HLSL runs in this shader too: macros define the few names that differ from GLSL. */
#include <quatsimd/codec.h>
#include <quatsimd/rotation.h>

#include "support/random.h"

#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl31.h>

/* ---- words ---- */

enum {
  BATCH = 1 << 16,     /* words of one dispatch */
  ENCODED = 8 * BATCH, /* words that quatsimd_pack writes */
  RANDOM = 8 * BATCH,  /* words of random bits */
  EDGES = BATCH,       /* words with extreme fields */
  COUNT = ENCODED + RANDOM + EDGES
};
static uint64_t words[COUNT];
static unsigned char packed[8 * COUNT];
static float expected[4 * COUNT];

/* Three quarters are random rotations, and the others are the sweep of the goldens. Some random rotations are
 * nearly half turns. The component w that snorm16x3 leaves out is least accurate there. */
static void rotations_to_encode(float *q) {
  uint64_t random = 31;
  random_rotations(q, ENCODED, &random);
  for (size_t i = 0; i < ENCODED / 8; i++) q[4 * i + 3] = i % 2 ? 0 : q[4 * i + 3] * 0x1p-10f;
  sweep_quaternions(q + 4 * (ENCODED - ENCODED / 4), ENCODED / 4);
}

static uint64_t edge_word(quatsimd_format format, unsigned bits, unsigned i, uint64_t *random) {
  static const uint8_t bytes[8] = {0, 1, 0x3f, 0x40, 0x7f, 0x80, 0x81, 0xff};
  static const uint16_t halves[16] = {0,      1,      0x3ff,  0x400,  0x3c00, 0x7bff, 0x7c00, 0x7e00,
                                      0x7fff, 0x8000, 0x8001, 0x8400, 0xbc00, 0xfbff, 0xfc00, 0xffff};
  uint64_t word = 0;
  if (bits == 32 && i < 4096) {
    for (int k = 0; k < 4; k++) word |= (uint64_t)bytes[i >> 3 * k & 7] << 8 * k;
    return word;
  }
  if (bits > 32 && i < (bits == 48 ? 1u << 12 : 1u << 16)) {
    for (int k = 0; k < 4; k++) word |= (uint64_t)halves[i >> 4 * k & 15] << 16 * k;
    return word;
  }
  i -= 4096;
  /* codes near 511: if the squares of codes add up to 2 * 511^2, the largest component is 0 */
  if (format == QUATSIMD_FORMAT_SMALLEST3_32 && i < 4096) {
    static const int codes[8] = {0, 1, -1, 2, 510, 511, -511, -512};
    word = i >> 9 & 3;
    for (int k = 0; k < 3; k++) word = word << 10 | ((unsigned)codes[i >> 3 * k & 7] & 0x3ffu);
    return word;
  }
  /* some numbers m have extreme digits; the other numbers have no digits, but words can hold them */
  if (format == QUATSIMD_FORMAT_LATTICE32 && i < 8192) {
    enum { DIGITS = (101 * 203 + 101) * 203 + 101 };
    static const int m[16] = {0,
                              1,
                              -1,
                              101,
                              -101,
                              102,
                              -102,
                              DIGITS,
                              -DIGITS,
                              102 * 203 * 203,
                              -102 * 203 * 203,
                              0x3fffff,
                              -0x400000,
                              0x3ffffe,
                              101 * 203 + 102,
                              -101 * 203 - 102};
    return (uint64_t)(i >> 11 & 3) << 30 | (uint64_t)((unsigned)m[i >> 7 & 15] & 0x7fffffu) << 7 | (i & 127);
  }
  word = sweep_next(random) & sweep_next(random) & sweep_next(random); /* few bits are set, or few clear */
  return i % 2 ? word : ~word;
}

static void make_words(quatsimd_format format, unsigned bits) {
  uint64_t random = 7;
  float *q = malloc(4 * sizeof *q * ENCODED);
  assert_non_null(q);
  rotations_to_encode(q);
  assert_in_range(quatsimd_pack(format, packed, sizeof packed, quatsimd_aos(q), ENCODED), QUATSIMD_OK,
                  QUATSIMD_WARNING_REPLACED_INVALID);
  free(q);
  const uint64_t mask = bits == 64 ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
  const size_t bytes = bits / 8;
  for (size_t i = 0; i < COUNT; i++) {
    if (i < ENCODED) {
      words[i] = 0;
      for (size_t k = 0; k < bytes; k++) words[i] |= (uint64_t)packed[bytes * i + k] << 8 * k;
      /* set the bit of the handedness at random */
      if (format == QUATSIMD_FORMAT_VERTEX32) words[i] |= (sweep_next(&random) & 1) << 31;
    } else {
      words[i] = (i < ENCODED + RANDOM ? sweep_next(&random)
                                       : edge_word(format, bits, (unsigned)(i - ENCODED - RANDOM), &random)) &
                 mask;
    }
    for (size_t k = 0; k < bytes; k++) packed[bytes * i + k] = (unsigned char)(words[i] >> 8 * k);
  }
  assert_int_equal(quatsimd_unpack(format, quatsimd_aos_out(expected), packed, sizeof packed, 0, COUNT),
                   QUATSIMD_OK);
}

/* ---- the errors that a shader may have ----
 *
 * The library rounds each operation once, with an error of E = 2^-24 of its result. Shaders may fuse
 * operations, and their sqrt may have an error of 6 E. If the components of a unit quaternion have an error
 * e, its rotation has an error of 2 e. An error that all components share does not turn the quaternion. The
 * library and the shader together have these errors, in units of E:
 *   own      relative rounding errors of each component
 *   raw      vertex32: absolute errors of components before they are normalised (x, y and z at most 2, w at
 *            most 4; the root of the sum of squares is below 6)
 *   squared  errors of the square of the component that is left out. The component itself has the error
 *            squared / (the library's value + the shader's value), which is at most this sum */
#define E 0x1p-24
typedef struct shader_case {
  quatsimd_format format;
  const char *argument;
  double own, raw, squared;
} shader_case;
static const shader_case cases[] = {
    {QUATSIMD_FORMAT_VERTEX32, "word.x", 2, 6, 0}, /* one product for each component */
    /* own: the library adds 4; a sqrt, a product and two conversions in the shader add 8 */
    {QUATSIMD_FORMAT_SNORM16X3, "word", 12, 0, 8},
    {QUATSIMD_FORMAT_HALF4, "word", 2, 0, 0}, /* one product for each component */
    /* own: the library adds 1.5; a sqrt and two more operations in the shader add 8.5 */
    {QUATSIMD_FORMAT_SMALLEST3_32, "word.x", 10, 0, 6},
    {QUATSIMD_FORMAT_LATTICE32, "word.x", 6, 0, 0}, /* a sum and two products for each component */
};
/* the length has errors of squares, their sum, inversesqrt (2 units in the last place) and a product */
static const double length_tolerance = 8 * E;
/* relative to the vector's length; 4e-7 are from the library, the rest from cross products and sums */
static const double rotate_tolerance = 32 * E;

static double tolerance(const shader_case *c, uint64_t word, const double *here, const double *there) {
  double error = c->own * E;
  if (c->format == QUATSIMD_FORMAT_VERTEX32) {
    double n2 = 0;
    for (int k = 0; k < 4; k++) {
      const int byte = (int)(word >> 8 * k & (k < 3 ? 0xff : 0x7f)), code = k == 3       ? 2 * byte - 127
                                                                            : byte < 128 ? byte
                                                                                         : byte - 256;
      n2 += code * code / (127.0 * 127.0);
    }
    error += c->raw * E / sqrt(n2);
  }
  if (c->squared > 0) {
    const unsigned derived = c->format == QUATSIMD_FORMAT_SMALLEST3_32 ? (unsigned)(word >> 30) : 3;
    const double sum = fabs(here[derived]) + fabs(there[derived]);
    error += fmin(c->squared * E / sum, sum);
  }
  return 2 * error;
}

/* Returns the angle of the rotation from a to b. The signs of a and b count, so the angle from a to -a is 2
 * pi. */
static double angle(const double a[4], const double b[4]) {
  const double x = a[3] * b[0] - a[0] * b[3] - (a[1] * b[2] - a[2] * b[1]);
  const double y = a[3] * b[1] - a[1] * b[3] - (a[2] * b[0] - a[0] * b[2]);
  const double z = a[3] * b[2] - a[2] * b[3] - (a[0] * b[1] - a[1] * b[0]);
  return 2 * atan2(sqrt(x * x + y * y + z * z), a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
}

/* ---- the GPU ---- */

enum { WORDS, VECTORS, RESULTS, BUFFERS };
typedef struct shader_result {
  float q[4], rotated[3], handedness, tangent[4], bitangent[4], normal[4];
} shader_result;
static GLuint buffers[BUFFERS];
static float vectors[4 * BATCH];
static struct {
  EGLDisplay display;
  EGLContext context;
} egl;

static int start(void **state) {
  (void)state;
  egl.display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  static const EGLint config_wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT, EGL_SURFACE_TYPE,
                                         EGL_PBUFFER_BIT, EGL_NONE};
  static const EGLint version_wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                          EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  if (egl.display == EGL_NO_DISPLAY || !eglInitialize(egl.display, NULL, NULL) ||
      !eglBindAPI(EGL_OPENGL_ES_API) || !eglChooseConfig(egl.display, config_wanted, &config, 1, &count) ||
      count < 1 ||
      (egl.context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version_wanted)) ==
          EGL_NO_CONTEXT ||
      !eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, egl.context)) {
    print_error("no OpenGL ES 3.1 without a window: EGL error 0x%x (Debian's driver is libgl1-mesa-dri)\n",
                (unsigned)eglGetError());
    return 1;
  }
  print_message("%s, %s\n", (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION));

  uint64_t random = 5;
  for (size_t i = 0; i < 4 * BATCH; i++)
    vectors[i] = (float)((2 * random_unit(&random) - 1) * (i % 16 < 4 ? 0x1p-20 : 1000));
  glGenBuffers(BUFFERS, buffers);
  static const GLsizeiptr sizes[BUFFERS] = {8 * BATCH, sizeof vectors, sizeof(shader_result) * BATCH};
  for (GLuint i = 0; i < BUFFERS; i++) {
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, i, buffers[i]);
    glBufferData(GL_SHADER_STORAGE_BUFFER, sizes[i], i == VECTORS ? vectors : NULL, GL_DYNAMIC_COPY);
  }
  return glGetError() != GL_NO_ERROR;
}

static int stop(void **state) {
  (void)state;
  glDeleteBuffers(BUFFERS, buffers);
  return !eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) ||
         !eglDestroyContext(egl.display, egl.context) || !eglTerminate(egl.display);
}

static char *text_of(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) fail_msg("cannot read %s", path);
  static char text[1 << 16];
  const size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  assert_in_range(length, 1, sizeof text - 1);
  text[length] = 0;
  return text;
}

static GLuint compiled(const char *path, const shader_case *c) {
  static const char head[] = "#version 310 es\n"
                             "#define float2 vec2\n#define float3 vec3\n#define float4 vec4\n#define int3 "
                             "ivec3\n#define uint2 uvec2\n"
                             "#define asfloat uintBitsToFloat\n#define rsqrt inversesqrt\n#line 1\n";
  static const char body[] =
      "\nlayout(local_size_x = 64) in;\n"
      "struct result { vec4 q, rotated_handedness, tangent, bitangent, normal; };\n"
      "layout(std430, binding = 0) readonly buffer Words { uvec2 words[]; };\n"
      "layout(std430, binding = 1) readonly buffer Vectors { vec4 vectors[]; };\n"
      "layout(std430, binding = 2) writeonly buffer Results { result results[]; };\n"
      "void main() {\n"
      "  uint i = gl_GlobalInvocationID.x;\n"
      "  uvec2 word = words[i];\n"
      "  vec4 q = quatsimd_unpack_%s(%s);\n"
      "  float handedness = quatsimd_vertex32_handedness(word.x);\n"
      "  results[i].q = q;\n"
      "  results[i].rotated_handedness = vec4(quatsimd_rotate(q, vectors[i].xyz), handedness);\n"
      "  results[i].tangent = vec4(quatsimd_tangent(q), 0.0);\n"
      "  results[i].bitangent = vec4(quatsimd_bitangent(q, handedness), 0.0);\n"
      "  results[i].normal = vec4(quatsimd_normal(q), 0.0);\n"
      "}\n";
  char main_text[sizeof body + 64], log[4096] = "";
  snprintf(main_text, sizeof main_text, body, quatsimd_get_format_info(c->format)->name, c->argument);
  const char *texts[3] = {head, text_of(path), main_text};
  const GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
  GLint ok = 0;
  glShaderSource(shader, 3, texts, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  if (!ok) fail_msg("%s does not compile:\n%s", path, log);
  glAttachShader(program, shader);
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &ok);
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  if (!ok) fail_msg("%s does not link:\n%s", path, log);
  glDeleteShader(shader);
  return program;
}

static void run(GLuint program, const uint64_t *batch, shader_result *results) {
  static uint32_t halves[2 * BATCH];
  for (size_t i = 0; i < BATCH; i++)
    halves[2 * i] = (uint32_t)batch[i], halves[2 * i + 1] = (uint32_t)(batch[i] >> 32);
  memset(results, 0xff, sizeof *results * BATCH); /* results stay NaN if the shader writes none */
  glUseProgram(program);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[WORDS]);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, sizeof halves, halves);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffers[RESULTS]);
  glBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)sizeof *results * BATCH, results);
  glDispatchCompute(BATCH / 64, 1, 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  const void *mapped =
      glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)sizeof *results * BATCH, GL_MAP_READ_BIT);
  assert_non_null(mapped);
  memcpy(results, mapped, sizeof *results * BATCH);
  assert_true(glUnmapBuffer(GL_SHADER_STORAGE_BUFFER));
  assert_int_equal(glGetError(), GL_NO_ERROR);
}

/* ---- the tests ---- */

/* Returns the error of `got`, divided by the rotated vector's length. `want` is the library's result. */
static double vector_error(const float *got, const float *want, double length) {
  const double x = (double)got[0] - want[0], y = (double)got[1] - want[1], z = (double)got[2] - want[2];
  return sqrt(x * x + y * y + z * z) / length;
}

/* The largest differences between the shader and the library. */
typedef struct extremes {
  /* encoded: angles for words that quatsimd_pack writes. all: angles for all words. length, vector: errors of
   * the lengths of quaternions and of rotated vectors. */
  double encoded, all, length, vector;
} extremes;

static void check(const shader_case *c, uint64_t word, const float *want, const shader_result *r,
                  const float *vector, const float *rotated, float axes[3][3], int is_encoded,
                  extremes *worst) {
  double here[4], there[4];
  for (int k = 0; k < 4; k++) here[k] = want[k], there[k] = r->q[k];
  const double off = angle(here, there), allowed = tolerance(c, word, here, there);
  if (!(off <= allowed)) {
    fail_msg("word %#llx is (%.9g, %.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g, %.9g): %g radians off, allowed "
             "are %g",
             (unsigned long long)word, there[0], there[1], there[2], there[3], here[0], here[1], here[2],
             here[3], off, allowed);
  }
  const double length =
      fabs(sqrt(there[0] * there[0] + there[1] * there[1] + there[2] * there[2] + there[3] * there[3]) - 1);
  if (!(length <= length_tolerance))
    fail_msg("word %#llx: the length is off by %g", (unsigned long long)word, length);
  if (r->handedness != (word >> 31 & 1 ? -1.0f : 1.0f))
    fail_msg("word %#llx: handedness %g", (unsigned long long)word, r->handedness);

  const float bitangent[3] = {axes[1][0] * r->handedness, axes[1][1] * r->handedness,
                              axes[1][2] * r->handedness};
  const double norm =
      sqrt((double)vector[0] * vector[0] + (double)vector[1] * vector[1] + (double)vector[2] * vector[2]);
  const double vector_errors[4] = {
      vector_error(r->rotated, rotated, norm), vector_error(r->tangent, axes[0], 1),
      vector_error(r->bitangent, bitangent, 1), vector_error(r->normal, axes[2], 1)};
  static const char *const names[4] = {"rotate", "tangent", "bitangent", "normal"};
  for (int k = 0; k < 4; k++) {
    if (!(vector_errors[k] <= rotate_tolerance))
      fail_msg("word %#llx: %s is off by %g of the length", (unsigned long long)word, names[k],
               vector_errors[k]);
    worst->vector = fmax(worst->vector, vector_errors[k]);
  }
  if (is_encoded) worst->encoded = fmax(worst->encoded, off);
  worst->all = fmax(worst->all, off);
  worst->length = fmax(worst->length, length);
}

static void as_library(const shader_case *c, const char *path) {
  const quatsimd_format_info *info = quatsimd_get_format_info(c->format);
  make_words(c->format, info->bits);
  const GLuint program = compiled(path, c);
  static shader_result results[BATCH];
  static float rotated[3 * BATCH], axes[3][3 * BATCH];
  static const float axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  extremes worst = {0, 0, 0, 0};
  for (size_t first = 0; first < COUNT; first += BATCH) {
    run(program, words + first, results);
    /* rotate by the shader's own quaternions, so that only the rotation of vectors causes errors */
    const quatsimd_in q = quatsimd_strided(results[0].q, sizeof *results);
    assert_int_equal(quatsimd_rotate(quatsimd_aos_out(rotated), q, quatsimd_strided(vectors, 16), BATCH),
                     QUATSIMD_OK);
    for (int k = 0; k < 3; k++)
      assert_int_equal(quatsimd_rotate(quatsimd_aos_out(axes[k]), q, quatsimd_one(axis[k]), BATCH),
                       QUATSIMD_OK);
    for (size_t i = 0; i < BATCH; i++) {
      float at[3][3];
      for (int k = 0; k < 3; k++) memcpy(at[k], axes[k] + 3 * i, sizeof at[k]);
      check(c, words[first + i], expected + 4 * (first + i), &results[i], vectors + 4 * i, rotated + 3 * i,
            at, first + i < ENCODED, &worst);
    }
  }
  glDeleteProgram(program);
  print_message("%s: %d words, at most %.3g radians off (%.3g those that encoders write); lengths off by "
                "%.3g, turned vectors by %.3g\n",
                info->name, COUNT, worst.all, worst.encoded, worst.length, worst.vector);
}

static void glsl(void **state) { as_library(*state, QUATSIMD_SHADERS "/quatsimd.glsl"); }
static void hlsl(void **state) { as_library(*state, QUATSIMD_SHADERS "/quatsimd.hlsl"); }

int main(void) {
  enum { CASES = sizeof cases / sizeof *cases };
  static char names[2 * CASES][32];
  static struct CMUnitTest tests[2 * CASES];
  for (int i = 0; i < 2 * CASES; i++) {
    const shader_case *c = &cases[i % CASES];
    snprintf(names[i], sizeof names[i], "%s, %s", i < CASES ? "GLSL" : "HLSL",
             quatsimd_get_format_info(c->format)->name);
    tests[i] = (struct CMUnitTest){names[i], i < CASES ? glsl : hlsl, NULL, NULL, (void *)c};
  }
  return _cmocka_run_group_tests("shaders", tests, 2 * CASES, start, stop);
}
