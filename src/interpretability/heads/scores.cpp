#include "headlight/interpret/scores.h"

#include <algorithm>
#include <cmath>

#include "headlight/core/check.h"
#include "headlight/interpret/hooks.h"

namespace headlight::interpret {

namespace {

// Patterns scored at once hold about this many numbers; all of them would be gigabytes at a context of 1,024.
constexpr std::size_t kAtOnce = std::size_t{1} << 22;
// A task of the thread pool runs the model on so many sequences.
constexpr std::size_t kRowsOfTask = 8;

// For each position of a sequence, the earlier positions with the same token.
using Earlier = std::vector<std::vector<std::size_t>>;

Earlier earlier_copies(const std::int32_t* token, std::size_t n) {
  Earlier earlier(n);
  for (std::size_t i = 1; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (token[j] == token[i]) earlier[i].push_back(j);
  return earlier;
}

// One sequence of a batch, as the scores see it.
struct Scene {
  Earlier earlier;
  const std::int32_t* answers;  // of each query; null where no target is a copy
  const std::int32_t* targets;  // of each query; null where every query counts
  std::span<const std::int32_t> tokens;

  bool counts(std::size_t query) const { return !targets || targets[query] != tasks::kNoTarget; }
};

bool is_defined(Scored on, const AttentionLayer& layer, bool answered) {
  if (on == Scored::answers) return answered;
  if (on == Scored::two_sequences) return !layer.square();
  return layer.square() && (on == Scored::one_sequence || layer.causal);
}

// The running scores of one head.
class Tally {
 public:
  Tally(const AttentionLayer& layer, bool answered) : layer_(layer), means_(score_kinds().size()) {
    for (std::size_t k = 0; k < means_.size(); ++k)
      if (is_defined(score_kinds()[k].on, layer, answered)) kinds_.push_back(k);
  }

  // One sequence: its pattern (n,m).
  void add(const Real* pattern, std::size_t keys, const Scene& scene) {
    for (std::size_t i = 0; i < scene.earlier.size(); ++i) {
      if (!scene.counts(i)) continue;
      const QueryRow row{i,
                         {pattern + i * keys, keys},
                         scene.earlier[i],
                         scene.answers ? scene.answers[i] : -1,
                         scene.tokens};
      for (const std::size_t k : kinds_) score_kinds()[k].add(row, means_[k]);
    }
  }

  HeadScores scores(std::size_t head) const {
    HeadScores scores{layer_.layer, head, {}, layer_.stack};
    for (const Mean& mean : means_) {
      check(std::isfinite(mean.sum),
            "[score_pattern] the pattern is not finite: the model's parameters are too large or damaged.");
      scores.values.push_back(mean.count == 0 ? std::optional<double>()
                                              : mean.sum / static_cast<double>(mean.count));
    }
    while (!scores.values.empty() && !scores.values.back()) scores.values.pop_back();
    return scores;
  }

 private:
  AttentionLayer layer_;
  std::vector<std::size_t> kinds_;  // those that are defined for the layer
  std::vector<Mean> means_;
};

// Scores of tokens alone, without a task, need repeated tokens.
void check_repeats(const HeadScores& scores) {
  check(scores.has(kDuplicateToken), "[score_pattern] no token occurs twice, so there is nothing to score.");
}

// The answers that are keys of the layer: positions of the source if there is one, else of the tokens.
const std::int32_t* answers_of(const tasks::Batch& batch, const AttentionLayer& layer) {
  const Stack answered = batch.source.size() > 0 ? Stack::cross : Stack::self;
  return batch.answers.size() > 0 && layer.stack == answered ? batch.answers.data() : nullptr;
}

// Adds the patterns (B,H,n,m) of a layer to the tallies of its heads.
void tally_layer(const AttentionLayer& layer, const tasks::Batch& batch, const Array& patterns,
                 Tally* tallies) {
  const std::size_t n = patterns.shape()[2], m = patterns.shape()[3], heads = patterns.shape()[1];
  const IntArray& queries = layer.stack == Stack::encoder ? batch.source : batch.tokens;
  const std::int32_t* answers = answers_of(batch, layer);
  const std::int32_t* targets = layer.stack == Stack::encoder ? nullptr : batch.targets.data();
  const Real* pattern = patterns.data();
  for (std::size_t b = 0; b < patterns.shape()[0]; ++b) {
    const Scene scene{earlier_copies(queries.data() + b * n, n),
                      answers ? answers + b * n : nullptr,
                      targets ? targets + b * n : nullptr,
                      {queries.data() + b * n, n}};
    for (std::size_t head = 0; head < heads; ++head, pattern += n * m) tallies[head].add(pattern, m, scene);
  }
}

}  // namespace

bool HeadScores::has(std::string_view key) const {
  const std::size_t index = score_index(key);
  return index < values.size() && values[index].has_value();
}

double HeadScores::operator[](std::string_view key) const {
  check(has(key), "[scores] head {}.{} has no {} score.", layer, head, score_kinds()[score_index(key)].name);
  return *values[score_index(key)];
}

HeadScores score_pattern(const Array& pattern, const IntArray& tokens) {
  check(pattern.dimension() == 3 && tokens.dimension() == 2 && pattern.shape()[0] == tokens.shape()[0] &&
            pattern.shape()[1] == tokens.shape()[1] && pattern.shape()[2] == tokens.shape()[1],
        "[score_pattern] expected a pattern (B,n,n) and tokens (B,n), got a pattern {}.", pattern.shape());
  const std::size_t n = tokens.shape()[1];
  check(n >= 2, "[score_pattern] a sequence of {} tokens is too short for scores: expected at least 2.", n);
  Tally tally({Stack::self, 0, "", true}, false);
  for (std::size_t b = 0; b < tokens.shape()[0]; ++b)
    tally.add(pattern.data() + b * n * n, n,
              {earlier_copies(tokens.data() + b * n, n), nullptr, nullptr, {tokens.data() + b * n, n}});
  const HeadScores scores = tally.scores(0);
  check_repeats(scores);
  return scores;
}

std::vector<HeadScores> score_heads(const nn::Transformer& model, const tasks::Batch& batch) {
  ThreadPool alone(1);
  return score_heads(model, batch, alone);
}

std::vector<HeadScores> score_heads(const nn::Transformer& model, const tasks::Batch& batch,
                                    ThreadPool& pool) {
  const IntArray& tokens = batch.tokens;
  check(tokens.dimension() == 2 && tokens.shape()[1] >= 2,
        "[score_heads] expected tokens (B,n), n at least 2.");
  tasks::check_batch(batch, model.config().d_vocab);
  const std::vector<AttentionLayer> layers = attention_layers(model.config());
  const std::size_t heads = model.config().n_heads, rows = tokens.shape()[0];
  const std::size_t longest = std::max(tokens.shape()[1], model.config().n_source);
  // Of a sequence, the patterns and the logits are held; with a large vocabulary these are more.
  const std::size_t held = longest * std::max(layers.size() * heads * longest, model.config().d_vocab);
  const std::size_t group = std::max<std::size_t>(1, kAtOnce / held);
  std::vector<Tally> tallies;
  for (const AttentionLayer& layer : layers)
    for (std::size_t head = 0; head < heads; ++head)
      tallies.emplace_back(layer, answers_of(batch, layer) != nullptr);
  for (std::size_t first = 0; first < rows; first += group) {
    const std::size_t count = std::min(group, rows - first);
    std::vector<tasks::Batch> parts;
    for (std::size_t i = 0; i < count; i += kRowsOfTask)
      parts.push_back(tasks::batch_rows(batch, first + i, std::min(kRowsOfTask, count - i)));
    std::vector<ActivationCache> caches(parts.size());
    pool.run(parts.size(), [&](std::size_t p) {
      caches[p] =
          run_with_cache(model, parts[p].tokens, hooks_named("attn.hook_pattern"), {}, {parts[p].source})
              .cache;
    });
    pool.run(layers.size(), [&](std::size_t i) {
      for (std::size_t p = 0; p < parts.size(); ++p)
        tally_layer(layers[i], parts[p], caches[p][layers[i].pattern], &tallies[i * heads]);
    });
  }
  std::vector<HeadScores> scores;
  for (std::size_t i = 0; i < tallies.size(); ++i) scores.push_back(tallies[i].scores(i % heads));
  return scores;
}

std::vector<HeadScores> score_heads(const nn::Transformer& model, const IntArray& tokens) {
  const BoolArray nothing({tokens.shape().begin(), tokens.shape().end()}, false);
  const std::vector<HeadScores> scores =
      score_heads(model, {tokens, tokens, nothing, IntArray::from_shape({0}), IntArray::from_shape({0})});
  if (attention_layers(model.config()).front().causal)
    for (const HeadScores& head : scores) check_repeats(head);
  return scores;
}

const ScoreKind& strongest(const HeadScores& s) {
  const auto best = std::max_element(s.values.begin(), s.values.end());  // an absent one is less than any
  check(best != s.values.end() && best->has_value() && s.values.size() <= score_kinds().size(),
        "[strongest] expected 1 … {} scores, got {}.", score_kinds().size(), s.values.size());
  return score_kinds()[static_cast<std::size_t>(best - s.values.begin())];
}

const ScoreKind* known_kind(const HeadScores& s) {
  const ScoreKind& kind = strongest(s);
  return s[kind.key] >= kFoundScore ? &kind : nullptr;
}

bool is_scored(const std::vector<HeadScores>& scores, std::string_view key) {
  return std::any_of(scores.begin(), scores.end(), [key](const HeadScores& head) { return head.has(key); });
}

const HeadScores& best_head(const std::vector<HeadScores>& scores, std::string_view key) {
  check(!scores.empty(),
        "[best_head] there are no heads. Hint: a task with neither Task::scored nor answers has no scores.");
  const std::size_t index = score_index(key);
  check(is_scored(scores, key), "[best_head] no head has the {} score.", score_kinds()[index].name);
  const auto value = [index](const HeadScores& s) {
    return index < s.values.size() ? s.values[index] : std::nullopt;
  };
  return *std::max_element(scores.begin(), scores.end(),
                           [&](const HeadScores& a, const HeadScores& b) { return value(a) < value(b); });
}

const char* score_to_show_first(const std::vector<HeadScores>& scores) {
  if (!is_scored(scores, kAnswer)) return kInduction;
  if (!is_scored(scores, kInduction)) return kAnswer;
  return best_head(scores, kAnswer)[kAnswer] > best_head(scores, kInduction)[kInduction] ? kAnswer
                                                                                         : kInduction;
}

std::vector<std::vector<HeadScores>> by_stack(const std::vector<HeadScores>& scores) {
  std::vector<std::vector<HeadScores>> stacks;
  for (const HeadScores& head : scores) {
    if (stacks.empty() || stacks.back().front().stack != head.stack) stacks.emplace_back();
    stacks.back().push_back(head);
  }
  return stacks;
}

std::vector<const ScoreKind*> measured_kinds(const std::vector<HeadScores>& scores) {
  std::vector<const ScoreKind*> kinds;
  for (const ScoreKind& kind : score_kinds())
    if (is_scored(scores, kind.key)) kinds.push_back(&kind);
  return kinds;
}

std::string head_role(const HeadScores& head) {
  const ScoreKind& kind = strongest(head);
  const std::string score = fmt::format("{:.2f}", head[kind.key]);
  if (known_kind(head) != nullptr) return fmt::format("{}, score {}", kind.role, score);
  const bool rounded = score == fmt::format("{:.2f}", kFoundScore);  // and less
  return fmt::format("no known kind ({} {}{})", kind.name, rounded ? "<" : "", score);
}

}  // namespace headlight::interpret
