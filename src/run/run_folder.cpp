#include "headlight/run/run_folder.h"

#include <algorithm>

#include "fields.h"
#include "headlight/core/check.h"
#include "headlight/core/finite.h"
#include "headlight/interpret/attention_layers.h"
#include "headlight/nn/model_size.h"
#include "headlight/system/files.h"
#include "headlight/system/folder.h"
#include "headlight/tasks/text.h"
#include "run_reader.h"

namespace headlight::run {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& file) {
  std::error_code error;
  return fs::exists(file, error);
}

// A failed run leaves them, if only an empty file, where the user may have a file of this name.
bool holds_metrics(const fs::path& file) {
  try {
    const std::string lines = read_file(file, kMostMetricBytes);
    return lines.empty() || !metrics_from_lines(lines, file.string()).empty();
  } catch (const Error&) {
    return false;
  }
}

void require_folder(const fs::path& folder) {
  settle_folder(folder, is_run_entry);
  std::error_code error;
  check(fs::is_directory(folder, error), "there is no run '{}'. Hint: ./headlight demo makes runs/demo.",
        folder.string());
}

}  // namespace

const std::vector<RunFile>& run_files() {
  static const std::vector<RunFile> all{
      {files::kPage, "the page"},
      {files::kSummary, "the results"},
      {files::kMetrics, "loss, accuracy and the scores of all heads along training"},
      {files::kTiming, "the time at each line of them"},
      {files::kConfig, "the settings"},
      {files::kModel, "the weights, by TransformerLens's names"},
      {files::kHistory, "the weights along training"},
      {files::kOptimizer, "what the optimizer remembers"},
      {files::kState, "what else a resumed run needs"},
      {tasks::kTextFile, "the text, for a run of the task text"},
      {files::kPattern, "the pattern of the head with the highest induction score"},
      {files::kOwnTokens, "a page that shows a sequence of your own first"},
      {files::kObservers, "what observers of your own keep"},
      {files::kManifest, "the sizes and hashes of these files, the pages left out"}};
  return all;
}

bool is_run_file(const std::string& name) {
  constexpr const char* kPatternBefore = "induction_head.svg";  // until version 0.2
  const auto& all = run_files();
  return name == kPatternBefore || name == files::kFailed ||
         std::any_of(all.begin(), all.end(), [&](const RunFile& file) { return file.name == name; });
}

bool is_run_entry(const fs::directory_entry& entry) {
  std::error_code error;
  const std::string name = entry.path().filename().string();
  if (name == files::kFailed) return !entry.is_symlink(error) && holds_metrics(entry.path());
  const bool folder = !entry.is_symlink(error) && entry.is_directory(error);
  return is_run_file(name) && folder == (name == files::kObservers);
}

std::string replaced_file(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (const std::string name = at->path().filename().string(); name != files::kFailed && is_run_file(name))
      return name;
  return {};
}

bool holds_run(const fs::path& folder) {
  const auto& all = run_files();
  return std::any_of(all.begin(), all.end(), [&](const RunFile& file) {
    const std::string_view name = file.name;  // other programs have files of these two names
    return name != files::kConfig && name != files::kManifest && is_there(folder / file.name);
  });
}

namespace {

// The text of a run of the task text is a file of the run. A stranger's config cannot make another file of
// this machine the text.
void check_text(const RunConfig& config, const RunReader& reader, bool trusted) {
  if (config.task.name != "text" || config.task.text.empty()) return;
  check(trusted || config.task.text == tasks::kTextFile,
        "'{}' names the text '{}', but a run keeps its own, {}. Hint: --trust reads the other one.",
        reader.path(files::kConfig).string(), config.task.text, tasks::kTextFile);
  check(trusted || !fs::is_symlink(reader.path(tasks::kTextFile)),
        "'{}' is a link, but a run keeps its own text. Hint: --trust follows it.",
        reader.path(tasks::kTextFile).string());
  if (reader.is_checked()) (void)reader.read(tasks::kTextFile, kMostBytes);
}

RunConfig config_in(const RunReader& reader, bool trusted) {
  const fs::path file = reader.path(files::kConfig);
  const std::string text = reader.read(files::kConfig, kMostConfigBytes);
  RunConfig config;
  try {
    config = run_config_from_json(text);
  } catch (const Error& e) {
    fail("'{}' cannot be used: {}", file.string(), e.what());
  }
  config.task.folder = file.parent_path().string();
  check_text(config, reader, trusted);
  return config;
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

// Whether these are results of a run with this config.
void check_fit(const Results& r, const RunConfig& config, const RunReader& reader, bool trusted) {
  const std::string file = reader.path(files::kSummary).string();
  const bool settings = r.task == config.task.name && r.seed == config.train.seed;
  check(settings || trusted, "'{}' is of the task '{}' with seed {}, but {} of '{}' with seed {}.", file,
        r.task, r.seed, files::kConfig, config.task.name, config.train.seed);
  check(r.steps <= config.train.steps, "'{}' is of {} steps, but {} of {}.", file, r.steps, files::kConfig,
        config.train.steps);
  check((r.heads.empty() || are_heads_of(r.heads, config.model)) &&
            (!r.certificate || names_heads_of(*r.certificate, config.model)),
        "'{}' is of another model than config.json: its heads are not those of {} layers with {} heads.",
        file, config.model.n_layers, config.model.n_heads);
}

// A config asks for weights of any number. One that asks for far more than the file holds is refused before
// memory is taken for them.
void check_size_of_model(const RunConfig& config, const tasks::Task& task, const train::Weights& weights,
                         const RunReader& reader) {
  constexpr double kSlack = 2, kFew = 1e5;  // the size is an estimate
  double held = 0;
  for (const auto& [name, array] : weights) held += static_cast<double>(array.size());
  const double asked = nn::size_of_model(model_config(config, task)).parameters;
  check(asked <= kSlack * held + kFew,
        "'{}' cannot be used: its model has about {:.0f} weights, but {} holds {:.0f} numbers.",
        reader.path(files::kConfig).string(), asked, files::kModel, held);
}

// `rows` sequences with as many of the vocabulary's tokens as there is room for, (rows,length).
IntArray some_tokens(std::size_t rows, std::size_t length, std::size_t d_vocab) {
  IntArray tokens = IntArray::from_shape({rows, length});
  for (std::size_t i = 0; i < tokens.size(); ++i) tokens.data()[i] = static_cast<std::int32_t>(i % d_vocab);
  return tokens;
}

// Finite weights can be so large that what a model computes from them is not.
void check_computes(const SavedRun& run, const std::string& file) {
  // A context and a vocabulary of any size should cost no time here.
  constexpr std::size_t kMostPositions = 64, kMostTokens = 1024;
  const nn::TransformerConfig& model = run.model->config();
  const std::size_t length = std::min(kMostPositions, model.n_ctx);
  const std::size_t rows = (std::min(kMostTokens, model.d_vocab) + length - 1) / length;
  nn::Given given;
  if (model.n_source > 0)
    given.source = some_tokens(rows, std::min(kMostPositions, model.n_source), model.d_vocab);
  const NoGrad no_grad;
  const Tensor logits = (*run.model)(some_tokens(rows, length, model.d_vocab), {}, given);
  check(all_finite(logits.array()), "'{}' has weights so large that the model's logits are not finite.",
        file);
}

}  // namespace

// Compares the number of heads first: a config that was not checked may ask for any number of layers.
bool are_heads_of(const std::vector<interpret::HeadScores>& scores, const nn::TransformerConfig& config) {
  if (config.n_layers > scores.size()) return false;
  const std::vector<interpret::AttentionLayer> layers = interpret::attention_layers(config);
  if (config.n_heads == 0 || scores.size() / config.n_heads != layers.size() ||
      scores.size() % config.n_heads != 0)
    return false;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const interpret::AttentionLayer& layer = layers[i / config.n_heads];
    if (scores[i].at() != interpret::HeadAt{layer.layer, i % config.n_heads, layer.stack}) return false;
  }
  return true;
}

RunConfig load_config(const RunFolder& folder) {
  require_folder(folder.path);
  const RunReader reader(folder);
  check(reader.has(files::kConfig), "'{}' is not a run: it has no {}.", folder.path.string(), files::kConfig);
  RunConfig config = config_in(reader, folder.trusted);
  try {
    check_config(config);
    return config;
  } catch (const Error& e) {
    fail("'{}' cannot be used: {}", reader.path(files::kConfig).string(), e.what());
  }
}

SavedRun load_run(const RunFolder& folder) {
  const RunConfig config = load_config(folder);
  const RunReader reader(folder);
  // Without a manifest the results are what else tells of the model's heads.
  if (!folder.trusted && !reader.is_checked() && reader.has(files::kSummary)) load_results(folder);
  SavedRun run{config, make_task(config), nullptr};
  train::Weights weights = reader.arrays(files::kModel).arrays;
  check_size_of_model(config, run.task, weights, reader);
  try {
    run.model = make_model(config, run.task);
  } catch (const Error& e) {
    fail("'{}' cannot be used: {}", reader.path(files::kConfig).string(), e.what());
  }
  const std::string file = reader.path(files::kModel).string();
  train::set_weights(*run.model, std::move(weights), file);
  check_computes(run, file);
  return run;
}

SavedRun load_run_at(const RunFolder& folder, std::int64_t step) {
  SavedRun run = load_run(folder);
  std::vector<train::Snapshot> snapshots = load_history(folder);
  const auto at = std::find_if(snapshots.begin(), snapshots.end(),
                               [&](const auto& snapshot) { return snapshot.step >= step; });
  if (at == snapshots.end() || at->step != step) {
    std::string nearest;
    if (at != snapshots.begin()) nearest = fmt::format("{}", std::prev(at)->step);
    if (at != snapshots.end()) nearest += fmt::format("{}{}", nearest.empty() ? "" : " and ", at->step);
    fail("the weights of step {} were not kept; the nearest kept: {}.", step, nearest);
  }
  const std::string file = (folder.path / files::kHistory).string();
  train::set_weights(*run.model, std::move(at->weights), file);
  check_computes(run, file);
  return run;
}

Results load_results(const RunFolder& folder) {
  const RunReader reader(folder);
  Results results =
      results_from_json(reader.read(files::kSummary, kMostFieldBytes), reader.path(files::kSummary).string());
  if (reader.has(files::kConfig))
    check_fit(results, config_in(reader, folder.trusted), reader, folder.trusted);
  return results;
}

std::vector<Metrics> load_metrics(const RunFolder& folder) {
  require_folder(folder.path);
  const RunReader reader(folder);
  const std::string file = reader.path(files::kMetrics).string();
  std::vector<Metrics> metrics = metrics_from_lines(reader.read(files::kMetrics, kMostMetricBytes), file);
  const Results results = load_results(folder);
  const auto &before = metrics.back().heads, &now = results.heads;
  check(metrics.back().step <= results.steps &&
            std::equal(before.begin(), before.end(), now.begin(), now.end(),
                       [](const auto& a, const auto& b) { return a.at() == b.at(); }),
        "'{}' and '{}' are of different runs.", file, files::kSummary);
  if (metrics.back().step == results.steps) metrics.pop_back();  // measured again, on more sequences
  metrics.push_back({results.steps, results.evaluation, results.heads, {}});
  return metrics;
}

bool has_history(const RunFolder& folder) { return RunReader(folder).has(files::kHistory); }

std::vector<train::Snapshot> load_history(const RunFolder& folder) {
  const RunReader reader(folder);
  const std::string in = folder.path.string();
  check(reader.has(files::kHistory),
        "'{}' has no {}: the weights along its training were not kept, as with --history 0. Hint: "
        "./headlight train --config "
        "{}/config.json --history 40 --out {} --force trains it again and keeps them.",
        in, files::kHistory, in, in);
  const std::string file = reader.path(files::kHistory).string();
  std::vector<train::Snapshot> snapshots = train::snapshots_from(reader.arrays(files::kHistory), file);
  const std::int64_t last = load_results(folder).steps;
  check(snapshots.back().step <= last, "'{}' has weights of step {}, but the run ended at step {}.", file,
        snapshots.back().step, last);
  if (snapshots.back().step < last) snapshots.push_back({last, reader.arrays(files::kModel).arrays});
  return snapshots;
}

}  // namespace headlight::run
