// Mistakes that people make together in measured_vjp and gradient_check.
#pragma once

#include <array>
#include <utility>

#include "check_mistakes.h"

namespace mistakes {

enum class Quotient { central, forward, over_h, turned };

template <Quotient quotient, bool with_u, bool averaged>
Tensor measured_wrongly(const Forward& f, const Tensor& x, const Tensor& u) {
  const Forward used = [&](const Tensor& at) {
    const Tensor y = with_u ? u * f(at) : f(at);
    return averaged ? mean(y) : sum(y);
  };
  return each_slope(used, x, ones({}), [](const auto& loss, double here) {
    const double above = loss(here + h), at = loss(here), below = loss(here - h);
    if (quotient == Quotient::forward) return (above - at) / h;
    if (quotient == Quotient::over_h) return (above - below) / h;
    if (quotient == Quotient::turned) return (below - above) / (2 * h);
    return (above - below) / (2 * h);
  });
}

inline std::vector<grader::Together<Measured>> together_in_measured() {
  using enum Quotient;
  return {{{"u-forgotten", "forward-difference"}, measured_wrongly<forward, false, false>},
          {{"u-forgotten", "divided-by-h"}, measured_wrongly<over_h, false, false>},
          {{"u-forgotten", "other-sign"}, measured_wrongly<turned, false, false>},
          {{"u-forgotten", "mean"}, measured_wrongly<central, false, true>},
          {{"mean", "forward-difference"}, measured_wrongly<forward, true, true>},
          {{"mean", "divided-by-h"}, measured_wrongly<over_h, true, true>},
          {{"mean", "other-sign"}, measured_wrongly<turned, true, true>}};
}

// The natural slips of a check, each of which may stand beside the others.
struct Slips {
  bool ones = false, any_shape = false, nan = false, is_signed = false, fixed = false;
};

template <int code>
bool check_with_slips(const Forward& f, const Backward& vjp, const Tensor& x) {
  constexpr Slips slips{(code & 1) != 0, (code & 2) != 0, (code & 4) != 0, (code & 8) != 0, (code & 16) != 0};
  Rng rng(1);
  const Tensor u = slips.ones ? ones(f(x).shape()) : randn(f(x).shape(), rng);
  const Array claimed = vjp(u, x).array(), measured = solution::measured_vjp(f, x, u).array();
  if (claimed.shape() != measured.shape() && !(slips.any_shape && claimed.size() == measured.size()))
    return false;
  return none(claimed, measured, [slips](double c, double m, double tolerance) {
    const double error = slips.is_signed ? c - m : std::abs(c - m), most = slips.fixed ? 1e-6 : tolerance;
    return slips.nan ? error > most : !(error <= most);
  });
}

template <int code>
void add_slips(std::vector<grader::Together<Check>>& all) {
  constexpr std::array kNames{"cotangent-of-ones", "any-shape", "nan-passes", "too-small-passes",
                              "fixed-tolerance"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if ((code >> i & 1) != 0) names.emplace_back(kNames[i]);
  if (names.size() > 1) all.push_back({names, check_with_slips<code>});
}

inline std::vector<grader::Together<Check>> together_in_check() {
  std::vector<grader::Together<Check>> all;
  [&]<int... codes>(std::integer_sequence<int, codes...>) { (add_slips<codes>(all), ...); }
  (std::make_integer_sequence<int, 32>());
  return all;
}

}  // namespace mistakes
