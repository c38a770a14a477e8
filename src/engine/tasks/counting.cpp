#include "counting.h"

#include <fmt/core.h>

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "headlight/core/math.h"

namespace headlight::tasks {
namespace {

// How often each token and each pair of neighbours occurs.
struct Counts {
  double tokens = 0;
  std::unordered_map<std::int32_t, double> single;
  std::unordered_map<std::uint64_t, double> pairs;

  static std::uint64_t pair(std::int32_t first, std::int32_t second) {
    return static_cast<std::uint64_t>(first) << 32U | static_cast<std::uint32_t>(second);
  }
  template <class Map, class Key>
  static double in(const Map& counts, Key key) {
    const auto found = counts.find(key);
    return found == counts.end() ? 0 : found->second;
  }
};

Counts counts_of(const std::vector<std::int32_t>& tokens) {
  Counts counts;
  counts.tokens = static_cast<double>(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    ++counts.single[tokens[i]];
    if (i > 0) ++counts.pairs[Counts::pair(tokens[i - 1], tokens[i])];
  }
  return counts;
}

// The runs of up to `longest` tokens, with how often each occurs. A run of k+1 tokens is found by the number
// of its first k tokens and by its last one.
class NGrams {
 public:
  NGrams(const std::vector<std::int32_t>& tokens, std::size_t longest, std::size_t d_vocab)
      : d_vocab_(static_cast<double>(d_vocab)), lengths_(longest + 1) {
    lengths_[0].resize(1);
    Ends ends = before_the_first();
    for (const std::int32_t token : tokens) {
      Ends next = before_the_first();
      for (std::size_t k = 0; k < longest && ends[k]; ++k) {
        const auto [place, is_new] = lengths_[k + 1].numbers.try_emplace(
            key(*ends[k], token), static_cast<std::uint32_t>(lengths_[k + 1].size()));
        if (is_new) lengths_[k + 1].resize(lengths_[k + 1].size() + 1);
        Run& context = lengths_[k].runs[*ends[k]];
        context.kinds += is_new ? 1 : 0;
        ++context.followed;
        ++lengths_[k + 1].runs[place->second].times;
        next[k + 1] = place->second;
      }
      ends = next;
    }
  }

  // -log P of each target, given the last n-1 tokens.
  std::vector<double> losses(const Sequence& s, std::size_t n) const {
    std::vector<double> all;
    Ends ends = before_the_first();
    for (std::size_t t = 0; t < s.tokens.size(); ++t) {
      ends = after(ends, s.tokens[t]);
      double p = 1 / d_vocab_;
      for (std::size_t k = 0; k < n && ends[k]; ++k) {
        const Run& context = lengths_[k].runs[*ends[k]];
        const auto found = find(k, *ends[k], s.targets[t]);
        const double times = found ? lengths_[k + 1].runs[*found].times : 0;
        if (context.followed > 0) p = (times + context.kinds * p) / (context.followed + context.kinds);
      }
      all.push_back(-math::log(p));
    }
    return all;
  }

 private:
  struct Run {
    double times = 0, followed = 0, kinds = 0;  // itself; the tokens after it, and how many different ones
  };
  struct OfLength {
    std::unordered_map<std::uint64_t, std::uint32_t> numbers;
    std::vector<Run> runs;
    std::size_t size() const { return runs.size(); }
    void resize(std::size_t count) { runs.resize(count); }
  };
  // Of each length the number of the run that ends here; none if it never occurred.
  using Ends = std::vector<std::optional<std::uint32_t>>;

  static std::uint64_t key(std::uint32_t run, std::int32_t token) {
    return static_cast<std::uint64_t>(run) << 32U | static_cast<std::uint32_t>(token);
  }
  Ends before_the_first() const {
    Ends ends(lengths_.size());
    ends[0] = 0;
    return ends;
  }
  std::optional<std::uint32_t> find(std::size_t length, std::uint32_t run, std::int32_t token) const {
    const auto& numbers = lengths_[length + 1].numbers;
    const auto found = numbers.find(key(run, token));
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  }
  Ends after(const Ends& ends, std::int32_t token) const {
    Ends next = before_the_first();
    for (std::size_t k = 0; k + 1 < lengths_.size() && ends[k]; ++k) next[k + 1] = find(k, *ends[k], token);
    return next;
  }

  double d_vocab_;
  std::vector<OfLength> lengths_;  // of 0 … longest tokens
};

// Counted when the first loss is asked for, which takes half a second for a text of a million tokens.
class CountedLater {
 public:
  CountedLater(std::vector<std::int32_t> tokens, std::size_t d_vocab)
      : tokens_(std::move(tokens)), d_vocab_(d_vocab) {}

  const NGrams& ngrams() const {
    std::call_once(once_, [&] { ngrams_.emplace(tokens_, kLongest, d_vocab_); });
    return *ngrams_;
  }

  static constexpr std::size_t kLongest = 5;

 private:
  std::vector<std::int32_t> tokens_;
  std::size_t d_vocab_;
  mutable std::once_flag once_;
  mutable std::optional<NGrams> ngrams_;
};

}  // namespace

std::vector<Reference> counting_predictors(const std::vector<std::int32_t>& tokens, std::size_t d_vocab) {
  const auto counts = std::make_shared<const Counts>(counts_of(tokens));
  const auto single = [counts, d_vocab](std::int32_t b) {
    return (Counts::in(counts->single, b) + 1) / (counts->tokens + static_cast<double>(d_vocab));
  };
  const auto losses = [](const Sequence& s, const auto& probability) {
    std::vector<double> all;
    for (std::size_t t = 0; t < s.tokens.size(); ++t)
      all.push_back(-math::log(probability(s.tokens[t], s.targets[t])));
    return all;
  };
  const auto later = std::make_shared<const CountedLater>(tokens, d_vocab);
  const auto runs_of = [&](std::size_t n) {
    return Reference{fmt::format("runs of {} characters", n),
                     [later, n](const Sequence& s) { return later->ngrams().losses(s, n); }};
  };
  return {
      {"single characters",
       [=](const Sequence& s) { return losses(s, [&](std::int32_t, std::int32_t b) { return single(b); }); }},
      {kPairsOfCharacters,
       [=](const Sequence& s) {
         return losses(s, [&](std::int32_t a, std::int32_t b) {
           return (Counts::in(counts->pairs, Counts::pair(a, b)) + single(b)) /
                  (Counts::in(counts->single, a) + 1);
         });
       }},
      runs_of(3),
      runs_of(CountedLater::kLongest)};
}

}  // namespace headlight::tasks
