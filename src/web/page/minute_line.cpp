#include "minute_line.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace headlight::page {
namespace {

using interpret::ActivationCache;
using interpret::HeadAt;
using interpret::HeadSet;

constexpr std::size_t kSegment = 16, kMostTokens = 32;

// The asked place is not the first one, so that one sees that something comes back.
constexpr std::size_t kBefore = 2;

constexpr double kFarthest = 3;  // of the three shares together

constexpr Real kClearLook = 0.25, kClearNote = 0.25;

HeadSet off_in(std::size_t state, const Lamps& lamps) {
  HeadSet off;
  const auto add = [&](std::size_t bit, const HeadSet& heads) {
    if (state & bit) off.insert(off.end(), heads.begin(), heads.end());
  };
  add(kNoteWritersOff, lamps.note_writers);
  add(kFindersOff, lamps.finders);
  add(kControlOff, lamps.control);
  return off;
}

std::vector<interpret::Receiver> keys_of(const HeadSet& heads) {
  std::vector<interpret::Receiver> receivers;
  for (const HeadAt& head : heads) receivers.push_back({head, interpret::HeadInput::keys});
  return receivers;
}

// The mean over heads of their patterns (B,H,n,n): (B,n,n)
Array mean_pattern(const ActivationCache& cache, const nn::TransformerConfig& config, const HeadSet& heads) {
  Array mean;
  for (const HeadAt& head : heads) {
    const Array& all = cache[interpret::layer_of(config, head).pattern];
    const std::size_t rows = all.shape()[0], n = all.shape()[2], size = n * n;
    if (mean.size() != rows * size) mean = full_array({rows, n, n}, 0);
    for (std::size_t b = 0; b < rows; ++b)
      for (std::size_t i = 0; i < size; ++i)
        mean.data()[b * size + i] +=
            all.data()[(b * all.shape()[1] + head.head) * size + i] / static_cast<Real>(heads.size());
  }
  return mean;
}

Array notes_of(const ActivationCache& cache, const nn::TransformerConfig& config, const HeadSet& heads) {
  Array notes;
  for (const HeadAt& head : heads) {
    const Array& all = cache[interpret::layer_of(config, head).pattern];
    const std::size_t rows = all.shape()[0], n = all.shape()[2];
    if (notes.size() != rows * n) notes = full_array({rows, n}, 0);
    for (std::size_t b = 0; b < rows; ++b)
      for (std::size_t t = 1; t < n; ++t) notes(b, t) = std::max(notes(b, t), all(b, head.head, t, t - 1));
  }
  return notes;
}

IntArray first_columns(const IntArray& all, std::size_t n) {
  IntArray some = IntArray::from_shape({all.shape()[0], n});
  for (std::size_t b = 0; b < some.shape()[0]; ++b)
    for (std::size_t t = 0; t < n; ++t) some(b, t) = all(b, t);
  return some;
}

tasks::Batch cut_short(const tasks::Batch& batch, std::size_t n) {
  const std::size_t rows = batch.tokens.shape()[0];
  tasks::Batch cut{first_columns(batch.tokens, n), first_columns(batch.targets, n),
                   BoolArray({rows, n}, false), IntArray::from_shape({0})};
  for (std::size_t b = 0; b < rows; ++b)
    for (std::size_t t = 0; t < n; ++t) cut.predictable(b, t) = batch.predictable(b, t);
  return cut;
}

// The place of line b that is asked; nothing if none is clear.
std::optional<ChosenLine> clear_place(const tasks::Batch& lines, const std::vector<LampView>& views,
                                      std::size_t b) {
  const std::size_t n = lines.tokens.shape()[1];
  std::size_t before = lines.predictable(b, 0) ? 1 : 0;
  for (std::size_t t = 1; t + 2 < n; before += lines.predictable(b, t++) ? 1 : 0) {
    if (!lines.predictable(b, t) || before < kBefore) continue;
    const Real* row = &views[0].pattern(b, t, 0);
    const auto key = static_cast<std::size_t>(std::max_element(row, row + t + 1) - row);
    const std::int32_t answer = lines.targets(b, t);
    if (key > 0 && key < t && row[key] >= kClearLook && views[0].notes(b, key) >= kClearNote &&
        lines.tokens(b, key - 1) == lines.tokens(b, t) && lines.tokens(b, key) == answer &&
        lines.tokens(b, t + 1) == answer && best_token(views[0].logits, b, t) == answer &&
        best_token(views[kNoteWritersOff].logits, b, t) != answer)
      return ChosenLine{b, t, before};
  }
  return {};
}

bool has_look_alikes(const tasks::Vocabulary& vocabulary, const tasks::Batch& lines, std::size_t b) {
  static const std::set<std::string> alike{"0", "1", "I", "O", "l", "o"};
  for (std::size_t t = 0; t < lines.tokens.shape()[1]; ++t)
    if (alike.contains(vocabulary.text(lines.tokens(b, t)))) return true;
  return false;
}

}  // namespace

LampStates::LampStates(const nn::Transformer& model, const Lamps& lamps, const tasks::Batch& lines,
                       const ActivationCache& means)
    : model_(model),
      lamps_(lamps),
      lines_(lines),
      means_(means),
      paths_(model, lines, means,
             model.config().d_mlp > 0 ? interpret::Through::mlps : interpret::Through::residual_stream) {}

LampView LampStates::in(std::size_t state) const {
  const nn::TransformerConfig& config = model_.config();
  std::set<std::string> patterns;
  for (const HeadSet* heads : {&lamps_.note_writers, &lamps_.finders})
    for (const HeadAt& head : *heads) patterns.insert(interpret::layer_of(config, head).pattern);
  const auto wanted = [&](const std::string& name) { return patterns.contains(name); };
  interpret::CachedRun run =
      state == kWireCut
          ? paths_.run({lamps_.note_writers}, keys_of(lamps_.finders), false, wanted)
          : interpret::run_with_cache(model_, lines_.tokens, wanted,
                                      interpret::replace_outputs(config, off_in(state, lamps_), means_));
  return {std::move(run.logits), notes_of(run.cache, config, lamps_.note_writers),
          mean_pattern(run.cache, config, lamps_.finders)};
}

std::int32_t best_token(const Array& logits, std::size_t b, std::size_t t) {
  const std::size_t vocab = logits.shape()[2];
  const Real* row = &logits(b, t, 0);
  return static_cast<std::int32_t>(std::max_element(row, row + vocab) - row);
}

tasks::Batch minute_lines(const tasks::Task& task, std::size_t count, const Rng& rng) {
  const std::size_t n = std::min(task.config.n_ctx, kMostTokens);
  tasks::Generator generator = task.training;
  if (task.with_segment) {
    // One token less where a separator stands between the copies.
    const std::size_t length = std::min(task.longest_segment, kSegment - (task.special.empty() ? 0 : 1));
    generator = [&task, length](Rng& r) { return task.with_segment(length, r); };
  }
  return cut_short(tasks::draw_batch(task, generator, count, rng), n);
}

double right_share(const tasks::Batch& lines, const Array& logits, std::size_t first, std::size_t last,
                   std::size_t before) {
  std::size_t right = 0, all = 0;
  for (std::size_t b = first; b < last; ++b)
    for (std::size_t t = 0, passed = 0; t + 1 < lines.tokens.shape()[1]; ++t) {
      if (!lines.predictable(b, t) || passed++ < before) continue;
      ++all;
      if (best_token(logits, b, t) == lines.targets(b, t)) ++right;
    }
  return all == 0 ? 0 : static_cast<double>(right) / static_cast<double>(all);
}

std::optional<ChosenLine> choose_line(const tasks::Vocabulary& vocabulary, const tasks::Batch& lines,
                                      const std::vector<LampView>& views) {
  std::optional<ChosenLine> chosen;
  double nearest = 0;
  const std::size_t count = lines.tokens.shape()[0];
  std::map<std::pair<std::size_t, std::size_t>, double> of_all;  // by state and by how many are not counted
  for (std::size_t b = 0; b < count; ++b) {
    const std::optional<ChosenLine> place = clear_place(lines, views, b);
    if (!place) continue;
    double far = has_look_alikes(vocabulary, lines, b) ? kFarthest : 0;
    for (const std::size_t state : {std::size_t{0}, kNoteWritersOff, kFindersOff}) {
      const Array& logits = views[state].logits;
      const auto [all, is_new] = of_all.try_emplace({state, place->before}, 0);
      if (is_new) all->second = right_share(lines, logits, 0, count, place->before);
      far += std::abs(right_share(lines, logits, b, b + 1, place->before) - all->second);
    }
    if (chosen && far >= nearest) continue;
    chosen = place;
    nearest = far;
  }
  return chosen;
}

}  // namespace headlight::page
