#include "nanda_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "headlight/autograd/record.h"
#include "headlight/ops/ops.h"
#include "headlight/tasks/epochs.h"

namespace headlight::papers::nanda {
namespace {

constexpr std::size_t kWidth = 128, kHeads = 4, kHead = kWidth / kHeads, kHidden = 512;
constexpr std::size_t kAtOnce = 900;  // pairs that one thread measures

// N(0, 1/over), as the authors' code draws all weights.
Tensor drawn(const Shape& shape, Rng& rng, std::size_t over = kWidth) {
  return parameter(rng.normal_array(shape, 0, 1 / std::sqrt(static_cast<double>(over))));
}

Tensor zeros(std::size_t n) { return parameter(full_array({n}, 0)); }

}  // namespace

IntArray rows_of(const Pairs& pairs) {
  IntArray rows = empty_int_array({pairs.size(), 3});
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    rows(i, 0) = static_cast<std::int32_t>(pairs[i] / kPrime);
    rows(i, 1) = static_cast<std::int32_t>(kPrime + pairs[i] % kPrime);
    rows(i, 2) = 2 * kPrime;
  }
  return rows;
}

IntArray sums_of(const Pairs& pairs) {
  IntArray sums = empty_int_array({pairs.size()});
  for (std::size_t i = 0; i < pairs.size(); ++i)
    sums(i) = static_cast<std::int32_t>((pairs[i] / kPrime + pairs[i] % kPrime) % kPrime);
  return sums;
}

Split split() {
  Split all;
  const tasks::Epochs order(kPairs, 0);
  for (std::size_t i = 0; i < kPairs; ++i) (i < kTrained ? all.trained : all.held_out).push_back(order(i));
  return all;
}

Model::Model(Rng& rng)
    : E(drawn({kPrime + 1, kWidth}, rng)),
      P(drawn({3, kWidth}, rng)),
      Q(drawn({kWidth, kWidth}, rng)),
      K(drawn({kWidth, kWidth}, rng)),
      V(drawn({kWidth, kWidth}, rng)),
      O(drawn({kWidth, kWidth}, rng)),
      W_in(drawn({kWidth, kHidden}, rng)),
      b_in(zeros(kHidden)),
      W_out(drawn({kHidden, kWidth}, rng)),
      b_out(zeros(kWidth)),
      U(drawn({kWidth, kPrime + 1}, rng, kPrime + 1)) {}

Tensor Model::tokens() const {
  const Tensor numbers = slice(E, 0, 0, kPrime), equals = slice(E, 0, kPrime);
  return concat({numbers + slice(P, {0}), numbers + slice(P, {1}), equals + slice(P, {2})});
}

Tensor Model::operator()(const IntArray& rows) const {
  const Tensor x = tokens(), equals = slice(x, 0, 2 * kPrime);
  const Tensor q = reshape(matmul(equals, Q), {1, kHeads, kHead}) * (1 / std::sqrt(double(kHead)));
  const Tensor scores = sum(reshape(matmul(x, K), {-1, kHeads, kHead}) * q, {2});  // (2p+1,H)
  const Tensor pattern = unsqueeze(softmax(embedding(scores, rows), 1), -1);       // (B,3,H,1)
  const Tensor values = reshape(embedding(matmul(x, V), rows), {-1, 3, kHeads, kHead});
  const Tensor z = reshape(sum(pattern * values, {1}), {-1, kWidth});
  const Tensor middle = equals + matmul(z, O);
  return matmul(middle + linear(relu(linear(middle, W_in, b_in)), W_out, b_out), U);
}

Measurement::Measurement(const Pairs& pairs) : count_(static_cast<double>(pairs.size())) {
  for (std::size_t first = 0; first < pairs.size(); first += kAtOnce) {
    const std::size_t last = std::min(pairs.size(), first + kAtOnce);
    const Pairs part(&pairs[first], &pairs[first] + (last - first));
    rows_.push_back(rows_of(part)), sums_.push_back(sums_of(part));
  }
}

Score Measurement::of(const Model& model, ThreadPool& pool) const {
  std::vector<Score> parts(rows_.size());
  pool.run(parts.size(), [&](std::size_t i) {
    const NoGrad no_grad;
    const Tensor logits = model(rows_[i]);
    const IntArray said = argmax(logits);
    for (std::size_t j = 0; j < said.size(); ++j) parts[i].accuracy += said(j) == sums_[i](j);
    parts[i].loss = double(cross_entropy(logits, sums_[i], {.reduction = Reduction::sum}).item());
  });
  Score mean;
  for (const Score& part : parts) mean.accuracy += part.accuracy / count_, mean.loss += part.loss / count_;
  return mean;
}

std::vector<double> shares_of_frequencies(const Model& model) {
  const Array& E = model.E.array();
  std::vector<double> power((kPrime - 1) / 2, 0);
  for (std::size_t k = 1; k <= power.size(); ++k) {
    std::array<double, kPrime> cosine, sine;
    for (std::size_t a = 0; a < kPrime; ++a) {
      const double angle = 2 * std::acos(-1.0) * static_cast<double>(k * a % kPrime) / kPrime;
      cosine[a] = std::cos(angle), sine[a] = std::sin(angle);
    }
    for (std::size_t j = 0; j < kWidth; ++j) {
      double c = 0, s = 0;
      for (std::size_t a = 0; a < kPrime; ++a)
        c += double(E(a, j)) * cosine[a], s += double(E(a, j)) * sine[a];
      power[k - 1] += c * c + s * s;
    }
  }
  std::sort(power.begin(), power.end(), std::greater());
  const double all = std::accumulate(power.begin(), power.end(), 0.0);
  for (double& share : power) share /= all;
  return power;
}

}  // namespace headlight::papers::nanda
