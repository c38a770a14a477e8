#include "paper.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>

#include "all_papers.h"
#include "headlight/core/check.h"
#include "headlight/core/names.h"

namespace headlight::papers {

namespace {
constexpr double kInfinity = std::numeric_limits<double>::infinity();
}

Tolerance within(double reference, double distance) {
  return {reference - distance, reference + distance, fmt::format("±{:g}", distance)};
}

Tolerance within_part(double reference, double part) {
  const double distance = std::abs(part * reference);
  return {reference - distance, reference + distance, fmt::format("±{:g} %", 100 * part)};
}

Tolerance up_to(double limit) { return {-kInfinity, limit, fmt::format("at most {:g}", limit)}; }
Tolerance from_on(double limit) { return {limit, kInfinity, fmt::format("at least {:g}", limit)}; }
Tolerance exactly(double reference) { return {reference, reference, "exactly"}; }

const std::vector<Paper>& all_papers() {
  static const std::vector<Paper> all = {elhage_2022(),  olsson_2022(),  vonoswald_2022(), nanda_2023(),
                                         quirke_2023(),  arora_2023(),   edelman_2024(),   makkuva_2024(),
                                         nichani_2024(), sanford_2024(), musat_2025()};
  return all;
}

const Paper& find_paper(const std::string& name) {
  std::vector<std::string> names;
  for (const Paper& paper : all_papers()) {
    if (paper.name == name) return paper;
    names.push_back(paper.name);
  }
  fail("[paper] '{}' is unknown. Known are {}.{}", name, listed(names), did_you_mean(name, names));
}

bool Reproduction::reproduced() const {
  return !cut_short() && std::all_of(agrees.begin(), agrees.end(), [](bool row) { return row; });
}

Reproduction reproduce(const Paper& paper, const Effort& effort) {
  check(effort.steps >= 0, "[paper] expected a number of steps from 1 on, got {}.", effort.steps);
  const auto start = std::chrono::steady_clock::now();
  Reproduction r{&paper, paper.measure(effort), {}};
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  check(r.measured.numbers.size() == paper.rows.size(), "[paper] {} has {} rows and {} measured numbers.",
        paper.name, paper.rows.size(), r.measured.numbers.size());
  for (std::size_t i = 0; i < paper.rows.size(); ++i) {
    const double ours = r.measured.numbers[i];
    const auto& [low, high, words] = paper.rows[i].tolerance;
    check(std::isfinite(ours), "[paper] {}: what was measured of '{}' is not finite.", paper.name,
          paper.rows[i].what);
    if (effort.steps == 0) r.agrees.push_back(low <= ours && ours <= high);
  }
  if (effort.steps > 0) r.measured.notes.clear();  // they speak of the whole trainings
  return r;
}

void reproduce_all(const std::vector<const Paper*>& papers, const Effort& effort,
                   const std::function<void(const Reproduction&)>& ended) {
  std::vector<std::size_t> order(papers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return papers[a]->seconds > papers[b]->seconds; });
  std::vector<std::optional<Reproduction>> done(papers.size());
  std::size_t next = 0;
  std::mutex one_at_a_time;
  ThreadPool pool(papers.size() == 1 ? 1 : effort.threads);
  pool.run(papers.size(), [&](std::size_t i) {
    const Paper& paper = *papers[order[i]];
    Effort own = effort;
    if (papers.size() > 1) {
      own.threads = 1;
      own.progress = [&](const std::string& stage, std::int64_t step, std::int64_t steps) {
        if (effort.progress) effort.progress(paper.name + ", " + stage, step, steps);
      };
    }
    Reproduction reproduction = reproduce(paper, own);
    const std::lock_guard lock(one_at_a_time);
    done[order[i]] = std::move(reproduction);
    for (; next < done.size() && done[next]; ++next) ended(*done[next]);
  });
}

}  // namespace headlight::papers
