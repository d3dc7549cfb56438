/* A character on the ground: game FILE.qsb [OUT.svg]. It stands, walks, runs, jumps and dodges over a hill,
 * as docs/game.md explains. Prints its steps, draws its way, and plays 1,000 of it on one thread and on all.
 * The recipe of FILE.qsb is game.json. For POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <quatsimd/quatsimd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { COUNT = 1000, FRAMES = 60, MOST_JOINTS = 64, MOST_EVENTS = 8, MOST_THREADS = 64, MATRIX = 12 };

/* The clips, and the layers of each character in this order: three are blended, three laid over them. */
enum { IDLE, WALK, RUN, JUMP, DODGE, ATTACK, CLIPS };
static const char *const names[CLIPS] = {"idle", "walk", "run", "jump", "dodge", "attack"};

static const double walk_stride = 0.9, run_stride = 3.65; /* metres a pass; the clips stay in place */

/* What all characters share. Nothing of it changes after loading. */
static quatsimd_skeleton *skeleton;
static quatsimd_clip *clips[CLIPS];
static quatsimd_root_motion *dodge;
static float upper[MOST_JOINTS]; /* the mask of the upper body */
static size_t joints, scratch_size;

/* One character. A joint's matrix is three rows of four floats, the translation last in each row. */
typedef struct character {
  float place[8], step[8]; /* rotation, translation and scale; step: the root motion of a frame */
  float speed;             /* metres per second */
  double phase;            /* passes through walk and run; never wrapped */
  quatsimd_pose_layer layers[CLIPS];
  quatsimd_pose_goal look, feet[2];
  quatsimd_pose_event events[MOST_EVENTS];
  size_t event_count;
  quatsimd_pose_job job;
  float model[MOST_JOINTS * MATRIX];
} character;

typedef struct worker { /* a thread, its memory, and the characters that it plays */
  pthread_t thread;
  character *first, *end;
  void *scratch; /* scratch_size bytes */
  float rotations[MOST_JOINTS * 4], translations[MOST_JOINTS * 3], scales[MOST_JOINTS * 3];
} worker;

static void check(int good, const char *what) {
  if (!good) fprintf(stderr, "%s\n", what), exit(1);
}
static void done(quatsimd_status status) { check(status == QUATSIMD_OK, quatsimd_status_string(status)); }
static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static double between_0_and_1(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

static uint32_t joint(const char *name) {
  const int64_t number = quatsimd_skeleton_find_joint(skeleton, name);
  check(number >= 0, name);
  return (uint32_t)number;
}

static void load(const char *path) {
  static unsigned char data[1 << 20]; /* the clips are played from these bytes */
  static quatsimd_bundle_storage storage;
  static quatsimd_skeleton_storage skeleton_storage;
  static quatsimd_root_motion_storage motion_storage;
  quatsimd_bundle *bundle;
  FILE *file = fopen(path, "rb");
  check(file != NULL, path);
  const size_t size = fread(data, 1, sizeof data, file);
  fclose(file);
  done(quatsimd_bundle_open(&bundle, &storage, sizeof storage, data, size));
  done(quatsimd_bundle_open_skeleton(bundle, &skeleton, &skeleton_storage, sizeof skeleton_storage));
  check((joints = quatsimd_skeleton_joint_count(skeleton)) <= MOST_JOINTS, "too many joints");
  for (int c = 0; c < CLIPS; c++) {
    const int64_t number = quatsimd_bundle_find_clip(bundle, names[c]);
    check(number >= 0, names[c]);
    const size_t bytes = quatsimd_bundle_clip_memory_size(bundle, (size_t)number);
    done(quatsimd_bundle_open_clip(bundle, (size_t)number, &clips[c], malloc(bytes), bytes));
  }
  done(quatsimd_bundle_mask(bundle, "upper", upper, NULL));
  done(quatsimd_root_motion_init(&dodge, &motion_storage, sizeof motion_storage, skeleton, clips[DODGE],
                                 joint("root"), QUATSIMD_ROOT_ACROSS, (const float[]){0, 1, 0}));
}

static void begin(character *c) {
  *c = (character){.place = {0, 0, 0, 1, 0, 0, 0, 1}, .step = {0, 0, 0, 1, 0, 0, 0, 1}};
  for (int l = 0; l < CLIPS; l++) {
    c->layers[l].clip = clips[l];
    c->layers[l].mode = l < JUMP ? QUATSIMD_POSE_MODE_BLEND : QUATSIMD_POSE_MODE_OVER;
    c->layers[l].time = l < JUMP ? 0 : quatsimd_clip_duration(clips[l]); /* at its end: not seen */
  }
  c->layers[ATTACK].mask = upper;
  c->layers[DODGE].motion = dodge;
  c->look.kind = QUATSIMD_POSE_GOAL_AIM, c->look.axis[2] = c->look.limit = 1;
  c->look.joint = joint("head"), c->look.first = joint("chest");
  for (int f = 0; f < 2; f++) { /* the legs */
    c->feet[f].joint = joint(f ? "foot.r" : "foot.l"), c->feet[f].softness = 0.05f;
    c->feet[f].middle = (uint32_t)quatsimd_skeleton_parent(skeleton, c->feet[f].joint);
    c->feet[f].first = (uint32_t)quatsimd_skeleton_parent(skeleton, c->feet[f].middle);
  }
  quatsimd_pose_job *const job = &c->job;
  quatsimd_pose_job_init(job, sizeof *job, sizeof *c->layers);
  job->skeleton = skeleton, job->layers = c->layers, job->layer_count = CLIPS;
  job->model = c->model, job->layout = QUATSIMD_MATRIX_3X4;
  job->goals = &c->look, job->goal_size = sizeof c->look, job->goal_count = 1;
  job->root_rotation = c->step, job->root_translation = c->step + 4;
  job->events = c->events, job->event_size = sizeof *c->events, job->event_capacity = MOST_EVENTS;
  job->event_count = &c->event_count;
}

/* Walking and running at one phase, with weights that fit the speed. */
static void set_layers(character *c, double dt) {
  quatsimd_pose_layer *const l = c->layers;
  const double d0 = quatsimd_clip_duration(l[WALK].clip), d1 = quatsimd_clip_duration(l[RUN].clip);
  const double s0 = walk_stride, s1 = run_stride, v = c->speed, moving = between_0_and_1(v * d0 / s0);
  const double run = between_0_and_1((v * d0 - s0) / (s1 - s0 - v * (d1 - d0)));
  for (int i = 0; i < CLIPS; i++) l[i].last_time = l[i].time, l[i].time += dt;
  c->phase += dt / ((1 - run) * d0 + run * d1);
  l[WALK].time = quatsimd_clip_start(l[WALK].clip) + c->phase * d0;
  l[RUN].time = quatsimd_clip_start(l[RUN].clip) + c->phase * d1;
  l[IDLE].weight = (float)(1 - moving), l[RUN].weight = (float)(moving * run);
  l[WALK].weight = (float)(moving * (1 - run));
  for (int i = JUMP; i < CLIPS; i++) { /* in and out in an eighth of a second */
    const double left = quatsimd_clip_duration(l[i].clip) - l[i].time;
    l[i].weight = (float)between_0_and_1(8 * (left < l[i].time ? left : l[i].time));
  }
}

static float ground(float z) { /* a hill */
  const float t = (float)between_0_and_1((double)(z - 2) / 15), s = t * (1 - t);
  return 17 * s * s;
}

static void update(worker *w, character *c, double dt) {
  static const float bird[3] = {1, 3, 9}; /* all look at it while it is ahead */
  set_layers(c, dt);
  for (int i = 0; i < 3; i++) c->look.target[i] = bird[i] - c->place[4 + i];
  c->look.weight = (float)between_0_and_1((double)c->look.target[2]);
  c->job.local = (quatsimd_pose_out){quatsimd_aos_out(w->rotations), quatsimd_aos_out(w->translations),
                                     quatsimd_aos_out(w->scales), NULL};
  done(quatsimd_pose_evaluate(&c->job, 1, w->scratch, scratch_size, NULL));
  /* The place: the clip moves a dodge, the program a walk and a run. */
  quatsimd_sqt_compose(quatsimd_aos_out(c->place), quatsimd_aos(c->place), quatsimd_aos(c->step), 1);
  c->place[6] += (float)(c->speed * dt) * (1 - c->layers[DODGE].weight);
  /* The character is as low as its lower foot needs; the other one is lifted. */
  float height[2], root[MATRIX];
  for (int f = 0; f < 2; f++) height[f] = ground(c->place[6] + c->model[c->feet[f].joint * MATRIX + 11]);
  c->place[5] = height[0] < height[1] ? height[0] : height[1];
  for (int f = 0; f < 2; f++) {
    for (size_t i = 0; i < 3; i++) c->feet[f].target[i] = c->model[c->feet[f].joint * MATRIX + 4 * i + 3];
    c->feet[f].target[1] += height[f] - c->place[5], c->feet[f].weight = 1 - c->layers[JUMP].weight;
  }
  done(quatsimd_pose_reach(skeleton, &c->job.local, c->feet, sizeof *c->feet, 2,
                           (quatsimd_pose_counts){joints, 0, 1}));
  quatsimd_sqt_to_matrix3x4(quatsimd_aos_out(root), quatsimd_aos(c->place), 1);
  const quatsimd_pose_in pose = {quatsimd_aos(w->rotations), quatsimd_aos(w->translations),
                                 quatsimd_aos(w->scales), NULL};
  done(quatsimd_pose_to_model(skeleton, c->model, QUATSIMD_MATRIX_3X4, &pose, root, joints, 1));
}

/* As a stick figure, seen from its left: 100 units are a metre. */
static void draw(FILE *svg, const character *c) {
  static const char *const colours[CLIPS] = {"#777", "#06c", "#c30", "#093", "#a0a", "#b70"};
  int seen = IDLE;
  for (int l = 0; l < CLIPS; l++) seen = c->layers[l].weight > 0.5f ? l : seen;
  fprintf(svg, "<path stroke=\"%s\" d=\"", colours[seen]);
  for (size_t j = 0; j < joints; j++) {
    const int64_t parent = quatsimd_skeleton_parent(skeleton, j);
    if (parent < (int64_t)joint("hips")) continue; /* no line from the floor */
    const float *to = c->model + j * MATRIX, *from = c->model + (size_t)parent * MATRIX;
    fprintf(svg, "M%.0f %.0fL%.0f %.0f", 100 * (double)from[11], -100 * (double)from[7], 100 * (double)to[11],
            -100 * (double)to[7]);
  }
  fprintf(svg, "\"/>\n");
}

static void live(worker *w, character *hero, const char *path) {
  FILE *svg = fopen(path, "w");
  check(svg != NULL, path);
  fprintf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-60 -270 1980 300\" fill=\"none\" "
               "stroke-width=\"4\">\n<path stroke=\"#888\" d=\"M-60 0");
  for (int z = 0; z < 1920; z += 20) fprintf(svg, "L%d %.1f", z, -100 * (double)ground((float)z / 100));
  fprintf(svg, "\"/>\n");
  float drawn = -2;
  for (int frame = 0; frame < 600; frame++) {
    const float wanted = frame < 30 ? 0 : frame < 240 ? 0.84f : frame < 420 ? 4.5f : 0;
    const float more = wanted - hero->speed, most = 3 / 60.0f;
    hero->speed += more < -most ? -most : more > most ? most : more;
    if (frame == 150) hero->layers[ATTACK].time = 0; /* plays once */
    if (frame == 340) hero->layers[JUMP].time = 0;
    if (frame == 530) hero->layers[DODGE].time = 0;
    update(w, hero, 1 / 60.0);
    for (size_t i = 0; i < hero->event_count && i < MOST_EVENTS; i++) {
      const quatsimd_pose_event *e = &hero->events[i];
      if (e->weight < 0.5f || (e->layer < JUMP && hero->layers[JUMP].weight > 0.5f)) continue; /* not seen */
      printf("%6.3f s  %s: %s\n", frame / 60.0, names[e->layer], e->name);
      const int right = strcmp(e->name, "right") == 0;
      const float z = hero->model[hero->feet[right].joint * MATRIX + 11];
      fprintf(svg, "<circle r=\"5\" fill=\"%s\" cx=\"%.0f\" cy=\"%.0f\"/>\n", right ? "#c30" : "#06c",
              100 * (double)z, -100 * (double)ground(z));
    }
    if (hero->place[6] > drawn + 1) draw(svg, hero), drawn = hero->place[6];
  }
  check(fputs("</svg>\n", svg) >= 0 && fclose(svg) == 0, path);
}

static void *work(void *context) {
  worker *w = context;
  for (int frame = 0; frame < FRAMES; frame++)
    for (character *c = w->first; c < w->end; c++) update(w, c, 1 / 60.0);
  return NULL;
}

/* Plays the crowd on some threads. Returns milliseconds for a frame. */
static double crowd(character *all, worker *workers, size_t threads) {
  for (size_t i = 0; i < COUNT; i++) {
    begin(&all[i]);
    all[i].place[4] = (float)(i % 40), all[i].speed = (float)(i % 46) / 10, all[i].phase = (double)i / 7;
    set_layers(&all[i], 0), all[i].layers[JUMP + i % 3].time = 0;
  }
  const double start = seconds();
  for (size_t t = 0; t < threads; t++) {
    workers[t].first = all + COUNT * t / threads, workers[t].end = all + COUNT * (t + 1) / threads;
    check(pthread_create(&workers[t].thread, NULL, work, &workers[t]) == 0, "pthread_create");
  }
  for (size_t t = 0; t < threads; t++) pthread_join(workers[t].thread, NULL);
  return 1e3 * (seconds() - start) / FRAMES;
}

int main(int argc, char **argv) {
  check(argc == 2 || argc == 3, "usage: game FILE.qsb [OUT.svg]");
  load(argv[1]);
  static character all[COUNT], again[COUNT];
  static worker workers[MOST_THREADS];
  begin(all);
  scratch_size = quatsimd_pose_scratch_size(&all->job, 1);
  for (int t = 0; t < MOST_THREADS; t++) check((workers[t].scratch = malloc(scratch_size)) != NULL, "memory");
  live(&workers[0], all, argc == 3 ? argv[2] : "/dev/null");
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const size_t threads = cores < 1 ? 1 : cores > MOST_THREADS ? MOST_THREADS : (size_t)cores;
  const double one = crowd(all, workers, 1), many = crowd(again, workers, threads);
  for (int i = 0; i < COUNT; i++)
    check(memcmp(all[i].model, again[i].model, sizeof all[i].model) == 0, "other bits on more threads");
  printf("%d characters: %.2f ms a frame on one thread, %.2f ms on %zu\n", COUNT, one, many, threads);
  return 0;
}
