// Every check of a config: what is refused with which words, and what is just allowed.
#include <cmath>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "headlight/core/thread_pool.h"
#include "headlight/run/config.h"
#include "headlight/train/task_loss.h"

using namespace headlight;
using namespace headlight::run;

namespace {

using Json = nlohmann::ordered_json;
using Change = std::function<void(RunConfig&)>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

RunConfig changed(const Change& change) {
  RunConfig config;
  change(config);
  return config;
}

void require_refused(const Change& change, const std::string& part) {
  const std::string message = error_of([&] { check_config(changed(change)); });
  INFO(message);
  CHECK(contains(message, part));
}

void require_allowed(const Change& change) { CHECK_NOTHROW(check_config(changed(change))); }

void require_unreadable(const std::string& json, const std::string& part) {
  const std::string message = error_of([&] { run_config_from_json(json); });
  INFO(json << "\n" << message);
  CHECK(contains(message, part));
}

// Another value of the same kind.
Json another(const std::string& key, const Json& value) {
  if (value.is_boolean()) return !value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>() + 3;
  if (value.is_number()) return value.get<double>() + 0.125;
  for (const ConfigPart& part : settings())
    for (const auto& row : part.rows)
      if (row.key == key && row.choices)
        return row.choices().front() == value.get<std::string>() ? row.choices().back()
                                                                 : row.choices().front();
  return value.get<std::string>() + "x";
}

// The parts of a config as JSON: all of it but the number of the format.
Json parts_of(Json config) {
  config.erase("format");
  return config;
}

}  // namespace

TEST_CASE("the default config passes every check", "[config]") {
  require_allowed([](auto&) {});
}

TEST_CASE("config: steps", "[config]") {
  for (const std::int64_t steps : {0, -1})
    require_refused([&](auto& c) { c.train.steps = steps; },
                    fmt::format("train.steps must be at least 1, got {}.", steps));
  require_allowed([](auto& c) { c.train.steps = 1; });
}

TEST_CASE("config: batch", "[config]") {
  require_refused([](auto& c) { c.train.batch = 0; }, "train.batch must be at least 1, got 0.");
  require_allowed([](auto& c) { c.train.batch = c.train.shards = 1; });
}

TEST_CASE("config: shards", "[config]") {
  require_refused([](auto& c) { c.train.shards = 0; }, "train.shards must be at least 1, got 0.");
  require_refused([](auto& c) { c.train.shards = 48; }, "32 sequences cannot be cut into 48 equal shards");
  require_refused([](auto& c) { c.train.batch = 33; }, "33 sequences cannot be cut into 8 equal shards");
  require_allowed([](auto& c) { c.train.shards = c.train.batch; });
  require_allowed([](auto& c) { c.train.shards = 1; });
}

TEST_CASE("config: optimizer", "[config]") {
  for (const char* name : {"", "Adam", "adamww", "tiger"})
    require_refused([&](auto& c) { c.train.optimizer = name; },
                    "unknown optimizer '" + std::string(name) + "'");
  for (const char* name : {"adamw", "adam", "sgd", "nesterov", "lion", "muon"})
    require_allowed([&](auto& c) { c.train.optimizer = name; });
}

TEST_CASE("config: schedule", "[config]") {
  for (const char* name : {"", "Cosine", "step"})
    require_refused([&](auto& c) { c.train.schedule = name; },
                    "unknown schedule '" + std::string(name) + "'");
  for (const char* name : {"constant", "cosine", "linear", "wsd"})
    require_allowed([&](auto& c) { c.train.schedule = name; });
}

TEST_CASE("config: learning rate", "[config]") {
  for (const double rate : {0.0, -1e-3, kInfinity, std::nan("")})
    require_refused([&](auto& c) { c.train.learning_rate = rate; },
                    fmt::format("train.learning_rate must be above 0, got {}.", rate));
  require_allowed([](auto& c) { c.train.learning_rate = 1e-12; });
}

TEST_CASE("config: warm-up", "[config]") {
  require_refused([](auto& c) { c.train.warmup = -1; }, "train.warmup must be at least 0, got -1.");
  require_allowed([](auto& c) { c.train.warmup = 0; });
  require_allowed([](auto& c) { c.train.warmup = 2 * c.train.steps; });
}

TEST_CASE("config: beta1 and beta2", "[config]") {
  for (const double beta : {1.0, -0.1, 2.0, std::nan("")}) {
    require_refused([&](auto& c) { c.train.beta1 = beta; },
                    fmt::format("train.beta1 must be at least 0 and below 1, got {}.", beta));
    require_refused([&](auto& c) { c.train.beta2 = beta; },
                    fmt::format("train.beta2 must be at least 0 and below 1, got {}.", beta));
  }
  require_allowed([](auto& c) { c.train.beta1 = c.train.beta2 = 0; });
}

TEST_CASE("config: score cap", "[config]") {
  for (const double cap : {-1.0, 1e-320, kInfinity, std::nan("")})
    require_refused([&](auto& c) { c.model.score_cap = cap; },
                    fmt::format("model.score_cap must be {} … {}, or 0 for none, got {}.",
                                std::numeric_limits<Real>::min(), std::numeric_limits<Real>::max(), cap));
  require_allowed([](auto& c) { c.model.score_cap = 0; });
}

TEST_CASE("config: weight decay", "[config]") {
  for (const double decay : {-0.01, kInfinity, std::nan("")})
    require_refused([&](auto& c) { c.train.weight_decay = decay; },
                    fmt::format("train.weight_decay must be at least 0, got {}.", decay));
  require_allowed([](auto& c) { c.train.weight_decay = 0; });
}

TEST_CASE("config: clip", "[config]") {
  for (const double bound : {-1.0, kInfinity, std::nan("")})
    require_refused([&](auto& c) { c.train.clip = bound; },
                    fmt::format("train.clip must be at least 0, got {}.", bound));
  require_allowed([](auto& c) { c.train.clip = 0; });
}

TEST_CASE("config: evaluate_every", "[config]") {
  for (const std::int64_t every : {0, -5})
    require_refused([&](auto& c) { c.train.evaluate_every = every; },
                    fmt::format("train.evaluate_every must be at least 1, got {}.", every));
  require_allowed([](auto& c) { c.train.evaluate_every = 1; });
}

TEST_CASE("config: history", "[config]") {
  require_refused([](auto& c) { c.train.history = 1; },
                  "train.history must be 0, or at least 2 for the first and the last snapshot, got 1.");
  for (const std::size_t snapshots : {0, 2}) require_allowed([&](auto& c) { c.train.history = snapshots; });
}

TEST_CASE("config: model and task fit each other", "[config]") {
  const RunConfig config = changed([](auto& c) {
    c.task.d_vocab = 70, c.task.n_ctx = 66;
    c.model.d_vocab = 65, c.model.n_ctx = 63;  // whatever stands here
  });
  CHECK_NOTHROW(check_config(config));
  CHECK(make_model(config)->config().d_vocab == 70);
  CHECK(make_model(config)->config().n_ctx == 66);
}

TEST_CASE("config: the model's sizes of older files must be the task's", "[config]") {
  const auto read = [](const char* model, const char* task) {
    return run_config_from_json(fmt::format(R"({{"model": {}, "task": {}}})", model, task));
  };
  const auto refused = [&](const char* model, const char* task) {
    return error_of([&] { read(model, task); });
  };
  CHECK(contains(refused(R"({"d_vocab": 65})", "{}"), "the model's d_vocab is 65, but the task's is 64."));
  CHECK(contains(refused(R"({"n_ctx": 63})", "{}"), "the model's n_ctx is 63, but the task's is 64."));
  CHECK(contains(refused(R"({"d_vocab": 64, "n_ctx": 64})", R"({"d_vocab": 70})"),
                 "the model's d_vocab is 64, but the task's is 70."));
  CHECK(contains(refused(R"({"d_vocab": 64, "n_ctx": 64})", R"({"n_ctx": 70})"),
                 "the model's n_ctx is 64, but the task's is 70."));
  CHECK(contains(refused(R"({"d_vocab": "64"})", "{}"), "the model's d_vocab is \"64\""));
  CHECK(read(R"({"d_vocab": 64, "n_ctx": 64})", "{}").task.n_ctx == 64);
  const RunConfig both = read(R"({"d_vocab": 70, "n_ctx": 66})", R"({"d_vocab": 70, "n_ctx": 66})");
  CHECK(both.task.d_vocab == 70);
  CHECK(both.task.n_ctx == 66);
}

TEST_CASE("a trainer's model and task fit each other", "[config]") {
  const RunConfig config;
  const tasks::Task task = tasks::make_task(config.task);
  ThreadPool pool(1);
  const auto train_with = [&](std::size_t d_vocab, std::size_t n_ctx) {
    Rng rng(1);
    nn::Transformer model({.n_layers = 1, .d_model = 8, .n_heads = 1, .d_vocab = d_vocab, .n_ctx = n_ctx},
                          rng);
    train::task_trainer(model, task, config.train, pool);
  };
  CHECK(contains(error_of([&] { train_with(65, 64); }), "(65, 64) do not fit the task's (64, 64)"));
  CHECK(contains(error_of([&] { train_with(63, 64); }), "(63, 64) do not fit the task's (64, 64)"));
  CHECK(contains(error_of([&] { train_with(64, 63); }), "(64, 63) do not fit the task's (64, 64)"));
  CHECK_NOTHROW(train_with(64, 64));
  CHECK_NOTHROW(train_with(64, 65));
}

TEST_CASE("config: a task that cannot be posed", "[config]") {
  require_refused([](auto& c) { c.task.name = "guess"; }, "unknown task 'guess'");
  require_refused([](auto& c) { c.task.min_segment = 1; }, "do not fit a context");
  require_refused([](auto& c) { c.task.max_segment = 33; }, "do not fit a context");
}

TEST_CASE("config: a model that cannot be made", "[config]") {
  const auto refused = [](const Change& change, const std::string& part) {
    const std::string message = error_of([&] { make_model(changed(change)); });
    INFO(message);
    CHECK(contains(message, part));
  };
  const auto refused_by_both = [&](const Change& change, const std::string& part,
                                   const std::string& setting) {
    refused(change, part);
    require_refused(change, setting + " must be at least 1, got 0.");
  };
  refused_by_both([](auto& c) { c.model.n_layers = 0; }, "n_layers = 0", "model.n_layers");
  refused_by_both([](auto& c) { c.task.d_vocab = 0; }, "a vocabulary of 0", "task.d_vocab");
  refused_by_both([](auto& c) { c.task.n_ctx = 0; }, "a context of 0", "task.n_ctx");
  refused_by_both([](auto& c) { c.model.n_heads = 0; }, "n_heads = 0", "model.n_heads");
  refused([](auto& c) { c.model.n_heads = 5; }, "d_model = 64 is not divisible by n_heads = 5");
  refused([](auto& c) { c.model.d_head = 3; }, "d_head must be even; it is 3");
}

TEST_CASE("a config's text is JSON with three objects", "[config]") {
  require_unreadable("", "not valid JSON");
  require_unreadable("{\"task\": {}", "line 1 is not valid JSON");
  require_unreadable("{} {}", "not valid JSON");
  require_unreadable("{\"train\": {\"learning_rate\": 1e400}}",
                     "line 1 has the number 1e400, which is too large");
  for (const char* text : {"[]", "3", "null", "\"task\""}) require_unreadable(text, "must be an object");
  for (const char* part : {"task", "model", "train"})
    for (const char* value : {"[]", "1", "null", "\"x\""})
      require_unreadable(fmt::format("{{\"{}\": {}}}", part, value),
                         fmt::format("the config's '{}' must be an object", part));
}

TEST_CASE("the format of a config is one that can be read", "[config]") {
  for (const char* format : {"3", "1000", "1.5", "\"2\"", "null"})
    require_unreadable(fmt::format(R"({{"format": {}}})", format), fmt::format("has format {}; ", format));
  for (const int format : {1, kFormat})
    CHECK_NOTHROW(run_config_from_json(fmt::format(R"({{"format": {}}})", format)));
}

TEST_CASE("unknown keys of a config are named, in every part", "[config]") {
  require_unreadable(R"({"tasks": {}})", "unknown key 'tasks'");
  for (const char* part : {"task", "model", "train"})
    require_unreadable(fmt::format(R"({{"{}": {{"surprise": 1}}}})", part),
                       fmt::format("unknown key '{}.surprise'", part));
}

TEST_CASE("every setting comes back from JSON, and nothing else moves", "[config]") {
  const Json defaults = Json::parse(to_json(RunConfig{}));
  CHECK(defaults.at("format") == kFormat);
  std::size_t written = 0, known = 0;
  const Json parts = parts_of(defaults);
  for (const auto& [part, members] : parts.items())
    for (const auto& [key, value] : members.items()) {
      INFO(part << "." << key);
      Json whole = defaults;
      whole[part][key] = another(key, value);
      CHECK(Json::parse(to_json(run_config_from_json(whole.dump()))) == whole);
      Json alone;
      alone[part][key] = another(key, value);
      CHECK(Json::parse(to_json(run_config_from_json(alone.dump()))) == whole);
      ++written;
    }
  for (const ConfigPart& part : settings()) known += part.rows.size();
  CHECK(written == known);
  CHECK(written >= 29);
}

TEST_CASE("a setting of another kind is refused by its name", "[config]") {
  const Json defaults = Json::parse(to_json(RunConfig{})), parts = parts_of(defaults);
  for (const auto& [part, members] : parts.items())
    for (const auto& [key, value] : members.items()) {
      std::vector<Json> wrong{nullptr, Json::array(), Json::object()};
      if (!value.is_string()) wrong.emplace_back("12");
      if (!value.is_boolean()) wrong.emplace_back(true);
      if (!value.is_number()) wrong.emplace_back(1);
      if (value.is_number_integer()) wrong.emplace_back(1.5);
      if (value.is_number_unsigned() && part != "train") wrong.emplace_back(-1);
      for (const Json& other : wrong) {
        Json whole = defaults;
        whole[part][key] = other;
        require_unreadable(whole.dump(), fmt::format("'{}.{}' cannot be {}", part, key, other.dump()));
      }
    }
}

TEST_CASE("counts of a config cannot be negative", "[config]") {
  for (const char* key : {"batch", "shards", "history", "seed"})
    require_unreadable(fmt::format(R"({{"train": {{"{}": -1}}}})", key),
                       fmt::format("'train.{}' cannot be -1: a number of at least 0 is expected", key));
  CHECK(run_config_from_json(R"({"train": {"steps": -1}})").train.steps == -1);  // check_config's to refuse
}

TEST_CASE("seeds come back to their last bit", "[config]") {
  RunConfig config;
  for (const std::uint64_t seed : {std::uint64_t{0}, (std::uint64_t{1} << 53) + 1, ~std::uint64_t{0}}) {
    config.train.seed = seed;
    CHECK(run_config_from_json(to_json(config)).train.seed == seed);
  }
}
