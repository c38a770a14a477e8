#include "headlight/train/config.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "headlight/core/check.h"

namespace headlight::train {
namespace {

using nlohmann::ordered_json;

std::string as_json(const std::string& value) { return value; }
template <class T>
T as_json(T value) {
  return value;
}
std::string as_json(nn::Positions value) { return nn::to_string(value); }
std::string as_json(nn::NormKind value) { return nn::to_string(value); }

void from(const ordered_json& json, nn::Positions& value) {
  value = nn::positions_from(json.get<std::string>());
}
void from(const ordered_json& json, nn::NormKind& value) { value = nn::norm_from(json.get<std::string>()); }
void from(const ordered_json& json, std::string& value) { value = json.get<std::string>(); }
void from(const ordered_json& json, bool& value) { value = json.get<bool>(); }
template <class T>
void from(const ordered_json& json, T& value) {
  check(json.is_number() && (std::is_floating_point_v<T> || json.is_number_integer()),
        "a number is expected");
  check(!std::is_unsigned_v<T> || json.get<double>() >= 0, "a number of at least 0 is expected");
  value = json.get<T>();
}

template <class C, class T>
concept Part = std::same_as<std::remove_const_t<C>, T>;

// The members of each part, named once; writing and reading both go through here.
void members(Part<tasks::TaskConfig> auto& c, auto&& v) {
  v("name", c.name);
  v("d_vocab", c.d_vocab);
  v("n_ctx", c.n_ctx);
  v("min_segment", c.min_segment);
  v("max_segment", c.max_segment);
  v("distinct", c.distinct);
  v("fixed_offset", c.fixed_offset);
}
void members(Part<nn::TransformerConfig> auto& c, auto&& v) {
  v("n_layers", c.n_layers);
  v("d_model", c.d_model);
  v("n_heads", c.n_heads);
  v("d_head", c.d_head);
  v("d_mlp", c.d_mlp);
  v("d_vocab", c.d_vocab);
  v("n_ctx", c.n_ctx);
  v("positions", c.positions);
  v("norm", c.norm);
  v("bias", c.bias);
}
void members(Part<TrainConfig> auto& c, auto&& v) {
  v("steps", c.steps);
  v("batch", c.batch);
  v("shards", c.shards);
  v("optimizer", c.optimizer);
  v("learning_rate", c.learning_rate);
  v("schedule", c.schedule);
  v("warmup", c.warmup);
  v("beta1", c.beta1);
  v("beta2", c.beta2);
  v("weight_decay", c.weight_decay);
  v("clip", c.clip);
  v("evaluate_every", c.evaluate_every);
  v("history", c.history);
  v("seed", c.seed);
}

template <class P>
ordered_json written(const P& part) {
  ordered_json json;
  members(part, [&](const char* name, const auto& value) { json[name] = as_json(value); });
  return json;
}

template <class P>
void read(const ordered_json& whole, const char* part_name, P& part) {
  if (!whole.contains(part_name)) return;
  const ordered_json& json = whole.at(part_name);
  check(json.is_object(), "the config's '{}' must be an object {{…}}.", part_name);
  std::set<std::string> known;
  members(part, [&](const char* name, auto& value) {
    known.insert(name);
    if (!json.contains(name)) return;
    try {
      from(json.at(name), value);
    } catch (const std::exception& e) {
      fail("the config's '{}.{}' cannot be {}: {}.", part_name, name, json.at(name).dump(), e.what());
    }
  });
  for (const auto& [key, value] : json.items())
    check(known.contains(key), "the config has an unknown key '{}.{}'.", part_name, key);
}

}  // namespace

std::string to_json(const RunConfig& config) {
  ordered_json json;
  json["task"] = written(config.task);
  json["model"] = written(config.model);
  json["train"] = written(config.train);
  return json.dump(2) + "\n";
}

RunConfig run_config_from_json(const std::string& text) {
  ordered_json json;
  try {
    json = ordered_json::parse(text);
  } catch (const ordered_json::parse_error& e) {
    fail("the config is not valid JSON (at byte {}).", e.byte);
  }
  check(json.is_object(), "the config must be an object {{…}} with task, model and train.");
  for (const auto& [key, value] : json.items())
    check(key == "task" || key == "model" || key == "train", "the config has an unknown key '{}'.", key);
  RunConfig config;
  read(json, "task", config.task);
  read(json, "model", config.model);
  read(json, "train", config.train);
  return config;
}

void check_config(const RunConfig& config) {
  const TrainConfig& t = config.train;
  check(t.steps >= 1, "training needs at least 1 step, got {}.", t.steps);
  check(t.batch >= 1, "a batch needs at least 1 sequence, got {}.", t.batch);
  check(t.shards >= 1 && t.batch % t.shards == 0,
        "a batch of {} sequences cannot be cut into {} equal shards. Hint: choose a shard count that divides "
        "it.",
        t.batch, t.shards);
  check(t.optimizer == "adamw" || t.optimizer == "adam" || t.optimizer == "sgd",
        "unknown optimizer '{}': expected adamw, adam or sgd.", t.optimizer);
  check(t.schedule == "constant" || t.schedule == "cosine",
        "unknown schedule '{}': expected constant or cosine.", t.schedule);
  check(std::isfinite(t.learning_rate) && t.learning_rate > 0, "the learning rate must be positive, got {}.",
        t.learning_rate);
  check(t.warmup >= 0, "the warm-up cannot be negative, got {} steps.", t.warmup);
  check(t.beta1 >= 0 && t.beta1 < 1 && t.beta2 >= 0 && t.beta2 < 1,
        "beta1 and beta2 must lie in [0, 1), got {} and {}.", t.beta1, t.beta2);
  check(std::isfinite(t.weight_decay) && t.weight_decay >= 0, "the weight decay cannot be negative, got {}.",
        t.weight_decay);
  check(std::isfinite(t.clip) && t.clip >= 0, "the bound on the gradient norm cannot be negative, got {}.",
        t.clip);
  check(t.evaluate_every >= 1, "evaluate_every must be at least 1, got {}.", t.evaluate_every);
  check(t.history != 1,
        "the history keeps the first and the last moment at least: expected 0 or 2 and more, got 1.");
  check(config.model.d_vocab == config.task.d_vocab && config.model.n_ctx == config.task.n_ctx,
        "the model's vocabulary and context ({}, {}) differ from the task's ({}, {}).", config.model.d_vocab,
        config.model.n_ctx, config.task.d_vocab, config.task.n_ctx);
  tasks::make_task(config.task);
}

}  // namespace headlight::train
