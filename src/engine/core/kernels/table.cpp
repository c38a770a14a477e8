// The kernels of this level, for level.cpp.
#include "kernels.h"
#include "vectors.h"

namespace headlight::kernels::this_level {

extern const Level table;
const Level table = {kFusesMultiplyAdd,
#define HEADLIGHT_ENTRY(kernel) &this_level::kernel,
                     HEADLIGHT_KERNELS(HEADLIGHT_ENTRY)
#undef HEADLIGHT_ENTRY
};

}  // namespace headlight::kernels::this_level
