// Short trainings, whose losses are the same on every machine.
#include <fmt/core.h>

#include "checks.h"
#include "headlight/core/thread_pool.h"
#include "headlight/tasks/batch.h"
#include "headlight/train/evaluate.h"
#include "headlight/train/task_loss.h"

namespace headlight::hunt {
namespace {

struct Run {
  std::string name;
  tasks::TaskConfig task = {.name = "repeat", .d_vocab = 12, .n_ctx = 16};
  nn::TransformerConfig model = {.n_layers = 2, .d_model = 16, .n_heads = 2};
  train::TrainConfig train = {.steps = 120, .batch = 16, .learning_rate = 0.01, .warmup = 10, .history = 0};
  bool resumed = false;  // by a trainer that is made anew, after a third of the steps
};

struct Trained {
  tasks::Task task;
  nn::Transformer model;
  std::string losses;
};

nn::Transformer model_of(const Run& run, const tasks::Task& task) {
  nn::TransformerConfig config = run.model;
  config.d_vocab = task.config.d_vocab, config.n_ctx = task.config.n_ctx;
  if (config.architecture == nn::Architecture::encoder_decoder) config.n_source = task.n_source;
  Rng rng = Rng(run.train.seed).stream("init");
  return nn::Transformer(config, rng);
}

// The loss of the first step, and means over a tenth of the steps.
std::string trained(const Run& run, const nn::Transformer& model, const tasks::Task& task) {
  ThreadPool pool(2);
  auto trainer = std::make_unique<train::Trainer>(train::task_trainer(model, task, run.train, pool));
  const std::int64_t tenth = run.train.steps / 10;
  std::vector<double> losses, norms;
  double sum = 0, norm = 0;
  for (std::int64_t step = 1; step <= run.train.steps; ++step) {
    if (run.resumed && step == run.train.steps / 3) {
      const optim::OptimizerState state = trainer->state();
      trainer = std::make_unique<train::Trainer>(train::task_trainer(model, task, run.train, pool));
      trainer->set_state(step - 1, state);
    }
    const train::StepReport report = trainer->step();
    sum += report.loss, norm += report.gradient_norm;
    if (step == 1) losses.push_back(report.loss), norms.push_back(report.gradient_norm);
    if (step % (3 * tenth) != 0) continue;
    losses.push_back(sum / static_cast<double>(3 * tenth)),
        norms.push_back(norm / static_cast<double>(3 * tenth));
    sum = norm = 0;
  }
  return fmt::format("loss at step 1 {}, then means of {} steps {}; gradient norms {}", number(losses[0]),
                     3 * tenth, numbers({losses.begin() + 1, losses.end()}), numbers(norms));
}

std::string found(const Run& run) {
  tasks::TaskConfig config = run.task;
  config.with_source = run.model.architecture == nn::Architecture::encoder_decoder;
  const tasks::Task task = tasks::make_task(config);
  const nn::Transformer model = model_of(run, task);
  const std::string losses = trained(run, model, task);
  const tasks::Batch batch = tasks::draw_batch(task, task.training, 11, Rng(1).stream("evaluation"));
  ThreadPool pool(2);
  const train::Evaluation evaluated = train::evaluate(model, batch, pool);
  return fmt::format("{}; evaluated {}, accuracy {}", losses, number(evaluated.loss),
                     evaluated.accuracy_predictable ? number(*evaluated.accuracy_predictable) : "none");
}

std::vector<Run> runs() {
  std::vector<Run> all;
  const auto add = [&](const char* name, const std::function<void(Run&)>& change) {
    change(all.emplace_back(Run{.name = name}));
  };
  add("repeat, AdamW", [](Run& r) { r.train.schedule = "cosine", r.train.weight_decay = 0.1; });
  add("repeat, SGD, clipped at 0.3", [](Run& r) {
    r.train.optimizer = "sgd", r.train.learning_rate = 0.5, r.train.clip = 0.3, r.train.seed = 1;
  });
  add("repeat, Adam, average of the weights", [](Run& r) {
    r.train.optimizer = "adam", r.train.average = 0.99, r.model.d_mlp = 16, r.model.norm = nn::NormKind::rms;
  });
  add("repeat, Lion", [](Run& r) {
    r.train.optimizer = "lion", r.train.learning_rate = 2e-3, r.train.schedule = "wsd", r.train.seed = 2;
  });
  add("repeat, Muon", [](Run& r) { r.train.optimizer = "muon", r.train.schedule = "linear"; });
  add("repeat, dropout and label smoothing", [](Run& r) {
    r.model.dropout = 0.2, r.train.label_smoothing = 0.1, r.model.d_mlp = 16, r.model.mlp = "swiglu";
  });
  add("repeat, AdamW, 6 sequences in 3 shards", [](Run& r) {
    r.train.batch = 6, r.train.shards = 3, r.model.d_model = 40, r.model.positions = "learned";
  });
  add("copy, AdamW, continued from a saved state", [](Run& r) {
    r.task.name = "copy", r.resumed = true, r.train.average = 0.8, r.model.positions = "alibi";
  });
  add("reverse, encoder-decoder", [](Run& r) {
    r.task = {.name = "reverse", .d_vocab = 10, .n_ctx = 12, .min_segment = 4, .max_segment = 4};
    r.model.architecture = nn::Architecture::encoder_decoder, r.model.n_layers = 1,
    r.model.positions = "learned";
  });
  add("reverse, decoder", [](Run& r) {
    r.task = {.name = "reverse", .d_vocab = 10, .n_ctx = 14, .min_segment = 2, .max_segment = 5};
    r.model.d_mlp = 16, r.model.bias = true;
  });
  return all;
}

}  // namespace

std::vector<Check> training_checks() {
  std::vector<Check> checks;
  for (const Run& run : runs()) checks.push_back({run.name, [run] { return found(run); }});
  return checks;
}

}  // namespace headlight::hunt
