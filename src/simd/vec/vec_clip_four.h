/* What is the same with all vectors of four lanes; included at the end of their vec_clip_*.h. Contract:
 * clip.h. */
V_INLINE vf v_look_up(const float table[16], uint32_t nibbles, int first) {
  float found[V_LANES];
  for (int i = 0; i < V_LANES; i++) found[i] = table[nibbles >> 4 * (first + i) & 15];
  return v_load(found);
}
