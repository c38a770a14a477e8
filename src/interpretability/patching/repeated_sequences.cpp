#include "headlight/interpret/repeated_sequences.h"

#include <algorithm>
#include <set>

#include "headlight/core/check.h"

namespace headlight::interpret {

std::vector<std::int32_t> plain_tokens(const tasks::Task& task) {
  std::vector<std::int32_t> plain;
  for (std::size_t v = 0; v < task.config.d_vocab; ++v)
    if (std::find(task.special.begin(), task.special.end(), static_cast<std::int32_t>(v)) ==
        task.special.end())
      plain.push_back(static_cast<std::int32_t>(v));
  return plain;
}

namespace {

// Tokens in a random order, over and over.
class ShuffledTokens {
 public:
  ShuffledTokens(std::vector<std::int32_t> tokens, Rng& rng) : tokens_(std::move(tokens)), rng_(rng) {}

  std::int32_t draw() {
    if (next_ == order_.size()) {
      order_ = rng_.distinct(tokens_.size(), tokens_.size());
      next_ = 0;
    }
    return tokens_[static_cast<std::size_t>(order_[next_++])];
  }

 private:
  std::vector<std::int32_t> tokens_, order_;
  Rng& rng_;
  std::size_t next_ = 0;
};

// Copies of one segment, and filling of tokens that are not in it.
struct Layout {
  std::vector<std::int32_t> tokens;
  std::vector<std::int32_t> place;  // the place in the segment; -1: filling
};

Layout draw_layout(const std::vector<std::int32_t>& plain, std::size_t length, Rng& rng) {
  const std::size_t shortest = std::max<std::size_t>(4, length / 8), longest = length * 5 / 8;
  const std::size_t most = std::min(longest * 2 / 3, plain.size() / 2);
  const std::size_t size = 3 + rng.below(std::max<std::size_t>(most, 4) - 3);
  std::vector<std::int32_t> order;
  for (const std::int32_t i : rng.distinct(plain.size(), plain.size()))
    order.push_back(plain[static_cast<std::size_t>(i)]);
  const std::vector<std::int32_t> segment(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size));
  ShuffledTokens filling({order.begin() + static_cast<std::ptrdiff_t>(size), order.end()}, rng);
  Layout layout;
  const auto fill = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      layout.tokens.push_back(filling.draw()), layout.place.push_back(-1);
  };
  fill(rng.below(length / 8 + 1));
  while (layout.tokens.size() < length) {
    for (std::size_t i = 0; i < size; ++i)
      layout.tokens.push_back(segment[i]), layout.place.push_back(static_cast<std::int32_t>(i));
    const std::size_t least = size >= shortest ? 1 : shortest - size;
    fill(least + rng.below(longest - size - least + 1));
  }
  layout.tokens.resize(length), layout.place.resize(length);
  return layout;
}

// A second copy of the segment that is whole enough to ask about.
bool asks(const Layout& layout) { return std::count(layout.place.begin(), layout.place.end() - 2, 0) >= 2; }

bool answers(const Follower& f) { return f.answers; }

void count_queries(RepeatedSequences& repeats) {
  repeats.queries = 0;
  for (std::size_t i = 0; i < repeats.followers.size(); ++i) {
    const Follower& f = repeats.followers[i];
    const bool same =
        i > 0 && repeats.followers[i - 1].sequence == f.sequence && repeats.followers[i - 1].query == f.query;
    repeats.queries += same ? 0 : 1;
  }
}

// The batch with other tokens in the places of those that are not special.
tasks::Batch without_repeats(const tasks::Batch& batch, const tasks::Task& task, const Rng& rng) {
  tasks::Batch control = batch;
  const std::vector<std::int32_t> plain = plain_tokens(task);
  const std::size_t n = batch.tokens.shape()[1];
  for (std::size_t b = 0; b < batch.tokens.shape()[0]; ++b) {
    Rng own = rng.stream("sequence", b);
    ShuffledTokens shuffled(plain, own);
    for (std::size_t i = 0; i < n; ++i)
      if (std::find(plain.begin(), plain.end(), batch.tokens(b, i)) != plain.end())
        control.tokens(b, i) = shuffled.draw();
  }
  return control;
}

}  // namespace

bool has_room_for_repeats(const tasks::Task& task) {
  return task.config.n_ctx >= 16 && plain_tokens(task).size() >= 8;
}

RepeatedSequences random_repeats(const tasks::Task& task, std::size_t sequences, const Rng& rng) {
  const std::vector<std::int32_t> plain = plain_tokens(task);
  const std::size_t n = task.config.n_ctx;
  check(
      has_room_for_repeats(task),
      "[repeats] expected a context of at least 16 tokens and 8 plain tokens, got {} and {}: with fewer, tokens "
      "come back by chance nearly everywhere, and no sequence without repeats can be the control.",
      n, plain.size());
  RepeatedSequences repeats{{empty_int_array({sequences, n}), empty_int_array({sequences, n}),
                             BoolArray({sequences, n}, false), IntArray::from_shape({0})},
                            {IntArray::from_shape({0}), {}, BoolArray({0}, false), {}},
                            {}};
  for (std::size_t b = 0; b < sequences; ++b) {
    Rng own = rng.stream("repeats", b);
    Layout layout = draw_layout(plain, n + 1, own);
    while (!asks(layout)) layout = draw_layout(plain, n + 1, own);
    for (std::size_t t = 0; t < n; ++t) {
      repeats.repeated.tokens(b, t) = layout.tokens[t];
      repeats.repeated.targets(b, t) = layout.tokens[t + 1];
      if (layout.place[t] < 0 || layout.place[t + 1] != layout.place[t] + 1) continue;
      for (std::size_t j = 0; j < t; ++j) {
        if (layout.place[j] != layout.place[t]) continue;
        repeats.followers.push_back({b, t, j + 1});
        repeats.repeated.predictable(b, t) = true;
      }
    }
  }
  count_queries(repeats);
  repeats.control = without_repeats(repeats.repeated, task, rng.stream("control"));
  return repeats;
}

std::optional<tasks::Batch> own_questions(const tasks::Task& task, std::size_t sequences, const Rng& rng) {
  tasks::Batch batch = tasks::draw_batch(task, task.training, sequences, rng.stream("own"));
  const bool* predictable = batch.predictable.data();
  const bool asks = std::find(predictable, predictable + batch.predictable.size(), true) !=
                    predictable + batch.predictable.size();
  if (!asks || batch.source.size() > 0) return {};
  return batch;
}

std::optional<RepeatedSequences> own_repeats(const tasks::Task& task, std::size_t sequences, const Rng& rng) {
  std::optional<tasks::Batch> drawn = own_questions(task, sequences, rng);
  if (!drawn || drawn->answers.size() == 0) return {};
  RepeatedSequences repeats{
      std::move(*drawn), {IntArray::from_shape({0}), {}, BoolArray({0}, false), {}}, {}};
  const tasks::Batch& batch = repeats.repeated;
  const std::size_t n = batch.tokens.shape()[1];
  for (std::size_t b = 0; b < sequences; ++b)
    for (std::size_t t = 0; t < n; ++t) {
      if (!batch.predictable(b, t) || batch.answers(b, t) < 1) continue;
      for (std::size_t j = 0; j + 1 < t; ++j)
        if (batch.tokens(b, j) == batch.tokens(b, t))
          repeats.followers.push_back({b, t, j + 1, batch.tokens(b, j + 1) == batch.targets(b, t)});
    }
  if (std::none_of(repeats.followers.begin(), repeats.followers.end(), answers)) return {};
  count_queries(repeats);
  repeats.control = without_repeats(batch, task, rng.stream("own control"));
  return repeats;
}

RepeatedSequences moved(RepeatedSequences repeats, std::size_t by) {
  for (Follower& f : repeats.followers) f.key += by;
  std::erase_if(repeats.followers, [](const Follower& f) { return f.key > f.query; });
  count_queries(repeats);
  return repeats;
}

namespace {

// Without the queries that have a follower of this kind.
RepeatedSequences without_queries(const RepeatedSequences& repeats,
                                  const std::function<bool(const Follower&)>& kind) {
  RepeatedSequences rest{repeats.repeated, repeats.control, {}};
  std::set<std::pair<std::size_t, std::size_t>> found;
  for (const Follower& f : repeats.followers)
    if (kind(f)) found.insert({f.sequence, f.query});
  for (const Follower& f : repeats.followers)
    if (!found.contains({f.sequence, f.query})) rest.followers.push_back(f);
  count_queries(rest);
  return rest;
}

}  // namespace

RepeatedSequences beside_the_answer(const RepeatedSequences& repeats) {
  return without_queries(repeats, answers);
}

RepeatedSequences after_one_token(const RepeatedSequences& repeats) {
  const IntArray& tokens = repeats.repeated.tokens;
  return without_queries(repeats, [&](const Follower& f) {
    return f.key > 1 && tokens(f.sequence, f.key - 2) == tokens(f.sequence, f.query - 1);
  });
}

std::vector<Follower> nearest_followers(const std::vector<Follower>& followers) {
  std::vector<Follower> nearest;
  for (const Follower& f : followers) {
    const bool same =
        !nearest.empty() && nearest.back().sequence == f.sequence && nearest.back().query == f.query;
    if (same) nearest.pop_back();
    nearest.push_back(f);
  }
  return nearest;
}

std::vector<double> weight_on_followers(const RepeatedSequences& repeats, const ActivationCache& patterns,
                                        const nn::TransformerConfig& config, const HeadSet& heads) {
  std::vector<double> weights;
  for (const HeadAt& head : heads) {
    const Array& pattern = patterns[layer_of(config, head).pattern];
    double sum = 0;
    for (const Follower& f : repeats.followers)
      sum += static_cast<double>(pattern(f.sequence, head.head, f.query, f.key));
    weights.push_back(sum / static_cast<double>(repeats.queries));
  }
  return weights;
}

}  // namespace headlight::interpret
