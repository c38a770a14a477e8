#include "headlight/interpret/attribution.h"

#include <algorithm>
#include <cmath>

#include "headlight/autograd/record.h"
#include "headlight/core/check.h"
#include "headlight/ops/matmul.h"
#include "headlight/tasks/task.h"
#include "stream.h"

namespace headlight::interpret {
namespace {

// W_Uᵀ (V,d), less its mean row if wanted.
Matrix rows_of_unembedding(const nn::Transformer& model, bool minus_mean) {
  Matrix rows = xt::transpose(unembedding(model));
  if (minus_mean) rows -= column_means(rows);
  return rows;
}

// The final stream of a run, behind ln_final.
std::vector<Part> final_parts(const nn::Transformer& model, const CachedRun& run) {
  Stream stream(model, run);
  for (std::size_t l = 0; l < model.blocks.size(); ++l) stream.advance();
  return stream.behind_norm(model.ln_final, "ln_final", model.blocks.size());
}

// The number that the contributions to the logit of `token` must add up to, of a row of logits (V).
double wanted_logit(const Real* logits, std::size_t vocabulary, std::int32_t token, bool minus_mean) {
  double mean = 0;
  if (minus_mean)
    for (std::size_t t = 0; t < vocabulary; ++t)
      mean += static_cast<double>(logits[t]) / static_cast<double>(vocabulary);
  return static_cast<double>(logits[token]) - mean;
}

void check_targets(const IntArray& tokens, const IntArray& targets, std::size_t vocabulary) {
  check(targets.dimension() == 2 && targets.shape() == tokens.shape(),
        "[direct_logit_attribution] expected targets of the tokens' shape {}, got {}.",
        Shape(tokens.shape().begin(), tokens.shape().end()),
        Shape(targets.shape().begin(), targets.shape().end()));
  for (const std::int32_t t : targets)
    check(t == tasks::kNoTarget || (t >= 0 && static_cast<std::size_t>(t) < vocabulary),
          "[direct_logit_attribution] target {} is outside the vocabulary 0 … {}.", t, vocabulary - 1);
}

}  // namespace

Array logit_lens(const nn::Transformer& model, const IntArray& tokens, const nn::Given& given,
                 const nn::Hooks& changes) {
  check_plain(given);
  const CachedRun run = run_with_cache(
      model, tokens,
      [](const std::string& name) { return name.starts_with("blocks.") && name.ends_with("hook_resid_pre"); },
      changes, given);
  const NoGrad no_grad;
  const std::size_t layers = model.blocks.size(), size = run.logits.size();
  const Shape& shape = run.logits.shape();
  Array all = empty_array({layers + 1, shape[0], shape[1], shape[2]});
  for (std::size_t l = 0; l < layers; ++l) {
    const Tensor logits = model.logits_of(Tensor(run.cache[block_name(l) + "hook_resid_pre"]));
    std::copy_n(logits.array().data(), size, all.data() + l * size);
  }
  std::copy_n(run.logits.data(), size, all.data() + layers * size);
  return all;
}

DirectAttribution direct_logit_attribution(const nn::Transformer& model, const IntArray& tokens,
                                           const IntArray& targets, bool minus_mean, const nn::Given& given) {
  const std::size_t vocabulary = model.config().d_vocab;
  check_targets(tokens, targets, vocabulary);
  const CachedRun run = run_for_attribution(model, tokens, given);
  const std::vector<Part> parts = final_parts(model, run);
  const Matrix rows = rows_of_unembedding(model, minus_mean);
  const std::size_t batch = tokens.shape()[0], n = tokens.shape()[1], d = rows.shape(1);
  DirectAttribution result{{}, full_array({parts.size(), batch, n}, 0), full_array({batch, n}, 0)};
  for (const Part& part : parts) result.sources.push_back(part.source);
  for (std::size_t i = 0; i < batch * n; ++i) {
    const std::int32_t target = targets.data()[i];
    if (target == tasks::kNoTarget) continue;
    const double* u = rows.data() + static_cast<std::size_t>(target) * d;
    double sum = 0, largest = 0;
    for (std::size_t s = 0; s < parts.size(); ++s) {
      const Real* x = parts[s].x.data() + i * d;
      double value = 0;
      for (std::size_t j = 0; j < d; ++j) value += static_cast<double>(x[j]) * u[j];
      result.values.data()[s * batch * n + i] = static_cast<Real>(value);
      sum += value, largest = std::max(largest, std::abs(value));
    }
    const double logit = wanted_logit(run.logits.data() + i * vocabulary, vocabulary, target, minus_mean);
    check_sum("direct_logit_attribution", sum, logit, largest);
    result.logits.data()[i] = static_cast<Real>(logit);
  }
  return result;
}

LogitSources factored_logits(const nn::Transformer& model, const IntArray& tokens, const nn::Given& given) {
  check_one_sequence("factored_logits", tokens);
  const CachedRun run = run_for_attribution(model, tokens, given);
  const std::vector<Part> parts = final_parts(model, run);
  const std::size_t n = tokens.shape()[1], d = model.config().d_model;
  LogitSources result{{}, empty_array({parts.size(), n, d})};
  Matrix sum({n, d}, 0), largest({n, d}, 0);
  for (std::size_t s = 0; s < parts.size(); ++s) {
    result.sources.push_back(parts[s].source);
    std::copy_n(parts[s].x.data(), n * d, result.x.data() + s * n * d);
    const Matrix x = xt::view(parts[s].x, 0);
    sum += x, largest += xt::abs(x);
  }
  const Matrix U = unembedding(model), logits = product(sum, U);
  const Matrix bound = product(largest, xt::abs(U));  // the sum of the moduli of all terms
  for (std::size_t i = 0; i < logits.size(); ++i)
    check_sum("factored_logits", logits.data()[i], static_cast<double>(run.logits.data()[i]),
              bound.data()[i]);
  return result;
}

}  // namespace headlight::interpret
