#include "headlight/interpret/circuits.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "head_pairs.h"
#include "headlight/core/check.h"
#include "headlight/nn/positions.h"

namespace headlight::interpret {
namespace {

// The rows and below them one more.
Matrix with_row(const Matrix& rows, const Matrix& row) { return xt::concatenate(xt::xtuple(rows, row)); }

Matrix matrix(const Array& factor) {
  check(factor.dimension() == 2, "[Factored] expected an array of two axes, got {}.", factor.dimension());
  return factor;
}

// W_E or W_pos, where it enters a head. Positions of queries and keys enter behind the norm.
struct Entry {
  Matrix rows;
  bool behind_norm;
};

Entry entry_of(const char* op, const nn::Transformer& model, CircuitInput input, const Norms& on_the_way,
               bool values) {
  if (input == CircuitInput::tokens) {
    Entry entry{Matrix(model.embed.W.array()), false};
    through(entry.rows, on_the_way);
    return entry;
  }
  check(model.W_pos.defined(),
        "[{}] expected positions with vectors, but the model's are '{}'. Hint: "
        "CircuitInput::tokens.",
        op, model.config().positions);
  const bool aside =
      nn::positions().find(model.config().positions).place == nn::Positions::Place::queries_and_keys;
  check(!(aside && values), "[{}] values do not see positions '{}'.", op, model.config().positions);
  Entry entry{Matrix(model.W_pos.array()), aside};
  if (!aside) through(entry.rows, on_the_way);
  return entry;
}

Norms way_to_keys(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& o) {
  if (!o.fold_norms) return {};
  return at.stack == Stack::cross ? norms_of_memory(model) : norms_before(model, at);
}

Pair full_ov_pair(const nn::Transformer& model, const HeadAt& at, CircuitInput input,
                  const CircuitOptions& o) {
  layer_of(model.config(), at);
  check(at.stack != Stack::encoder,
        "[full_ov] expected a head that writes to the decoder, got {}, which reaches the logits only through "
        "other heads. Hint: ov_circuit.",
        head_words(at));
  Pair pair = plain_ov(model, at, o);
  const Entry entry = entry_of("full_ov", model, input, way_to_keys(model, at, o), true);
  pair.left = product(entry.rows, pair.left);
  if (o.constant) pair.left += pair.constant;
  if (o.fold_norms) through(pair.right, norms_after(model, at));
  pair.right = product(pair.right, unembedding(model));
  return pair;
}

// The smaller of left·right and right·left, which have the same eigenvalues except for zeros.
Matrix smaller_product(const Matrix& left, const Matrix& right) {
  return left.shape(0) < left.shape(1) ? product(left, right) : product(right, left);
}

}  // namespace

std::optional<double> share_of_own_key(const nn::Transformer& model, const HeadAt& at) {
  const HeadWeights w = head_weights(model, at);
  if (!w.attn->smear.defined()) return {};
  return w.smear;
}

Array Factored::product() const { return interpret::product(matrix(left), matrix(right)); }

double Factored::frobenius() const {
  const Matrix l = matrix(left), r = matrix(right);
  return norm_of_grams(interpret::product(xt::transpose(l), l), interpret::product(r, xt::transpose(r)));
}

Svd Factored::svd() const { return interpret::svd(matrix(left), matrix(right)); }

Factored ov_circuit(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& options) {
  const Pair pair = plain_ov(model, at, options);
  const Matrix left = options.constant ? with_row(pair.left, pair.constant) : pair.left;
  return {left, pair.right};
}

Factored qk_circuit(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& options) {
  const Pair pair = plain_qk(model, at, options);
  if (!options.constant) return {pair.left, pair.right};
  return {with_row(pair.left, pair.constant),
          xt::transpose(with_row(xt::transpose(pair.right), pair.key_constant))};
}

Factored full_ov(const nn::Transformer& model, const HeadAt& at, CircuitInput input,
                 const CircuitOptions& options) {
  const Pair pair = full_ov_pair(model, at, input, options);
  return {pair.left, pair.right};
}

Factored full_qk(const nn::Transformer& model, const HeadAt& at, CircuitInput query, CircuitInput key,
                 const CircuitOptions& o) {
  const HeadWeights w = head_weights(model, at);
  const Entry of_query =
      entry_of("full_qk", model, query, o.fold_norms ? norms_before(model, at) : Norms(), false);
  const Entry of_key = entry_of("full_qk", model, key, way_to_keys(model, at, o), false);
  check(at.stack != Stack::cross || !(of_query.behind_norm || of_key.behind_norm),
        "[full_qk] cross-attention does not see positions '{}'.", model.config().positions);
  const Pair pair = qk_pair(w, of_query.behind_norm ? Norms() : queries_of(model, at, o),
                            of_key.behind_norm ? Norms() : keys_of(model, at, o), o);
  Matrix left = product(of_query.rows, pair.left), right = product(of_key.rows, xt::transpose(pair.right));
  if (o.constant && query == CircuitInput::tokens) left += pair.constant;
  if (o.constant && key == CircuitInput::tokens) right += pair.key_constant;
  return {left, xt::transpose(right)};
}

std::vector<std::complex<double>> eigenvalues(const Factored& circuit) {
  const Matrix left = matrix(circuit.left), right = matrix(circuit.right);
  check(left.shape(0) == right.shape(1) && left.shape(1) == right.shape(0),
        "[eigenvalues] expected a square circuit (V,r) x (r,V), got ({},{}) x ({},{}).", left.shape(0),
        left.shape(1), right.shape(0), right.shape(1));
  return eigenvalues(smaller_product(left, right));
}

std::optional<double> eigenvalue_score(const std::vector<std::complex<double>>& eigenvalues) {
  double sum = 0, moduli = 0;
  for (const std::complex<double>& z : eigenvalues) {
    sum += z.real();
    moduli += std::sqrt(z.real() * z.real() + z.imag() * z.imag());
  }
  return moduli == 0 ? std::optional<double>() : sum / moduli;
}

std::optional<double> copying_score(const Factored& circuit) {
  const Matrix left = matrix(circuit.left);
  Matrix right = matrix(circuit.right);
  check(left.shape(0) == right.shape(1) && left.shape(1) == right.shape(0),
        "[copying_score] expected a square circuit (V,r) x (r,V), got ({},{}) x ({},{}).", left.shape(0),
        left.shape(1), right.shape(0), right.shape(1));
  centre_rows(right);  // a row's mean logit is a product with the mean column
  double ratios = 0;
  std::size_t count = 0;
  for (std::size_t t = 0; t < left.shape(0); ++t) {
    const Matrix row = xt::view(left, xt::range(t, t + 1));
    const Matrix raise = xt::maximum(interpret::product(row, right), 0.0);
    const double all = xt::sum(raise)();
    if (all == 0) continue;
    ratios += raise(0, t) / (raise(0, t) + all);
    ++count;
  }
  return count == 0 ? std::optional<double>() : 4 * ratios / static_cast<double>(count) - 1;
}

HeadCircuit circuit_of(const nn::Transformer& model, const HeadAt& at, const CircuitOptions& options) {
  CircuitOptions o = options;
  o.constant = false;
  HeadCircuit result{at, {}, {}, {}, {}, {}};
  const Pair ov = plain_ov(model, at, o), qk = plain_qk(model, at, o);
  result.ov_singular = svd(ov.left, ov.right).values;
  result.qk_singular = svd(qk.left, qk.right).values;
  if (at.stack == Stack::encoder) return result;
  const Pair full = full_ov_pair(model, at, CircuitInput::tokens, o);
  result.eigenvalues = eigenvalues(smaller_product(full.left, full.right));
  result.copying_eigen = eigenvalue_score(result.eigenvalues);
  result.copying_olsson = copying_score({full.left, full.right});
  return result;
}

std::vector<HeadCircuit> circuits_of(const nn::Transformer& model, const CircuitOptions& options) {
  std::vector<HeadCircuit> all;
  for (const AttentionLayer& layer : attention_layers(model.config()))
    for (std::size_t head = 0; head < model.config().n_heads; ++head)
      all.push_back(circuit_of(model, {layer.layer, head, layer.stack}, options));
  return all;
}

}  // namespace headlight::interpret
