// Lesson 15: Markov chains in context. A model learns to count, first letters and then pairs.
#include <array>
#include <functional>
#include <string>
#include <vector>

#include "chains.h"
#include "lesson_program.h"
#include "pictures.h"
#include "stages.h"
#include "strategies.h"

using namespace headlight;
using namespace headlight::lesson;

std::string numbers(const Row& row, int decimals = 2) {
  std::string text;
  for (double x : row) text += fmt::format("{}{:.{}f}", text.empty() ? "" : "  ", x, decimals);
  return text;
}

void chain() {
  section("1. A chain and its matrix");
  const Matrix matrix = {{0.5, 0.4, 0.1}, {0.8, 0.1, 0.1}, {0.1, 0.3, 0.6}};
  Rng rng(1);
  say("A transition matrix, and a walk:");
  say("            to a  to b  to c");
  for (std::size_t i = 0; i < 3; ++i) say("  from {}    {}", "abc"[i], numbers(matrix[i]));
  say("\n  {}", letters(walk(matrix, 28, rng)));
  const Row shares = long_run_shares(matrix);
  double best = 0, measured = 0;
  for (std::size_t i = 0; i < 3; ++i) best += shares[i] * entropy(matrix[i]);
  const Walk long_walk = walk(matrix, 200001, rng);
  for (std::size_t t = 1; t < long_walk.size(); ++t) {
    const auto from = static_cast<std::size_t>(long_walk[t - 1]), to = static_cast<std::size_t>(long_walk[t]);
    measured -= math::log(matrix[from][to]) / 200000;
  }
  say("\nThe share of a, b and c in a long walk: {}", numbers(shares));
  say("The mean loss per letter of one who knows");
  say("  nothing      log 3                        {:.3f}", math::log(3));
  say("  the shares   their entropy                {:.3f}", entropy(shares));
  say("  the matrix   the entropy rate             {:.3f}", best);
  say("  the matrix   measured on 200,000 letters  {:.3f}", measured);
  say("\nThe task: each sequence has a matrix of its own.");
  for (int i = 0; i < 4; ++i) say("  {}", letters(walk(random_matrix(3, rng), 28, rng)));
}

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

double mean_of(const Row& row) {
  double total = 0;
  for (double x : row) total += x;
  return total / static_cast<double>(row.size());
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
  const char* names[] = {"uniform", "unigram", "bigram", "knows the matrix"};
  say("\nThe loss after so many letters, mean over 20,000 chains:");
  say("  letters               1      2      4      8     16     32     48   mean");
  draw::Chart chart{"The loss of the strategies",
                    {.label = "letters read", .first = 0, .last = kLength},
                    {.label = "loss", .first = 0.8, .last = 1.2},
                    {}};
  for (std::size_t s = 0; s < 4; ++s) {
    std::string line;
    for (std::size_t letters : {1, 2, 4, 8, 16, 32, 48})
      line += fmt::format("  {:.3f}", losses[s][letters - 1]);
    say("  {:<16}  {}  {:.3f}", names[s], line, mean_of(losses[s]));
    draw::Series curve{names[s], {}, losses[s]};
    for (std::size_t t = 0; t < kLength; ++t) curve.x.push_back(static_cast<double>(t + 1));
    chart.series.push_back(curve);
  }
  say("\nBy hand, after one letter:");
  say("  uniform           log 3                      {:.3f}", math::log(3));
  say("  unigram           1/3 log 2 + 2/3 log 4      {:.3f}", math::log(2) / 3 + 2 * math::log(4) / 3);
  say("  knows the matrix  1/2 + 1/3                  {:.3f}", 5.0 / 6);
  pictures.write("losses.svg", draw::svg_chart(chart));
}

bool is_fortieth(int step) { return step == 300 || (step <= 200 && step % 40 == 0); }
bool is_shown(int step) { return is_fortieth(step) || step == 20 || step == 60 || step == 100; }

struct Trained {
  nn::Transformer model = new_model(2, 1), halfway = new_model(2, 1);  // after all steps, after 60
  std::vector<Stage> stages;
  std::vector<draw::Snapshot> patterns;  // of layer 1 on the start of a chain
};

Trained train_main_model() {
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
  say("                   KL(strategy, model)");
  say("  step    loss     uniform  unigram  bigram   nearest");
  for (const Stage& m : t.stages)
    if (is_shown(m.step))
      say("  {:4}   {:.3f}      {:.3f}    {:.3f}   {:.3f}   {}", m.step, m.loss, m.from[0], m.from[1],
          m.from[2], kStrategies[nearest(m.from)]);
  const Stage& last = t.stages.back();
  say("\nAt step 300 its loss is {:.3f} above that of bigrams; KL(bigram, model) is {:.3f}.",
      last.loss - best[2], last.from[2]);
  say("\nOther seeds, the nearest strategy at step");
  say("            0        40       80       120      160      200      300");
  for (std::uint64_t seed : {2, 3, 4}) {
    nn::Transformer model = new_model(2, seed);
    std::string line;
    for (const Stage& m : stages_of(model, 300, 20, seed))
      if (is_fortieth(m.step))
        line += fmt::format("{:<{}}", kStrategies[nearest(m.from)], m.step < 300 ? 9 : 0);
    say("  seed {}    {}", seed, line);
  }
}

void heads(const Pictures& pictures, const Trained& t, const std::array<double, 3>& best) {
  section("6. Which heads do it");
  const tasks::Batch batch = fresh_chains();
  const Stage chance = scores_of_even_weights(batch);
  say("          layer 0: weight on    layer 1: weight");
  say("  step    the letter before     on followers");
  for (const Stage& m : t.stages)
    if (is_shown(m.step))
      say("  {:4}    {:.2f}                  {:.2f}", m.step, m.previous[0], m.follower[1]);
  say("  even    {:.2f}                  {:.2f}", chance.previous[0], chance.follower[0]);
  say("\nThe loss when the weights of a layer are replaced, by equal ones or by equal ones on followers:");
  say("  step    no change   even in layer 0   even in layer 1   followers in layer 1");
  for (const auto& [step, model] : {std::pair{60, &t.halfway}, {300, &t.model}})
    say("  {:4}    {:.3f}       {:.3f}             {:.3f}             {:.3f}", step,
        stage_of(*model, batch).loss, stage_of(*model, batch, 0, even_weights(0)).loss,
        stage_of(*model, batch, 0, even_weights(1)).loss,
        stage_of(*model, batch, 0, weights_on_followers(1, batch)).loss);
  nn::Transformer one = new_model(1, 1);
  say("\nA model with one layer:");
  say("                   KL(strategy, model)");
  say("  step    loss     uniform  unigram  bigram   nearest");
  for (const Stage& m : stages_of(one, 600, 200))
    say("  {:4}   {:.3f}      {:.3f}    {:.3f}   {:.3f}   {}", m.step, m.loss, m.from[0], m.from[1],
        m.from[2], kStrategies[nearest(m.from)]);
  pictures.write("stages.svg", svg_stages(t.stages, t.patterns, best));
  pictures.write("pattern.svg", svg_pattern(t.model, batch, 16));
}

void lingering(const Pictures& pictures, const Trained& t, const std::array<double, 3>& best) {
  section("7. Why it lingers at unigrams");
  struct Start {
    const char* name;
    std::function<bool(const std::string&)> fresh;
  };
  const Start starts[] = {
      {"queries and keys of layer 1",
       [](const std::string& name) { return name == "blocks.1.attn.W_Q" || name == "blocks.1.attn.W_K"; }},
      {"layer 0", [](const std::string& name) { return name.starts_with("blocks.0."); }},
      {"layer 1", [](const std::string& name) { return name.starts_with("blocks.1."); }}};
  say("Some weights of the trained model are drawn anew, and all train again. KL(bigram, model) at step");
  say("                                   0      40      80     120     160     200");
  std::vector<draw::Series> curves;
  const auto number = [](const Stage& m) { return m.from[2]; };
  const auto print = [&](const std::string& name, const std::vector<Stage>& stages) {
    std::string line;
    for (const Stage& m : stages)
      if (m.step <= 200 && is_fortieth(m.step)) line += fmt::format("   {:.3f}", m.from[2]);
    say("  {:<28}{}", name, line);
    curves.push_back(along(name, stages, number));
    while (curves.back().x.back() > 200) curves.back().x.pop_back(), curves.back().y.pop_back();
  };
  for (const Start& start : starts) {
    nn::Transformer model = with_fresh(t.model, start.fresh, 51);
    print(start.name, stages_of(model, 200, 20));
  }
  print("everything", t.stages);
  say("  (the unigram strategy has {:.3f})", best[1] - best[2]);
  pictures.write("fresh.svg", draw::svg_chart({"What is drawn anew, and how soon bigrams come back",
                                               {.label = "step", .first = 0, .last = 200},
                                               {.label = "KL(bigram, model)", .first = 0},
                                               curves}));
}

int main(int argc, char** argv) {
  return run(argc, argv, "15_in_context_statistics", [](const Pictures& pictures) {
    say("Lesson 15: in-context statistics");
    chain();
    strategies(pictures);
    best_possible(pictures);
    divergence_and_losses(pictures);
    const tasks::Batch batch = fresh_chains();
    const std::array<double, 3> best = strategy_losses(batch.tokens, batch.targets, kStates);
    const Trained trained = train_main_model();
    along_training(trained, best);
    heads(pictures, trained, best);
    lingering(pictures, trained, best);
  });
}
