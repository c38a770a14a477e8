// What `./headlight show 2` draws: the descent of the learner's fit_curve.
#include "show.h"

#include <fmt/core.h>

#include <cmath>

#include "exercise.h"
#include "headlight/draw/chart.h"
#include "headlight/draw/plane.h"
#include "scalar.h"

Curve fit_curve(const std::vector<double>& xs, const std::vector<double>& ys, Curve start, double rate,
                int steps);

namespace solution {
#include "solution.cpp"
}

namespace {

using show::Drawn;
using Fit = decltype(&fit_curve);

constexpr Curve kStart{1, 3};
constexpr double kRate = 1;
constexpr int kSteps = 200;

// The curve y = ax / (x + b) after some of the steps.
draw::Chart curves(Fit fit) {
  draw::Chart chart{"y = ax / (x + b) comes to the points",
                    {.label = "x", .first = 0, .last = 5},
                    {.label = "y", .first = 0, .last = 2},
                    {{"points", kXs, kYs, true}}};
  for (const int steps : {0, 2, 10, kSteps}) {
    const Curve curve = fit(kXs, kYs, kStart, kRate, steps);
    draw::Series line{fmt::format("after step {}", steps), {}, {}};
    for (int i = 0; i <= 50; ++i) {
      const double x = 0.1 * i;
      line.x.push_back(x);
      line.y.push_back(curve.a * x / (x + curve.b));
    }
    chart.series.push_back(line);
  }
  return chart;
}

double loss_at(double a, double b) {
  double sum = 0;
  for (std::size_t i = 0; i < kXs.size(); ++i) sum += std::pow(a * kXs[i] / (b + kXs[i]) - kYs[i], 2);
  return sum / static_cast<double>(kXs.size());
}

// The path of a and b over the loss.
std::string path(Fit fit) {
  const draw::Axis a{.label = "a", .first = 0.5, .last = 3}, b{.label = "b", .first = 0, .last = 4};
  draw::Series steps{"a and b, step by step", {}, {}};
  Curve curve = kStart;
  for (int step = 0; step <= kSteps; ++step) {
    steps.x.push_back(curve.a), steps.y.push_back(curve.b);
    curve = fit(kXs, kYs, curve, kRate, 1);
  }
  const Array heights = draw::heights_over(a, b, 60, [](double x, double y) {
    const double loss = loss_at(x, y);
    return loss / (loss + 0.1);  // from 0 to 1
  });
  return draw::svg_planes("The path over the loss", {{{"", a, b, {steps}}, heights}}, 1, "low loss",
                          "high loss");
}

}  // namespace

int main(int argc, char** argv) {
  const auto show_curves = [](Fit fit, draw::ColorMode) {
    const draw::Chart chart = curves(fit);
    return Drawn{draw::svg_chart(chart), draw::terminal_table(draw::chart_table(chart))};
  };
  const auto show_path = [](Fit fit, draw::ColorMode) { return Drawn{path(fit)}; };
  return show::run(argc, argv,
                   {"descent",
                    "Lesson 2: your gradient descent",
                    {show::panel("fit_curve", &fit_curve, &solution::fit_curve, show_curves),
                     show::panel("fit_curve", &fit_curve, &solution::fit_curve, show_path)}});
}
