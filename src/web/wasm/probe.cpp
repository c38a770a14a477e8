// Whether a·b + c is rounded once here: with relaxed SIMD the browser's processor decides.
#include "probe.h"

#include "core/kernels/vectors.h"

namespace headlight::lab {

bool rounds_once() {
  using namespace kernels::this_level;
  const volatile float a = 1 + 0x1p-13F, c = -(1 + 0x1p-12F);
  const Vector<4, float> x = broadcast<4>(a), y = broadcast<4>(c);
  return multiply_add(x, x, y)[0] == 0x1p-26F && multiply_add(a, a, c) == 0x1p-26F;
}

}  // namespace headlight::lab
