// Calls the functions in an entry point for each stage: vertex, pixel and compute.
#include "quatsimd.hlsl"

struct varyings {
  float4 position : SV_Position;
  float3 tangent : TANGENT;
  float3 bitangent : BINORMAL;
  float3 normal : NORMAL;
  nointerpolation uint4 words : WORDS;
};

varyings vertex_main(uint4 words : WORDS) {
  varyings to;
  float4 q = quatsimd_unpack_vertex32(words.x);
  to.tangent = quatsimd_tangent(q);
  to.bitangent = quatsimd_bitangent(q, quatsimd_vertex32_handedness(words.x));
  to.normal = quatsimd_normal(q);
  to.words = words;
  float3 position = quatsimd_rotate(quatsimd_unpack_lattice32(words.y), quatsimd_rotate(quatsimd_unpack_half4(words.zw), to.normal));
  to.position = float4(position, 1.0);
  return to;
}

float4 pixel_main(varyings from) : SV_Target {
  float3 normal = quatsimd_rotate(quatsimd_unpack_snorm16x3(from.words.yz), from.normal);
  normal += quatsimd_tangent(quatsimd_unpack_smallest3_32(from.words.x));
  normal += quatsimd_bitangent(quatsimd_unpack_half4(from.words.zw), quatsimd_vertex32_handedness(from.words.x));
  return float4(normal, 1.0);
}

StructuredBuffer<uint2> words;
RWStructuredBuffer<float4> quaternions;

[numthreads(64, 1, 1)]
void compute_main(uint3 id : SV_DispatchThreadID) {
  uint2 word = words[id.x];
  quaternions[id.x] = quatsimd_unpack_half4(word) + quatsimd_unpack_snorm16x3(word) + quatsimd_unpack_vertex32(word.x) +
                      quatsimd_unpack_smallest3_32(word.x) + quatsimd_unpack_lattice32(word.x);
}
