// Includes the headers in C++11. It is compiled with warnings as errors, linked with the library and run.
#include "quatsimd/quatsimd.h"

#include <cstring>

constexpr quatsimd_format format = QUATSIMD_FORMAT_SMALLEST3(9);
static_assert(format == 0x109, "the numbers of formats are constants");
static_assert(QUATSIMD_FORMAT_MIRAGE(20) == 0x214, "as in C");

template <quatsimd_format f> struct of_format { static constexpr int number = f; };
static_assert(of_format<QUATSIMD_FORMAT_SMALLEST3(20)>::number == 0x114, "and template arguments");

int main() {
  const float q[4] = {0, 0, 0, 1};
  float back[4] = {};
  unsigned char packed[4] = {};
  const quatsimd_format_info *info = quatsimd_get_format_info(format);
  return info != nullptr && std::strcmp(info->name, "smallest3:9") == 0 &&
                 quatsimd_pack(format, packed, sizeof packed, quatsimd_aos(q), 1) == QUATSIMD_OK &&
                 quatsimd_unpack(format, quatsimd_view_aos_out(back), packed, sizeof packed, 0, 1) ==
                     QUATSIMD_OK &&
                 back[3] == 1
             ? 0
             : 1;
}
