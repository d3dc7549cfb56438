/* Rotation algebra: checks arguments, brings chunks of any layout into arrays of components, makes table calls. */
#include "operands.h"

enum { MAX_OUTPUTS = 2, MAX_INPUTS = 5, MAX_COMPONENTS = 17 };

typedef struct shape {
  unsigned char out[MAX_OUTPUTS + 1], in[MAX_INPUTS + 1]; /* components of each argument, 0 behind the last */
} shape;
#define COMPONENTS(...) {__VA_ARGS__}
#define OPERATION(name, outputs, inputs) {COMPONENTS outputs, COMPONENTS inputs},
static const shape shapes[QUATSIMD_OPERATIONS] = {
#include "operations.def"
};

/* Where an order of Euler angles finds the components that intrinsic ones about x, y, z have at 0, 1, 2; and param of its
 * operation. */
typedef struct euler {
  unsigned char axis[3], angle[3];
  int param;
} euler;
static const euler no_euler = {{0, 1, 2}, {0, 1, 2}, 0};

static quatsimd_status run(quatsimd_operation operation, const euler *order, const quatsimd_target *targets,
                           const quatsimd_source *sources, size_t count) {
  const shape *s = &shapes[operation];
  quatsimd_operand out[MAX_OUTPUTS], in[MAX_INPUTS];
  if (count == 0) return QUATSIMD_OK;
  int outputs = 0, inputs = 0;
  for (; s->out[outputs]; outputs++) {
    if (!quatsimd_resolve_target(&out[outputs], s->out[outputs], &targets[outputs])) return QUATSIMD_BAD_ARGUMENT;
  }
  for (; s->in[inputs]; inputs++) {
    if (!quatsimd_resolve_source(&in[inputs], s->in[inputs], &sources[inputs])) return QUATSIMD_BAD_ARGUMENT;
  }

  float in_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK], out_chunk[MAX_COMPONENTS][QUATSIMD_CHUNK];
  quatsimd_operation_fn *const call = quatsimd_active_kernels()->operation[operation];
  for (size_t i = 0; i < count; i += QUATSIMD_CHUNK) {
    const size_t n = count - i < QUATSIMD_CHUNK ? count - i : QUATSIMD_CHUNK;
    const size_t room = quatsimd_room(n);
    const float *from[MAX_COMPONENTS] = {NULL};
    float *to[MAX_COMPONENTS] = {NULL};
    int k = 0;
    for (int a = 0; a < inputs; k += in[a++].components) {
      const bool in_place = in[a].soa && n == room;
      if (!in_place && (in[a].step != 0 || i == 0)) /* an only one is the same in every chunk */
        quatsimd_gather(&in[a], i, in[a].step == 0 ? 1 : n, room, in_chunk + k);
      for (int c = 0; c < in[a].components; c++)
        from[k + c] = in_place ? (const float *)(const void *)in[a].component[c] + i : in_chunk[k + c];
    }
    k = 0;
    for (int a = 0; a < outputs; k += out[a++].components)
      for (int c = 0; c < out[a].components; c++)
        to[k + c] = out[a].soa && n == room ? (float *)(uintptr_t)out[a].component[c] + i : out_chunk[k + c];
    if (order != &no_euler) {
      const float *const given[4] = {from[0], from[1], from[2], from[3]};
      float *const wanted[4] = {to[0], to[1], to[2], to[3]};
      for (int j = 0; j < 3; j++) {
        from[j] = given[s->in[0] == 4 ? order->axis[j] : order->angle[j]];
        to[j] = wanted[s->out[0] == 4 ? order->axis[j] : order->angle[j]];
      }
    }
    call(order->param, to, from, room);
    k = 0;
    for (int a = 0; a < outputs; k += out[a++].components)
      if (!out[a].soa || n != room) quatsimd_scatter(&out[a], i, n, out_chunk + k);
  }
  return QUATSIMD_OK;
}

#define RUN(name, ...) \
  run(QUATSIMD_OPERATION_##name, &no_euler, &out, (const quatsimd_source[]){__VA_ARGS__}, count)

quatsimd_status quatsimd_normalize(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(normalize, q);
}
quatsimd_status quatsimd_conjugate(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(conjugate, q);
}
quatsimd_status quatsimd_inverse(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(inverse, q);
}
quatsimd_status quatsimd_add(quatsimd_target out, quatsimd_source a, quatsimd_source b, size_t count) {
  return RUN(add, a, b);
}
quatsimd_status quatsimd_scale(quatsimd_target out, quatsimd_source q, quatsimd_source factor, size_t count) {
  return RUN(scale, q, factor);
}
quatsimd_status quatsimd_multiply(quatsimd_target out, quatsimd_source a, quatsimd_source b, size_t count) {
  return RUN(multiply, a, b);
}
quatsimd_status quatsimd_dot(quatsimd_target out, quatsimd_source a, quatsimd_source b, size_t count) {
  return RUN(dot, a, b);
}
quatsimd_status quatsimd_norm(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(norm, q);
}
quatsimd_status quatsimd_angle_between(quatsimd_target out, quatsimd_source a, quatsimd_source b, size_t count) {
  return RUN(angle_between, a, b);
}
quatsimd_status quatsimd_rotate(quatsimd_target out, quatsimd_source q, quatsimd_source v, size_t count) {
  return RUN(rotate, q, v);
}
quatsimd_status quatsimd_nlerp(quatsimd_target out, quatsimd_source a, quatsimd_source b, quatsimd_source t, size_t
                               count) {
  return RUN(nlerp, a, b, t);
}
quatsimd_status quatsimd_slerp(quatsimd_target out, quatsimd_source a, quatsimd_source b, quatsimd_source t, size_t
                               count) {
  return RUN(slerp, a, b, t);
}
quatsimd_status quatsimd_squad(quatsimd_target out, quatsimd_source a, quatsimd_source a_control, quatsimd_source
                               b_control, quatsimd_source b, quatsimd_source t, size_t count) {
  return RUN(squad, a, a_control, b_control, b, t);
}
quatsimd_status quatsimd_squad_control(quatsimd_target out, quatsimd_source before, quatsimd_source q, quatsimd_source
                                       after, size_t count) {
  return RUN(squad_control, before, q, after);
}
quatsimd_status quatsimd_from_axis_angle(quatsimd_target out, quatsimd_source axis, quatsimd_source angle, size_t count)
                                         {
  return RUN(from_axis_angle, axis, angle);
}
quatsimd_status quatsimd_exp(quatsimd_target out, quatsimd_source vector, size_t count) {
  return RUN(exp, vector);
}
quatsimd_status quatsimd_log(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(log, q);
}
quatsimd_status quatsimd_from_cayley(quatsimd_target out, quatsimd_source cayley, size_t count) {
  return RUN(from_cayley, cayley);
}
quatsimd_status quatsimd_to_cayley(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(to_cayley, q);
}
quatsimd_status quatsimd_from_matrix3(quatsimd_target out, quatsimd_source matrix, size_t count) {
  return RUN(from_matrix3, matrix);
}
quatsimd_status quatsimd_from_matrix4(quatsimd_target out, quatsimd_source matrix, size_t count) {
  return RUN(from_matrix4, matrix);
}
quatsimd_status quatsimd_to_matrix3(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(to_matrix3, q);
}
quatsimd_status quatsimd_to_matrix4(quatsimd_target out, quatsimd_source q, size_t count) {
  return RUN(to_matrix4, q);
}
quatsimd_status quatsimd_integrate(quatsimd_target out, quatsimd_source q, quatsimd_source velocity, quatsimd_source dt,
                                   size_t count) {
  return RUN(integrate, q, velocity, dt);
}
quatsimd_status quatsimd_integrate_rk4(quatsimd_target out, quatsimd_source q, quatsimd_source velocity_begin,
                                       quatsimd_source velocity_middle, quatsimd_source velocity_end, quatsimd_source
                                       dt, size_t count) {
  return RUN(integrate_rk4, q, velocity_begin, velocity_middle, velocity_end, dt);
}
quatsimd_status quatsimd_angular_velocity(quatsimd_target out, quatsimd_source from, quatsimd_source to, quatsimd_source
                                          dt, size_t count) {
  return RUN(angular_velocity, from, to, dt);
}
quatsimd_status quatsimd_predict(quatsimd_target out, quatsimd_source before, quatsimd_source last, size_t count) {
  return RUN(predict, before, last);
}

quatsimd_status quatsimd_to_axis_angle(quatsimd_target axis, quatsimd_target angle, quatsimd_source q, size_t count) {
  return run(QUATSIMD_OPERATION_to_axis_angle, &no_euler, (const quatsimd_target[]){axis, angle}, &q, count);
}

/* ---- Euler angles ---- */

/* Orders go round: 3 beginning with x, y, z whose second axis is the next one, 3 whose second axis is the one before; then
 * the same with the first axis in place of the third; then all of it extrinsic, which is intrinsic from the last to the
 * first. */
static bool find_euler(quatsimd_euler_order order, euler *e) {
  const unsigned n = (unsigned)order;
  if (n > QUATSIMD_EXTRINSIC_ZYZ) return false;
  const bool extrinsic = n >= 12, repeats = n % 12 >= 6, next = n % 6 < 3;
  const unsigned first = n % 3, second = (first + (next ? 1 : 2)) % 3, third = 3 - first - second;
  const bool swapped = extrinsic && !repeats;
  *e = (euler){{(unsigned char)(swapped ? third : first), (unsigned char)second, (unsigned char)(swapped ? first : third)},
               {extrinsic ? 2 : 0, 1, extrinsic ? 0 : 2},
               (next != swapped ? 0 : 1) | (repeats ? 2 : 0) | (extrinsic ? 4 : 0)};
  return true;
}

quatsimd_status quatsimd_from_euler(quatsimd_target out, quatsimd_source angles, quatsimd_euler_order order, size_t count) {
  euler e;
  return find_euler(order, &e) ? run(QUATSIMD_OPERATION_from_euler, &e, &out, &angles, count) : QUATSIMD_BAD_ARGUMENT;
}
quatsimd_status quatsimd_to_euler(quatsimd_target angles, quatsimd_source q, quatsimd_euler_order order, size_t count) {
  euler e;
  return find_euler(order, &e) ? run(QUATSIMD_OPERATION_to_euler, &e, &angles, &q, count) : QUATSIMD_BAD_ARGUMENT;
}

/* ---- along a track: each key depends on all before it, so one by one ---- */

static void load_quat(const quatsimd_operand *o, size_t i, float q[4]) {
  for (int c = 0; c < 4; c++) {
    const char *p = o->soa ? o->component[c] + i * o->step : o->component[0] + i * o->step + (size_t)c * sizeof(float);
    q[c] = *(const float *)(const void *)p;
  }
}

static void store_quat(const quatsimd_operand *o, size_t i, const float q[4]) {
  for (int c = 0; c < 4; c++) {
    const char *p = o->soa ? o->component[c] + i * o->step : o->component[0] + i * o->step + (size_t)c * sizeof(float);
    *(float *)(void *)(uintptr_t)p = q[c];
  }
}

/* In double: products of floats are exact. */
static double dot(const float a[4], const float b[4]) {
  return ((double)a[0] * b[0] + (double)a[1] * b[1]) + ((double)a[2] * b[2] + (double)a[3] * b[3]);
}

quatsimd_status quatsimd_make_continuous(quatsimd_target q, size_t count) {
  quatsimd_operand o;
  if (count == 0) return QUATSIMD_OK;
  if (!quatsimd_resolve_target(&o, 4, &q)) return QUATSIMD_BAD_ARGUMENT;
  float last[4] = {0, 0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    float key[4];
    load_quat(&o, i, key);
    if (!quatsimd_valid(key[0], key[1], key[2], key[3])) continue;
    const float sign = dot(key, last) < 0 ? -1.0f : 1.0f; /* a select, not a branch */
    for (int c = 0; c < 4; c++) last[c] = key[c] * sign;
    store_quat(&o, i, last);
  }
  return QUATSIMD_OK;
}

/* Jacobi's method on a symmetric matrix: after eight sweeps what is off the diagonal has vanished (the convergence is
 * quadratic). v becomes the eigenvectors, in columns. */
static void diagonalize(double a[4][4], double v[4][4]) {
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++) v[r][c] = r == c;
  for (int sweep = 0; sweep < 8; sweep++)
    for (int p = 0; p < 3; p++)
      for (int q = p + 1; q < 4; q++) {
        if (a[p][q] == 0) continue;
        const double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]), magnitude = theta < 0 ? -theta : theta;
        const double t = (theta < 0 ? -1 : 1) / (magnitude + __builtin_sqrt(theta * theta + 1));
        const double c = 1 / __builtin_sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 4; k++) {
          const double kp = a[k][p], kq = a[k][q];
          a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
        }
        for (int k = 0; k < 4; k++) {
          const double pk = a[p][k], qk = a[q][k];
          a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
        }
        for (int k = 0; k < 4; k++) {
          const double kp = v[k][p], kq = v[k][q];
          v[k][p] = c * kp - s * kq, v[k][q] = s * kp + c * kq;
        }
      }
}

quatsimd_status quatsimd_mean(float mean_xyzw[4], quatsimd_source q, const quatsimd_source *weights, size_t count) {
  quatsimd_operand o = {{NULL}, 0, 0, false}, w = o;
  if (!mean_xyzw) return QUATSIMD_BAD_ARGUMENT;
  if (count > 0 && !quatsimd_resolve_source(&o, 4, &q)) return QUATSIMD_BAD_ARGUMENT;
  if (count > 0 && weights && !quatsimd_resolve_source(&w, 1, weights)) return QUATSIMD_BAD_ARGUMENT;
  double a[4][4] = {{0}}, v[4][4];
  bool all_valid = true;
  for (size_t i = 0; i < count; i++) {
    float key[4];
    load_quat(&o, i, key);
    const double weight = weights ? (double)*(const float *)(const void *)(w.component[0] + i * w.step) : 1, n2 = dot(key, key);
    const bool valid = quatsimd_valid(key[0], key[1], key[2], key[3]) && weight > 0 && weight <= (double)FLT_MAX;
    all_valid &= valid;
    const double factor = valid ? weight / n2 : 0;
    for (int r = 0; r < 4; r++)
      for (int c = r; c < 4; c++) a[r][c] += valid ? factor * key[r] * key[c] : 0;
  }
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < r; c++) a[r][c] = a[c][r];
  diagonalize(a, v);
  int best = 3; /* if all are the same, as for none: the identity */
  for (int k = 2; k >= 0; k--)
    if (a[k][k] > a[best][best]) best = k;
  int largest = 0;
  for (int c = 1; c < 4; c++)
    if (v[c][best] * v[c][best] > v[largest][best] * v[largest][best]) largest = c;
  for (int c = 0; c < 4; c++) mean_xyzw[c] = (float)(v[largest][best] < 0 ? -v[c][best] : v[c][best]);
  return all_valid ? QUATSIMD_OK : QUATSIMD_REPLACED_INVALID;
}
