#include "simd/bit_plan.h"

#define N(B) (2 + 3 * (B))
#define BIT(B, element) ((element)*N(B))

/* The pair of element e is elements e & ~1 and e | 1. AT: where the field at bit f of element e begins, in
 * bits from the first byte of the pair. WINDOW: the byte where the field begins, and the next three, counted
 * from that first byte. JUSTIFY: the left shift after which a field of `width` bits ends at bit 31. */
#define AT(B, e, f) (BIT(B, e) + (f)-BIT(B, (e) & ~1) / 8 * 8)
#define WINDOW(B, e, f) AT(B, e, f) / 8, AT(B, e, f) / 8 + 1, AT(B, e, f) / 8 + 2, AT(B, e, f) / 8 + 3
#define JUSTIFY(B, e, f, width) 32 - (width)-AT(B, e, f) % 8

#define SHUFFLE_CB(B, e)                                                                                     \
  { WINDOW(B, e, 0), WINDOW(B, e, B), WINDOW(B, e + 1, 0), WINDOW(B, e + 1, B) }
#define SHUFFLE_AL(B, e)                                                                                     \
  { WINDOW(B, e, 2 * (B)), WINDOW(B, e, 3 * (B)), WINDOW(B, e + 1, 2 * (B)), WINDOW(B, e + 1, 3 * (B)) }
#define SHIFT_CB(B, e)                                                                                       \
  { JUSTIFY(B, e, 0, B), JUSTIFY(B, e, B, B), JUSTIFY(B, e + 1, 0, B), JUSTIFY(B, e + 1, B, B) }
#define SHIFT_AL(B, e)                                                                                       \
  {                                                                                                          \
    JUSTIFY(B, e, 2 * (B), B), JUSTIFY(B, e, 3 * (B), 2), JUSTIFY(B, e + 1, 2 * (B), B),                     \
        JUSTIFY(B, e + 1, 3 * (B), 2)                                                                        \
  }
#define ROWS(X, B)                                                                                           \
  { X(B, 0), X(B, 4), X(B, 2), X(B, 6) }

#define UP(B, e)                                                                                             \
  { BIT(B, e) % 8, BIT(B, (e) + 1) % 8 }
#define CARRY(B, e)                                                                                          \
  { N(B) - BIT(B, e) % 8, N(B) - BIT(B, (e) + 1) % 8 }
#define OFFSET(B, e) BIT(B, e) / 8
#define EIGHT(X, B)                                                                                          \
  { X(B, 0), X(B, 1), X(B, 2), X(B, 3), X(B, 4), X(B, 5), X(B, 6), X(B, 7) }

#define PLAN(B)                                                                                              \
  [B] = {ROWS(SHUFFLE_CB, B),                                                                                \
         ROWS(SHUFFLE_AL, B),                                                                                \
         ROWS(SHIFT_CB, B),                                                                                  \
         ROWS(SHIFT_AL, B),                                                                                  \
         ROWS(UP, B),                                                                                        \
         ROWS(CARRY, B),                                                                                     \
         {OFFSET(B, 0), OFFSET(B, 2), OFFSET(B, 4), OFFSET(B, 6)},                                           \
         EIGHT(OFFSET, B),                                                                                   \
         B,                                                                                                  \
         N(B)}

const bit_plan quatsimd_bit_plans[21] = {PLAN(4),  PLAN(5),  PLAN(6),  PLAN(7),  PLAN(8),  PLAN(9),
                                         PLAN(10), PLAN(11), PLAN(12), PLAN(13), PLAN(14), PLAN(15),
                                         PLAN(16), PLAN(17), PLAN(18), PLAN(19), PLAN(20)};
