/* Tests qtangent.h on real meshes, whose tangents Assimp computes. Without arguments the test reads models of
 * Debian's assimp-testmodels and of the folder that QUATSIMD_DATA names. `--table FILE...` prints the table
 * of docs/qtangent.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <cmocka.h>

#include "quatsimd/quatsimd.h"
#include "support/random.h"
#include "rotation/rotation_reference.h"

#define DEGREE 0.017453292519943295L
enum { POINTS = 100000 };

static void *memory(size_t bytes) {
  void *p = malloc(bytes ? bytes : 1);
  if (!p) fputs("out of memory\n", stderr), exit(1);
  return p;
}

/* ---- vectors ---- */

/* Returns the angle in degrees between two vectors of any length. */
static real angle_of(const real *a, const real *b) { return ref_angle_of_vectors(a, b) / DEGREE; }

static bool has_direction(const real *v) {
  const real length = ref_length(v, 3); /* NaN or 0 if v has a NaN */
  return length > 0x1p-32L && length < 0x1p32L;
}

static double dot(const float *a, const float *b) {
  double sum = 0;
  for (int c = 0; c < 4; c++) sum += (double)a[c] * b[c];
  return sum;
}

/* ---- files ---- */

/* The meshes of a file that have tangents, joined into one mesh. */
typedef struct mesh {
  size_t count, index_count, left_out; /* left_out: number of meshes without tangents */
  float *normals, *tangents, *bitangents;
  uint32_t *indices;
} mesh;

static void free_mesh(mesh *m) { free(m->normals), free(m->tangents), free(m->bitangents), free(m->indices); }

/* Adds the mesh `from` to m. If m has no arrays yet, the function only counts vertices and indices. */
static void add_mesh(mesh *m, const struct aiMesh *from) {
  if (!from->mNormals || !from->mTangents || !from->mBitangents) {
    m->left_out++;
    return;
  }
  for (size_t f = 0; f < from->mNumFaces; f++) /* faces without 3 corners are points and lines */
    for (size_t c = 0; c < 3 && from->mFaces[f].mNumIndices == 3; c++) {
      if (m->indices) m->indices[m->index_count] = (uint32_t)(m->count + from->mFaces[f].mIndices[c]);
      m->index_count++;
    }
  const struct aiVector3D *const vectors[3] = {from->mNormals, from->mTangents, from->mBitangents};
  float *const to[3] = {m->normals, m->tangents, m->bitangents};
  for (size_t v = 0; v < from->mNumVertices; v++, m->count++)
    for (int k = 0; k < 3 && to[k]; k++) {
      const float xyz[3] = {(float)vectors[k][v].x, (float)vectors[k][v].y, (float)vectors[k][v].z};
      memcpy(to[k] + 3 * m->count, xyz, sizeof xyz);
    }
}

/* Returns false if the file cannot be read. */
static bool read_mesh(mesh *m, const char *path) {
  const struct aiScene *scene =
      aiImportFile(path, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
                             aiProcess_GenSmoothNormals | aiProcess_CalcTangentSpace);
  *m = (mesh){0};
  if (!scene) return false;
  for (size_t i = 0; i < scene->mNumMeshes; i++) add_mesh(m, scene->mMeshes[i]);
  const mesh size = *m;
  *m = (mesh){0,
              0,
              0,
              memory(12 * size.count),
              memory(12 * size.count),
              memory(12 * size.count),
              memory(4 * size.index_count)};
  for (size_t i = 0; i < scene->mNumMeshes; i++) add_mesh(m, scene->mMeshes[i]);
  aiReleaseImport(scene);
  return true;
}

/* ---- measurements ---- */

typedef struct error {
  real worst, sum; /* degrees */
  size_t count;
} error;

static void add_error(error *e, real degrees) {
  if (!(degrees <= e->worst) && !isnan(e->worst)) e->worst = degrees; /* a NaN stays */
  e->sum += degrees, e->count++;
}

enum { UNPACKED, VERTEX32, SNORM8, KINDS };

/* Numbers of unaligned edges. mixed: those whose ends differ in handedness. odd: the others in triangles for
 * which is_odd is true. */
typedef struct edges {
  size_t unaligned, mixed, odd;
} edges;

typedef struct result {
  size_t degenerate; /* number of degenerate vertices */
  /* all: aligned over all triangles. sound: aligned over triangles whose corners have equal handedness */
  edges all, sound;
  size_t apart; /* number of triangles that cannot be interpolated */
  /* `near` has the errors of normals in triangles whose QTangents are within 30 degrees of each other */
  error qtangent, vertex32, normal[KINDS], near[KINDS];
  const char *wrong; /* the first failure, or NULL */
} result;

static void expect(result *r, bool right, const char *what) {
  if (!right && !r->wrong) r->wrong = what;
}

/* Computes the normal and the tangent of a vertex, and the handedness, as qtangent.h defines them. Returns a
 * sine. It is small if the vertex is nearly degenerate, and 0 if a vector has no direction. */
static real reference_axes(real axes[2][3], real *handedness, const mesh *m, size_t v) {
  real n[3], t[3], b[3], third[3];
  ref_widen(n, m->normals + 3 * v, 3), ref_widen(t, m->tangents + 3 * v, 3),
      ref_widen(b, m->bitangents + 3 * v, 3);
  if (!has_direction(n) || !has_direction(t) || !has_direction(b)) return 0;
  ref_unit(axes[0], n, 3);
  const real along = ref_dot(axes[0], t, 3);
  for (int c = 0; c < 3; c++) axes[1][c] = t[c] - along * axes[0][c];
  const real sine = ref_length(axes[1], 3) / ref_length(t, 3);
  if (sine == 0) return 0;
  ref_unit(axes[1], axes[1], 3);
  ref_cross(third, axes[0], axes[1]);
  const real side = ref_dot(third, b, 3) / ref_length(b, 3);
  *handedness = side < 0 ? -1 : 1;
  return fminl(sine, fabsl(side));
}

/* Returns the larger one of the errors of the normal and the tangent of the QTangent q, in degrees. */
static real axes_error(result *r, const float *q, const float *handedness, const mesh *m, size_t v) {
  float vectors[3][3];
  real exact[2][3], got[3][3], expected_handedness, b[3], third[3];
  reference_axes(exact, &expected_handedness, m, v);
  const quatsimd_status status =
      quatsimd_qtangent_to_tbn(quatsimd_aos_out(vectors[0]), quatsimd_aos_out(vectors[1]),
                               quatsimd_aos_out(vectors[2]), quatsimd_aos(q), quatsimd_aos(handedness), 1);
  expect(r, status == QUATSIMD_OK, "to_tbn fails");
  for (int k = 0; k < 3; k++) ref_widen(got[k], vectors[k], 3);
  ref_widen(b, m->bitangents + 3 * v, 3);
  ref_cross(third, got[0], got[1]);
  ref_scaled(third, third, expected_handedness, 3);
  expect(r,
         *handedness == (float)expected_handedness && ref_dot(got[2], exact[1], 3) < 0.05L &&
             angle_of(got[2], third) < 0.0005L,
         "a bitangent is on the other side");
  return fmaxl(angle_of(got[0], exact[0]), angle_of(got[1], exact[1]));
}

/* Computes the quaternions and handedness of all vertices, and measures the errors of the quaternions. */
static void measure_qtangents(result *r, const mesh *m, float *q, float *handedness, bool *degenerate) {
  const quatsimd_status status =
      quatsimd_qtangent_from_tbn(quatsimd_aos_out(q), quatsimd_aos_out(handedness), quatsimd_aos(m->normals),
                                 quatsimd_aos(m->tangents), quatsimd_aos(m->bitangents), m->count);
  for (size_t v = 0; v < m->count; v++) {
    float alone[4], alone_handedness;
    real exact[2][3], exact_handedness;
    const real sine = reference_axes(exact, &exact_handedness, m, v);
    const quatsimd_status one = quatsimd_qtangent_from_tbn(
        quatsimd_aos_out(alone), quatsimd_aos_out(&alone_handedness), quatsimd_aos(m->normals + 3 * v),
        quatsimd_aos(m->tangents + 3 * v), quatsimd_aos(m->bitangents + 3 * v), 1);
    degenerate[v] = one != QUATSIMD_OK;
    r->degenerate += degenerate[v];
    /* vertices with a sine below 1.5e-5 are degenerate; the margins allow for rounding */
    expect(r,
           one == QUATSIMD_OK ? sine > 1.4e-5L : one == QUATSIMD_WARNING_REPLACED_INVALID && sine < 1.6e-5L,
           "the status of a vertex is not what its vectors are");
    expect(r, memcmp(alone, q + 4 * v, 16) == 0 && alone_handedness == handedness[v],
           "a vertex alone has another QTangent");
    if (!degenerate[v]) add_error(&r->qtangent, axes_error(r, q + 4 * v, handedness + v, m, v));
  }
  expect(r, status == (r->degenerate > 0 ? QUATSIMD_WARNING_REPLACED_INVALID : QUATSIMD_OK),
         "the status is not what the vertices are");
  expect(r, r->qtangent.worst < 0.0005L || r->qtangent.count == 0, "a QTangent is not exact");
}

static void measure_packed(result *r, const mesh *m, const float *q, const float *handedness,
                           const bool *degenerate, float *back) {
  uint32_t *words = memory(4 * m->count);
  float *back_handedness = memory(4 * m->count);
  expect(r,
         quatsimd_qtangent_pack(words, 4 * m->count, quatsimd_aos(q), quatsimd_aos(handedness), m->count) ==
             QUATSIMD_OK,
         "pack fails");
  expect(r,
         quatsimd_qtangent_unpack(quatsimd_aos_out(back), quatsimd_aos_out(back_handedness), words,
                                  4 * m->count, m->count) == QUATSIMD_OK,
         "unpack fails");
  for (size_t v = 0; v < m->count; v++) {
    expect(r, dot(q + 4 * v, back + 4 * v) > 0, "packing changed a sign");
    if (!degenerate[v]) add_error(&r->vertex32, axes_error(r, back + 4 * v, back_handedness + v, m, v));
  }
  expect(r, r->vertex32.worst < 1.25L || r->vertex32.count == 0, "a packed QTangent is not exact");
  free(words), free(back_handedness);
}

/* ---- alignment ---- */

/* Returns true if no signs align the triangle, because its QTangents differ too much. */
static bool is_odd(const float *q, const uint32_t *t) {
  return dot(q + 4 * t[0], q + 4 * t[1]) * dot(q + 4 * t[1], q + 4 * t[2]) * dot(q + 4 * t[2], q + 4 * t[0]) <
         0;
}

typedef struct edge {
  uint32_t low, high;
  bool odd; /* the edge belongs to an odd triangle */
} edge;

static int compare_edges(const void *a, const void *b) {
  const edge *x = a, *y = b;
  if (x->low != y->low) return x->low < y->low ? -1 : 1;
  if (x->high != y->high) return x->high < y->high ? -1 : 1;
  return (int)y->odd - (int)x->odd;
}

/* Lists every edge once and returns the number of edges. */
static size_t list_edges(edge *to, const float *q, const uint32_t *indices, size_t index_count) {
  size_t count = 0;
  for (size_t i = 0; i < index_count; i++) {
    const uint32_t a = indices[i], b = indices[i % 3 == 2 ? i - 2 : i + 1];
    to[i] = (edge){a < b ? a : b, a < b ? b : a, is_odd(q, indices + (i - i % 3))};
  }
  qsort(to, index_count, sizeof *to, compare_edges);
  for (size_t i = 0; i < index_count; i++)
    if (count == 0 || to[i].low != to[count - 1].low || to[i].high != to[count - 1].high) to[count++] = to[i];
  return count;
}

/* Returns true if some signs align all edges. The method is union-find, with a sign for each vertex. */
static bool can_be_aligned(const edge *list, size_t edge_count, const float *q, size_t count) {
  uint32_t *parent = memory(4 * count);
  bool *negative = memory(count), possible = true; /* negative: signs relative to the parent */
  for (size_t v = 0; v < count; v++) parent[v] = (uint32_t)v, negative[v] = false;
  for (size_t i = 0; i < edge_count; i++) {
    const double d = dot(q + 4 * list[i].low, q + 4 * list[i].high);
    uint32_t a = list[i].low, b = list[i].high;
    bool differ = d < 0;
    if (d == 0) continue;
    while (parent[a] != a) differ ^= negative[a], a = parent[a];
    while (parent[b] != b) differ ^= negative[b], b = parent[b];
    if (a == b) possible = possible && !differ;
    else parent[b] = a, negative[b] = differ;
  }
  free(parent), free(negative);
  return possible;
}

static edges align(result *r, const mesh *m, const uint32_t *indices, size_t index_count, float *q,
                   const float *handedness) {
  const size_t size = quatsimd_qtangent_align_scratch_size(m->count, index_count);
  void *scratch = memory(size);
  float *was = memory(16 * m->count);
  edge *list = memory(index_count * sizeof *list);
  edges found = {0};
  size_t unaligned = 0;
  memcpy(was, q, 16 * m->count);
  const size_t edge_count = list_edges(list, q, indices, index_count);
  const bool possible = can_be_aligned(list, edge_count, q, m->count);
  expect(r,
         quatsimd_qtangent_align_mesh(quatsimd_aos_out(q), m->count, indices, 4, index_count, scratch, size,
                                      &unaligned) == QUATSIMD_OK,
         "align_mesh fails");
  for (size_t i = 0; i < 4 * m->count; i++)
    expect(r, fabsf(q[i]) == fabsf(was[i]), "align_mesh changes more than signs");
  for (size_t i = 0; i < edge_count; i++) {
    const edge e = list[i];
    if (!(dot(q + 4 * e.low, q + 4 * e.high) < 0)) continue;
    found.unaligned++;
    if (handedness[e.low] != handedness[e.high]) found.mixed++;
    else if (e.odd) found.odd++;
  }
  expect(r, found.unaligned == unaligned, "align_mesh says another number of edges than go the long way");
  expect(r, possible == (unaligned == 0), "align_mesh does not align a mesh that can be aligned");
  free(scratch), free(was), free(list);
  return found;
}

/* Aligns over all triangles, and then again over those whose corners have equal handedness, as
 * docs/qtangent.md recommends. q gets the result of the second alignment. */
static void measure_alignment(result *r, const mesh *m, float *q, const float *handedness) {
  float *of_all = memory(16 * m->count);
  uint32_t *sound = memory(4 * m->index_count);
  size_t sound_count = 0;
  memcpy(of_all, q, 16 * m->count);
  r->all = align(r, m, m->indices, m->index_count, of_all, handedness);
  for (size_t i = 0; i < m->index_count; i += 3) {
    const uint32_t *const t = m->indices + i;
    if (handedness[t[0]] == handedness[t[1]] && handedness[t[0]] == handedness[t[2]])
      memcpy(sound + sound_count, t, 12), sound_count += 3;
  }
  r->sound = align(r, m, sound, sound_count, q, handedness);
  free(of_all), free(sound);
}

/* ---- interpolation ---- */

/* Returns true if the triangle cannot be interpolated. */
static bool is_apart(const float *q, const float *handedness, const bool *degenerate, const uint32_t *t) {
  for (int c = 0; c < 3; c++) {
    const uint32_t a = t[c], b = t[(c + 1) % 3];
    if (degenerate[a] || handedness[a] != handedness[b] || dot(q + 4 * a, q + 4 * b) < 0) return true;
  }
  return false;
}

/* Computes the weighted sum of the corners' vectors. Each vector is first scaled to unit length. */
static void blend(real *to, const float *vectors, int n, const uint32_t *t, const real *weights) {
  for (int c = 0; c < n; c++) to[c] = 0;
  for (int corner = 0; corner < 3; corner++) {
    real v[4];
    ref_widen(v, vectors + (size_t)n * t[corner], n);
    ref_unit(v, v, n);
    for (int c = 0; c < n; c++) to[c] += weights[corner] * v[c];
  }
}

static void measure_normals(result *r, const mesh *m, const float *q, const float *back,
                            const float *handedness, const bool *degenerate) {
  const real z[3] = {0, 0, 1};
  uint32_t *good = memory(4 * m->index_count);
  float *bytes = memory(12 * m->count);
  size_t triangles = 0;
  uint64_t random = 1;
  for (size_t i = 0; i < m->index_count; i += 3)
    if (!is_apart(q, handedness, degenerate, m->indices + i))
      memcpy(good + 3 * triangles++, m->indices + i, 12);
  r->apart = m->index_count / 3 - triangles;
  for (size_t i = 0; i < 3 * m->count; i++) bytes[i] = roundf(m->normals[i] * 127);
  for (size_t p = 0; p < POINTS && triangles > 0; p++) {
    const uint32_t *const t = good + 3 * (sweep_next(&random) % triangles);
    real a = (real)random_unit(&random), b = (real)random_unit(&random);
    if (a + b > 1) a = 1 - a, b = 1 - b; /* moves point p into the triangle */
    const real weights[3] = {a, b, 1 - a - b};
    real exact[3], got[KINDS][3], blended[4];
    blend(exact, m->normals, 3, t, weights);
    blend(blended, q, 4, t, weights), ref_rotate(got[UNPACKED], blended, z);
    blend(blended, back, 4, t, weights), ref_rotate(got[VERTEX32], blended, z);
    blend(got[SNORM8], bytes, 3, t, weights);
    const double least = fmin(dot(q + 4 * t[0], q + 4 * t[1]),
                              fmin(dot(q + 4 * t[1], q + 4 * t[2]), dot(q + 4 * t[2], q + 4 * t[0])));
    /* the angle between quaternions is half the angle between their rotations */
    const bool near = least > cos(15 * (double)DEGREE);
    for (int k = 0; k < KINDS; k++) {
      const real degrees = angle_of(got[k], exact);
      add_error(&r->normal[k], degrees);
      if (near) add_error(&r->near[k], degrees);
    }
  }
  expect(r, r->normal[VERTEX32].sum <= r->normal[UNPACKED].sum + 0.6L * POINTS,
         "packing costs interpolated normals too much");
  /* the largest errors seen are 0.97 and 1.49 degrees */
  expect(r, !(r->near[UNPACKED].worst > 1) && !(r->near[VERTEX32].worst > 2),
         "an interpolated normal is far off");
  free(good), free(bytes);
}

static result measure(const mesh *m) {
  result r = {0};
  float *q = memory(16 * m->count), *back = memory(16 * m->count), *handedness = memory(4 * m->count);
  bool *degenerate = memory(m->count);
  measure_qtangents(&r, m, q, handedness, degenerate);
  measure_alignment(&r, m, q, handedness);
  measure_packed(&r, m, q, handedness, degenerate, back);
  measure_normals(&r, m, q, back, handedness, degenerate);
  free(q), free(back), free(handedness), free(degenerate);
  return r;
}

/* ---- reports ---- */

static const char *name_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static const char *both(char text[40], error e) {
  if (e.count > 0) snprintf(text, 40, "%.3Lg / %.2Lg", e.worst, e.sum / (real)e.count);
  else strcpy(text, "-");
  return text;
}

static int table(char **paths, int count) {
  mesh *meshes = memory((size_t)count * sizeof *meshes);
  result *results = memory((size_t)count * sizeof *results);
  int failed = 0;
  for (int i = 0; i < count; i++) {
    if (!read_mesh(&meshes[i], paths[i])) return fprintf(stderr, "%s: %s\n", paths[i], aiGetErrorString()), 1;
    results[i] = measure(&meshes[i]);
    if (meshes[i].left_out > 0)
      fprintf(stderr, "%s: %zu meshes without tangents\n", name_of(paths[i]), meshes[i].left_out);
    if (results[i].wrong) failed = 1, fprintf(stderr, "%s: %s\n", name_of(paths[i]), results[i].wrong);
  }
  puts(
      "| mesh | vertices | triangles | degenerate | unaligned edges | unaligned, sound only | QTangent error "
      "(deg) | vertex32 error (deg) |\n"
      "|---|---|---|---|---|---|---|---|");
  for (int i = 0; i < count; i++) {
    const mesh *m = &meshes[i];
    const result *r = &results[i];
    if (m->index_count > 0)
      printf("| `%s` | %zu | %zu | %zu | %zu | %zu | %.2Lg | %.3Lg |\n", name_of(paths[i]), m->count,
             m->index_count / 3, r->degenerate, r->all.unaligned, r->sound.unaligned, r->qtangent.worst,
             r->vertex32.worst);
  }
  puts("\n| mesh | triangles left out | unpacked | vertex32 | three bytes | near QTangents | unpacked | "
       "vertex32 |\n|---|---|---|---|---|---|---|---|");
  for (int i = 0; i < count; i++) {
    const result *r = &results[i];
    char text[5][40];
    if (meshes[i].index_count > 0)
      printf("| `%s` | %zu | %s | %s | %s | %.0f %% | %s | %s |\n", name_of(paths[i]), r->apart,
             both(text[0], r->normal[UNPACKED]), both(text[1], r->normal[VERTEX32]),
             both(text[2], r->normal[SNORM8]), 100.0 * (double)r->near[UNPACKED].count / POINTS,
             both(text[3], r->near[UNPACKED]), both(text[4], r->near[VERTEX32]));
    free_mesh(&meshes[i]);
  }
  free(meshes), free(results);
  return failed;
}

/* Checks the files that exist and can be read. Returns the number of those that have triangles. */
static size_t check_files(const char *folder, const char *const *names, size_t count) {
  size_t checked = 0, wrong = 0;
  for (size_t i = 0; i < count; i++) {
    char path[4096];
    mesh m;
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    FILE *file = fopen(path, "rb");
    if (file) fclose(file);
    if (!file || !read_mesh(&m, path)) {
      print_message("SKIP: %s: %s\n", path, file ? aiGetErrorString() : "no such file");
      continue;
    }
    if (m.left_out > 0)
      print_message("%s: %zu meshes have no texture coordinates, so no tangents\n", names[i], m.left_out);
    if (m.index_count > 0) {
      const result r = measure(&m);
      char text[2][40];
      print_message("%s: %zu vertices (%zu degenerate), %zu triangles (%zu apart), %zu edges not aligned "
                    "(%zu of two handednesses, %zu of odd triangles), "
                    "of sound triangles %zu (%zu of odd ones); degrees: QTangents %.2Lg, vertex32 %.3Lg, "
                    "interpolated normals %s, vertex32 %s\n",
                    names[i], m.count, r.degenerate, m.index_count / 3, r.apart, r.all.unaligned, r.all.mixed,
                    r.all.odd, r.sound.unaligned, r.sound.odd, r.qtangent.worst, r.vertex32.worst,
                    both(text[0], r.normal[UNPACKED]), both(text[1], r.normal[VERTEX32]));
      if (r.wrong) wrong++, print_error("%s: %s\n", names[i], r.wrong);
      checked++;
    }
    free_mesh(&m);
  }
  assert_int_equal(wrong, 0);
  return checked;
}

static void models_of_assimp(void **state) {
  (void)state;
  static const char *const names[] = {"glTF2/ClearCoat-glTF/ClearCoatTest.gltf",
                                      "Collada/Cinema4D.dae",
                                      "Collada/duck.dae",
                                      "Collada/earthCylindrical.DAE",
                                      "Collada/teapots.DAE",
                                      "FBX/animation_with_skeleton.fbx",
                                      "OBJ/spider.obj",
                                      "X/BCN_Epileptic.X",
                                      "X/Testwuson.X"};
  /* the folder of Debian's assimp-testmodels */
  if (check_files("/usr/share/assimp/models", names, sizeof names / sizeof *names) == 0) skip();
}

static void models_of_the_data_folder(void **state) {
  (void)state;
  static const char *const names[] = {"kaykit/Knight.glb",
                                      "khronos/Fox.glb",
                                      "mesh2motion/bird-animations.glb",
                                      "mesh2motion/dragon-animations.glb",
                                      "mesh2motion/fox-animations.glb",
                                      "mesh2motion/horse-animations.glb",
                                      "raylib/robot.glb"};
  const char *folder = getenv("QUATSIMD_DATA");
  if (!folder || !*folder) print_message("SKIP: no QUATSIMD_DATA\n");
  if (!folder || !*folder || check_files(folder, names, sizeof names / sizeof *names) == 0) skip();
}

int main(int argc, char **argv) {
  if (argc > 2 && strcmp(argv[1], "--table") == 0) return table(argv + 2, argc - 2);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_of_assimp),
      cmocka_unit_test(models_of_the_data_folder),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
