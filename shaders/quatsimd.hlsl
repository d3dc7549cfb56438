// Rotations in the formats of libquatsimd, unpacked by a shader: HLSL of shader model 5 and later, every stage.
// Include this file or paste it; it declares functions alone. It is quatsimd.glsl in the words of HLSL.
//
// Quaternions are x, y, z, w. Words are as in memory, little-endian: formats of 32 bits are a uint; those of 48 and 64 bits are a
// uint2, the low word first. Any word unpacks to a unit quaternion, that of quatsimd_unpack but for float rounding: about 1e-6
// radians, up to 1.4e-3 where a component that is left out is nearly 0 (snorm16x3 near half turns; smallest three in words that no
// encoder writes). Words that are no rotation are told by integers, so that every GPU finds the same ones. The library's
// docs/codec.md defines the formats.
#ifndef QUATSIMD_HLSL
#define QUATSIMD_HLSL

// The quaternion with this component `largest` and, in ascending order, these others.
float4 quatsimd_with_largest(uint largest, float value, float3 rest) {
  return largest == 0u ? float4(value, rest)
       : largest == 1u ? float4(rest.x, value, rest.yz)
       : largest == 2u ? float4(rest.xy, value, rest.z)
                       : float4(rest, value);
}

// A finite half from the low 16 bits. By hand as in GLSL, where some GPUs flush subnormal numbers.
float quatsimd_half_to_float(uint bits) {
  uint exponent = bits >> 10 & 31u, significand = bits & 0x3ffu;
  float magnitude = exponent == 0u ? float(significand) * 5.9604644775390625e-8 // 2^-24
                                   : asfloat((exponent + 112u) << 23 | significand << 13);
  return (bits & 0x8000u) != 0u ? -magnitude : magnitude;
}

// ---- formats ----

// Four halves. Zeros, infinities and NaN give the identity.
float4 quatsimd_unpack_half4(uint2 words) {
  // An exponent of 31 and one more runs into the bit of the sign.
  uint2 carried = (words & 0x7c007c00u) + 0x04000400u;
  bool finite = ((carried.x | carried.y) & 0x80008000u) == 0u;
  bool zero = ((words.x | words.y) & 0x7fff7fffu) == 0u;
  float4 q = float4(quatsimd_half_to_float(words.x), quatsimd_half_to_float(words.x >> 16),
                    quatsimd_half_to_float(words.y), quatsimd_half_to_float(words.y >> 16));
  return finite && !zero ? q * rsqrt(dot(q, q)) : float4(0.0, 0.0, 0.0, 1.0);
}

// x, y, z as 16-bit numbers, w >= 0. The upper half of words.y is ignored.
float4 quatsimd_unpack_snorm16x3(uint2 words) {
  int3 codes = max(int3(int(words.x << 16) >> 16, int(words.x) >> 16, int(words.y << 16) >> 16), -32767);
  uint one = 1073676289u; // 32767^2
  uint n2 = uint(codes.x * codes.x) + uint(codes.y * codes.y) + uint(codes.z * codes.z);
  // Where x, y, z are too long w is 0 and they are shortened.
  return float4(float3(codes), sqrt(float(one - min(n2, one)))) * rsqrt(float(max(n2, one)));
}

// The rotation of a QTangent; its handedness is quatsimd_vertex32_handedness.
float4 quatsimd_unpack_vertex32(uint word) {
  float4 q = float4(max(int3(int(word << 24) >> 24, int(word << 16) >> 24, int(word << 8) >> 24), -127),
                    2 * int(word >> 24 & 127u) - 127); // in units of 1/127, whole numbers; w is odd and so never 0
  return q * rsqrt(dot(q, q));
}

// 1, or -1 where bit 31 is set.
float quatsimd_vertex32_handedness(uint word) { return (word & 0x80000000u) != 0u ? -1.0 : 1.0; }

// Smallest three with 10 bits. Components too long, which no encoder writes, give the identity.
float4 quatsimd_unpack_smallest3_32(uint word) {
  int3 codes = int3(int(word << 2) >> 22, int(word << 12) >> 22, int(word << 22) >> 22);
  // A unit quaternion is 522242.35337 units long, squared: (1.414214 * 511)^2 as floats have it. The fraction is added
  // last, or little would be left of it.
  float unit = 0.00138377014;
  int room = 522242 - (codes.x * codes.x + codes.y * codes.y + codes.z * codes.z);
  float largest = sqrt(float(max(room, 0)) + 0.35337) * unit;
  return room < 0 ? float4(0.0, 0.0, 0.0, 1.0) : quatsimd_with_largest(word >> 30, largest, float3(codes) * unit);
}

float4 quatsimd_unpack_lattice32(uint word) {
  // Digits to the base 203 from -101 to 101, or 102 for the first. The sign bit flipped and the rest of
  // ((102 * 203) + 101) * 203 + 101 added, they are all positive, and so is the division.
  uint m = ((word >> 7 & 0x7fffffu) ^ 0x400000u) + 29618u;
  int3 digits = int3(int(m / 41209u), int(m / 203u % 203u), int(m % 203u)) - int3(102, 101, 101);
  int3 low = int3(int(word << 26) >> 30, int(word << 28) >> 30, int(word << 30) >> 30);
  float3 g = float3(8 * digits + 2 * low + int(word >> 6 & 1u)) * 0.5;
  float3 rest = g * (445733.375 + g * g); // the warp, in units of 1/246952144
  float largest = 246952144.0;
  float r = rsqrt(dot(rest, rest) + largest * largest);
  return quatsimd_with_largest(word >> 30, largest * r, rest * r);
}

// ---- what to do with unit quaternions ----
// Normalise what was interpolated; between q and -q, which are one rotation, nothing can be.

// q v q^-1
float3 quatsimd_rotate(float4 q, float3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }

// The axes of a vertex's QTangent: where q turns x, y and z, the second one mirrored where handedness is -1.
float3 quatsimd_tangent(float4 q) {
  return float3(1.0 - 2.0 * (q.y * q.y + q.z * q.z), 2.0 * (q.x * q.y + q.w * q.z), 2.0 * (q.x * q.z - q.w * q.y));
}
float3 quatsimd_bitangent(float4 q, float handedness) {
  return float3(2.0 * (q.x * q.y - q.w * q.z), 1.0 - 2.0 * (q.x * q.x + q.z * q.z), 2.0 * (q.y * q.z + q.w * q.x)) * handedness;
}
float3 quatsimd_normal(float4 q) {
  return float3(2.0 * (q.x * q.z + q.w * q.y), 2.0 * (q.y * q.z - q.w * q.x), 1.0 - 2.0 * (q.x * q.x + q.y * q.y));
}

#endif
