#include "headlight/interpret/all_inputs.h"

#include <algorithm>
#include <functional>
#include <string>

#include "bounded_pass.h"
#include "headlight/core/check.h"
#include "headlight/interpret/repeated_sequences.h"

namespace headlight::interpret {
namespace {

constexpr double kMostInputs = 1e8;

using Tokens = std::vector<std::int32_t>;

// The tokens in their order that do not stand in `taken`.
Tokens others(const Tokens& all, const Tokens& taken) {
  Tokens rest;
  for (const std::int32_t token : all)
    if (std::find(taken.begin(), taken.end(), token) == taken.end()) rest.push_back(token);
  return rest;
}

// All inputs that begin alike, as a tree that is written row by row. The inputs are its last rows.
struct Tree {
  std::vector<TreeToken> rows;
  std::vector<Tokens> inputs;
};

// A tree grows by one position: after each sequence, which ends at the row beside it, every token that
// `next` names.
struct Growing {
  Tree tree;
  std::vector<Tokens> sequences;
  std::vector<std::ptrdiff_t> ends;

  void grow(const std::function<Tokens(const Tokens&)>& next) {
    std::vector<Tokens> longer;
    std::vector<std::ptrdiff_t> their_ends;
    for (std::size_t s = 0; s < sequences.size(); ++s)
      for (const std::int32_t token : next(sequences[s])) {
        their_ends.push_back(static_cast<std::ptrdiff_t>(tree.rows.size()));
        tree.rows.push_back({token, sequences[s].size(), ends[s]});
        longer.push_back(sequences[s]);
        longer.back().push_back(token);
      }
    sequences = std::move(longer), ends = std::move(their_ends);
  }
};

Tree tree_of(const Tokens& beginning, const Tokens& all, std::size_t length) {
  Growing growing{{}, {{}}, {-1}};
  for (std::size_t i = 0; i < length; ++i)
    growing.grow([&](const Tokens& so_far) -> Tokens {
      if (i < beginning.size()) return {beginning[i]};
      if (i + 1 < length) return others(all, so_far);
      return {so_far.begin(), so_far.end() - 1};
    });
  growing.tree.inputs = std::move(growing.sequences);
  return std::move(growing.tree);
}

// Every choice of so many different tokens, in order.
std::vector<Tokens> beginnings_of(const Tokens& all, std::size_t length) {
  std::vector<Tokens> found = {{}};
  for (std::size_t i = 0; i < length; ++i) {
    std::vector<Tokens> longer;
    for (const Tokens& beginning : found)
      for (const std::int32_t token : others(all, beginning)) {
        longer.push_back(beginning);
        longer.back().push_back(token);
      }
    found = std::move(longer);
  }
  return found;
}

void count(AllInputs& all, const Lead& margin, const Tokens& input) {
  if (margin.least > 0) {
    ++all.right;
    if (all.closest.empty() || margin.least < all.least_margin)
      all.least_margin = margin.least, all.closest = input;
    return;
  }
  ++(margin.most < 0 ? all.wrong : all.undecided);
  if (all.first_wrong.empty()) all.first_wrong = input;
}

AllInputs try_tree(const BoundedModel& model, const Tree& tree) {
  const Balls logits = model.logits(tree.rows, tree.inputs.size());
  AllInputs found;
  found.largest_radius = *std::max_element(logits.radius.begin(), logits.radius.end());
  for (std::size_t i = 0; i < tree.inputs.size(); ++i) {
    const auto right = static_cast<std::size_t>(AllInputs::answer(tree.inputs[i]));
    count(found, lead_of(span(logits, i, 0, logits.cols), right), tree.inputs[i]);
  }
  return found;
}

void add(AllInputs& all, const AllInputs& part) {
  if (all.closest.empty() || (!part.closest.empty() && part.least_margin < all.least_margin))
    all.least_margin = part.least_margin, all.closest = part.closest;
  if (all.first_wrong.empty()) all.first_wrong = part.first_wrong;
  all.right += part.right, all.wrong += part.wrong, all.undecided += part.undecided;
  all.largest_radius = std::max(all.largest_radius, part.largest_radius);
}

}  // namespace

void check_boundable(const nn::TransformerConfig& c) {
  const auto refuse = [](const std::string& part) {
    fail(
        "[certify] rounding cannot be bounded for a model with {}. Hint: it can for a decoder of attention "
        "only, with rotary, learned, sinusoidal or no positions.",
        part);
  };
  const nn::Positions& kind = nn::positions().find(c.positions);
  if (c.architecture != nn::Architecture::decoder) refuse(nn::to_string(c.architecture) + " attention");
  if (c.d_mlp > 0) refuse("MLPs");
  if (kind.bias) refuse(c.positions + " positions");
  if (c.n_kv_heads > 0 && c.n_kv_heads != c.n_heads) refuse("shared keys and values");
  if (c.fused_qkv) refuse("one matrix for queries, keys and values");
  if (c.qk_norm != nn::NormKind::none) refuse("norms of queries and keys");
  if (c.window > 0) refuse("a window");
  if (c.sinks) refuse("sinks");
  if (c.score_cap > 0) refuse("a bound on scores");
  if (c.smeared_keys) refuse("smeared keys");
}

double count_of_inputs(std::size_t tokens, std::size_t length) {
  double count = static_cast<double>(length) - 2;
  for (std::size_t i = 0; i + 1 < length; ++i)
    count *= std::max(0.0, static_cast<double>(tokens) - static_cast<double>(i));
  return count;
}

void check_inputs(const nn::TransformerConfig& config, std::size_t tokens, std::size_t length) {
  check(length >= 3, "[certify] expected inputs of at least 3 tokens, got {}.", length);
  check(length <= config.n_ctx, "[certify] expected inputs of up to {} tokens, the model's context, got {}.",
        config.n_ctx, length);
  const double inputs = count_of_inputs(tokens, length);
  check(inputs > 0, "[certify] expected at least {} tokens for inputs of {}, got {}.", length - 1, length,
        tokens);
  check(inputs <= kMostInputs,
        "[certify] {} tokens have {:.1e} inputs of length {}, and at most {:.0e} are tried. Hint: choose "
        "shorter inputs, or a model with fewer tokens.",
        tokens, inputs, length, kMostInputs);
}

AllInputs try_all_inputs(const nn::Transformer& model, const tasks::Task& task, std::size_t length,
                         ThreadPool& pool) {
  check_boundable(model.config());
  const Tokens plain = plain_tokens(task);
  check_inputs(model.config(), plain.size(), length);
  AllInputs all;
  all.length = length, all.tokens = plain.size(),
  all.inputs = static_cast<std::uint64_t>(count_of_inputs(plain.size(), length));
  const BoundedModel bounded(model, length);
  const std::vector<Tokens> beginnings = beginnings_of(plain, length - std::min<std::size_t>(length, 3));
  std::vector<AllInputs> parts(beginnings.size());
  pool.run(parts.size(),
           [&](std::size_t i) { parts[i] = try_tree(bounded, tree_of(beginnings[i], plain, length)); });
  for (const AllInputs& part : parts) add(all, part);
  return all;
}

}  // namespace headlight::interpret
