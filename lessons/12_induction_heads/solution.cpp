// Lesson 12, solved: measure induction heads, build their pattern, say when they have formed, predict what
// they need, and an experiment.
#include "exercise.h"
#include "forming.h"
#include "setup.h"

double matching_score(const Tensor& pattern, const std::vector<int>& tokens) {
  double total = 0, queries = 0;
  for (std::size_t q = 0; q < tokens.size(); ++q) {
    bool has_follower = false;
    for (std::size_t j = 0; j < q; ++j)
      if (tokens[j] == tokens[q]) total += pattern.array()(q, j + 1), has_follower = true;
    queries += has_follower;
  }
  return queries == 0 ? 0 : total / queries;
}

Tensor matching_pattern(const std::vector<int>& tokens, const Tensor& previous, double sharpness) {
  const std::size_t n = tokens.size();
  Array same = zeros({n, n}).array(), hidden = same;
  for (std::size_t q = 0; q < n; ++q)
    for (std::size_t j = 0; j < n; ++j) same(q, j) = tokens[q] == tokens[j], hidden(q, j) = j > q ? 1e9 : 0;
  const Tensor scores = matmul(Tensor(same), transpose(previous));  // (query, key)
  return softmax(sharpness * scores - Tensor(hidden), -1);
}

double step_of_change(const std::vector<double>& steps, const std::vector<double>& scores) {
  if (scores.back() - scores.front() < 0.2) return -1;
  const double level = (scores.front() + scores.back()) / 2;
  std::size_t i = scores.size() - 1;
  while (scores[i - 1] >= level) --i;  // the first score is below
  const double part = (level - scores[i - 1]) / (scores[i] - scores[i - 1]);
  return steps[i - 1] + part * (steps[i] - steps[i - 1]);
}

Outcome predicted(Change change) {
  if (change == Change::no_positions) return Outcome::no_head;
  return change == Change::one_head ? Outcome::most_right : Outcome::some_wrong;
}

// The same number of sequences, however they are divided into steps: so it seems.
std::vector<Trial> batches() {
  std::vector<Trial> trials;
  for (const std::size_t batch : {16, 32, 64}) {
    const double size = static_cast<double>(batch);
    trials.push_back({size, 5920 / size, steps_to_form(batch)});
  }
  return trials;
}
