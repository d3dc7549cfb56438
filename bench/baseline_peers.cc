// GLM and Eigen, as one writes a loop over them: float, an element at a time. CMakeLists.txt has the
// flags: those of the plain loops for this CPU.
#include "peers.h"

#include <Eigen/Geometry>
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/ext/quaternion_exponential.hpp>

#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)

namespace {
// With glm::make_vec3 gcc stores and loads again, and rotate takes four times as long.
glm::vec3 load_vec(const float *p) { return glm::vec3(p[0], p[1], p[2]); }
// GLM's own order of components depends on its version and on macros.
glm::quat load_quat(const float *p) { return glm::quat(p[3], p[0], p[1], p[2]); }
void store(float *p, const glm::quat &q) { p[0] = q.x, p[1] = q.y, p[2] = q.z, p[3] = q.w; }
void store(float *p, const glm::vec3 &v) { p[0] = v.x, p[1] = v.y, p[2] = v.z; }

using Quat = Eigen::Map<const Eigen::Quaternionf, Eigen::Aligned>; // the arrays of bench are aligned
using QuatOut = Eigen::Map<Eigen::Quaternionf, Eigen::Aligned>;
using Vec = Eigen::Map<const Eigen::Vector3f>;
using VecOut = Eigen::Map<Eigen::Vector3f>;
} // namespace

extern "C" {
#define GLM_TEXT                                                                                             \
  TEXT(GLM_VERSION_MAJOR)                                                                                    \
  "." TEXT(GLM_VERSION_MINOR) "." TEXT(GLM_VERSION_PATCH) "." TEXT(GLM_VERSION_REVISION)
#define EIGEN_TEXT TEXT(EIGEN_WORLD_VERSION) "." TEXT(EIGEN_MAJOR_VERSION) "." TEXT(EIGEN_MINOR_VERSION)
const char peers_versions[] = "GLM " GLM_TEXT ", Eigen " EIGEN_TEXT;

void glm_multiply(float *out, const float *a, const float *b, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) store(out + 4 * i, load_quat(a + 4 * i) * load_quat(b + 4 * i));
}
void glm_nlerp(float *out, const float *a, const float *b, const float *t, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const glm::quat from = load_quat(a + 4 * i), to = load_quat(b + 4 * i);
    store(out + 4 * i, glm::normalize(from * (1 - t[i]) + (glm::dot(from, to) < 0 ? -to : to) * t[i]));
  }
}
void glm_rotate(float *out, const float *q, const float *v, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) store(out + 3 * i, load_quat(q + 4 * i) * load_vec(v + 3 * i));
}
void glm_slerp(float *out, const float *a, const float *b, const float *t, size_t count) {
  for (size_t i = 0; i < count; i++)
    store(out + 4 * i, glm::slerp(load_quat(a + 4 * i), load_quat(b + 4 * i), t[i]));
}
void glm_exp(float *out, const float *v, const float *, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) store(out + 4 * i, glm::exp(glm::quat(0, 0.5f * load_vec(v + 3 * i))));
}
// Faster than glm::log, which computes the logarithm of the length as well. glm::angle is
// wrong for some w < 0.
void glm_log(float *out, const float *q, const float *, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const glm::quat p = load_quat(q + 4 * i), same = p.w < 0 ? -p : p;
    store(out + 3 * i, glm::angle(same) * glm::axis(same));
  }
}

#define GLM(name, expression)                                                                                \
  void glm_##name(float *out, const float *a, const float *b, const float *, size_t count) {                 \
    (void)b;                                                                                                 \
    for (size_t i = 0; i < count; i++) {                                                                     \
      const glm::quat q = load_quat(a + 4 * i);                                                              \
      expression;                                                                                            \
    }                                                                                                        \
  }
GLM(normalize, store(out + 4 * i, glm::normalize(q)))
GLM(conjugate, store(out + 4 * i, glm::conjugate(q)))
GLM(inverse, store(out + 4 * i, glm::inverse(q)))
GLM(add, store(out + 4 * i, q + load_quat(b + 4 * i)))
GLM(scale, store(out + 4 * i, q *b[i]))
GLM(dot, out[i] = glm::dot(q, load_quat(b + 4 * i)))
GLM(norm, out[i] = glm::length(q))

#define EIGEN(name, expression)                                                                              \
  void eigen_##name(float *out, const float *a, const float *b, const float *, size_t count) {               \
    (void)b;                                                                                                 \
    for (size_t i = 0; i < count; i++) {                                                                     \
      const Quat q(a + 4 * i);                                                                               \
      expression;                                                                                            \
    }                                                                                                        \
  }
EIGEN(normalize, QuatOut(out + 4 * i) = q.normalized())
EIGEN(conjugate, QuatOut(out + 4 * i) = q.conjugate())
EIGEN(inverse, QuatOut(out + 4 * i) = q.inverse())
EIGEN(add, QuatOut(out + 4 * i).coeffs() = q.coeffs() + Quat(b + 4 * i).coeffs())
EIGEN(scale, QuatOut(out + 4 * i).coeffs() = q.coeffs() * b[i])
EIGEN(dot, out[i] = q.dot(Quat(b + 4 * i)))
EIGEN(norm, out[i] = q.norm())

void eigen_multiply(float *out, const float *a, const float *b, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) QuatOut(out + 4 * i) = Quat(a + 4 * i) * Quat(b + 4 * i);
}
void eigen_rotate(float *out, const float *q, const float *v, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) VecOut(out + 3 * i) = Quat(q + 4 * i) * Vec(v + 3 * i);
}
void eigen_slerp(float *out, const float *a, const float *b, const float *t, size_t count) {
  for (size_t i = 0; i < count; i++) QuatOut(out + 4 * i) = Quat(a + 4 * i).slerp(t[i], Quat(b + 4 * i));
}
void eigen_exp(float *out, const float *v, const float *, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const Vec vector(v + 3 * i);
    const float angle = vector.norm();
    QuatOut(out + 4 * i) = angle > 0 ? Eigen::Quaternionf(Eigen::AngleAxisf(angle, vector / angle))
                                     : Eigen::Quaternionf::Identity();
  }
}
void eigen_log(float *out, const float *q, const float *, const float *, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const Eigen::AngleAxisf turn(Quat(q + 4 * i));
    VecOut(out + 3 * i) = turn.angle() * turn.axis();
  }
}
}
