#include "headlight/interpret/head_hessian.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "headlight/autograd/backward.h"
#include "headlight/core/check.h"
#include "headlight/core/finite.h"
#include "headlight/ops/arithmetic.h"
#include "headlight/ops/reduce.h"
#include "shards.h"

namespace headlight::interpret {
namespace {

// A head's matrices, and each parameter that holds them once: W_QKV holds three.
struct HeadBlock {
  std::vector<HeadMatrix> matrices;
  std::vector<Tensor> parameters;
  std::vector<std::size_t> parameter_of;  // of each matrix

  HeadBlock(const nn::Transformer& model, const HeadAt& head) : matrices(head_matrices(model, head)) {
    for (const HeadMatrix& m : matrices) {
      const auto known = std::find_if(parameters.begin(), parameters.end(),
                                      [&](const Tensor& p) { return same_node(p, m.parameter); });
      parameter_of.push_back(static_cast<std::size_t>(known - parameters.begin()));
      if (known == parameters.end()) parameters.push_back(m.parameter);
    }
  }

  std::size_t size() const { return matrices.back().offset + matrices.back().size(); }

  Array flat(const std::vector<Tensor>& of_parameters) const {
    Array flat = empty_array({size()});
    for (std::size_t i = 0; i < matrices.size(); ++i)
      matrices[i].take(of_parameters[parameter_of[i]].array(), flat.data() + matrices[i].offset);
    return flat;
  }

  // Arrays of the parameters' shapes, 0 outside the head.
  std::vector<Tensor> spread(const Array& flat) const {
    std::vector<Array> whole;
    for (const Tensor& p : parameters) whole.push_back(full_array(p.shape(), 0));
    for (std::size_t i = 0; i < matrices.size(); ++i)
      matrices[i].put(flat.data() + matrices[i].offset, whole[parameter_of[i]]);
    std::vector<Tensor> result;
    for (Array& array : whole) result.emplace_back(std::move(array));
    return result;
  }
};

// The sum of an array (N) over the shards, in their order.
Array sum_of_shards(const std::vector<Shard>& shards, ThreadPool& pool, const char* op,
                    const std::function<Array(const Shard&)>& of) {
  std::vector<Array> parts(shards.size());
  pool.run(shards.size(), [&](std::size_t s) {
    const RecordingScope record(true);
    parts[s] = of(shards[s]);
  });
  Array sum = parts[0];
  for (std::size_t s = 1; s < parts.size(); ++s)
    for (std::size_t i = 0; i < sum.size(); ++i) sum.data()[i] += parts[s].data()[i];
  check(all_finite(sum),
        "[{}] the result is not finite: the model's parameters, or the direction, are too large or damaged.",
        op);
  return sum;
}

Array hessian_product(const nn::Transformer& model, const std::vector<Shard>& shards, const HeadBlock& block,
                      const Array& direction, ThreadPool& pool) {
  const std::vector<Tensor> v = block.spread(direction);
  return sum_of_shards(shards, pool, "hessian_vector_product", [&](const Shard& shard) {
    const std::vector<Tensor> g =
        grad(shard_loss(model, shard), block.parameters, {.create_graph = true, .allow_unused = true});
    Tensor along = 0;  // vᵀ dL/dθ
    for (std::size_t i = 0; i < g.size(); ++i) along = along + sum(g[i] * v[i]);
    if (!along.requires_grad()) return full_array({block.size()}, 0);
    return block.flat(grad(along, block.parameters, {.allow_unused = true}));
  });
}

// Power iteration with H - shift. The residual counts in units of `scale`; 0: of |value|.
HeadEigenvalue iterate(const std::function<Array(const Array&)>& times_h, Array v, double shift, double scale,
                       const PowerOptions& options) {
  HeadEigenvalue result;
  for (;;) {
    const Array w = times_h(v);
    ++result.iterations;
    result.value = dot(v.data(), w.data(), v.size());
    double residual = 0, norm = 0;
    Array next = w;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto x = static_cast<double>(v.data()[i]), y = static_cast<double>(w.data()[i]);
      residual += (y - result.value * x) * (y - result.value * x);
      next.data()[i] = static_cast<Real>(y - shift * x);
    }
    norm = std::sqrt(sum_of_squares(next.data(), next.size()));
    result.residual = std::sqrt(residual);
    const double unit = scale > 0 ? scale : std::abs(result.value);
    result.converged = result.residual <= options.tolerance * unit;
    if (result.converged || norm == 0 || result.iterations == options.max_iterations) break;
    for (std::size_t i = 0; i < v.size(); ++i) v.data()[i] = static_cast<Real>(next.data()[i] / norm);
  }
  result.vector = std::move(v);
  return result;
}

Array first_direction(std::size_t size, std::uint64_t seed) {
  Rng rng(seed);
  Array v = rng.normal_array({size});
  const double norm = std::sqrt(sum_of_squares(v.data(), size));
  for (Real& x : v) x = static_cast<Real>(x / norm);
  return v;
}

}  // namespace

Array head_gradient(const nn::Transformer& model, const tasks::Batch& batch, const HeadAt& head,
                    ThreadPool& pool, LossOver over) {
  const HeadBlock block(model, head);
  return sum_of_shards(shards_of(batch, over), pool, "head_gradient", [&](const Shard& shard) {
    return block.flat(grad(shard_loss(model, shard), block.parameters, {.allow_unused = true}));
  });
}

Array hessian_vector_product(const nn::Transformer& model, const tasks::Batch& batch, const HeadAt& head,
                             const Array& direction, ThreadPool& pool, LossOver over) {
  const HeadBlock block(model, head);
  check(
      direction.dimension() == 1 && direction.size() == block.size(),
      "[hessian_vector_product] expected a direction of {} numbers, as head_parameters() has, got shape {}.",
      block.size(), direction.shape());
  return hessian_product(model, shards_of(batch, over), block, direction, pool);
}

HeadEigenvalue extreme_eigenvalue(const nn::Transformer& model, const tasks::Batch& batch, const HeadAt& head,
                                  ThreadPool& pool, const PowerOptions& options) {
  check(options.tolerance > 0 && options.max_iterations > 0,
        "[extreme_eigenvalue] expected a positive tolerance and at least 1 iteration, got {} and {}.",
        options.tolerance, options.max_iterations);
  const HeadBlock block(model, head);
  const std::vector<Shard> shards = shards_of(batch, options.over);
  const auto times_h = [&](const Array& v) { return hessian_product(model, shards, block, v, pool); };
  const Array start = first_direction(block.size(), options.seed);
  HeadEigenvalue first = iterate(times_h, start, 0, 0, options);
  const bool wanted = options.which == Extreme::magnitude ||
                      (options.which == Extreme::largest ? first.value >= 0 : first.value <= 0);
  if (wanted && first.converged) return first;
  if (options.which == Extreme::magnitude) return first;

  // ‖H v‖ of the last v is at most the largest magnitude: with that shift the other end is the farthest from
  // 0.
  const double magnitude = std::hypot(first.value, first.residual);
  const double shift = options.which == Extreme::largest ? -magnitude : magnitude;
  HeadEigenvalue second = iterate(times_h, start, shift, magnitude, options);
  second.iterations += first.iterations;
  return second;
}

}  // namespace headlight::interpret
