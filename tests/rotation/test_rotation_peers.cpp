// Compares the functions of rotation.h with the double versions of GLM and of Eigen, which are C++ libraries.
// It prints a line for each comparison, and fails if an error exceeds the limit in rotation.h.
#define GLM_ENABLE_EXPERIMENTAL
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <glm/gtx/euler_angles.hpp>
#include <glm/gtx/quaternion.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "quatsimd/rotation.h"
#include "support/random.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using Eigen::AngleAxisd;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;
using floats = std::vector<float>;

constexpr std::size_t N = 20000;
constexpr double rotations = 3e-7, vectors = 4e-7;
bool failed = false;

void report(const std::string &name, const char *peer, double worst, double limit, const char *unit) {
  const bool good = worst <= limit; // false for NaN
  std::printf("%-20s %-6s %9.3g  %s%s\n", name.c_str(), peer, worst, unit, good ? "" : "   WRONG");
  if (!good) failed = true;
}

void succeeded(quatsimd_status status) {
  if (status == QUATSIMD_OK) return;
  std::printf("status %d\n", static_cast<int>(status));
  failed = true;
}

double larger(double a, double b) { return b <= a ? a : b; } // keeps a NaN in b

// These functions return element i of an array, in a type of Eigen or GLM.
Quaterniond eigen_quat(const floats &q, std::size_t i) {
  return Quaterniond(q[4 * i + 3], q[4 * i], q[4 * i + 1], q[4 * i + 2]);
}
glm::dquat glm_quat(const floats &q, std::size_t i) {
  return glm::dquat(q[4 * i + 3], q[4 * i], q[4 * i + 1], q[4 * i + 2]);
}
Vector3d eigen_vec(const floats &v, std::size_t i) { return Vector3d(v[3 * i], v[3 * i + 1], v[3 * i + 2]); }
glm::dvec3 glm_vec(const floats &v, std::size_t i) {
  return glm::dvec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
}
Quaterniond of(const Quaterniond &q) { return q; }
Quaterniond of(const glm::dquat &q) { return Quaterniond(q.w, q.x, q.y, q.z); }
Vector3d of(const Vector3d &v) { return v; }
Vector3d of(const glm::dvec3 &v) { return Vector3d(v.x, v.y, v.z); }

// Returns the angle of the rotation between two rotations.
double angle(const Quaterniond &a, const Quaterniond &b) {
  const Quaterniond d = a.normalized().conjugate() * b.normalized();
  return 2 * std::atan2(d.vec().norm(), std::abs(d.w()));
}

template <class Exact>
void compare_rotations(const std::string &name, const char *peer, const floats &got, Exact exact) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size() / 4; i++)
    worst = larger(worst, angle(eigen_quat(got, i), of(exact(i))));
  report(name, peer, worst, rotations, "radians");
}
template <class Exact>
void compare_quaternions(const std::string &name, const char *peer, const floats &got,
                         Exact exact) { // lengths too
  double worst = 0;
  for (std::size_t i = 0; i < got.size() / 4; i++) {
    const Quaterniond q = of(exact(i));
    worst = larger(worst, (eigen_quat(got, i).coeffs() - q.coeffs()).norm() / q.norm());
  }
  report(name, peer, worst, vectors, "relative");
}
template <class Exact>
void compare_vectors(const std::string &name, const char *peer, const floats &got, Exact exact) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size() / 3; i++) {
    const Vector3d v = of(exact(i));
    worst = larger(worst, (eigen_vec(got, i) - v).norm() / v.norm());
  }
  report(name, peer, worst, vectors, "relative");
}
template <class Exact>
void compare_scalars(const std::string &name, const char *peer, const floats &got, double scale,
                     Exact exact) {
  double worst = 0;
  for (std::size_t i = 0; i < got.size(); i++)
    worst = larger(worst, std::abs(got[i] - exact(i)) / (scale > 0 ? scale : std::abs(exact(i))));
  report(name, peer, worst, vectors, scale > 0 ? "absolute" : "relative");
}

floats random_numbers(std::size_t n, double low, double high, std::uint64_t seed) {
  floats r(n);
  for (float &f : r) f = static_cast<float>(low + (high - low) * random_unit(&seed));
  return r;
}
floats random_vectors(double size, std::uint64_t seed) {
  floats r(3 * N);
  for (float &f : r) f = static_cast<float>(size * random_gauss(&seed));
  return r;
}
floats random_quaternions(std::uint64_t seed) {
  floats r(4 * N);
  random_rotations(r.data(), N, &seed);
  return r;
}

quatsimd_in in(const floats &f) { return quatsimd_aos(f.data()); }
quatsimd_out out(floats &f) { return quatsimd_aos_out(f.data()); }

// Returns b or -b, whichever is nearer to a.
glm::dquat nearer(const glm::dquat &a, const glm::dquat &b) { return glm::dot(a, b) < 0 ? -b : b; }
glm::dquat shorter(const glm::dquat &q) { return q.w < 0 ? -q : q; }
AngleAxisd turn(const Vector3d &v) { return AngleAxisd(v.norm(), v.normalized()); }
Vector3d rotation_vector(const Quaterniond &q) {
  const AngleAxisd r(q.normalized()); // angle 0 to pi
  return r.angle() * r.axis();
}

void algebra() {
  floats a = random_quaternions(1), b = random_quaternions(2), v = random_vectors(3, 3),
         factors = random_numbers(N, 0.1, 9, 4);
  for (std::size_t i = 0; i < a.size(); i++)
    a[i] *= factors[i / 4], b[i] /= factors[(i / 4 + 7) % N]; // so that lengths differ from 1
  floats q(4 * N), s(N), r(3 * N);
  succeeded(quatsimd_multiply(out(q), in(a), in(b), N));
  compare_quaternions("multiply", "GLM", q, [&](std::size_t i) { return glm_quat(a, i) * glm_quat(b, i); });
  compare_quaternions("multiply", "Eigen", q,
                      [&](std::size_t i) { return eigen_quat(a, i) * eigen_quat(b, i); });
  succeeded(quatsimd_inverse(out(q), in(a), N));
  compare_quaternions("inverse", "GLM", q, [&](std::size_t i) { return glm::inverse(glm_quat(a, i)); });
  compare_quaternions("inverse", "Eigen", q, [&](std::size_t i) { return eigen_quat(a, i).inverse(); });
  succeeded(quatsimd_conjugate(out(q), in(a), N));
  compare_quaternions("conjugate", "GLM", q, [&](std::size_t i) { return glm::conjugate(glm_quat(a, i)); });
  succeeded(quatsimd_normalize(out(q), in(a), N));
  compare_quaternions("normalize", "GLM", q, [&](std::size_t i) { return glm::normalize(glm_quat(a, i)); });
  compare_quaternions("normalize", "Eigen", q, [&](std::size_t i) { return eigen_quat(a, i).normalized(); });
  succeeded(quatsimd_add(out(q), in(a), in(b), N));
  compare_quaternions("add", "GLM", q, [&](std::size_t i) { return glm_quat(a, i) + glm_quat(b, i); });
  succeeded(quatsimd_scale(out(q), in(a), in(factors), N));
  compare_quaternions("scale", "GLM", q,
                      [&](std::size_t i) { return glm_quat(a, i) * static_cast<double>(factors[i]); });
  succeeded(quatsimd_norm(out(s), in(a), N));
  compare_scalars("norm", "GLM", s, 0, [&](std::size_t i) { return glm::length(glm_quat(a, i)); });
  succeeded(quatsimd_dot(out(s), in(a), in(b), N));
  const auto lengths = [&](std::size_t i) { return eigen_quat(a, i).norm() * eigen_quat(b, i).norm(); };
  for (std::size_t i = 0; i < N; i++) s[i] /= static_cast<float>(lengths(i));
  compare_scalars("dot", "Eigen", s, 1,
                  [&](std::size_t i) { return eigen_quat(a, i).dot(eigen_quat(b, i)) / lengths(i); });
  a = random_quaternions(5), b = random_quaternions(6); // lengths at the limits of unit quaternions
  for (std::size_t i = 0; i < a.size(); i++)
    a[i] *= i / 4 % 2 ? 1.00009f : 0.99991f, b[i] *= i / 4 % 3 ? 1 : 1.00009f;
  succeeded(quatsimd_rotate(out(r), in(a), in(v), N));
  compare_vectors("rotate", "GLM", r,
                  [&](std::size_t i) { return glm::normalize(glm_quat(a, i)) * glm_vec(v, i); });
  compare_vectors("rotate", "Eigen", r,
                  [&](std::size_t i) -> Vector3d { return eigen_quat(a, i).normalized() * eigen_vec(v, i); });
  const auto distance = [&](std::size_t i) {
    return eigen_quat(a, i).normalized().angularDistance(eigen_quat(b, i).normalized());
  };
  succeeded(quatsimd_angle_between(out(s), in(a), in(b), N));
  compare_scalars("angle_between", "Eigen", s, 0, distance);
  std::uint64_t random = 7;
  for (std::size_t i = 0; i < a.size(); i++)
    b[i] = a[i] + 1e-5f * static_cast<float>(random_gauss(&random)); // nearly equal
  succeeded(quatsimd_angle_between(out(s), in(a), in(b), N));
  compare_scalars("angle_between, near", "Eigen", s, 0, distance);
}

void interpolation() {
  const floats a = random_quaternions(11), b = random_quaternions(12), c = random_quaternions(13),
               d = random_quaternions(14);
  const floats t = random_numbers(N, 0, 1, 15);
  floats q(4 * N);
  succeeded(quatsimd_slerp(out(q), in(a), in(b), in(t), N));
  compare_rotations("slerp", "GLM", q, [&](std::size_t i) {
    return glm::slerp(glm_quat(a, i), glm_quat(b, i), static_cast<double>(t[i]));
  });
  compare_rotations("slerp", "Eigen", q,
                    [&](std::size_t i) { return eigen_quat(a, i).slerp(t[i], eigen_quat(b, i)); });
  succeeded(quatsimd_nlerp(out(q), in(a), in(b), in(t), N));
  compare_rotations("nlerp", "GLM", q, [&](std::size_t i) {
    return glm::normalize(
        glm::lerp(glm_quat(a, i), nearer(glm_quat(a, i), glm_quat(b, i)), static_cast<double>(t[i])));
  });
  // GLM's squad keeps the signs of quaternions. With the signs that give the shorter arcs, its
  // result equals that of quatsimd_squad.
  succeeded(quatsimd_squad(out(q), in(a), in(c), in(d), in(b), in(t), N));
  compare_rotations("squad", "GLM", q, [&](std::size_t i) {
    const glm::dquat from = glm::normalize(glm_quat(a, i)), to = nearer(from, glm::normalize(glm_quat(b, i)));
    glm::dquat first = glm::normalize(glm_quat(c, i)), second = nearer(first, glm::normalize(glm_quat(d, i)));
    const double at = t[i];
    if (glm::dot(glm::mix(from, to, at), glm::mix(first, second, at)) < 0) first = -first, second = -second;
    return glm::squad(from, to, first, second, at);
  });
  succeeded(quatsimd_squad_control(out(q), in(a), in(b), in(c), N));
  compare_rotations("squad_control", "GLM", q, [&](std::size_t i) {
    const glm::dquat at = glm::normalize(glm_quat(b, i));
    return glm::intermediate(nearer(at, glm::normalize(glm_quat(a, i))), at,
                             nearer(at, glm::normalize(glm_quat(c, i))));
  });
}

void rotation_vectors() {
  const floats axis = random_vectors(2, 21), angles = random_numbers(N, -7, 7, 22),
               a = random_quaternions(23), v = random_vectors(1.5, 24);
  floats q(4 * N), r(3 * N), s(N);
  succeeded(quatsimd_from_axis_angle(out(q), in(axis), in(angles), N));
  compare_rotations("from_axis_angle", "GLM", q, [&](std::size_t i) {
    return glm::angleAxis(static_cast<double>(angles[i]), glm::normalize(glm_vec(axis, i)));
  });
  compare_rotations("from_axis_angle", "Eigen", q, [&](std::size_t i) {
    return Quaterniond(AngleAxisd(angles[i], eigen_vec(axis, i).normalized()));
  });
  succeeded(quatsimd_to_axis_angle(out(r), out(s), in(a), N));
  compare_vectors("to_axis_angle", "GLM", r,
                  [&](std::size_t i) { return glm::axis(shorter(glm::normalize(glm_quat(a, i)))); });
  compare_vectors("to_axis_angle", "Eigen", r,
                  [&](std::size_t i) -> Vector3d { return AngleAxisd(eigen_quat(a, i)).axis(); });
  compare_scalars("to_axis_angle", "GLM", s, 0,
                  [&](std::size_t i) { return glm::angle(shorter(glm::normalize(glm_quat(a, i)))); });
  compare_scalars("to_axis_angle", "Eigen", s, 0,
                  [&](std::size_t i) { return AngleAxisd(eigen_quat(a, i)).angle(); });
  succeeded(quatsimd_exp(out(q), in(v), N));
  compare_rotations("exp", "GLM", q,
                    [&](std::size_t i) { return glm::exp(glm::dquat(0, glm_vec(v, i) / 2.0)); });
  compare_rotations("exp", "Eigen", q, [&](std::size_t i) { return Quaterniond(turn(eigen_vec(v, i))); });
  succeeded(quatsimd_log(out(r), in(a), N));
  compare_vectors("log", "GLM", r, [&](std::size_t i) {
    const glm::dquat log = glm::log(shorter(glm_quat(a, i)));
    return 2.0 * glm::dvec3(log.x, log.y, log.z);
  });
  compare_vectors("log", "Eigen", r, [&](std::size_t i) { return rotation_vector(eigen_quat(a, i)); });
  succeeded(quatsimd_to_cayley(out(r), in(a), N));
  const auto cayley = [&](std::size_t i) -> Vector3d {
    const AngleAxisd turned(eigen_quat(a, i));
    return std::tan(turned.angle() / 4) * turned.axis();
  };
  compare_vectors("to_cayley", "Eigen", r, cayley);
  succeeded(quatsimd_from_cayley(out(q), in(r), N));
  compare_rotations("from_cayley", "Eigen", q, [&](std::size_t i) {
    return Quaterniond(AngleAxisd(4 * std::atan(eigen_vec(r, i).norm()), eigen_vec(r, i).normalized()));
  });
}

void matrices() {
  const floats a = random_quaternions(23);
  floats q(4 * N), m3(9 * N), m4(16 * N);
  succeeded(quatsimd_to_matrix3(out(m3), in(a), N));
  succeeded(quatsimd_to_matrix4(out(m4), in(a), N));
  // elements are compared in the order of memory, because both libraries store matrices column by column
  double worst[4] = {0, 0, 0, 0};
  for (std::size_t i = 0; i < N; i++) {
    const glm::dmat3 g3 = glm::mat3_cast(glm::normalize(glm_quat(a, i)));
    const glm::dmat4 g4 = glm::mat4_cast(glm::normalize(glm_quat(a, i)));
    const Matrix3d e3 = eigen_quat(a, i).normalized().toRotationMatrix();
    Eigen::Affine3d e4 = Eigen::Affine3d::Identity();
    e4.linear() = e3;
    for (std::size_t k = 0; k < 9; k++) {
      worst[0] = larger(worst[0], std::abs(m3[9 * i + k] - glm::value_ptr(g3)[k]));
      worst[1] = larger(worst[1], std::abs(m3[9 * i + k] - e3.data()[k]));
    }
    for (std::size_t k = 0; k < 16; k++) {
      worst[2] = larger(worst[2], std::abs(m4[16 * i + k] - glm::value_ptr(g4)[k]));
      worst[3] = larger(worst[3], std::abs(m4[16 * i + k] - e4.data()[k]));
    }
  }
  for (int k = 0; k < 4; k++)
    report(k < 2 ? "to_matrix3" : "to_matrix4", k % 2 ? "Eigen" : "GLM", worst[k], vectors, "absolute");
  // these matrices are rotations, rounded to float; for other matrices the peers' formulas give other
  // rotations than quatsimd_from_matrix3
  for (std::size_t i = 0; i < N; i++) {
    const glm::dmat4 g4 = glm::mat4_cast(glm::normalize(glm_quat(a, i)));
    for (std::size_t k = 0; k < 16; k++) m4[16 * i + k] = static_cast<float>(glm::value_ptr(g4)[k]);
    for (std::size_t k = 0; k < 9; k++) m3[9 * i + k] = m4[16 * i + k / 3 * 4 + k % 3];
  }
  succeeded(quatsimd_from_matrix3(out(q), in(m3), N));
  compare_rotations("from_matrix3", "GLM", q,
                    [&](std::size_t i) { return glm::quat_cast(glm::dmat3(glm::make_mat3(&m3[9 * i]))); });
  compare_rotations("from_matrix3", "Eigen", q, [&](std::size_t i) {
    return Quaterniond(Matrix3d(Eigen::Map<const Eigen::Matrix3f>(&m3[9 * i]).cast<double>()));
  });
  std::uint64_t random = 25;
  for (std::size_t i = 0; i < N; i++)
    for (std::size_t k = 12; k < 15; k++)
      m4[16 * i + k] = static_cast<float>(9 * random_gauss(&random)); // a random translation
  succeeded(quatsimd_from_matrix4(out(q), in(m4), N));
  compare_rotations("from_matrix4", "GLM", q,
                    [&](std::size_t i) { return glm::quat_cast(glm::dmat4(glm::make_mat4(&m4[16 * i]))); });
}

struct order {
  quatsimd_euler_order value;
  const char *letters;
  bool extrinsic;
  glm::dmat4 (*glm)(double, double, double); // the matrix of the intrinsic order
};
template <glm::dmat4 (*F)(const double &, const double &, const double &)>
glm::dmat4 matrix(double a, double b, double c) {
  return F(a, b, c);
}
#define BOTH(letters)                                                                                        \
  {QUATSIMD_INTRINSIC_##letters, #letters, false, matrix<glm::eulerAngle##letters<double>>}, {               \
    QUATSIMD_EXTRINSIC_##letters, #letters, true, nullptr                                                    \
  }
const order orders[] = {BOTH(XYZ), BOTH(XZY), BOTH(YXZ), BOTH(YZX), BOTH(ZXY), BOTH(ZYX),
                        BOTH(XYX), BOTH(XZX), BOTH(YXY), BOTH(YZY), BOTH(ZXZ), BOTH(ZYZ)};

Quaterniond product(const order &o, const Vector3d &angles) {
  Quaterniond q = Quaterniond::Identity();
  for (int i = 0; i < 3; i++) {
    const AngleAxisd r(angles[i], Vector3d::Unit(o.letters[i] - 'X'));
    q = o.extrinsic ? Quaterniond(r) * q : q * Quaterniond(r);
  }
  return q;
}

void euler_angles() {
  const floats angles = random_numbers(3 * N, -7, 7, 31), a = random_quaternions(32);
  floats q(4 * N), back(3 * N);
  for (const order &o : orders) {
    const std::string name = std::string(o.extrinsic ? "extrinsic " : "intrinsic ") + o.letters;
    succeeded(quatsimd_from_euler(out(q), in(angles), o.value, N));
    compare_rotations(name, "Eigen", q, [&](std::size_t i) { return product(o, eigen_vec(angles, i)); });
    if (o.glm)
      compare_rotations(name, "GLM", q, [&](std::size_t i) {
        const glm::dvec3 v = glm_vec(angles, i);
        return glm::quat_cast(o.glm(v.x, v.y, v.z));
      });
    succeeded(quatsimd_to_euler(out(back), in(a), o.value, N));
    double worst = 0;
    for (std::size_t i = 0; i < N; i++)
      worst = larger(worst, angle(eigen_quat(a, i), product(o, eigen_vec(back, i))));
    report(name + ", to", "Eigen", worst, rotations, "radians");
  }
  // GLM's quaternion of three angles turns about the world's x axis first, then y, then z.
  succeeded(quatsimd_from_euler(out(q), in(angles), QUATSIMD_ROLL_PITCH_YAW, N));
  compare_rotations("roll, pitch, yaw", "GLM", q,
                    [&](std::size_t i) { return glm::dquat(glm_vec(angles, i)); });
}

void motion() {
  const floats a = random_quaternions(41), b = random_quaternions(42), v = random_vectors(3, 43),
               dt = random_numbers(N, 0.01, 1, 44);
  floats q(4 * N), r(3 * N);
  succeeded(quatsimd_integrate(out(q), in(a), in(v), in(dt), N));
  compare_rotations("integrate", "Eigen", q, [&](std::size_t i) {
    return Quaterniond(turn(eigen_vec(v, i) * double(dt[i])) * eigen_quat(a, i));
  });
  compare_rotations("integrate", "GLM", q, [&](std::size_t i) {
    return glm::exp(glm::dquat(0, glm_vec(v, i) * double(dt[i]) / 2.0)) * glm_quat(a, i);
  });
  succeeded(quatsimd_angular_velocity(out(r), in(a), in(b), in(dt), N));
  compare_vectors("angular_velocity", "Eigen", r, [&](std::size_t i) -> Vector3d {
    return rotation_vector(eigen_quat(b, i) * eigen_quat(a, i).inverse()) / dt[i];
  });
  succeeded(quatsimd_predict(out(q), in(a), in(b), N));
  compare_rotations("predict", "GLM", q, [&](std::size_t i) {
    return glm_quat(b, i) * glm::inverse(glm_quat(a, i)) * glm_quat(b, i);
  });
}

void mean() {
  double worst = 0;
  std::uint64_t random = 51;
  const floats all = random_quaternions(52);
  for (std::size_t first = 0, count = 1; first + count <= N;
       first += count, count = 1 + sweep_next(&random) % 100) {
    floats weights = random_numbers(count, 0.1, 1, first),
           q(all.begin() + long(4 * first), all.begin() + long(4 * (first + count)));
    Eigen::Matrix4d sum = Eigen::Matrix4d::Zero();
    for (std::size_t i = 0; i < count; i++) {
      for (std::size_t c = 0; c < 4; c++)
        q[4 * i + c] = q[c] + (i ? 0.6f * q[4 * i + c] : 0); // near the first quaternion
      if (sweep_next(&random) & 1 << 20)
        for (std::size_t c = 0; c < 4; c++) q[4 * i + c] = -q[4 * i + c];
      const Eigen::Vector4d unit = eigen_quat(q, i).normalized().coeffs();
      sum += double(weights[i]) * unit * unit.transpose();
    }
    float got[4];
    const quatsimd_in w = in(weights);
    succeeded(quatsimd_mean(got, in(q), &w, count));
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(sum); // eigenvalues ascend
    worst = larger(worst, angle(Quaterniond(got[3], got[0], got[1], got[2]),
                                Quaterniond(Eigen::Vector4d(solver.eigenvectors().col(3)))));
  }
  report("mean", "Eigen", worst, rotations, "radians");
}

} // namespace

int main() {
  algebra();
  interpolation();
  rotation_vectors();
  matrices();
  euler_angles();
  motion();
  mean();
  return failed;
}
