// Makkuva et al. 2024, "Attention with Markov": one layer with tied embeddings gets stuck at unigrams.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "all_papers.h"
#include "headlight/nn/nn.h"
#include "headlight/ops/ops.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"
#include "measures.h"

namespace headlight::papers::makkuva {
namespace {

constexpr std::size_t kLength = 128, kMeasured = 2048, kMeasuredAlong = 512;  // sequences
constexpr std::int64_t kSteps = 600, kEvery = 20;

double entropy(double x) { return -x * std::log(x) - (1 - x) * std::log(1 - x); }

tasks::Task task_of(const Chain& chain) {
  return {.config = {.name = "chain", .d_vocab = 2, .n_ctx = kLength},
          .vocabulary = tasks::Vocabulary::of_size(2),
          .training = [chain](Rng& rng) {
            std::vector<std::int32_t> tokens{rng.uniform() < chain.share_of_1() ? 1 : 0};
            while (tokens.size() < kLength + 1) {
              const bool switches = rng.uniform() < (tokens.back() == 0 ? chain.p : chain.q);
              tokens.push_back(switches ? 1 - tokens.back() : tokens.back());
            }
            return tasks::next_token_sequence(tokens, std::vector<bool>(kLength, false));
          }};
}

struct Case {
  std::string model;
  Chain chain;
  std::size_t layers;
  bool tied, normed;
  double reference;
  bool read_off;  // or computed
  std::string place;

  std::string name() const { return fmt::format("p+q {} 1, {}", chain.p + chain.q > 1 ? ">" : "<", model); }
};

constexpr Chain kFlips{0.5, 0.8}, kStays{0.2, 0.3};  // p + q > 1, and p + q < 1

const std::vector<Case>& cases() {
  const std::string folder = "the authors' repository, Markov-LLM-k/figures/";
  static const std::vector<Case> all = {
      {"1 layer, tied", kFlips, 1, true, true, 0.666, true, folder + "loss2.pdf and its script"},
      {"1 layer, tied, no norm", kFlips, 1, true, false, 0.666, false,
       "entropy of the stationary distribution; the model is Markov-Simple of the repository"},
      {"1 layer, untied", kFlips, 1, false, true, 0.619, true, folder + "loss2.pdf and its script"},
      {"2 layers, tied", kFlips, 2, true, true, 0.619, true, folder + "loss-layers.pdf"},
      {"1 layer, tied", kStays, 1, true, true, 0.545, true, folder + "loss1.pdf and its script"},
      {"1 layer, untied", kStays, 1, false, true, 0.545, true, folder + "loss1.pdf and its script"}};
  return all;
}

// The authors' model. Its only biases are those of the logits, so the norms' are not trained.
struct Model {
  nn::Transformer transformer;
  Tensor bias = parameter(Array(Shape{2}, Real(0)));

  Model(const Case& c, Rng& rng)
      : transformer({.n_layers = c.layers,
                     .d_model = 8,
                     .n_heads = 1,
                     .d_mlp = 32,
                     .d_vocab = 2,
                     .n_ctx = kLength,
                     .positions = "learned",
                     .norm = c.normed ? nn::NormKind::layer : nn::NormKind::none,
                     .mlp = c.normed ? "gelu" : "relu",
                     .tied_embeddings = c.tied},
                    rng) {
    bias.set_name("bias");
    // As in GPT-2: N(0, 0.02²), divided by √(2·layers) where a matrix writes into the residual stream.
    for (auto& [name, weights] : nn::named_parameters(transformer)) {
      if (weights.shape().size() < 2) continue;
      const bool writes = name.ends_with("W_O") || name.ends_with("W_out");
      const double layers = static_cast<double>(c.layers);
      weights.mutable_array() =
          rng.normal_array(weights.shape(), 0, writes ? 0.02 / std::sqrt(2 * layers) : 0.02);
    }
  }
  Tensor operator()(const IntArray& tokens) const { return transformer(tokens) + bias; }
  std::vector<Tensor> trained() const {
    std::vector<Tensor> all{bias};
    for (auto& [name, weights] : nn::named_parameters(transformer))
      if (!name.ends_with(".b")) all.push_back(weights);
    return all;
  }
};

double loss_of(const Model& model, const tasks::Batch& batch) {
  const NoGrad no_grad;
  return train::evaluate(model(batch.tokens).array(), batch).loss;
}

struct Curve {
  std::vector<double> steps, losses;
  double last;
};

Curve trained(const Case& c, const Effort& effort, ThreadPool& pool) {
  const tasks::Task task = task_of(c.chain);
  const tasks::Batch measured = tasks::draw_batch(task, task.training, kMeasured, Rng(0).stream("measured"));
  const tasks::Batch along = tasks::batch_rows(measured, 0, kMeasuredAlong);
  Rng rng = Rng(0).stream("weights");
  const Model model(c, rng);
  train::TrainConfig config;
  config.batch = 64, config.steps = effort.steps > 0 ? effort.steps : kSteps;
  config.learning_rate = 2e-3, config.schedule = "cosine", config.warmup = config.steps / 50;
  config.beta2 = 0.95, config.weight_decay = 1e-3, config.clip = 0;
  const train::BatchLoss loss = [&](const tasks::Batch& batch) {
    return cross_entropy(model(batch.tokens), batch.targets, {.reduction = Reduction::sum});
  };
  train::Trainer trainer(model.trained(), train::task_loss(task, loss, config.seed), config, pool);
  Curve curve{{0}, {loss_of(model, along)}, 0};
  while (trainer.steps_done() < config.steps) {
    const std::int64_t step = trainer.step().step;
    if (step % kEvery != 0 && step != config.steps) continue;
    curve.steps.push_back(static_cast<double>(step)), curve.losses.push_back(loss_of(model, along));
    if (effort.progress) effort.progress(c.name(), step, config.steps);
  }
  curve.last = loss_of(model, measured);
  return curve;
}

// The paper's figures, one above the other. A model has the same colour in both.
draw::Figure figure_of(const std::vector<Curve>& curves) {
  const draw::Axis step{"step"};
  std::vector<draw::Chart> charts;
  for (const Chain& chain : {kFlips, kStays}) {
    draw::Chart chart{"", step, {fmt::format("loss, p = {}, q = {}", chain.p, chain.q)}, {}};
    for (std::size_t i = 0; i < curves.size(); ++i)
      if (cases()[i].chain.p == chain.p)
        chart.series.push_back({cases()[i].model, curves[i].steps, curves[i].losses});
    const std::vector<double> ends = {0, curves[0].steps.back()};
    chart.series.push_back({"unigrams", ends, std::vector<double>(2, chain.unigram_loss())});
    chart.series.push_back({"entropy rate", ends, std::vector<double>(2, chain.entropy_rate())});
    charts.push_back(std::move(chart));
  }
  std::vector<std::string> names;
  for (const draw::Series& series : charts[0].series) names.push_back(series.name);
  for (draw::Series& series : charts[1].series)
    series.style =
        static_cast<std::size_t>(std::find(names.begin(), names.end(), series.name) - names.begin());
  return {"One and two layers on a fixed Markov chain", step, "", {}, std::move(charts)};
}

Measured measure(const Effort& effort) {
  ThreadPool pool(effort.threads);
  std::vector<Curve> curves;
  std::vector<double> ours;
  for (const Case& c : cases()) {
    curves.push_back(trained(c, effort, pool));
    ours.push_back(curves.back().last);
  }
  return {
      ours,
      figure_of(curves),
      {fmt::format("For p = {}, q = {} the entropy rate is {:.4f} and the entropy of the stationary "
                   "distribution {:.4f}. For p = {}, q = {} they are {:.4f} and {:.4f}.",
                   kFlips.p, kFlips.q, kFlips.entropy_rate(), kFlips.unigram_loss(), kStays.p, kStays.q,
                   kStays.entropy_rate(), kStays.unigram_loss()),
       "With norms the tied layer stays at the loss of unigrams for some 200 steps, and then leaves it. "
       "It did so with each of four seeds, with and without biases of norms and logits, and on 256 tokens. "
       "The authors' code computes in half precision and does not scale the loss, so that very small "
       "gradients become 0. This may be why their layer stays; it was not tested here.",
       "The row without norms was added after two seeds of it had been seen, so it is no "
       "prediction. The tied layer stayed in it with each of three seeds. Two layers without "
       "norms left in one seed of two within 600 steps."}};
}

}  // namespace

double Chain::share_of_1() const { return p / (p + q); }
double Chain::unigram_loss() const { return entropy(share_of_1()); }
double Chain::entropy_rate() const { return (1 - share_of_1()) * entropy(p) + share_of_1() * entropy(q); }

}  // namespace headlight::papers::makkuva

headlight::papers::Paper headlight::papers::makkuva_2024() {
  using namespace makkuva;
  Paper paper{
      "makkuva-2024",
      "Attention with Markov: A Framework for Principled Analysis of Transformers via Markov Chains",
      "Makkuva et al. 2024",
      "https://arxiv.org/abs/2402.04161",
      "All sequences are of one Markov chain of two states, with p = P(0→1) and q = P(1→0). For p+q > 1 one "
      "layer with tied embeddings gets stuck at the loss of unigrams. Without tying, with two layers, or for "
      "p+q < 1 it learns the chain, and its loss is the entropy rate.",
      "64 sequences of 128 tokens a step instead of 16 of 1024; single instead of half precision",
      25,
      {},
      measure};
  for (const Case& c : cases()) {
    const std::string number = fmt::format("{:.3f}", c.reference);
    const Reference reference = c.read_off ? Reference{.read_off = number} : Reference{.computed = number};
    paper.rows.push_back({c.name(), reference, c.place, within(c.reference, 0.005), 4});
  }
  return paper;
}
