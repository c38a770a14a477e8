// Each op on the samples of its tests: its value, its gradient, and the same composed of simpler ops.
#include <fmt/core.h>

#include <map>

#include "checks.h"
#include "headlight/autograd/gradcheck.h"
#include "ops/samples.h"

namespace headlight::hunt {
namespace {

std::string found(const Sample& sample) {
  const double value = digest(sample.function(sample.inputs).array());
  std::string text = "value " + number(value);
  if (sample.reference) {
    const double composed = digest(sample.reference(sample.inputs).array());
    if (!close(value, composed, 1e-9)) text += fmt::format(" (composed of simple ops: {})", number(composed));
  }
  const GradcheckReport report = gradcheck(sample.op, sample.function, sample.inputs);
  if (report.ok) return text + ", gradient as measured";
  return text + fmt::format(", gradient of input {} at {}: computed {}, measured {}", report.input,
                            report.element, number(report.analytic), number(report.numeric));
}

}  // namespace

std::vector<Check> gradient_checks() {
  std::vector<Check> checks;
  std::map<std::string, int> times;
  for (const Sample& sample : samples()) {
    std::string name = sample.op + (sample.what.empty() ? "" : ": " + sample.what);
    if (const int before = times[name]++; before > 0) name += fmt::format(" #{}", before + 1);
    checks.push_back({name, [&sample] { return found(sample); }});
  }
  return checks;
}

}  // namespace headlight::hunt
