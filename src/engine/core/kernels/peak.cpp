#include "headlight/core/peak.h"

#include "kernels.h"
#include "vectors.h"

namespace headlight::kernels::this_level {

double multiply_adds(std::size_t rounds) {
  constexpr std::size_t kChains = 12;  // three times the four steps that a result takes, for two units
  Vector<kLanes> x[kChains];
  for (auto& chain : x) chain = broadcast<kLanes>(1);
  const Vector<kLanes> half = broadcast<kLanes>(Real(0.5));
  for (std::size_t i = 0; i < rounds; ++i)
    for (auto& chain : x) chain = multiply_add(chain, half, half);
  Real sum = 0;
  for (const auto& chain : x) sum += chain[0];
  // The sum is kChains, which the compiler does not know: it must compute it.
  return 2.0 * kLanes * static_cast<double>(rounds) * static_cast<double>(sum);
}

}  // namespace headlight::kernels::this_level
