// Lesson 15: Markov chains in context. A model learns to count, first letters and then pairs.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "chains.h"
#include "headlight/train/evaluate.h"
#include "lesson_program.h"
#include "pictures.h"
#include "printed.h"
#include "stages.h"

using namespace headlight;
using namespace headlight::lesson;

// 1. The mean loss of one who knows the matrix, on a walk of so many letters.
double loss_on_a_walk(const Matrix& matrix, std::size_t letters, Rng& rng) {
  const Walk states = walk(matrix, letters + 1, rng);
  double total = 0;
  for (std::size_t t = 1; t <= letters; ++t)
    total -= math::log(matrix[static_cast<std::size_t>(states[t - 1])][static_cast<std::size_t>(states[t])]);
  return total / static_cast<double>(letters);
}

void chain() {
  section("1. A chain and its matrix");
  const Matrix matrix = {{0.5, 0.4, 0.1}, {0.8, 0.1, 0.1}, {0.1, 0.3, 0.6}};
  Rng rng(1);
  show_matrix(matrix);
  say("\n  {}", letters(walk(matrix, 28, rng)));
  const Row shares = long_run_shares(matrix);
  double rate = 0;
  for (std::size_t i = 0; i < 3; ++i) rate += shares[i] * entropy(matrix[i]);
  say("\nThe share of a, b and c in a long walk: {}", numbers(shares));
  say("The mean loss per letter of one who knows");
  say("  nothing      log 3                        {:.3f}", math::log(3));
  say("  the shares   their entropy                {:.3f}", entropy(shares));
  say("  the matrix   the entropy rate             {:.3f}", rate);
  say("  the matrix   measured on 200,000 letters  {:.3f}", loss_on_a_walk(matrix, 200000, rng));
  say("\nThe task: each sequence has a matrix of its own.");
  for (int i = 0; i < 4; ++i) say("  {}", letters(walk(random_matrix(3, rng), 28, rng)));
}

// 2. Reads a walk state by state, and keeps what the strategies count.
class Counts {
 public:
  explicit Counts(std::size_t k) : of_states_(k, 0), of_pairs_(k, Row(k, 0)) {}

  void read(std::int32_t state) {
    const auto now = static_cast<std::size_t>(state);
    if (any_) ++of_pairs_[last_][now];
    ++of_states_[now];
    last_ = now;
    any_ = true;
  }

  // The prediction of strategy 0, 1 or 2.
  Row prediction(std::size_t strategy) const {
    Row row = strategy == 1 ? of_states_ : strategy == 2 ? of_pairs_[last_] : Row(of_states_.size(), 0);
    double total = 0;
    for (double& count : row) total += ++count;
    for (double& count : row) count /= total;
    return row;
  }

 private:
  Row of_states_;
  Matrix of_pairs_;
  std::size_t last_ = 0;
  bool any_ = false;
};

void strategies(const Pictures& pictures) {
  section("2. Three strategies");
  const Walk states = {0, 1, 2, 0, 1, 0, 1};
  say("What each strategy predicts, after each letter:");
  say("            unigram             bigram");
  say("  letter    a     b     c       a     b     c");
  Counts counts(3);
  for (std::int32_t state : states) {
    counts.read(state);
    say("  {}         {}    {}", "abc"[state], numbers(counts.prediction(1)), numbers(counts.prediction(2)));
  }
  pictures.write("counts.svg", svg_counts(states));
}

void best_possible(const Pictures& pictures) {
  section("3. Why one is added");
  Rng rng(3);
  Row sum(3, 0);
  int kept = 0;
  for (int i = 0; i < 1000000; ++i) {
    const Row row = random_row(3, rng);
    if (draw_state(row, rng) != 0 || draw_state(row, rng) != 0 || draw_state(row, rng) != 1) continue;
    for (std::size_t j = 0; j < 3; ++j) sum[j] += row[j];
    ++kept;
  }
  for (double& each : sum) each /= kept;
  say("1,000,000 random rows, and three letters drawn from each. {:.1f} % of the rows", kept / 1e4);
  say("gave a, a, b.                 a     b     c");
  say("  the mean of these rows    {}", numbers(sum));
  say("  counts, one more each     {}", numbers({3.0 / 6, 2.0 / 6, 1.0 / 6}));
  say("  counts as they are        {}", numbers({2.0 / 3, 1.0 / 3, 0}));
  pictures.write("posterior.svg", svg_posterior());
}

// 4. -Σ p log q: the mean loss of the prediction q where p is true.
double expected_loss(const Row& p, const Row& q) {
  double total = 0;
  for (std::size_t j = 0; j < p.size(); ++j) total -= p[j] > 0 ? p[j] * math::log(q[j]) : 0;
  return total;
}

// Σ p log(p/q)
double divergence(const Row& p, const Row& q) { return expected_loss(p, q) - entropy(p); }

// The mean loss at each position over many chains: of the three strategies, and of one who knows the matrix.
std::array<Row, 4> losses_by_position(int chains) {
  std::array<Row, 4> losses;
  for (Row& each : losses) each.assign(kLength, 0);
  Rng rng(4);
  for (int i = 0; i < chains; ++i) {
    const Matrix matrix = random_matrix(kStates, rng);
    const Walk states = walk(matrix, kLength, rng);
    Counts counts(kStates);
    for (std::size_t t = 0; t < kLength; ++t) {
      counts.read(states[t]);
      const Row& truth = matrix[static_cast<std::size_t>(states[t])];
      for (std::size_t s = 0; s < 3; ++s) losses[s][t] += expected_loss(truth, counts.prediction(s)) / chains;
      losses[3][t] += entropy(truth) / chains;
    }
  }
  return losses;
}

void divergence_and_losses(const Pictures& pictures) {
  section("4. How far from the best: the KL divergence");
  const Row p = {0.5, 0.5}, q = {0.9, 0.1};
  say("p = [0.5, 0.5], q = [0.9, 0.1]");
  say("  the loss of q where p is true   {:.3f}", expected_loss(p, q));
  say("  the loss of p where p is true   {:.3f}", entropy(p));
  say("  KL(p, q), the difference        {:.3f}", divergence(p, q));
  say("  KL(q, p)                        {:.3f}", divergence(q, p));
  const std::array<Row, 4> losses = losses_by_position(20000);
  show_losses(losses);
  pictures.write("losses.svg", svg_losses(losses));
}

// 5. The mean over all positions of a number of each strategy's prediction, number(b, t, p), for tokens
// (B,n).
template <class Number>
std::array<double, 3> mean_over(const IntArray& tokens, const Number& number) {
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1];
  std::array<double, 3> mean{};
  for (std::size_t b = 0; b < batch; ++b) {
    Counts counts(kStates);
    for (std::size_t t = 0; t < n; ++t) {
      counts.read(tokens(b, t));
      for (std::size_t s = 0; s < 3; ++s)
        mean[s] += number(b, t, counts.prediction(s)) / static_cast<double>(batch * n);
    }
  }
  return mean;
}

// The mean loss of each strategy.
std::array<double, 3> strategy_losses(const tasks::Batch& batch) {
  return mean_over(batch.tokens, [&](std::size_t b, std::size_t t, const Row& p) {
    return -math::log(p[static_cast<std::size_t>(batch.targets(b, t))]);
  });
}

// The mean divergence from each strategy to the model with these log-probabilities (B,n,k).
std::array<double, 3> divergences(const IntArray& tokens, const Array& log_probabilities) {
  return mean_over(tokens, [&](std::size_t b, std::size_t t, const Row& p) {
    double loss = 0;
    for (std::size_t j = 0; j < p.size(); ++j) loss -= p[j] * log_probabilities(b, t, j);
    return loss - entropy(p);
  });
}

Stage stage_of(const nn::Transformer& model, const tasks::Batch& batch, int step = 0,
               const nn::Hooks& hooks = {}) {
  const auto none = [](const std::string&) { return false; };
  const interpret::CachedRun run = interpret::run_with_cache(model, batch.tokens, none, hooks);
  Stage stage{step,
              train::evaluate(run.logits, batch).loss,
              divergences(batch.tokens, log_softmax(Tensor(run.logits)).array()),
              {},
              {}};
  for (const interpret::HeadScores& head : interpret::score_heads(model, batch.tokens)) {
    stage.previous.push_back(head[interpret::kPreviousToken]);
    stage.follower.push_back(head[interpret::kInduction]);
  }
  return stage;
}

// The same, with a stage at each look.
std::vector<Stage> stages_of(nn::Transformer& model, int steps, int every, std::uint64_t seed = 1) {
  const tasks::Batch batch = fresh_chains();
  std::vector<Stage> stages;
  train_on_chains(model, steps, every, seed, [&](const nn::Transformer& now, int step) {
    stages.push_back(stage_of(now, batch, step));
  });
  return stages;
}

struct Trained {
  nn::Transformer model = new_model(2, 1), halfway = new_model(2, 1);  // after all steps, after 60
  std::vector<Stage> stages;
  std::vector<draw::Snapshot> patterns;  // of layer 1 on the start of a chain
};

Trained trained_with_patterns() {
  Trained t;
  const tasks::Batch batch = fresh_chains();
  train_on_chains(t.model, 300, 20, 1, [&](const nn::Transformer& now, int step) {
    t.stages.push_back(stage_of(now, batch, step));
    if (step == 60) t.halfway = nn::clone(now);
    if (step != 0 && step != 60 && step != 100 && step != 140 && step != 200 && step != 300) return;
    const Array pattern = pattern_of(now, 1, batch, 16);
    t.patterns.push_back({static_cast<double>(step), {pattern, {}, {}, fmt::format("step {}", step)}});
  });
  return t;
}

void along_training(const Trained& t, const std::array<double, 3>& best) {
  section("5. A model passes from one to the next");
  say("On 128 fresh chains the losses are: uniform {:.3f}, unigram {:.3f}, bigram {:.3f}.", best[0], best[1],
      best[2]);
  say("The model has {} parameters.\n", nn::parameter_count(nn::named_parameters(t.model)));
  show_stages(t.stages);
  const Stage& last = t.stages.back();
  say("\nAt step 300 its loss is {:.3f} above that of bigrams; KL(bigram, model) is {:.3f}.",
      last.loss - best[2], last.from[2]);
  say("\nOther seeds, the nearest strategy at step");
  say("            0        40       80       120      160      200      300");
  for (std::uint64_t seed : {2, 3, 4}) {
    nn::Transformer model = new_model(2, seed);
    show_nearest(seed, stages_of(model, 300, 20, seed));
  }
}

void heads(const Pictures& pictures, const Trained& t, const std::array<double, 3>& best) {
  section("6. Which heads do it");
  const tasks::Batch batch = fresh_chains();
  show_head_scores(t.stages, scores_of_even_weights(batch));
  say("\nThe loss when the weights of a layer are replaced, by equal ones or by equal ones on followers:");
  say("  step    no change   even in layer 0   even in layer 1   followers in layer 1");
  for (const auto& [step, model] : {std::pair{60, &t.halfway}, {300, &t.model}}) {
    const auto loss = [&](const nn::Hooks& hooks) { return stage_of(*model, batch, 0, hooks).loss; };
    say("  {:4}    {:.3f}       {:.3f}             {:.3f}             {:.3f}", step, loss({}),
        loss(even_weights(0)), loss(even_weights(1)), loss(weights_on_followers(1, batch)));
  }
  nn::Transformer one = new_model(1, 1);
  say("\nA model with one layer:");
  show_stages(stages_of(one, 600, 200));
  pictures.write("stages.svg", svg_stages(t.stages, t.patterns, best));
  pictures.write("pattern.svg", svg_pattern(t.model, batch, 16));
}

void lingering(const Pictures& pictures, const Trained& t, const std::array<double, 3>& best) {
  section("7. Why it lingers at unigrams");
  const std::pair<const char*, std::function<bool(const std::string&)>> starts[] = {
      {"queries and keys of layer 1",
       [](const std::string& name) { return name == "blocks.1.attn.W_Q" || name == "blocks.1.attn.W_K"; }},
      {"layer 0", [](const std::string& name) { return name.starts_with("blocks.0."); }},
      {"layer 1", [](const std::string& name) { return name.starts_with("blocks.1."); }}};
  say("Some weights of the trained model are drawn anew, and all train again. KL(bigram, model) at step");
  say("                                   0      40      80     120     160     200");
  std::vector<std::pair<std::string, std::vector<Stage>>> all;
  for (const auto& [name, is_fresh] : starts) {
    nn::Transformer model = with_fresh(t.model, is_fresh, 51);
    all.push_back({name, stages_of(model, 200, 20)});
  }
  all.push_back({"everything", t.stages});
  for (const auto& [name, stages] : all) show_return(name, stages);
  say("  (the unigram strategy has {:.3f})", best[1] - best[2]);
  pictures.write("fresh.svg", svg_fresh(all));
}

int main(int argc, char** argv) {
  return run(argc, argv, "15_in_context_statistics", [](const Pictures& pictures) {
    say("Lesson 15: in-context statistics");
    chain();
    strategies(pictures);
    best_possible(pictures);
    divergence_and_losses(pictures);
    const std::array<double, 3> best = strategy_losses(fresh_chains());
    const Trained trained = trained_with_patterns();
    along_training(trained, best);
    heads(pictures, trained, best);
    lingering(pictures, trained, best);
  });
}
