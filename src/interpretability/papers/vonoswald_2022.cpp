// von Oswald et al. 2022, "Transformers learn in-context by gradient descent": one linear attention layer.
#include <fmt/core.h>

#include <cmath>

#include "all_papers.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/train/trainer.h"
#include "measures.h"

namespace headlight::papers::vonoswald {
namespace {

constexpr std::size_t kInputs = 10, kExamples = 10, kToken = kInputs + 1;  // a token is (x, y)
constexpr std::size_t kTested = 10000, kTestedBatches = 20;
constexpr std::int64_t kSteps = 5000, kShownEvery = 50;

// One step of gradient descent from w = 0 on 1/(2N) Σ (w·xᵢ - yᵢ)² gives η C w*, with C = 1/N Σ xᵢ xᵢᵀ. For a
// new x, as xᵢ uniform on [-1, 1] (mean square s = 1/3, mean fourth power 1/5), the mean squared error is
//   s E tr (1 - ηC)² = s (d - 2η d s + η² E tr C²)
//   E tr C² = (E|x|⁴ + (N-1) d s²) / N,   E|x|⁴ = d/5 + d(d-1) s²
// It is least at η = d s / E tr C² = 1.5152, where it is s (d - (d s)² / E tr C²) = 1.6498. Inputs a times as
// large multiply s by a², and E tr C² by a⁴.
constexpr double kSquare = 1.0 / 3, kD = kInputs, kN = kExamples;
constexpr double kTraceOfSquare =
    (kD / 5 + kD * (kD - 1) * kSquare * kSquare + (kN - 1) * kD * kSquare * kSquare) / kN;
constexpr double kBestRate = kD * kSquare / kTraceOfSquare;

struct Regressions {
  Tensor context;  // (B,N,d+1): tokens (x, w·x)
  Tensor query;    // (B,1,d+1): (x, 0)
  Tensor answer;   // (B,1)
};

// Of a task each: w standard normal, inputs uniform on [-scale, scale].
Regressions regressions(std::size_t count, Rng rng, double scale = 1) {
  Array context = Array::from_shape({count, kExamples, kToken});
  Array query = Array::from_shape({count, 1, kToken}), answer = Array::from_shape({count, 1});
  for (std::size_t b = 0; b < count; ++b) {
    const Array w = rng.normal_array({kInputs});
    for (std::size_t i = 0; i <= kExamples; ++i) {
      Real* token = i < kExamples ? &context(b, i, 0) : &query(b, 0, 0);
      Real y = 0;
      for (std::size_t j = 0; j < kInputs; ++j) {
        token[j] = static_cast<Real>(scale * (2 * rng.uniform() - 1));
        y += w(j) * token[j];
      }
      token[kInputs] = i < kExamples ? y : Real(0);
      if (i == kExamples) answer(b, 0) = y;
    }
  }
  return {Tensor(std::move(context)), Tensor(std::move(query)), Tensor(std::move(answer))};
}

// e ← e + Σᵢ (eᵢ W_V P) (e W_Q · eᵢ W_K), over the tokens of the context. There is no softmax.
struct LinearAttention {
  Tensor W_Q, W_K, W_V, P;  // (d+1,d+1)

  explicit LinearAttention(Rng& rng) {
    for (Tensor* W : {&W_Q, &W_K, &W_V, &P})
      *W = parameter(rng.normal_array({kToken, kToken}, 0, std::sqrt(0.002 / kToken)));
  }
  explicit LinearAttention(const Weights& w) : W_Q(w.W_Q), W_K(w.W_K), W_V(w.W_V), P(w.P) {}

  // The predictions (B,m) for queries (B,m,d+1), whose y is 0: -y of the updated query, as in the paper.
  Tensor operator()(const Tensor& context, const Tensor& query) const {
    const Tensor scores = matmul(linear(query, W_Q), linear(context, W_K), {.transpose_y = true});  // (B,m,N)
    const Tensor update = linear(matmul(scores, linear(context, W_V)), P);  // (B,m,d+1)
    return -squeeze(slice(update, -1, static_cast<int>(kInputs)), -1);
  }
  void visit(auto&& v) const { v("W_Q", W_Q), v("W_K", W_K), v("W_V", W_V), v("P", P); }
};

struct Trained {
  LinearAttention layer;
  draw::Series losses;
};

Trained trained(const Effort& effort) {
  ThreadPool pool(effort.threads);
  Rng rng = Rng(0).stream("weights");
  LinearAttention layer(rng);
  train::TrainConfig config;
  config.batch = 2048, config.steps = effort.steps > 0 ? effort.steps : kSteps;
  config.learning_rate = 1e-3, config.warmup = 0, config.weight_decay = 0;
  config.beta2 = 0.98, config.clip = 1e-3;
  const train::Loss loss{[&](const train::Examples& e) {
    const Regressions r = regressions(e.count, e.rng);
    return train::SummedLoss{sum(square(layer(r.context, r.query) - r.answer)), e.count};
  }};
  train::Trainer trainer(nn::parameters(layer), loss, config, pool);
  Trained result{layer, {"the layer", {}, {}}};
  while (trainer.steps_done() < config.steps) {
    const train::StepReport report = trainer.step();
    if (report.step % kShownEvery == 1) {
      result.losses.x.push_back(static_cast<double>(report.step));
      result.losses.y.push_back(report.loss);
    }
    if (effort.progress && report.step % 500 == 0) effort.progress("the layer", report.step, config.steps);
  }
  return result;
}

// Means over tasks.
struct Comparison {
  double error = 0, error_of_step = 0;  // squared, of the layer and of the best gradient step
  double cosine = 0;                    // of the two models' weights
  double along = 0, length = 0;  // Σ u·g and Σ g·g, with u the layer's weights and g the step's at η = 1
};

// The layer's prediction is linear in the query's x: its weights are its predictions for the unit vectors.
Tensor unit_queries(std::size_t count) {
  Array units(Shape{count, kInputs, kToken}, Real(0));
  for (std::size_t b = 0; b < count; ++b)
    for (std::size_t j = 0; j < kInputs; ++j) units(b, j, j) = 1;
  return Tensor(std::move(units));
}

void compare(const LinearAttention& layer, double scale, const Rng& rng, Comparison& sums) {
  const Regressions r = regressions(kTested, rng, scale);
  const Array u = layer(r.context, unit_queries(kTested)).array();
  const Array &context = r.context.array(), &query = r.query.array(), &answer = r.answer.array();
  for (std::size_t b = 0; b < kTested; ++b) {
    double prediction = 0, of_step = 0, uu = 0, ug = 0, gg = 0;
    for (std::size_t j = 0; j < kInputs; ++j) {
      double g = 0;
      for (std::size_t i = 0; i < kExamples; ++i)
        g += double(context(b, i, kInputs)) * double(context(b, i, j)) / kN;
      const double weight = double(u(b, j)), x = double(query(b, 0, j));
      prediction += weight * x, of_step += kBestRate * g * x;
      uu += weight * weight, ug += weight * g, gg += g * g;
    }
    const double y = double(answer(b, 0));
    sums.error += (prediction - y) * (prediction - y), sums.error_of_step += (of_step - y) * (of_step - y);
    sums.cosine += ug / std::sqrt(uu * gg), sums.along += ug, sums.length += gg;
  }
}

Comparison compared(const LinearAttention& layer, double scale, std::size_t batches) {
  const NoGrad no_grad;
  Comparison c;
  for (std::size_t i = 0; i < batches; ++i) compare(layer, scale, Rng(1).stream("tested", i), c);
  const double count = static_cast<double>(kTested * batches);
  c.error /= count, c.error_of_step /= count, c.cosine /= count;
  return c;
}

std::vector<double> numbers(const Comparison& usual, const Comparison& larger) {
  return {usual.error, usual.cosine, usual.along / usual.length, larger.error};
}

Measured measure(const Effort& effort) {
  Trained t = trained(effort);
  const Comparison usual = compared(t.layer, 1, kTestedBatches),
                   larger = compared(t.layer, 2, kTestedBatches);
  const double last = t.losses.x.back();
  draw::Figure figure{"Linear regression in context", {"training step"}, "", {}, {}};
  figure.charts.push_back(
      {"squared error",
       {},
       {"squared error", false, 0.0},
       {std::move(t.losses), {"the best gradient step", {1, last}, {error_of_step(1), error_of_step(1)}}}});
  return {
      numbers(usual, larger),
      std::move(figure),
      {"For d = 10 inputs and N = 10 examples, s is the mean square 1/3 of an input, C the mean "
       "of x xᵀ over the examples, and E tr C² = (d/5 + d (d - 1) s² + (N - 1) d s²) / N = 2.2. "
       "Always answering 0 has the error d s = 3.33.",
       "The authors' code draws inputs from -0.5 to 0.5 and halves the error. Both together divide the "
       "first row by 8.",
       fmt::format("On the same {} tasks the gradient step has an error of {:.4f}, and of {:.2f} on inputs "
                   "twice as large.",
                   kTested * kTestedBatches, usual.error_of_step, larger.error_of_step)}};
}

}  // namespace

double best_rate() { return kBestRate; }

double error_of_step(double scale) {
  const double a = scale * scale, s = a * kSquare;
  return s * (kD - 2 * kBestRate * kD * s + kBestRate * kBestRate * a * a * kTraceOfSquare);
}

std::vector<double> rows_of(const Weights& layer, std::size_t batches) {
  const LinearAttention attention(layer);
  return numbers(compared(attention, 1, batches), compared(attention, 2, batches));
}

}  // namespace headlight::papers::vonoswald

headlight::papers::Paper headlight::papers::vonoswald_2022() {
  using namespace vonoswald;
  const double error = error_of_step(1), larger = error_of_step(2);
  const std::string formula = ", computed for the best gradient step: s (d - 2η d s + η² E tr C²)";
  return {
      "vonoswald-2022",
      "Transformers learn in-context by gradient descent",
      "von Oswald et al. 2022",
      "https://arxiv.org/abs/2212.07677",
      "One attention layer without softmax reads ten examples of a linear function and predicts an eleventh. "
      "Training makes the layer take one step of gradient descent from zero, with the best step size.",
      "one training instead of five",
      16,
      {{"squared error of the layer",
        {.computed = fmt::format("{:.4f}", error)},
        "figure 2, outer left" + formula,
        within_part(error, 0.015),
        4},
       {"cosine of its weights and the gradient step's",
        {.printed = "almost perfect", .read_off = "almost 1"},
        "figure 2, centre left: \"almost perfect alignment\"",
        from_on(0.99),
        4},
       {"step size η that it takes",
        {.computed = fmt::format("{:.4f}", kBestRate)},
        "section 3: the best by line search, computed: d s / E tr C²",
        within_part(kBestRate, 0.03),
        4},
       {"squared error on inputs twice as large",
        {.computed = fmt::format("{:.1f}", larger)},
        "figure 2, outer right" + formula,
        within_part(larger, 0.1),
        1}},
      measure};
}
