#include "headlight/core/version.h"

#include <fmt/core.h>

#include "headlight/core/real.h"
#include "headlight/core/xtensor.h"
#include "headlight/version.h"
#include "level.h"

namespace headlight {

std::string version() {
#if defined(__clang__)
  const std::string compiler =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  const std::string compiler = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
  return fmt::format("Headlight {}.{}.{}, xtensor {}.{}.{}, {}, {}{}", HEADLIGHT_VERSION_MAJOR,
                     HEADLIGHT_VERSION_MINOR, HEADLIGHT_VERSION_PATCH, XTENSOR_VERSION_MAJOR,
                     XTENSOR_VERSION_MINOR, XTENSOR_VERSION_PATCH, compiler, kDouble ? "double" : "float",
                     fuses_multiply_add() ? "" : "; its last digits may differ from those of other machines");
}

bool fuses_multiply_add() { return kernels::level().fuses_multiply_add; }

}  // namespace headlight
