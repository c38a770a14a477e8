// The checker of exercise 17.
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "exercise.h"
#include "grader/drawn.h"
#include "grader/experiment.h"
#include "grader/part.h"
#include "toy.h"

// The learner's.
std::vector<double> gaps(const Array& W);
std::vector<int> parts_of(const std::vector<std::size_t>& source, const std::vector<std::size_t>& order,
                          std::size_t held_out, std::size_t validation);
Report chosen_and_reported(Bench& bench);
Judged judged(const std::vector<double>& ours, const std::vector<double>& control, double low, double high);
std::vector<Trial> largest_gaps();

namespace solution {
namespace {  // which a learner's file cannot call
#include "solution.cpp"
}
}  // namespace solution

#include "mistakes.h"
#include "mistakes_choice.h"
#include "mistakes_gaps.h"

namespace {

using namespace grader;
using mistakes::ChosenAndReported, mistakes::Gaps, mistakes::JudgedBy, mistakes::PartsOf;

Part gaps_part() {
  Rng rng(191);
  std::vector<Case<Gaps>> cases;
  const auto on = [&cases](const Array& W) { cases.push_back(calling<Gaps>("gaps(W)", named("W", W))); };
  on({{1, 0, -1, 0.1}, {0, 2, 0, 0.2}});
  on({{0.5, -0.4, 0.3, 0.2}, {0, -0.45, 0.45, -0.6}});
  for (const std::size_t count : {5, 4, 6}) on(drawn(rng, {2, count}, 0.7).array());
  on({{-0.7, 0.2, 0.1}, {-0.9, 0.1, 0.3}});
  on({{0.1, 0.2}, {0.3, 0.1}});
  on({{0.4, 1, 0.8, -0.3}, {0.4, 0.5, 0.9, -0.3}});
  on({{1.2, -1.1}, {-0.3, 0.4}});
  return part<Gaps>("gaps", 1, ::gaps, solution::gaps, std::move(cases),
                    slips_of<Gaps>(mistakes::gaps, mistakes::kOfGaps));
}

Part parts_part() {
  Rng rng(192);
  std::vector<Case<PartsOf>> cases;
  using Numbers = std::vector<std::size_t>;
  const auto on = [&](const Numbers& source, const Numbers& order, std::size_t held_out,
                      std::size_t validation) {
    cases.push_back(calling<PartsOf>("parts_of(source, order, held_out, validation)", named("source", source),
                                     named("order", order), named("held_out", held_out),
                                     named("validation", validation)));
  };
  const auto random = [&](std::size_t n, std::size_t sources, std::size_t held_out, std::size_t validation) {
    Numbers source, order;
    for (std::size_t i = 0; i < n; ++i) source.push_back(i < sources ? i : rng.below(sources));
    for (const std::int32_t s : rng.distinct(sources, sources)) order.push_back(static_cast<std::size_t>(s));
    on(source, order, held_out, validation);
  };
  on({0, 0, 1, 1, 1, 2, 3}, {1, 0, 3, 2}, 2, 2);
  on({3, 0, 0, 1, 2, 1, 3, 3, 2, 0}, {3, 1, 0, 2}, 3, 1);
  random(14, 6, 4, 3);
  random(16, 7, 3, 5);
  on({2, 0, 1, 0, 2, 1}, {2, 1, 0}, 0, 2);
  on({2, 0, 1, 0, 2, 1}, {1, 0, 2}, 2, 0);
  on({1, 0, 1, 0}, {1, 0}, 3, 2);
  random(12, 5, 2, 2);
  random(18, 8, 5, 4);
  return part<PartsOf>("parts_of", 2, ::parts_of, solution::parts_of, std::move(cases),
                       slips_of<PartsOf>(mistakes::parts_of, mistakes::kOfPartsOf));
}

Array as_array(const Losses& losses) {
  Array a = Array::from_shape({losses.size(), losses[0].size()});
  for (std::size_t s = 0; s < losses.size(); ++s)
    for (std::size_t i = 0; i < losses[0].size(); ++i) a(s, i) = losses[s][i];
  return a;
}

Part choice_part() {
  Rng rng(193);
  std::vector<Case<ChosenAndReported>> cases;
  const auto on = [&](const Losses& training, const Losses& validation, const Losses& held_out) {
    cases.push_back({"chosen_and_reported(bench)",
                     {shown("training", as_array(training)), shown("validation", as_array(validation)),
                      shown("held_out", as_array(held_out))},
                     [=](const ChosenAndReported& f) {
                       Bench bench(training, validation, held_out);
                       const Report r = f(bench);
                       return Result{shown("setting", r.setting),
                                     shown("mean", r.mean),
                                     shown("standard error", r.standard_error),
                                     shown("recorded choices", bench.choices()),
                                     shown("held-out losses read before the choice", bench.reads_before()),
                                     shown("held-out losses read after it", bench.reads_after())};
                     }});
  };
  const auto drawn_losses = [&](std::size_t settings, std::size_t seeds) {
    Losses all(settings, std::vector<double>(seeds));
    for (std::vector<double>& row : all)
      for (double& each : row) each = static_cast<double>(1 + rng.below(60)) / 4;
    return all;
  };
  const auto around = [&](const Losses& validation) {
    const Losses training = drawn_losses(validation.size(), validation[0].size());
    on(training, validation, drawn_losses(validation.size(), validation[0].size()));
  };
  const auto random = [&](std::size_t settings, std::size_t seeds) {
    const Losses training = drawn_losses(settings, seeds), validation = drawn_losses(settings, seeds);
    on(training, validation, drawn_losses(settings, seeds));
  };
  on({{1, 1}, {1, 2}, {0, 1}}, {{3, 5}, {1, 6}, {9, 0}}, {{2, 2}, {4, 6}, {1, 1}});
  around({{9, 8, 9, 9}, {6, 2, 1, 3}, {1, 5, 3, 3}, {4, 4, 2, 5}});
  around({{NAN, 2, 3}, {4, 6, 5}, {7, 1, 6}});
  around({{5, 4, 6, 5}, {1, NAN, 1, 2}, {1, 6, 2, 7}});
  around({{7, 1, 7}, {2, 8, 3}, {5, 4, 5}});
  around({{4, 5}, {NAN, 1}, {6, 6}});  // NaN behind the best
  around({{7, 5}, {4, 5}, {1, NAN}});
  for (const std::size_t seeds : {2, 5, 4, 3, 5}) random(4, seeds);
  return part<ChosenAndReported>(
      "chosen_and_reported", 2, ::chosen_and_reported, solution::chosen_and_reported, std::move(cases),
      slips_of<ChosenAndReported>(mistakes::chosen_and_reported, mistakes::of_chosen_and_reported()));
}

Part verdict_part() {
  std::vector<Case<JudgedBy>> cases;
  const auto on = [&](const std::vector<double>& ours, const std::vector<double>& control, double low,
                      double high) {
    cases.push_back({"judged(ours, control, low, high)",
                     {shown("ours", ours), shown("control", control), shown("low", low), shown("high", high)},
                     [=](const JudgedBy& f) {
                       const Judged j = f(ours, control, low, high);
                       return Result{shown("mean", j.mean), shown("from", j.from), shown("to", j.to),
                                     shown("verdict (0 no_test, 1 agrees, 2 differs, 3 open)",
                                           static_cast<int>(j.verdict))};
                     }});
  };
  on({4, 6}, {20, 20}, 1, 8);
  on({4, 6}, {2, 1}, 3, 7);             // touches both bounds
  on({4, 6, 8}, {1, 2, 1}, 4.5, 9);     // crosses low
  on({4, 6, 8}, {1, 2, 1}, 2, 7);       // crosses high
  on({4, 6, 8}, {1, 2, 1}, 6.5, 9);     // crosses low, with the mean outside
  on({4, 6, 8.5}, {30, 31}, 10, 12);    // below
  on({4, 6, 9}, {30, 31}, 1, 3);        // above
  on({4, 6}, {9, 10}, 7, 8);            // touches low from below
  on({4, 6}, {9, 10}, 2, 3);            // touches high from above
  on({4, 6, 5, 6}, {5, 4, 5}, 1, 8);    // the control passes
  on({14, 16, 18}, {5, 4, 6}, 1, 8);    // it passes where the row differs
  on({4, 6, 5, 6}, {6, 14, 1}, 1, 8);   // its mean passes, one number does not
  on({4, 6, 5, 6}, {2, 22, 30}, 1, 8);  // one number passes
  on({4, 6, 5, 6}, {7, 9}, 1, 8);       // its mean is on the bound
  on({4, 6, 5, 6}, {8, 9}, 1, 8);       // its range crosses the bound
  on({4, 6, 8}, {5, 6, 7}, 4.5, 9);     // it passes where the row is open
  on({4, 6, 5, 6}, {7.5, 20, 20, 20, 20, 20}, 1, 8);
  on({4, 6, 5, 6}, {8.5, 9.5}, 1, 8.5);
  on({4, 6, 5, 6}, {7.5, 1.5}, 1, 8);
  on({4, 6, 5, 6}, {0.5, 4, 4, 4, 4, 4}, 1, 8);
  on({2, 5, 9, 4, 3}, {40, 41}, 3, 6.2);
  on({3.5, 5, 5.5, 4, 4.5}, {40, 41}, 3.6, 5.4);
  on({1, 5, 9, 4, 7}, {40, 41}, 2.4, 8.2);
  return part<JudgedBy>("judged", 2, ::judged, solution::judged, std::move(cases),
                        slips_of<JudgedBy>(mistakes::judged, mistakes::of_judged()));
}

// ---- The experiment: its record must be that of one who chose first and looked once. ----

template <class... Args>
void require(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) throw Refused(fmt::format(message, std::forward<Args>(args)...));
}

void require_honest(const toy::Record& r) {
  const auto best = [&r] {
    const std::size_t kept = toy::records.size();
    const toy::Starts starts(r.presence);
    std::size_t least = 0;
    for (std::size_t i = 1; i < starts.count(); ++i)
      if (starts.validation_loss(i) < starts.validation_loss(least)) least = i;
    toy::records.resize(kept);
    return least;
  };
  require(r.looks_before == 0,
          "At p = {} you looked at start {} before choose(). What you report must not choose the start.",
          r.presence, r.looks.empty() ? 0 : r.looks[0]);
  require(r.choices.size() == 1, "At p = {} choose() was called {} times. Once is expected.", r.presence,
          r.choices.size());
  require(r.looks.size() == 1, "At p = {} you looked {} times. One look is expected, at the chosen start.",
          r.presence, r.looks.size());
  require(r.looks[0] == r.choices[0], "At p = {} you chose start {}, and looked at start {}.", r.presence,
          r.choices[0], r.looks[0]);
  const std::size_t right = best();
  require(r.choices[0] == right,
          "At p = {} you chose start {}. The smallest validation loss is that of start {}.", r.presence,
          r.choices[0], right);
}

void require_an_experiment(const Result& result) {
  const std::vector<double>& presences = result[0].numbers;
  require(std::ranges::count(presences, 100) > 0,
          "The control is missing: no trial has p = 100, where the pentagon must not appear.");
  require(std::ranges::any_of(presences, [](double p) { return p <= 10; }),
          "No trial has a p from 5 to 10, where the pentagon is expected.");
  const std::vector<toy::Record> records = toy::records;
  for (const double p : presences) {
    const auto of_p = [p](const toy::Record& r) { return r.presence == p; };
    const auto count = std::ranges::count_if(records, of_p);
    require(count == 1,
            "Starts({}) was made {} times. Once for each p is expected: what was looked at stays "
            "looked at.",
            p, count);
    require_honest(*std::ranges::find_if(records, of_p));
  }
}

Part experiment() {
  Part part = experiment_part("largest_gaps", 3, ::largest_gaps, solution::largest_gaps,
                              [](double presence) { return solution::largest_gap(presence); },
                              {.setting = "p",
                               .measured = "degrees",
                               .least = 5,
                               .most = 100,
                               .tolerance = 1e-6,
                               .wrong = mistakes::of_largest_gaps()});
  part.seconds = 60;
  part.calls[0].run = [run = part.calls[0].run](std::size_t implementation) {
    toy::records.clear();
    Result result = run(implementation);
    require_an_experiment(result);
    return result;
  };
  return part;
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [] {
    return grader::Exercise{"17_your_own_experiment",
                            {gaps_part(), parts_part(), choice_part(), verdict_part(), experiment()}};
  });
}
