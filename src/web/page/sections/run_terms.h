// A sequence taken apart by the writers of the residual stream.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "headlight/interpret/attention_layers.h"
#include "headlight/nn/transformer.h"
#include "page/shown.h"

namespace headlight::page {

// The stacks of a model's attention layers, as the page keeps them.
std::vector<interpret::Stack> stacks_of(const nn::TransformerConfig& config);

// The number of a head in interpret::all_heads(). Throws Error for a head that the model does not have.
std::size_t head_number(const interpret::HeadAt& at, const nn::TransformerConfig& config);

// The rotation of a query by one position, (d_head,d_head) row by row: a query's row q becomes q·turn^d for a
// key d positions before it. Empty for positions that do not rotate.
std::vector<double> turn_of(const nn::Transformer& model);

// The scores and the logits of a sequence as sums over parts: what writes to the residual stream, as
// ["head", its number], ["mlp", its layer], ["embed", 0], ["pos_embed", 0] or ["bias", 0] (all biases
// together). Of S parts and n tokens:
//   heads    of the first stack, layer by layer: {parts, q, k, smear, bias, cap, sink, window}, with q and k
//            (S,n,d_head) and score(i,j) = cap(Σ_s Σ_t q[s,i]·k[t,j]) + bias(i-j), cap(x) = c·tanh(x/c). The
//            bias is of i-j = 1-n … n-1. Smeared keys, (2S,n,d_head), are what the parts make at a key's own
//            position, the share `smear`, and then at the position before. What a model does not have is
//            absent.
//   logits   {parts, contributions}: (S,n,G+1), what each part contributes to the logits less their mean over
//            the vocabulary, at each position. First those of the position's G guesses; 0 where it has fewer.
//            The last is that of its target, or 0.
// Arrays are packed_numbers() with a step for each part. Throws Error for a model that the library cannot
// take apart.
nlohmann::ordered_json terms_json(const nn::Transformer& model, const Shown& shown);

}  // namespace headlight::page
