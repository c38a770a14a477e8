#include <algorithm>

#include "fields.h"
#include "headlight/core/check.h"
#include "headlight/core/finite.h"
#include "headlight/interpret/attention_layers.h"
#include "headlight/nn/check_model.h"
#include "headlight/nn/model_size.h"
#include "headlight/run/run_files.h"
#include "headlight/system/file_error.h"
#include "headlight/system/files.h"
#include "headlight/system/sha256.h"
#include "headlight/tasks/text.h"
#include "headlight/train/safetensors.h"
#include "manifest.h"
#include "training_state.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

// The files of one folder, compared with its manifest. A run that is saved anew meanwhile has another
// manifest, and is read again from the start.
class Reader {
 public:
  explicit Reader(fs::path folder) : folder_(std::move(folder)), manifest_text_(manifest_text()) {
    try {
      if (!manifest_text_.empty()) manifest_ = manifest_from_json(manifest_text_);
    } catch (const Error& e) {
      notes_.push_back(fmt::format("'{}' is damaged: {}.", path(files::kManifest).string(), e.what()));
    }
  }

  fs::path path(const std::string& name) const { return folder_ / name; }
  bool has(const std::string& name) const { return is_there(path(name)); }

  std::string read(const std::string& name, std::size_t most) {
    return compared(name, read_file(path(name), most));
  }
  train::SafetensorsFile arrays(const std::string& name) {
    return train::safetensors_from(compared(name, train::read_safetensors(path(name))), path(name).string());
  }

  bool is_saved_anew() const { return manifest_text() != manifest_text_; }
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  std::string manifest_text() const {
    return has(files::kManifest) ? read_file(path(files::kManifest), kMostFieldBytes) : "";
  }

  std::string compared(const std::string& name, std::string bytes) {
    const auto wrote = manifest_.find(name);
    if (!manifest_.empty() && (wrote == manifest_.end() || wrote->second != sha256(bytes)))
      notes_.push_back(
          fmt::format("'{}' was edited or damaged since the run was saved.", path(name).string()));
    return bytes;
  }

  fs::path folder_;
  std::string manifest_text_;
  Manifest manifest_;
  std::vector<std::string> notes_;
};

// Names the file of what `read` throws.
template <class Read>
auto of_config(const Reader& reader, Read read) {
  try {
    return read();
  } catch (const Error& e) {
    fail_file("'{}' cannot be used: {}", reader.path(files::kConfig).string(), e.what());
  }
}

RunConfig read_config(Reader& reader) {
  const std::string text = reader.read(files::kConfig, kMostConfigBytes);
  return of_config(reader, [&] {
    RunConfig config = run_config_from_json(text);
    config.task.folder = reader.path("").parent_path().string();
    // A stranger's config cannot make another file of this machine the text.
    check(config.task.name != "text" || config.task.text.empty() || config.task.text == tasks::kTextFile,
          "it names the text '{}', but a run keeps its own, {}.", config.task.text, tasks::kTextFile);
    RunConfig checked = config;  // whose task may be another program's
    if (!tasks::registry().contains(config.task.name)) checked.task.name = tasks::TaskConfig{}.name;
    check_settings(checked);
    nn::check_model(model_config(config, known_task(config)));
    return config;
  });
}

bool names_heads_of(const interpret::Certificate& c, const nn::TransformerConfig& config) {
  interpret::HeadSet named = c.circuit();
  for (const interpret::Needed& needed : c.needed) named.push_back(needed.head);
  if (c.shifted_induction)
    for (const auto& heads : {c.shifted_induction->induction_heads, c.shifted_induction->key_heads,
                              c.shifted_induction->value_heads})
      named.insert(named.end(), heads.begin(), heads.end());
  return std::all_of(named.begin(), named.end(), [&](const interpret::HeadAt& head) {
    return head.layer < config.n_layers && head.head < config.n_heads;
  });
}

// Whether these are all heads of such a model, in the order of its attention layers. Compares the number of
// heads first: a stranger's config may ask for any number of layers.
bool are_heads_of(const std::vector<interpret::HeadScores>& scores, const nn::TransformerConfig& config) {
  if (config.n_layers > scores.size()) return false;
  const std::vector<interpret::AttentionLayer> layers = interpret::attention_layers(config);
  if (config.n_heads == 0 || scores.size() != layers.size() * config.n_heads) return false;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const interpret::AttentionLayer& layer = layers[i / config.n_heads];
    if (scores[i].at() != interpret::HeadAt{layer.layer, i % config.n_heads, layer.stack}) return false;
  }
  return true;
}

Results read_results(Reader& reader, const RunConfig& config) {
  const std::string file = reader.path(files::kSummary).string();
  Results results = results_from_json(reader.read(files::kSummary, kMostFieldBytes), file);
  check_file(results.task == config.task.name, "'{}' is of the task '{}', but {} of '{}'.", file,
             results.task, files::kConfig, config.task.name);
  check_file((results.heads.empty() || are_heads_of(results.heads, config.model)) &&
                 (!results.certificate || names_heads_of(*results.certificate, config.model)),
             "'{}' is of another model than {}: its heads are not those of {} layers with {} heads.", file,
             files::kConfig, config.model.n_layers, config.model.n_heads);
  return results;
}

// A config asks for weights of any number. One that asks for far more than the file holds is refused before
// memory is taken for them.
void check_size(const Run& run, const train::Weights& weights) {
  constexpr double kSlack = 2, kFew = 1e5;  // the size is an estimate
  double held = 0;
  for (const auto& [name, array] : weights) held += static_cast<double>(array.size());
  const double asked = nn::size_of_model(model_config(run.config, run.task)).parameters;
  check(asked <= kSlack * held + kFew, "its model has about {:.0f} parameters, but {} holds {:.0f} numbers.",
        asked, files::kModel, held);
}

// `rows` sequences with as many of the vocabulary's tokens as there is room for, (rows,length).
IntArray some_tokens(std::size_t rows, std::size_t length, std::size_t d_vocab) {
  IntArray tokens = IntArray::from_shape({rows, length});
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens.data()[i] = static_cast<std::int32_t>(i % d_vocab);
  return tokens;
}

// Finite weights can be so large that what a model computes from them is not.
void check_computes(const nn::Transformer& model, const std::string& file) {
  // A context and a vocabulary of any size should cost no time here.
  constexpr std::size_t kMostPositions = 64, kMostTokens = 1024;
  const nn::TransformerConfig& config = model.config();
  const std::size_t length = std::min(kMostPositions, config.n_ctx);
  const std::size_t rows = (std::min(kMostTokens, config.d_vocab) + length - 1) / length;
  nn::Given given;
  if (config.n_source > 0)
    given.source = some_tokens(rows, std::min(kMostPositions, config.n_source), config.d_vocab);
  const NoGrad no_grad;
  const Tensor logits = model(some_tokens(rows, length, config.d_vocab), {}, given);
  check_file(all_finite(logits.array()),
             "'{}' has parameters so large that the model's logits are not finite.", file);
}

void read_model(Reader& reader, Run& run) {
  train::Weights weights = reader.arrays(files::kModel).arrays;
  of_config(reader, [&] {
    check_size(run, weights);
    run.model = make_model(run.config, run.task);
  });
  const std::string file = reader.path(files::kModel).string();
  train::set_weights(*run.model, std::move(weights), file);
  check_computes(*run.model, file);
}

void read_metrics(Reader& reader, Run& run) {
  const std::string file = reader.path(files::kMetrics).string();
  run.metrics = metrics_from_lines(reader.read(files::kMetrics, kMostMetricBytes), file);
  const auto &before = run.metrics.back().heads, &now = run.results.heads;
  check_file(run.metrics.back().step <= run.results.steps &&
                 std::equal(before.begin(), before.end(), now.begin(), now.end(),
                            [](const auto& a, const auto& b) { return a.at() == b.at(); }),
             "'{}' and {} are of different runs.", file, files::kSummary);
  if (!reader.has(files::kTiming)) return;
  const std::string timing = reader.path(files::kTiming).string();
  for_each_line(reader.read(files::kTiming, kMostMetricBytes), timing, [&](const Fields& line) {
    check(
        run.seconds.size() < run.metrics.size() && line.count("step") == run.metrics[run.seconds.size()].step,
        "{} has no metrics of its step", files::kMetrics);
    run.seconds.push_back(line.time("seconds"));
  });
  check_file(run.seconds.size() == run.metrics.size(), "'{}' and {} are of different runs.", timing,
             files::kMetrics);
}

void read_snapshots(Reader& reader, Run& run) {
  const std::string file = reader.path(files::kHistory).string();
  run.snapshots = train::snapshots_from(reader.arrays(files::kHistory), file);
  if (run.model != nullptr)
    for (const train::Snapshot& snapshot : run.snapshots)
      train::check_weights(*run.model, snapshot.weights, file);
  check_file(run.snapshots.back().step <= run.results.steps,
             "'{}' has a snapshot of step {}, but the run ended at step {}.", file, run.snapshots.back().step,
             run.results.steps);
}

void read_state(Reader& reader, Run& run) {
  run.state = state_from(reader.read(files::kState, kMostFieldBytes), reader.arrays(files::kOptimizer),
                         reader.path("").parent_path(), *run.model);
  check_file(run.state->steps == run.results.steps,
             "'{}' and {} are of different runs: they have other steps.", reader.path(files::kState).string(),
             files::kSummary);
  const fs::path observers = reader.path(files::kObservers);
  std::error_code error;
  for (fs::recursive_directory_iterator at(observers, error), end; !error && at != end; at.increment(error)) {
    if (!at->is_regular_file()) continue;
    const std::string name = at->path().lexically_relative(observers).generic_string();
    run.state->observers[name] = reader.read(std::string(files::kObservers) + "/" + name, kMostBytes);
  }
}

Run read_once(Reader& reader, Parts asked) {
  RunConfig config = read_config(reader);
  tasks::Task task = of_config(reader, [&] { return known_task(config); });
  Run run{std::move(config), std::move(task)};
  // Everything but a model by itself is compared with the results.
  if (asked != Parts::config && asked != Parts::model) run.results = read_results(reader, run.config);
  const bool with_state = contains(asked, Parts::state) && reader.has(files::kState);
  if (contains(asked, Parts::model) || with_state) read_model(reader, run);
  if (contains(asked, Parts::metrics) && reader.has(files::kMetrics)) read_metrics(reader, run);
  if (contains(asked, Parts::snapshots) && reader.has(files::kHistory)) read_snapshots(reader, run);
  if (with_state) read_state(reader, run);
  run.notes = reader.notes();
  return run;
}

}  // namespace

Run read_run(const fs::path& folder, Parts asked) {
  recover_interrupted_save(folder, is_run_file);
  std::error_code error;
  const fs::path parent = folder.has_parent_path() ? folder.parent_path() : ".";
  check_file(!fs::is_regular_file(folder, error) || !is_there(parent / files::kConfig),
             "'{}' is a file, and a run is a folder. Hint: '{}' is one.", folder.string(), parent.string());
  check_file(fs::is_directory(folder, error), "there is no run '{}'. Hint: ./headlight demo makes runs/demo.",
             folder.string());
  check_file(is_there(folder / files::kConfig), "'{}' is not a run: it has no {}.", folder.string(),
             files::kConfig);
  constexpr int kTries = 3;
  for (int tries = 1;; ++tries) {
    Reader reader(folder);
    const bool last = tries == kTries;
    try {
      Run run = read_once(reader, asked);
      if (run.notes.empty() || last || !reader.is_saved_anew()) return run;
    } catch (const Error&) {
      if (last || !reader.is_saved_anew()) throw;
    }
  }
}

}  // namespace headlight::run
