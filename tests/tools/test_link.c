/* Checks that the simulated link loses, repeats, delays and reorders packets as its settings say. */
#include "streams/link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

enum { SENT = 1000000 };

struct outcome {
  int came[SENT]; /* number of arrivals of each packet */
  double at[SENT];
  size_t all, lost, twice, bursts, overtaken;
};
static struct outcome outcome, other;

/* Sends one packet each millisecond. */
static void pass(struct outcome *o, const struct link_settings *settings, size_t number) {
  struct link_way way = link_open(settings, number);
  struct link_delivery next = {0};
  memset(o, 0, sizeof *o);
  for (size_t i = 0; i < SENT; i++) link_send(&way, 0.001 * (double)i, i);
  double last = 0;
  for (size_t before = 0; link_take(&way, 1e9, &next); before = next.what, last = next.at, o->all++) {
    assert_true(next.at >= last);
    o->came[next.what]++, o->at[next.what] = next.at;
    o->overtaken += next.what < before;
  }
  for (size_t i = 0; i < SENT; i++) {
    o->lost += o->came[i] == 0, o->twice += o->came[i] == 2;
    o->bursts += o->came[i] == 0 && (i == 0 || o->came[i - 1]);
  }
  assert_int_equal(o->all, SENT - o->lost + o->twice);
  link_close(&way);
}

static void assert_near(double found, double expected, double tolerance) {
  assert_true(found > expected - tolerance && found < expected + tolerance);
}

static void nothing_is_lost_of_itself(void **state) {
  const struct link_settings settings = {.burst = 1};
  (void)state;
  pass(&outcome, &settings, 0);
  assert_int_equal(outcome.all, SENT);
  assert_int_equal(outcome.overtaken, 0);
  for (size_t i = 0; i < SENT; i++) assert_true(outcome.at[i] == 0.001 * (double)i);
}

static void losses_come_in_bursts(void **state) {
  static const double losses[] = {0.02, 0.2, 0.5}, bursts[] = {1, 1.25, 3, 10};
  (void)state;
  for (int l = 0; l < 3; l++)
    for (int b = 0; b < 4; b++) {
      const struct link_settings settings = {.loss = losses[l], .burst = bursts[b]};
      pass(&outcome, &settings, 0);
      assert_near((double)outcome.lost / SENT, losses[l], 0.1 * losses[l]);
      assert_near((double)outcome.lost / (double)outcome.bursts, bursts[b], 0.08 * bursts[b]);
    }
}

static void some_come_twice(void **state) {
  const struct link_settings settings = {.loss = 0.5, .burst = 2, .duplicate = 0.1, .jitter = 0.01};
  (void)state;
  pass(&outcome, &settings, 0);
  assert_near((double)outcome.twice / (double)(SENT - outcome.lost), 0.1, 0.01);
}

static void all_are_late(void **state) {
  struct link_settings settings = {.burst = 1, .delay = 0.1, .jitter = 0.05, .reorder = true};
  double least = 1, most = 0, sum = 0;
  (void)state;
  pass(&outcome, &settings, 0);
  for (size_t i = 0; i < SENT; i++) {
    const double late = outcome.at[i] - 0.001 * (double)i;
    least = late < least ? late : least, most = late > most ? late : most, sum += late / SENT;
  }
  assert_near(least, 0.1, 0.0001), assert_near(most, 0.15, 0.0001), assert_near(sum, 0.125, 0.001);
  assert_true(outcome.overtaken > SENT / 10);
  settings.reorder = false;
  pass(&outcome, &settings, 0);
  assert_int_equal(outcome.overtaken, 0);
  for (size_t i = 0; i < SENT; i++) /* packets that wait for earlier packets are also at most 0.15 late */
    assert_near(outcome.at[i] - 0.001 * (double)i, 0.125, 0.0251);
}

static void it_is_taken_when_it_is_there(void **state) {
  const struct link_settings settings = {.burst = 1, .delay = 1};
  struct link_way way = link_open(&settings, 0);
  struct link_delivery next;
  (void)state;
  link_send(&way, 2, 7);
  assert_false(link_take(&way, 2.999, &next));
  assert_true(link_take(&way, 3, &next));
  assert_true(next.at == 3 && next.what == 7);
  assert_false(link_take(&way, 4, &next));
  link_close(&way);
}

static void luck_is_that_of_seed_and_number(void **state) {
  struct link_settings settings = {.loss = 0.3, .burst = 2, .seed = 5};
  (void)state;
  pass(&outcome, &settings, 1);
  pass(&other, &settings, 1);
  assert_memory_equal(&outcome, &other, sizeof outcome);
  pass(&other, &settings, 2);
  assert_memory_not_equal(outcome.came, other.came, sizeof outcome.came);
  settings.seed = 6;
  pass(&other, &settings, 1);
  assert_memory_not_equal(outcome.came, other.came, sizeof outcome.came);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_lost_of_itself),
      cmocka_unit_test(losses_come_in_bursts),
      cmocka_unit_test(some_come_twice),
      cmocka_unit_test(all_are_late),
      cmocka_unit_test(it_is_taken_when_it_is_there),
      cmocka_unit_test(luck_is_that_of_seed_and_number),
  };
  return cmocka_run_group_tests_name("link", tests, NULL, NULL);
}
