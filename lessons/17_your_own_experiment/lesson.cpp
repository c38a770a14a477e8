// Lesson 17: a row of a paper, from its description to a verdict.
#include <algorithm>
#include <string>
#include <vector>

#include "choosing.h"
#include "lesson_program.h"
#include "pictures.h"
#include "training.h"

using namespace headlight;
using namespace headlight::lesson;

// 1. The mean squared error of one gradient step with rate η, on inputs whose mean square is s, from the
// moments of the inputs.
constexpr double kD = kInputs, kN = kExamples;
double error_of_step(double rate, double scale = 1) {
  const double s = scale * scale / 3, fourth = scale * scale * scale * scale / 5;
  const double trace = (kD * fourth + kD * (kD - 1) * s * s + (kN - 1) * kD * s * s) / kN;
  return s * (kD - 2 * rate * kD * s + rate * rate * trace);
}
constexpr double kBestRate = (kD / 3) / ((kD / 5 + kD * (kD - 1) / 9 + (kN - 1) * kD / 9) / kN);

void the_question(ThreadPool& pool) {
  section("1. A question, and a number that answers it");
  say("The squared error of one who                computed   on the held-out tasks");
  const auto line = [&](const std::string& what, double rate) {
    const MeanError e =
        error_on(kHeldOut, pool, [&](const Regressions& r) { return gradient_step(r, rate); });
    say("  {:<42}{:10.3f}{:12.3f} ± {:.3f}", what, error_of_step(rate), e.mean, e.standard_error);
  };
  line("always answers 0", 0);
  line("takes a gradient step with η = 1", 1);
  line(fmt::format("takes the best step, η = {:.3f}", kBestRate), kBestRate);
  say("  {:<42}{:10.3f}", "solves the ten equations", 0.0);
}

// A row, as ./headlight paper prints it.
struct Row {
  std::string what;
  double predicted, tolerance;  // a part of it
};
const std::vector<Row> kRows{{"squared error of the layer", error_of_step(kBestRate), 0.02},
                             {"step size η that it takes", kBestRate, 0.03},
                             {"squared error, inputs twice as large", error_of_step(kBestRate, 2), 0.10}};

void the_prediction() {
  section("2. The prediction, before anything is trained");
  for (const Row& row : kRows)
    say("  {:<38}{:8.3f} ± {:2.0f} %   {:6.3f} … {:6.3f}", row.what, row.predicted, 100 * row.tolerance,
        row.predicted * (1 - row.tolerance), row.predicted * (1 + row.tolerance));
}

// 3.
const std::vector<double> kRates{0.001, 0.003, 0.01, 0.03};
constexpr std::size_t kSeeds = 5;

std::vector<Recipe> recipes(const std::vector<double>& rates, std::size_t seeds, Told told) {
  std::vector<Recipe> all;
  for (const double rate : rates)
    for (std::size_t seed = 1; seed <= seeds; ++seed) all.push_back({rate, seed, told, seed == 1});
  return all;
}

std::string in_columns(const std::vector<double>& numbers) {
  std::string line;
  for (const double x : numbers) line += fmt::format("{:8.3f}", std::abs(x) < 0.0005 ? 0 : x);  // not -0.000
  return line;
}

double mean_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += x;
  return sum / static_cast<double>(numbers.size());
}

double deviation_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += (x - mean_of(numbers)) * (x - mean_of(numbers));
  return std::sqrt(sum / static_cast<double>(numbers.size() - 1));
}

// The layers of one rate, one for each seed.
std::vector<Trained> layers_of(const std::vector<Trained>& all, double rate) {
  std::vector<Trained> some;
  for (const Trained& t : all)
    if (t.recipe.rate == rate) some.push_back(t);
  return some;
}

std::vector<double> errors_of(const std::vector<Trained>& layers, const DataPart& part, ThreadPool& pool) {
  std::vector<double> errors;
  for (const Trained& t : layers) errors.push_back(error_on(part, pool, t.layer).mean);
  return errors;
}

double chosen_rate(const Pictures& pictures, const std::vector<Trained>& all, ThreadPool& pool) {
  section("3. A choice, on the validation part");
  say("  learning rate   validation error of seed 1 … {}              mean", kSeeds);
  double best = 0, least = INFINITY;
  std::vector<std::vector<double>> errors;
  for (const double rate : kRates) {
    errors.push_back(errors_of(layers_of(all, rate), kValidation, pool));
    const double mean = mean_of(errors.back());
    say("  {:<13}{}   {:8.3f}", rate, in_columns(errors.back()), mean);
    if (mean < least) least = mean, best = rate;
  }
  say("The choice: {}", best);
  pictures.write("rates.svg", svg_rates(kRates, errors, error_of_step(kBestRate)));
  return best;
}

// Each row of the layers that were trained with the same settings, with its verdict.
void show_rows(const std::vector<Trained>& layers, ThreadPool& pool) {
  std::vector<double> rates;
  for (const Trained& t : layers) rates.push_back(rate_taken(t.layer, kHeldOut));
  const std::vector<std::vector<double>> ours{errors_of(layers, kHeldOut, pool), rates,
                                              errors_of(layers, kTwiceAsLarge, pool)};
  say("                                          seed 1 … {}", layers.size());
  for (std::size_t i = 0; i < kRows.size(); ++i) say("  {:<36}{}", kRows[i].what, in_columns(ours[i]));
  say("\n                                      predicted    mean   deviation    std. error");
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const auto& [what, predicted, tolerance] = kRows[i];
    const double mean = mean_of(ours[i]), deviation = deviation_of(ours[i]);
    const bool agrees = std::abs(mean - predicted) <= tolerance * predicted;
    say("  {:<36}{:9.3f}{:9.3f}{:11.3f}{:13.3f}   {}", what, predicted, mean, deviation,
        deviation / std::sqrt(static_cast<double>(layers.size())), agrees ? "agrees" : "differs");
  }
}

// 5. Each example has its answer from a function of its own, and all else is the same.
void the_control(const Pictures& pictures, std::vector<Trained> all, double rate, ThreadPool& pool) {
  section("5. A control that must fail");
  const std::vector<Trained> control = train_all(recipes({rate}, 3, Told::nothing), pool);
  say("Trained on examples with answers from ten different functions:");
  show_rows(control, pool);
  all.push_back(control[0]);
  pictures.write("training.svg", svg_training(all, error_of_step(kBestRate)));
}

void a_row_that_differs(const std::vector<Trained>& all, ThreadPool& pool) {
  section("6. A row that differs");
  const double slow = mean_of(errors_of(layers_of(all, 0.001), kValidation, pool));
  say("Predicted {:.3f}; validation error with the rate 0.001: {:.3f}", error_of_step(kBestRate), slow);
  say("Inputs from -0.5 to 0.5, and half of the squared error: {:.3f}",
      error_of_step(4 * kBestRate, 0.5) / 2);
}

void what_choosing_flatters(const Pictures& pictures) {
  section("7. What choosing on the test part does");
  say("        chosen on the test part     chosen on the validation part");
  say("     k   its score   fresh data       its score   test part");
  const std::vector<std::size_t> ks{1, 3, 10, 30, 100, 300, 1000};
  std::vector<Reported> all;
  for (const std::size_t k : ks) {
    const Reported& r = all.emplace_back(best_of(k));
    say("  {:4}{:12.3f}{:13.3f}{:16.3f}{:12.3f}", k, r.best, r.fresh, r.validation, r.tested);
  }
  pictures.write("flattered.svg", svg_flattered(ks, all));
}

int main(int argc, char** argv) {
  return run(argc, argv, "17_your_own_experiment", [](const Pictures& pictures) {
    say("Lesson 17: your own experiment");
    ThreadPool pool;
    the_question(pool);
    the_prediction();
    const std::vector<Trained> all = train_all(recipes(kRates, kSeeds, Told::truth), pool);
    const double rate = chosen_rate(pictures, all, pool);
    section("4. The held-out part, once");
    show_rows(layers_of(all, rate), pool);
    the_control(pictures, all, rate, pool);
    a_row_that_differs(all, pool);
    what_choosing_flatters(pictures);
  });
}
