#include <fmt/core.h>

#include "app/run.h"
#include "app/story.h"
#include "command.h"
#include "headlight/autograd/anomaly.h"
#include "headlight/core/files.h"
#include "program/exit_status.h"

namespace headlight::app {
namespace {

// A flag of the command line over what the defaults or --config say.
template <class T>
using Flag = std::optional<T>;

struct TrainOptions {
  std::string config_file, out = "runs/train";
  bool no_color = false, anomaly = false;
  int threads = 0;
  Flag<std::string> task, positions, optimizer, schedule;
  Flag<std::size_t> layers, heads, d_model, d_head, d_mlp, context, vocab, batch, shards, history,
      min_segment, max_segment;
  Flag<std::int64_t> steps, warmup, evaluate_every;
  Flag<double> lr, beta1, beta2, weight_decay, clip;
  Flag<std::uint64_t> seed;
  bool repeats = false, fixed_offset = false, bias = false;
};

template <class T, class U>
void set(U& value, const Flag<T>& flag) {
  if (flag) value = *flag;
}

train::RunConfig config_from(const TrainOptions& o) {
  train::RunConfig c =
      o.config_file.empty() ? train::RunConfig{} : train::run_config_from_json(read_file(o.config_file));
  set(c.task.name, o.task);
  set(c.task.min_segment, o.min_segment);
  set(c.task.max_segment, o.max_segment);
  if (o.repeats) c.task.distinct = false;
  if (o.fixed_offset) c.task.fixed_offset = true;
  if (o.bias) c.model.bias = true;
  set(c.task.n_ctx, o.context);
  set(c.model.n_ctx, o.context);
  set(c.task.d_vocab, o.vocab);
  set(c.model.d_vocab, o.vocab);
  set(c.model.n_layers, o.layers);
  set(c.model.n_heads, o.heads);
  set(c.model.d_model, o.d_model);
  set(c.model.d_head, o.d_head);
  set(c.model.d_mlp, o.d_mlp);
  if (o.positions) c.model.positions = nn::positions_from(*o.positions);
  set(c.train.batch, o.batch);
  set(c.train.shards, o.shards);
  set(c.train.steps, o.steps);
  set(c.train.warmup, o.warmup);
  set(c.train.evaluate_every, o.evaluate_every);
  set(c.train.history, o.history);
  set(c.train.optimizer, o.optimizer);
  set(c.train.schedule, o.schedule);
  set(c.train.learning_rate, o.lr);
  set(c.train.beta1, o.beta1);
  set(c.train.beta2, o.beta2);
  set(c.train.weight_decay, o.weight_decay);
  set(c.train.clip, o.clip);
  set(c.train.seed, o.seed);
  return c;
}

int train_command(const TrainOptions& options, const std::string& typed) {
  const train::RunConfig config = config_from(options);
  train::check_config(config);
  const std::string opening = nn::summary(*train::make_model(config)) + "\n";
  std::optional<AnomalyScope> watched;
  if (options.anomaly) watched.emplace();
  const Summary summary = train_run(config, {options.out, options.threads, typed, opening});
  tell_result(summary, report::color_mode(!options.no_color));
  tell_files(options.out);
  return summary.interrupted ? kInterrupted : 0;
}

}  // namespace

void add_train(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<TrainOptions>();
  CLI::App* c = program.add_subcommand("train", "Train a model of your own and score its heads");
  c->add_option("--config", o->config_file,
                "Settings as JSON, as in a run's config.json; flags go over them");
  c->add_option("--out", o->out, "Folder for what the run leaves behind")->capture_default_str();
  c->add_option("--threads", o->threads, "Threads; 0: all cores. Changes no number")->capture_default_str();
  c->add_flag("--no-color", o->no_color, "Draw in plain text");
  c->add_flag("--anomaly", o->anomaly, "Stop at the op that first makes a NaN or an infinity, and name it");

  c->add_option("--task", o->task, "repeat (default) or copy")->group("Task");
  c->add_option("--vocab", o->vocab, "Number of tokens (64)")->check(natural())->group("Task");
  c->add_option("--context", o->context, "Positions in a sequence (64)")->check(natural())->group("Task");
  c->add_option("--min-segment", o->min_segment, "Shortest segment (context/4)")
      ->check(natural())
      ->group("Task");
  c->add_option("--max-segment", o->max_segment, "Longest segment (context/2)")
      ->check(natural())
      ->group("Task");
  c->add_flag("--repeats", o->repeats, "Allow a token twice in a segment")->group("Task");
  c->add_flag("--fixed-offset", o->fixed_offset, "All segments have the longest length")->group("Task");

  c->add_option("--layers", o->layers, "Layers (2)")->check(natural())->group("Model");
  c->add_option("--heads", o->heads, "Heads in each layer (4)")->check(natural())->group("Model");
  c->add_option("--d-model", o->d_model, "Width of the residual stream (64)")
      ->check(natural())
      ->group("Model");
  c->add_option("--d-head", o->d_head, "Width of a head (d-model/heads)")->check(natural())->group("Model");
  c->add_option("--d-mlp", o->d_mlp, "Width of the MLPs (0: attention only)")
      ->check(natural())
      ->group("Model");
  c->add_option("--positions", o->positions, "rotary (default), learned, learned-qk or none")->group("Model");
  c->add_flag("--bias", o->bias, "Biases in attention and MLPs")->group("Model");

  c->add_option("--steps", o->steps, "Training steps (700)")->check(natural())->group("Training");
  c->add_option("--batch", o->batch, "Sequences in a step (32)")->check(natural())->group("Training");
  c->add_option("--shards", o->shards, "Parts of the batch for the threads (8)")
      ->check(natural())
      ->group("Training");
  c->add_option("--lr", o->lr, "Learning rate (0.007)")->group("Training");
  c->add_option("--warmup", o->warmup, "Steps until the full learning rate (100)")
      ->check(natural())
      ->group("Training");
  c->add_option("--schedule", o->schedule, "constant (default) or cosine")->group("Training");
  c->add_option("--optimizer", o->optimizer, "adamw (default), adam or sgd")->group("Training");
  c->add_option("--beta1", o->beta1, "Adam's β₁, SGD's momentum (0.9)")->group("Training");
  c->add_option("--beta2", o->beta2, "Adam's β₂ (0.99)")->group("Training");
  c->add_option("--weight-decay", o->weight_decay, "Weight decay (0.01)")->group("Training");
  c->add_option("--clip", o->clip, "Bound on the gradient norm; 0: none (1)")->group("Training");
  c->add_option("--evaluate-every", o->evaluate_every, "Steps between evaluations (10)")
      ->check(natural())
      ->group("Training");
  c->add_option("--history", o->history, "Moments of training kept for the report (40); 0: none")
      ->check(natural())
      ->group("Training");
  c->add_option("--seed", o->seed, "Start of all random numbers (0)")->check(natural())->group("Training");
  c->footer(
      "\nExamples:\n  ./headlight train --layers 1 --out runs/one_layer\n"
      "  ./headlight train --task copy --positions learned --steps 2000\n"
      "  ./headlight train --config runs/demo/config.json --seed 3 --out runs/again\n\n"
      "Exit status: 0 when training ended, with or without a head (summary.json: passed), 2 for an error.");
  c->callback([o, &chosen] { chosen = [o](const std::string& typed) { return train_command(*o, typed); }; });
}

}  // namespace headlight::app
