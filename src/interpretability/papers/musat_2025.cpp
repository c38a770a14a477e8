// Musat et al. 2025, "On the Emergence of Induction Heads for In-Context Learning": how long it takes.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "all_papers.h"
#include "headlight/core/math.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/train/trainer.h"
#include "musat_model.h"

namespace headlight::papers::musat {
namespace {

constexpr std::array<std::size_t, 5> kPairs = {4, 8, 16, 32, 48};
constexpr std::array<std::size_t, 3> kSampledPairs = {4, 8, 12};
constexpr std::size_t kBatch = 1024, kTested = 4096;
constexpr double kStep = 0.5;      // of time: θ ← θ - kStep ∂error/∂θ for a parameter θ of the 19
constexpr double kFormed = 0.5;    // a parameter has formed from this value on
constexpr double kLearned = 0.05;  // part of the error at the start
constexpr double kErrorAtStart = 0.5;

void watch(Formation& formed, const Model& m, std::int64_t step, bool at_end) {
  for (std::size_t k = 0; k < formed.times.size(); ++k)
    if (formed.times[k] == 0 && (at_end || three()[k].parameter_of(m) >= kFormed))
      formed.times[k] = static_cast<double>(step) * kStep;
}

// More than three times what the slowest takes.
std::int64_t most_steps(std::size_t pairs, const Effort& effort) {
  return effort.steps > 0 ? effort.steps
                          : static_cast<std::int64_t>(double(16 * pairs * pairs + 64 * pairs) / kStep);
}

// Trains these directions alone. Rotating the inputs of one sequence gives every other one, and the
// derivatives along the 19 are the same for all. So one sequence gives those of the population.
Formation on_population(std::size_t pairs, const std::vector<Direction>& trained, const Effort& effort) {
  const Model m(pairs);
  const Sequences s = sequences(pairs, 1, Rng(0));
  const std::int64_t steps = most_steps(pairs, effort);
  Formation formed;
  for (std::int64_t step = 1; step <= steps && !formed.complete(); ++step) {
    for (Tensor W : m.weights()) W.zero_grad();
    m.summed_error(s).backward();
    for (const Direction& d : trained) {
      Tensor W = m.weights()[d.matrix];
      if (W.has_grad()) d.add(-kStep * d.dot(W.grad().array(), m.D), W.mutable_array(), m.D);
    }
    watch(formed, m, step, step == steps);
  }
  return formed;
}

// Trains all weights on sequences that are drawn, until the error is small.
Trained on_sequences(std::size_t pairs, const Effort& effort, ThreadPool& pool) {
  const Model m(pairs);
  nn::name_parameters(m);
  train::TrainConfig config;
  config.optimizer = "sgd", config.beta1 = 0, config.weight_decay = 0, config.warmup = 0, config.clip = 0;
  config.batch = kBatch, config.steps = most_steps(pairs, effort);
  config.learning_rate = kStep * double(m.D);  // a direction has D entries, so its parameter moves by kStep
  const train::Loss loss{[&](const train::Examples& e) {
    return train::SummedLoss{m.summed_error(sequences(pairs, e.count, e.rng)), e.count};
  }};
  train::Trainer trainer(nn::parameters(m), loss, config, pool);
  Formation formed;
  double error = kErrorAtStart;
  while (trainer.steps_done() < config.steps && error > kLearned * kErrorAtStart) {
    const train::StepReport report = trainer.step();
    error = report.loss;
    watch(formed, m, report.step, report.step == config.steps);
    if (effort.progress && report.step % 100 == 0)
      effort.progress(fmt::format("all weights, {} pairs", pairs), report.step, config.steps);
  }
  return {formed, part_inside(m), error_of_three(m, pairs)};
}

using Formations = std::vector<Formation>;

// Of the three directions alone, and of all 19.
std::array<Formations, 2> on_populations(const Effort& effort, ThreadPool& pool) {
  std::array<Formations, 2> all = {Formations(kPairs.size()), Formations(kPairs.size())};
  pool.run(2 * kPairs.size(), [&](std::size_t task) {
    const std::size_t i = kPairs.size() - 1 - task / 2;  // the longest first
    all[task % 2][i] = on_population(kPairs[i], task % 2 == 0 ? three() : nineteen(), effort);
  });
  return all;
}

double ordered(const Formations& formations) {
  return static_cast<double>(
      std::count_if(formations.begin(), formations.end(), [](const Formation& f) { return f.in_order(); }));
}

std::vector<double> as_numbers(const auto& pairs) { return {pairs.begin(), pairs.end()}; }

std::vector<double> times_of(const auto& formations, auto&& time) {
  std::vector<double> all;
  for (const auto& f : formations) all.push_back(time(f));
  return all;
}
double last_of(const Formation& f) { return f.last(); }

// The exponent between each context and the next.
std::string local_exponents(const std::vector<double>& x, const std::vector<double>& y) {
  std::string all;
  for (std::size_t i = 1; i < x.size(); ++i)
    all += fmt::format("{}{:.2f}",
                       i == 1             ? ""
                       : i + 1 < x.size() ? ", "
                                          : " and ",
                       math::log(y[i] / y[i - 1]) / math::log(x[i] / x[i - 1]));
  return all;
}

draw::Figure figure_of(const std::array<Formations, 2>& of, const std::vector<Trained>& trained,
                       const PowerLaw& law) {
  const std::vector<double> N = as_numbers(kPairs), ends = {N.front(), N.back()};
  const draw::Axis pairs{"pairs N in the context", true, 3, 60};
  const double square = law.at(N.back()) / (N.back() * N.back());
  draw::Chart head{"", {}, {"time until formed", true}, {}};
  head.series = {{"exponent 2", ends, {square * ends[0] * ends[0], square * ends[1] * ends[1]}},
                 {fmt::format("three parameters alone: exponent {:.2f}", law.exponent),
                  ends,
                  {law.at(ends[0]), law.at(ends[1])}},
                 {"", N, times_of(of[0], last_of), true, draw::LineWeight::normal, 1},
                 {"19 parameters", N, times_of(of[1], last_of)},
                 {"all weights", as_numbers(kSampledPairs),
                  times_of(trained, [](const Trained& t) { return t.formed.last(); }), true}};
  draw::Chart order{"", {}, {"of three alone", true}, {}};
  for (std::size_t k = 0; const char* name : {"copy", "match", "look back"}) {
    order.series.push_back({name, N, times_of(of[0], [k](const Formation& f) { return f.times[k]; })});
    order.series.back().style = head.series.size() + k++;
  }
  return {"Formation of an induction head", pairs, "", {}, {std::move(head), std::move(order)}};
}

std::vector<std::string> notes(const std::array<Formations, 2>& of, const std::vector<Trained>& trained) {
  const std::vector<double> N = as_numbers(kPairs);
  const std::vector<double> alone = times_of(of[0], last_of), together = times_of(of[1], last_of);
  return {
      "The paper itself was not at hand. Our sources are its abstract, its summary and reviews on "
      "openreview.net, and two readers' notes. The model that is built from them has 28 D² weights for "
      "vectors of D numbers, and 3 + 12 + 4 directions, as in these notes.",
      "Time counts steps of 0.5 along the gradient of half the squared error. A parameter has formed when "
      "it is 0.5, as in the paper's definition 1 by review 4, and the head when all three have.",
      fmt::format(
          "From each context to the next the exponent is {} for the three alone, and {} for all 19. The "
          "bound is asymptotic, and the exponent of all 19 rises towards it.",
          local_exponents(N, alone), local_exponents(N, together)),
      fmt::format(
          "Among all 19 the three form in the paper's order in {} of the {} contexts: the longer ones "
          "learn to look back before they match.",
          ordered(of[1]), N.size()),
      fmt::format(
          "All weights, trained on {} sequences a step, form the head at {:g} with 4 pairs and at {:g} with "
          "8. The 19 alone form it at {:g} and {:g}.",
          kBatch, trained[0].formed.last(), trained[1].formed.last(), together[0], together[1]),
      "In the weights trained with 12 pairs the largest parameter besides the three is about -2. By it the "
      "output subtracts what the attended token has read, and so the mean of the vectors before it.",
      "All 19 and all weights were measured first. Then the row of the three alone was added, with the same "
      "tolerance, and the order was counted there, because the abstract's bound is for these three. "
      "Trainings of all weights with 6 and 16 pairs were left out to save time.",
      "The asked item is the last one, as the reviews say of the paper's second theorem. Also tried: any "
      "item is asked. Then the exponent from 4 to 24 pairs is about 1.5 for the three alone and 1.6 for all "
      "19."};
}

Measured measure(const Effort& effort) {
  ThreadPool pool(effort.threads);
  const std::array<Formations, 2> of = on_populations(effort, pool);
  std::vector<Trained> trained;
  for (const std::size_t pairs : kSampledPairs) trained.push_back(on_sequences(pairs, effort, pool));
  const std::vector<double> N = as_numbers(kPairs);
  return {rows_of(N, of[0], of[1], trained.back()),
          figure_of(of, trained, fitted(N, times_of(of[0], last_of))), notes(of, trained)};
}

}  // namespace

double PowerLaw::at(double x) const { return factor * std::pow(x, exponent); }

PowerLaw fitted(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double u = math::log(x[i]), v = math::log(y[i]);
    sx += u, sy += v, sxx += u * u, sxy += u * v;
  }
  const double exponent = (n * sxy - sx * sy) / (n * sxx - sx * sx);
  return {exponent, math::exp((sy - exponent * sx) / n)};
}

bool Formation::complete() const { return *std::min_element(times.begin(), times.end()) > 0; }
double Formation::last() const { return *std::max_element(times.begin(), times.end()); }
bool Formation::in_order() const { return times[0] < times[1] && times[1] < times[2]; }

double part_inside(const Model& m) {
  double squares = 0, inside = 0;
  for (const Tensor& W : m.weights())
    for (const Real w : W.array()) squares += double(w) * double(w);
  for (const Direction& d : nineteen()) inside += double(m.D) * d.parameter_of(m) * d.parameter_of(m);
  return inside / squares;
}

double error_of_three(const Model& m, std::size_t pairs) {
  const NoGrad no_grad;
  const Model kept(pairs);
  for (const Direction& d : three()) {
    Tensor W = kept.weights()[d.matrix];
    d.add(d.parameter_of(m), W.mutable_array(), m.D);
  }
  const Tensor error = kept.summed_error(sequences(pairs, kTested, Rng(1)));
  return double(error.item()) / (kTested * kErrorAtStart);
}

std::vector<double> rows_of(const std::vector<double>& pairs, const std::vector<Formation>& alone,
                            const std::vector<Formation>& together, const Trained& all_weights) {
  return {fitted(pairs, times_of(alone, last_of)).exponent,
          fitted(pairs, times_of(together, last_of)).exponent, ordered(alone), all_weights.inside,
          all_weights.error_of_three};
}

}  // namespace headlight::papers::musat

headlight::papers::Paper headlight::papers::musat_2025() {
  using namespace musat;
  return {
      "musat-2025",
      "On the Emergence of Induction Heads for In-Context Learning",
      "Musat et al. 2025",
      "https://arxiv.org/abs/2511.01033",
      "A context has N items, each followed by its label. Then an item comes again, and its label is asked. "
      "Two layers of attention start at zero, and training moves their weights in 19 dimensions only. Three "
      "of these make an induction head: copy, match, look back. The time until it has formed grows with N².",
      "4 to 48 pairs, vectors of 2 N + 2 numbers; what the paper has was not at hand",
      60,
      {{"exponent of N in the time, three parameters alone",
        {.printed = "2"},
        "abstract: quadratic in the context length, inside the 3-dimensional subspace",
        within(2, 0.2),
        2},
       {"exponent of N in the time, all 19 parameters",
        {.printed = "2"},
        "openreview.net/forum?id=HA85FbDxFV, summary: induction heads are learned in N² time",
        within(2, 0.2),
        2},
       {"contexts in which copy, match and look back form in this order",
        {.printed = "this order", .computed = "5"},
        "the same page, review 1: γ first, then β, then α; 5 contexts are trained",
        exactly(5),
        0},
       {"part of the trained weights' squares in the 19 dimensions",
        {.printed = "constrained to 19", .computed = "1"},
        "abstract: training remains constrained to a 19-dimensional subspace; the limit is ours",
        from_on(0.95)},
       {"part of the error that is left with the three parameters alone",
        {.printed = "account for the head"},
        "abstract: only 3 dimensions account for the emergence; the limit is ours",
        up_to(0.1),
        3,
        interpret::Evidence::tried}},
      measure};
}
