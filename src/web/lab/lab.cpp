#include "headlight/lab/lab.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "headlight/core/check.h"
#include "headlight/core/math.h"
#include "headlight/core/row_kernels.h"
#include "headlight/interpret/attribution.h"
#include "headlight/interpret/held_heads.h"
#include "headlight/nn/one_sequence.h"
#include "headlight/run/measured.h"
#include "headlight/train/history.h"
#include "headlight/train/safetensors.h"
#include "headlight/train/task_loss.h"
#include "headlight/train/weights.h"

namespace headlight::lab {
namespace {

// Of a shard that is differentiated, roughly: every block keeps some arrays as wide as the stream, and the
// logits are kept twice.
double memory_of(const run::RunConfig& c, const nn::Transformer& model) {
  double numbers = 0;
  for (const auto& [name, parameter] : nn::named_parameters(model))
    numbers += static_cast<double>(parameter.size());
  const double rows = static_cast<double>(c.train.batch / c.train.shards * c.task.n_ctx),
               of_blocks =
                   static_cast<double>(c.model.n_layers) *
                   (16 * static_cast<double>(c.model.d_model) + 4 * static_cast<double>(c.model.d_mlp)),
               patterns =
                   static_cast<double>(c.model.n_layers * c.model.n_heads * c.task.n_ctx * c.task.n_ctx);
  const double kept = numbers * (4 + static_cast<double>(c.train.shards));
  return sizeof(Real) *
         (kept + rows * (of_blocks + 4 * static_cast<double>(model.config().d_vocab)) + 4 * patterns);
}

// Before anything is made of it: numbers are divided by some of these settings.
const run::RunConfig& checked(const run::RunConfig& config) {
  run::check_settings(config);
  return config;
}

run::RunConfig complete(const run::RunConfig& config, const tasks::Task& task) {
  run::RunConfig filled = run::filled_in(config, task);
  filled.task.name = config.task.name;  // in the registry
  return filled;
}

}  // namespace

std::string refusal(const run::RunConfig& config, const tasks::Task& task, const nn::Transformer& model) {
  if (!tasks::registry().contains(config.task.name))
    return fmt::format("the laboratory does not know the task '{}'.", config.task.name);
  if (config.model.architecture != nn::Architecture::decoder) return "the laboratory takes decoders only.";
  if (!config.task.text.empty()) return "a page reads no files, so the laboratory takes no text.";
  const double memory = memory_of(complete(config, task), model);
  if (memory <= kMostMemory) return "";
  return fmt::format(
      "this model and its training take about {:.0f} MB, and the laboratory may take {:.0f} MB. Hint: train "
      "it in the terminal.",
      memory / (1 << 20), kMostMemory / (1 << 20));
}

struct Lab::State {
  // The sums of other labs are given between the two parts of a step.
  class Given : public train::Exchange {
   public:
    explicit Given(std::optional<Range> mine) : mine_(mine) {}

    Range mine(std::size_t shards) const override { return mine_.value_or(Range{0, shards}); }

    void share(std::vector<train::ShardSum>& sums) override {
      for (train::ShardSum& sum : others) sums.push_back(std::move(sum));
      others.clear();
      std::sort(sums.begin(), sums.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }

    void after_step(std::int64_t step, const std::vector<Tensor>& parameters) override {
      held.after_step(step, parameters);
    }

    std::vector<train::ShardSum> others;
    interpret::HeldHeads held;

   private:
    std::optional<Range> mine_;
  };

  State(const run::RunConfig& the_config, std::optional<train::Exchange::Range> shards)
      : task(run::make_task(checked(the_config))),
        config(complete(the_config, task)),
        model(run::make_model(config, task)),
        given(shards),
        history(std::max<std::size_t>(2, config.train.history)) {
    const std::string why = refusal(config, task, *model);
    check(why.empty(), "[lab] {}", why);
    begin();
  }

  void begin() {
    given.held = {};
    trainer.emplace(train::task_trainer(*model, task, config.train, pool, given));
    instead.reset();
  }

  // What takes the place of heads in a pass of so many sequences, by the weights as they are.
  const interpret::ActivationCache& outputs(interpret::Ablation way, std::size_t sequences) {
    const std::pair wanted(way, way == interpret::Ablation::resample ? sequences : kMeanSequences);
    if (!instead || made_for != wanted)
      instead = interpret::outputs_for(way, *model, fresh("mean outputs", wanted.second));
    made_for = wanted;
    return *instead;
  }

  tasks::Batch fresh(const char* name, std::size_t count) const {
    return tasks::draw_batch(task, task.training, count, Rng(config.train.seed).stream(name));
  }

  // The outputs that patched heads have on their tokens must outlive the hooks.
  nn::Hooks hooks(const Changes& changes, std::size_t sequences) {
    const nn::TransformerConfig& c = model->config();
    nn::Hooks hooks;
    if (!changes.off.empty())
      hooks = interpret::replace_outputs(c, changes.off, outputs(changes.way, sequences));
    if (!changes.patch.heads.empty()) {
      patched = interpret::run_with_cache(*model, nn::one_sequence(changes.patch.tokens),
                                          interpret::hooks_named("attn.hook_z"))
                    .cache;
      hooks.add(interpret::replace_outputs(c, changes.patch.heads, patched));
    }
    for (const std::size_t layer : changes.mlps_off) {
      check(layer < c.n_layers && c.d_mlp > 0, "[lab] layer {} has no MLP.", layer);
      const std::string name = fmt::format("blocks.{}.hook_mlp_out", layer);
      hooks.add(name, [instead = mlp_output(name, changes.way, sequences)](const Tensor& x) {
        const std::size_t n = x.shape()[1];  // the first n positions of what stands for all
        Array out = Array::from_shape(x.shape());
        const std::size_t rows = instead.shape()[0], all = instead.shape()[1], d = x.shape()[2];
        for (std::size_t b = 0; b < x.shape()[0]; ++b)
          std::copy_n(instead.data() + (rows == 1 ? 0 : b) * all * d, n * d, out.data() + b * n * d);
        return Tensor(std::move(out));
      });
    }
    for (const Changes::Edge& edge : changes.cut)
      hooks.add(interpret::cut_edges(c, {edge.head}, [edge](std::size_t query, std::size_t key) {
        return query == edge.query && key == edge.key;
      }));
    return hooks;
  }

  // (1,n_ctx,d_model), or of resampling (sequences,n_ctx,d_model).
  Array mlp_output(const std::string& name, interpret::Ablation way, std::size_t sequences) const {
    const nn::TransformerConfig& c = model->config();
    if (way == interpret::Ablation::zero) return full_array({1, c.n_ctx, c.d_model}, 0);
    const bool mean = way == interpret::Ablation::mean;
    const tasks::Batch batch = fresh("mean outputs", mean ? kMeanSequences : sequences);
    Array all = interpret::run_with_cache(*model, batch.tokens, [&](const std::string& one) {
                  return one == name;
                }).cache[name];  // (B,n,d_model)
    if (!mean) return all;
    const std::size_t size = all.shape()[1] * c.d_model;
    Array sum = full_array({1, all.shape()[1], c.d_model}, 0);
    for (std::size_t b = 0; b < all.shape()[0]; ++b)
      for (std::size_t i = 0; i < size; ++i)
        sum.data()[i] += all.data()[b * size + i] / static_cast<Real>(all.shape()[0]);
    return sum;
  }

  tasks::Task task;
  run::RunConfig config;
  std::unique_ptr<nn::Transformer> model;
  ThreadPool pool{1};
  Given given;
  std::optional<train::Trainer> trainer;
  std::optional<run::EvaluationSets> sets;
  train::History history;  // what was kept, of which these are the metrics
  std::vector<run::Metrics> metrics;
  std::vector<double> seconds;
  run::TrainingState kept;
  std::optional<interpret::ActivationCache> instead;
  interpret::ActivationCache patched;
  std::pair<interpret::Ablation, std::size_t> made_for;
};

Lab::Lab(const run::RunConfig& config) : state_(std::make_unique<State>(config, std::nullopt)) {}
Lab::Lab(const run::RunConfig& config, train::Exchange::Range shards)
    : state_(std::make_unique<State>(config, shards)) {}
Lab::~Lab() = default;

const run::RunConfig& Lab::config() const { return state_->config; }
const tasks::Task& Lab::task() const { return state_->task; }
const nn::Transformer& Lab::model() const { return *state_->model; }
std::int64_t Lab::steps_done() const { return state_->trainer->steps_done(); }

std::string Lab::weights() const { return train::to_safetensors(*state_->model); }

void Lab::set_weights(std::string_view safetensors) {
  train::set_weights(*state_->model, train::safetensors_from(safetensors, "the weights").arrays,
                     "the weights");
  state_->begin();
}

void Lab::silence(const interpret::HeadSet& heads) {
  for (const interpret::HeadAt& head : heads) state_->given.held.zero(*state_->model, head);
  state_->instead.reset();
}

std::string Lab::gradients() {
  state_->trainer->gradients();
  return train::to_bytes(state_->trainer->sums());
}

train::StepReport Lab::apply(const std::vector<std::string_view>& others) {
  for (const std::string_view bytes : others)
    for (train::ShardSum& sum : train::sums_from(bytes)) state_->given.others.push_back(std::move(sum));
  state_->trainer->reduce();
  state_->instead.reset();
  return state_->trainer->apply();
}

void Lab::keep(std::int64_t steps, double seconds, double loss) {
  State& s = *state_;
  if (!s.sets) s.sets.emplace(s.task, s.config.train.seed);
  s.metrics.push_back(run::measured(steps, *s.model, s.config, *s.sets, s.pool));
  s.seconds.push_back(seconds);
  s.history.offer(steps, *s.model, run::progress_of(s.metrics.back()));
  if (s.metrics.size() <= 2) s.kept.loss_first = loss;  // what was kept first may have been made by no step
  s.kept.steps = steps, s.kept.seconds = seconds, s.kept.loss_last = loss;
}

run::Run Lab::run() const {
  const State& s = *state_;
  check(!s.metrics.empty(), "[lab] a run was asked for before anything was kept.");
  run::Run run{s.config, s.task, run::make_model(s.config, s.task)};
  run.config.train.steps = s.kept.steps;
  train::set_weights(*run.model, train::weights_of(*s.model), "the weights");
  run.metrics = s.metrics, run.seconds = s.seconds;
  run.snapshots = s.history.snapshots();
  run.state = s.kept;
  run::measure_results(run, *s.sets, state_->pool);
  run.config.train.steps = std::max<std::int64_t>(1, s.kept.steps);  // a config that can be read again
  return run;
}

tasks::Sequence Lab::sequence(std::uint64_t number) const {
  const Rng rng = Rng(state_->config.train.seed).stream("lab, shown");
  return tasks::draw_sequence(state_->task, state_->task.training, rng, number);
}

Look Lab::look(const std::vector<std::int32_t>& tokens, const Changes& changes) const {
  const nn::TransformerConfig& c = state_->model->config();
  check(!tokens.empty() && tokens.size() <= c.n_ctx, "[lab] expected 1 to {} tokens, got {}.", c.n_ctx,
        tokens.size());
  for (const std::int32_t token : tokens)
    check(token >= 0 && static_cast<std::size_t>(token) < c.d_vocab, "[lab] the vocabulary has no token {}.",
          token);
  const std::size_t n = tokens.size();
  const interpret::CachedRun run =
      interpret::run_with_cache(*state_->model, nn::one_sequence(tokens),
                                interpret::hooks_named("attn.hook_pattern"), state_->hooks(changes, 1));
  Look look{Array::from_shape({c.n_layers, c.n_heads, n, n}), Array::from_shape({n, c.d_vocab}),
            Array::from_shape({c.n_layers, n, c.d_vocab})};
  for (std::size_t layer = 0; layer < c.n_layers; ++layer) {
    const Array& pattern = run.cache[interpret::pattern_name(layer)];  // (1,H,n,n)
    std::copy(pattern.data(), pattern.data() + pattern.size(), look.patterns.data() + layer * pattern.size());
  }
  const auto put = [&](const Array& logits, Array& probabilities) {
    for (std::size_t at = 0; at < probabilities.size(); at += c.d_vocab) {
      const Real* row = logits.data() + at;
      const kernels::SoftmaxSum sum = kernels::softmax_sum_row(row, c.d_vocab);
      for (std::size_t v = 0; v < c.d_vocab; ++v)
        probabilities.data()[at + v] =
            static_cast<Real>(math::exp(-static_cast<double>(kernels::minus_log_softmax(sum, row[v]))));
    }
  };
  put(run.logits, look.probabilities);
  put(interpret::logit_lens(*state_->model, nn::one_sequence(tokens), {}, state_->hooks(changes, 1)),
      look.lens);
  return look;
}

train::Evaluation Lab::evaluate(const Changes& changes, std::size_t sequences) const {
  check(sequences > 0, "[lab] expected at least 1 sequence.");
  return train::evaluate(*state_->model, state_->fresh("lab, evaluated", sequences),
                         state_->hooks(changes, sequences));
}

}  // namespace headlight::lab
