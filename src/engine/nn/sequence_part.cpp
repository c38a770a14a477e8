#include "headlight/nn/sequence_part.h"

#include <utility>

#include "headlight/autograd/backward.h"
#include "headlight/autograd/linear_ops.h"
#include "headlight/autograd/record.h"
#include "headlight/autograd/record_fused.h"
#include "headlight/core/kernels.h"
#include "headlight/ops/rearrange.h"
#include "headlight/ops/smear.h"

namespace headlight::nn {
namespace {

// The keys of a part, behind the last key of the block before (1,1+n/P,w); of block 0 they stay alone. In
// the backward pass that key's cotangent goes to the part that has it.
Tensor with_key_before(const Tensor& k, const SequencePart& part) {
  const std::size_t rows = k.length(1), block = part.block(), ahead = block > 0 ? 1 : 0;
  const Tensor last(kernels::slice(k.array(), 1, rows - 1, 1, 1));
  const Tensor all = part.exchange->gather(part.number, {last}).front();  // (1,P,w)
  Array before = kernels::slice(all.array(), 1, block - ahead, ahead, 1);
  return record("with_key_before", {k}, kernels::concat({&before, &k.array()}, 1),
                [part, rows, block, ahead](const Tensor& g, const Tensor&) {
                  const Array to_before = kernels::slice(g.array(), 1, 0, ahead, 1);
                  const Shape of_all{1, part.parts, g.length(2)};
                  const Tensor from_next =
                      part.exchange
                          ->sum(part.number,
                                {Tensor(kernels::unslice(to_before, of_all, 1, block - ahead, 1))})
                          .front();
                  Array own = kernels::slice(g.array(), 1, ahead, rows, 1);
                  kernels::add_into(own, kernels::unslice(from_next.array(), own.shape(), 1, rows - 1, 1));
                  return Tensor(std::move(own));
                });
}

}  // namespace

// attention_over_parts   z = attention(q, K, V), K and V the rows of all parts
//   q̄ as in attention;   k̄ = the part's rows of Σ K̄ over all parts, v̄ likewise
Tensor attention_over_parts(const Tensor& q, const Tensor& k, const Tensor& v, AttentionOptions options,
                            const SequencePart& part) {
  const std::vector<Tensor> all = part.exchange->gather(part.number, {k, v});
  // Under a name of their own, these terms lead nowhere else than to this attention.
  for (Tensor* term : {&options.bias, &options.relative.values, &options.sinks})
    if (term->defined()) *term = identity(*term);
  const Tensor z = scaled_dot_product_attention(q, all[0], all[1], options);
  const std::vector<Tensor> inputs = defined({q, k, v, options.bias, options.relative.values, options.sinks});
  return record_joint(
      "attention_over_parts", inputs, z.array(), [z, all, inputs, part](const Tensor& g, const Tensor&) {
        std::vector<Tensor> read = inputs, wanted;
        read[1] = all[0], read[2] = all[1];
        for (const Tensor& x : read)
          if (x.requires_grad()) wanted.push_back(x);
        std::vector<Tensor> found = grad(z, wanted, {.cotangent = g, .retain_graph = true});
        std::vector<Tensor> cotangents(read.size());
        for (std::size_t i = 0, next = 0; i < read.size(); ++i)
          if (read[i].requires_grad()) cotangents[i] = std::move(found[next++]);
        std::vector<Tensor> rows =
            part.exchange->sum(part.number, {std::move(cotangents[1]), std::move(cotangents[2])});
        cotangents[1] = std::move(rows[0]), cotangents[2] = std::move(rows[1]);
        return cotangents;
      });
}

Tensor smear_over_parts(const Tensor& k, const Tensor& alpha, const SequencePart& part) {
  const Tensor smeared = smear(with_key_before(k, part), alpha);
  return part.block() > 0 ? slice(smeared, 1, 1) : smeared;
}

}  // namespace headlight::nn
